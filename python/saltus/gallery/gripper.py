"""A gripper takes a box between two round finger tips, lifts it by friction alone and holds it for a minute: it does not creep."""

import saltus as sl


def model() -> sl.Model:
    m = sl.Model()
    floor = m.plane(name="floor")
    box = m.box(size=(0.1, 0.1, 0.1), mass=1.0, at=(0, 0, 0.05), name="box")
    palm = m.box(size=(0.24, 0.08, 0.03), mass=2.0, at=(0, 0, 0.24), name="palm")
    # 0.2 m up between 1 s and 2 s, beginning and ending without a jump of the acceleration.
    rise = "0.24 + 0.2*if(t < 1, 0, if(t < 2, (t - 1)^3*(10 - 15*(t - 1) + 6*(t - 1)^2), 1))"
    m.driven(palm, position=("0", "0", rise), rotation=("0", "0", "0"), name="lift")
    left = m.box(size=(0.02, 0.03, 0.18), mass=0.2, at=(-0.075, 0, 0.15), name="left")
    right = m.box(size=(0.02, 0.03, 0.18), mass=0.2, at=(0.075, 0, 0.15), name="right")
    tips = [m.shape("sphere", finger, radius=0.015, at=(x, 0, 0.07), name=f"tip_{finger.name}") for finger, x in ((left, -0.065), (right, 0.065))]
    m.fixed(palm, left, at=(-0.075, 0, 0.225), name="wrist")
    m.prismatic(palm, right, at=(0.075, 0, 0.225), axis="x", force=-20.0, name="jaw")
    m.contact([floor], [box], friction=0.5, name="on_floor")
    grip = m.contact(tips, [box], friction=0.5, spinning=0.005, name="grip")
    m.outputs = {"height": box.position.z, "force": grip.force}
    m.simulation = {"until": 62.0, "step": 1e-2}
    return m
