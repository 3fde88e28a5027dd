"""A hanging chain of 20 links: its lowest frequencies, against a heavy rope."""

import saltus as sl

m = sl.Model()
last = m.ground
for i in range(20):
    link = m.rod((0, 0, -0.05 * i), (0, 0, -0.05 * (i + 1)), mass=0.05, radius=0.006, name=f"link_{i}")
    m.revolute(last, link, at=link.start, axis="y", name=f"pin_{i}")
    last = link

modes = m.modes()
print("Hz:", *(f"{f:.4f}" for f in modes.frequencies[:3]))
# A rope of length 1 m swings at j / (2 sqrt(L/g)) / 2 pi, j the zeros of J0 (Daniel Bernoulli 1733).
for f, zero in zip(modes.frequencies, (2.404826, 5.520078)):
    assert abs(f / (zero * (9.81**0.5) / 2 / (2 * 3.14159265)) - 1) < 0.01
m.force(last.end, ("0.2*sin(8*t)", 0, 0), name="shake")
m.simulate(until=2.0).to_png("hanging_chain.png")
