import saltus as sl

m = sl.Model(); last = m.ground
for i in range(10):
    link = m.rod((0, 0, -0.1*i), (0, 0, -0.1*(i+1)), mass=0.1)
    m.revolute(last, link, at=link.start, axis="y"); last = link
modes = m.modes(); print(modes.frequencies); modes.show(0)   # Hz, about the static equilibrium
