"""A robot in MJCF: an arm under a position drive shoves a crate, which slides on under Coulomb's friction and then rests, exactly."""

from pathlib import Path

import saltus as sl

Path("pusher.xml").write_text("""<mujoco model="pusher">
<compiler angle="radian"/>
<default><joint damping="2" armature="0.05"/><geom type="capsule" size="0.03" friction="0.3" density="800"/></default>
<worldbody>
  <geom name="floor" type="plane" size="5 5 0.1"/>
  <body name="upper" pos="-0.5 0 0.75">
    <joint name="shoulder" axis="0 -1 0" range="-1 1"/>
    <geom fromto="0 0 0 0 0 -0.35"/>
    <body name="lower" pos="0 0 -0.35">
      <joint name="elbow" axis="0 -1 0" range="-0.2 2"/>
      <geom fromto="0 0 0 0 0 -0.25"/><geom name="fist" type="sphere" size="0.06" pos="0 0 -0.28"/>
    </body>
  </body>
  <body name="crate" pos="0 0 0.1"><freejoint/><geom name="crate_box" type="box" size="0.2 0.15 0.1" mass="3"/></body>
</worldbody>
<actuator>
  <position name="shoulder_drive" joint="shoulder" kp="600" kv="40" forcerange="-150 150"/>
  <position name="elbow_drive" joint="elbow" kp="300" kv="20" forcerange="-80 80"/>
</actuator>
</mujoco>""")

m = sl.read_mjcf("pusher.xml")

def swing(state):
    """The fist draws back, then strikes."""
    state["shoulder_drive_ctrl"] = -0.3 if state.time < 0.4 else 0.6


result = m.simulate(until=1.6, step=5e-4, before_step=swing)
speed, x = result[m["crate"].velocity.x], result[m["crate"].position.x]
slowed = (speed[1300] - speed[1700]) / (result.time[1700] - result.time[1300])  # well after the strike
print(f"the crate was at {speed.max():.2f} m/s, slowed by {slowed:.4f} m/s^2, and lies at {x.last:.4f} m")
assert abs(slowed - 0.3 * 9.81) < 1e-6 and abs(speed.last) < 1e-9  # at rest, without creeping
result.to_png("pusher_in_mjcf.png", time=0.52)
