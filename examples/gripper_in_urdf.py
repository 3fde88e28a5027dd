"""A robot in URDF: a hand on a lift, whose second finger mimics the first, picks a ball up from the floor."""

from pathlib import Path

import saltus as sl

INERTIAL = '<inertial><mass value="{}"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>'
FINGER = f'<link name="{{0}}">{INERTIAL.format(0.2)}<collision><geometry><box size="0.04 0.02 0.12"/></geometry></collision></link>'
SLIDE = """<joint name="{0}_slide" type="prismatic"><parent link="hand"/><child link="{0}"/><origin xyz="0 {1} -0.08"/><axis xyz="0 1 0"/>
  <limit lower="{2}" upper="{3}" effort="30" velocity="1"/>{4}</joint>"""
Path("gripper.urdf").write_text(f"""<robot name="gripper">
<link name="base"/>
<link name="hand">{INERTIAL.format(0.5)}<collision><geometry><box size="0.08 0.26 0.03"/></geometry></collision></link>
<joint name="lift" type="prismatic"><parent link="base"/><child link="hand"/><origin xyz="0 0 0.14"/><axis xyz="0 0 1"/><limit lower="0" upper="0.4" effort="100" velocity="1"/></joint>
{FINGER.format("left")}{FINGER.format("right")}
{SLIDE.format("left", 0.1, -0.09, 0, "")}
{SLIDE.format("right", -0.1, 0, 0.09, '<mimic joint="left_slide" multiplier="-1"/>')}
</robot>""")

m = sl.read_urdf("gripper.urdf")
floor, ball = m.plane(name="floor"), m.sphere(radius=0.04, mass=0.3, at=(0, 0, 0.04), name="ball")
m.contact([floor, m["left_collision"], m["right_collision"]], [ball], friction=0.5, name="grip")
m.add(sl.items.CoordinateLoad(on=m["left_slide"], force="-20 - 5*v"), name="motor")
m.add(sl.items.CoordinateConstraint(A="ground", B=m["lift"], offset="if(t < 0.5, 0, 0.1*(1 - cos(pi*(t - 0.5))))"), name="hoist")

result = m.simulate(until=1.5, step=1e-3)
height = result[ball.position.z]
print(f"the ball stands {height.last - 0.04:.4f} m higher, the fingers {result[m['left_slide'].coordinate].last:.4f} and {result[m['right_slide'].coordinate].last:.4f} m along")
assert abs(height.last - 0.24) < 2e-3 and abs(result[m["left_slide"].coordinate].last + 0.05) < 1e-3
result.to_png("gripper_in_urdf.png", time=1.2)
