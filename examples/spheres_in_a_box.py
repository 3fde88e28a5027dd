"""Spheres fall into a box; every contact obeys its law in every step."""

import saltus as sl

m = sl.Model()
walls = [m.plane(name="floor")] + [m.plane(at=at, normal=n) for at, n in (((-0.3, 0, 0), "x"), ((0.3, 0, 0), "-x"), ((0, -0.3, 0), "y"), ((0, 0.3, 0), "-y"))]
balls = [
    m.sphere(radius=0.1, mass=1, at=(0.21 * (i % 2) - 0.12 + 0.01 * k, 0.21 * (i // 2) - 0.12, 0.15 + 0.25 * k), name=f"ball_{k}_{i}")
    for k in range(3)
    for i in range(4)
]
m.contact(walls, balls, friction=0.3, restitution=0.2, name="walls")
m.contact(balls, friction=0.3, restitution=0.2, name="balls")

result = m.simulate(until=2.0, scheme="moreau_jean", step=2e-3)
print(f"worst residual of the laws {result.report['residual']['laws']:.1e}, kinetic energy at the end {result['energy.kinetic'].last:.1e} J")
assert result.report["residual"]["laws"] < 1e-6 and result["energy.total"].last < result["energy.total"][0]
result.to_png("spheres_in_a_box.png")
