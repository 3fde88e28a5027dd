"""Gears as they come from CAD: two surfaces of triangles turn each other through their flanks."""

import math

import numpy as np

import saltus as sl

MODULE, WIDTH, SLOPE = 0.01, 0.02, math.radians(20)


def gear(teeth, play=1e-4):
    """Points and triangles of an involute gear with a bore; one tooth points along x."""
    pitch = MODULE * teeth / 2
    base = pitch * math.cos(SLOPE)
    radii = np.array([pitch - 1.25 * MODULE, *np.linspace(base, pitch + MODULE, 8)])
    thread = np.sqrt(np.maximum((radii / base) ** 2 - 1, 0))
    half = (math.pi / 2 - play / MODULE) / teeth + math.tan(SLOPE) - SLOPE - thread + np.arctan(thread)
    turn = np.concatenate([np.concatenate([-half, half[::-1]]) + 2 * math.pi * k / teeth for k in range(teeth)])
    radius, even = np.tile(np.concatenate([radii, radii[::-1]]), teeth), np.linspace(0, 2 * math.pi, len(turn), endpoint=False) - math.pi / teeth
    rings = [(radius, turn, -1), (radius, turn, 1), (radii[0] / 2, even, -1), (radii[0] / 2, even, 1)]
    points = np.concatenate([np.column_stack([r * np.cos(a), r * np.sin(a), 0 * a + side * WIDTH / 2]) for r, a, side in rings])
    i = np.arange(len(turn))
    j = np.roll(i, -1)
    squares = [np.column_stack([a * len(i) + i, a * len(i) + j, b * len(i) + j, b * len(i) + i]) for a, b in ((0, 1), (1, 3), (3, 2), (2, 0))]
    return points, np.concatenate([square[:, corners] for square in squares for corners in ((0, 1, 2), (0, 2, 3))])


m = sl.Model(gravity=(0, 0, 0))
pinion = m.mesh(gear(18), density=7800, name="pinion")
wheel = m.mesh(gear(27), density=7800, at=(0.225, 0, 0), rotation=(0, 0, math.pi + math.pi / 27), name="wheel")
m.revolute(m.ground, pinion, axis="z", at=(0, 0, 0), speed=2.0, name="drive")
driven = m.revolute(m.ground, wheel, axis="z", at=(0.225, 0, 0), damping=0.5, name="driven")
flanks = m.contact(pinion, wheel, friction=0.05, name="flanks")
result = m.simulate(until=1.0, step=5e-4)
speed = result[wheel.angular_velocity.z][500:].mean()
print(f"the wheel turns at {speed:.4f} rad/s, by the teeth {-2 * 18 / 27:.4f}")
assert abs(speed + 4 / 3) < 5e-3
result.to_png("gears_of_triangles.png", time=1.0)
