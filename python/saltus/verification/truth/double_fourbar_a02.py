"""N four-bars in a row: parallelograms that pass twice per turn through a singular position, all bars collinear."""

import numpy as np

import saltus as sl
from saltus.verification.models import options_of, with_step


def model(n):
    m = sl.Model(gravity=(0, -9.81, 0))
    posts = [
        m.rod((i, 0, 0), (i, 1, 0), mass=1, velocity=(0.5, 0, 0), angular_velocity=(0, 0, -1), name=f"post{i}")
        for i in range(n + 1)
    ]
    for i in range(n):
        bar = m.rod((i, 1, 0), (i + 1, 1, 0), mass=1, velocity=(1, 0, 0), name=f"bar{i}")
        m.revolute(posts[i], bar, at=(i, 1, 0), axis="z")
        m.revolute(bar, posts[i + 1], at=(i + 1, 1, 0), axis="z")
    for i, post in enumerate(posts):
        m.revolute(m.ground, post, at=(i, 0, 0), axis="z")
    post = posts[0]
    post.frame(at=post.end, name="B")
    return m


def verify(case):
    for n in (2,) if case.quick else (2, 10, 40):
        keywords = with_step("generalized_alpha", 1e-3 if n < 40 else 2e-3, spectral_radius=0.9)
        case.how = options_of(keywords)
        result = model(n).simulate(10.0, **keywords)
        x, y = (np.asarray(result[f"B.position.{axis}"]) for axis in "xy")
        angle = np.unwrap(np.arctan2(y, x))
        yield case.check(f"angle_10_N{n}", angle[-1], 1e-4 if n < 40 else 1e-3)
        yield case.compare(
            f"position of B, N={n}",
            [x[-1], y[-1]],
            [case.truth(f"Bx_10_N{n}"), case.truth(f"By_10_N{n}")],
            1e-4 if n < 40 else 1e-3,
        )
        energy = np.asarray(result["energy.total"])
        yield case.compare(f"energy drift, N={n}", np.abs(energy - energy[0]).max(), 0.0, 0.1, source="conservation")
        middle = np.asarray(result[f"bar{n // 2}.rotation.z"])
        yield case.compare(f"largest turn of a coupler, N={n}", np.abs(middle).max(), 0.0, 1e-6,
                           source="it stays on the branch of the parallelogram")  # fmt: skip
