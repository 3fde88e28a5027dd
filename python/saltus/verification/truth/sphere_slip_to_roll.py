"""Round bodies thrown without spin, or with backspin, on a rough floor: they slide until they roll."""

import numpy as np

import saltus as sl
from saltus.items import CoulombImpact, PlaneContact
from saltus.verification.models import options_of, with_step

R, SHAPES = 0.1, {"sphere": 0.4, "disk": 0.5, "hoop": 1.0}


def model(factor, spin=0.0):
    """A ball whose inertia is factor m r^2 about y; a disk and a hoop that stay upright move as such a ball does."""
    m = sl.Model()
    J = factor * R * R
    body = m.body(mass=1, inertia=(0.5 * J + 1e-3, J, 0.5 * J + 1e-3), at=(0, 0, R), velocity=(2, 0, 0),
                  angular_velocity=(0, spin, 0), name="body")  # fmt: skip
    m.add(PlaneContact(name="floor", A=m.plane(), B=body, radius=R, law=CoulombImpact(friction=0.2)))
    return m


def verify(case):
    step = 1e-4
    keywords = with_step("moreau_jean", step)
    case.how = options_of(keywords)
    for shape, factor in SHAPES.items():
        result = model(factor).simulate(0.7, **keywords)
        x, v, w = (np.asarray(result[f"body.{q}"]) for q in ("position.x", "velocity.x", "angular_velocity.y"))
        rolls = int(np.argmax(np.abs(v - R * w) < 1e-9))
        yield case.check(f"{shape}_roll_time", result.time[rolls], step)
        yield case.check(f"{shape}_roll_velocity", v[-1], 1e-6)
        yield case.check(f"{shape}_roll_distance", x[rolls], 2 * step)
        energy = np.asarray(result["energy.kinetic"])
        yield case.check(f"{shape}_energy_lost_fraction", 1 - energy[-1] / energy[0], 1e-6)
        yield case.compare(
            f"{shape}: slip while it rolls", np.abs(v[rolls:] - R * w[rolls:]).max(), 0.0, 1e-12, source="stick"
        )
    for spin in (-30, -60):
        result = model(0.4, spin).simulate(1.5, **keywords)
        yield case.check(f"sphere_backspin_w{spin}_final_v", result["body.velocity.x"].last, 1e-6)
