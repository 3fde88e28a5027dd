import saltus as sl

m = sl.Model(); ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
m.contact(m.plane(), ball, restitution=0.8)
result = m.simulate(until=5); result.plot(ball.position.z); print(result.rest_time(ball))
