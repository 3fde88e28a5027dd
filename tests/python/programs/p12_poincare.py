import math

import saltus as sl

m = sl.Model(); rod = m.rod(start=(0, 0, 0), end=(0, 0, -1), mass=1)
hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", damping=0.5); m.torque(rod, (0, "1.5*sin(2*pi*t)", 0))
state, points = m.state(tolerance=1e-8), [(0.0, 0.0)]
for period in range(40):
    state.advance(period + 1.0)
    points.append((state[hinge.angle], state[hinge.angular_rate]))
print(math.dist(points[-1], points[-2]))
