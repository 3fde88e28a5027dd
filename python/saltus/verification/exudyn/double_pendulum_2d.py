"""Planar double pendulum of two slender rods, in the plane's own coordinates and as bodies in space."""

import numpy as np

import saltus as sl
from saltus.items import NodeRigid2d, PlanarRevolute, RigidBody
from saltus.verification.models import controlled, options_of, with_step


def planar():
    m = sl.Model(gravity=(0, -9.81, 0))
    for i, (x, mass, length) in enumerate(((0.5, 2.0, 1.0), (1.4, 1.2, 0.8)), start=1):
        m.add(NodeRigid2d(name=f"n{i}", position=[x, 0, 0]))
        J = mass * length**2 / 12
        m.add(RigidBody(name=f"rod{i}", node=f"n{i}", mass=mass, inertia=[J, J, J]))
    m.add(PlanarRevolute(name="base", A="ground", B="rod1", at=[0, 0, 0]))
    m.add(PlanarRevolute(name="middle", A="rod1", B="rod2", at=[1, 0, 0]))
    return m


def spatial():
    m = sl.Model(gravity=(0, -9.81, 0))
    rod1, rod2 = m.rod((0, 0, 0), (1, 0, 0), mass=2, name="rod1"), m.rod((1, 0, 0), (1.8, 0, 0), mass=1.2, name="rod2")
    m.revolute(m.ground, rod1, at=rod1.start, axis="z", name="base")
    m.revolute(rod1, rod2, at=rod2.start, axis="z", name="middle")
    return m


def values(result):
    out = {}
    for i in (1, 2):
        out[f"phi{i}_end"] = float(np.unwrap(np.asarray(result[f"rod{i}.rotation.z"]), period=2 * np.pi)[-1])
        out[f"w{i}_end"] = result[f"rod{i}.angular_velocity.z"].last
    tip = np.array(result["rod2.position"].last)[:2] + 0.4 * np.array(
        [np.cos(out["phi2_end"]), np.sin(out["phi2_end"])]
    )
    return {**out, "tip_x": tip[0], "tip_y": tip[1]}


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    for kind, model in (("plane", planar), ("space", spatial)):
        case.how = f"{options_of(keywords)}, bodies in {'the plane' if kind == 'plane' else 'space'}"
        found = values(model().simulate(1.0, **keywords))
        for key in found:
            yield case.check(key, found[key])
    case.how = "generalized_alpha, spectral radius 0.9"
    names = ("phi1_end", "phi2_end")
    for kind, model in (("plane", planar), ("space", spatial)):

        def run(h, model=model):
            found = values(model().simulate(1.0, **with_step("generalized_alpha", h, spectral_radius=0.9)))
            return [found[name] for name in names]

        yield case.order(
            f"the angles, bodies in {kind}", run, (4e-3, 2e-3, 1e-3), [case.truth(name) for name in names], 2
        )
