"""A ball dropped from 1 m: infinitely many impacts until 4.0637 s, then rest."""

import numpy as np

import saltus as sl
from saltus.verification.models import options_of, with_step


def model():
    m = sl.Model()
    ball = m.point_mass(mass=1, at=(0, 0, 1), name="ball")
    m.contact(m.plane(), ball, restitution=0.8, name="floor")
    return m


def verify(case):
    step = 1e-4 if case.quick else 1e-5
    keywords = with_step("moreau_jean", step)
    case.how = options_of(keywords)
    m = model()
    result = m.simulate(5.0, **keywords)
    z, v, t = (np.asarray(x) for x in (result["ball.position.z"], result["ball.velocity.z"], result.time))
    impacts = [event[0] for event in result.events if event[1] == "impact"][:8]
    yield case.compare("times of impacts 1 to 8", impacts, case.truth("impact_times_1_to_50")[:8], 20 * step,
                       note="first order: each impact may be one step late, and its error is carried on")  # fmt: skip
    yield case.check("accumulation_time", result.rest_time(m["ball"]), 200 * step)
    yield case.check("height_t2", z[np.argmin(np.abs(t - 2.0))], 200 * step)
    late = t > 4.2
    yield case.compare("largest |z| after rest", np.abs(z[late]).max(), 0.0, step * 9.81 * step, source="closed form")
    yield case.compare("largest |v| after rest", np.abs(v[late]).max(), 0.0, 1e-12, source="closed form")
    impulse = np.asarray(result["floor.force.z"])[late]
    yield case.compare("contact force at rest", [impulse.min(), impulse.max()], [9.81, 9.81], 1e-9, source="weight")

    case.how = "event_driven"
    result = model().simulate(5.0, scheme="event_driven")
    impacts = [event[0] for event in result.events if event[1] == "impact"][:50]
    yield case.compare("times of impacts 1 to 50", impacts, case.truth("impact_times_1_to_50"), 1e-12)
    yield case.compare("height and speed after rest", [result["ball.position.z"].last, result["ball.velocity.z"].last], [0.0, 0.0], 1e-12, source="closed form")
    yield case.compare("contact force at rest", result["floor.force.z"].last, 9.81, 1e-9, source="weight")
    case.how = options_of(keywords)

    def run(h):
        r = model().simulate(1.1, **with_step("moreau_jean", h))
        return r["ball.position.z"].last

    # Between the first and the second impact the ball flies freely: z(1.1) = 0.8 v1 s - g s^2 / 2.
    v1, s = np.sqrt(2 * 9.81), 1.1 - np.sqrt(2 / 9.81)
    # The error depends on where in the step the impact falls: the fit takes many steps.
    yield case.order("z at 1.1 s", run, [1.1 / n for n in (700, 1700, 4100, 9700, 23000, 53000)],
                     0.8 * v1 * s - 0.5 * 9.81 * s * s, 1)  # fmt: skip
