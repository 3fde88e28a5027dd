"""A ball that rolls to a stop against rolling resistance: v falls by (5/7) mu_r g / R, closed form."""

import saltus as sl
from saltus.verification.models import options_of, with_step

R = 0.5


def model(group=False):
    m = sl.Model()
    ball = m.sphere(radius=R, mass=1, at=(0, 0, R), velocity=(1, 0, 0), angular_velocity=(0, 2, 0), name="ball")
    m.contact(m.plane(), [ball] if group else ball, friction=0.3, rolling=0.01)
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    for group in (False, True):
        result = model(group).simulate(2.0, **keywords)
        home = "contact of a group" if group else "relation"
        for key, quantity in (("vx_T", "velocity.x"), ("x_T", "position.x")):
            yield case.check(key, result[f"ball.{quantity}"].last, 1e-6, note=home)
        speed, turning = result["ball.velocity.x"].last, result["ball.angular_velocity.y"].last
        yield case.compare(f"rolls without slip, {home}", speed - R * turning, 0.0, 1e-9, source="stick")
