"""A machine on springs: what reaches the floor, by linearization and by runs."""

import math

import saltus as sl

m = sl.Model()
m.parameters = {"k": 4e4, "w": 60.0}
machine = m.box(size=(1, 0.6, 0.5), mass=100, at=(0, 0, 0.85), name="machine")
m.prismatic(m.ground, machine, at=(0, 0, 0.85), axis="z", name="guide")
mount = m.spring(m.ground, machine.frame((0, 0, 0.6)), stiffness="k", damping=200, rest_length=0.6, name="mount")
m.force(machine, (0, 0, "500*sin(w*t)"), name="unbalance")

(frequency,) = m.modes().frequencies
study = sl.study(m, w=[20.0, 40.0, 80.0], simulate={"until": 12.0}, outputs={"rms": (mount.tension, "rms")})
print(f"natural frequency {frequency:.4f} Hz, sqrt(k/m) / 2 pi = {math.sqrt(4e4 / 100) / 2 / math.pi:.4f} Hz")
for row in study.table:
    print(f"w = {row['w']:.0f} rad/s: {row['value']['rms']:.0f} N at the floor")
assert abs(frequency - math.sqrt(400) / 2 / math.pi) < 2e-3
m.simulate(until=1.0).to_png("vibration_isolator.png")
