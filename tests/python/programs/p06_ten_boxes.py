import saltus as sl

m = sl.Model()
below = m.plane()
for i in range(10):
    box = m.box(size=(0.1, 0.1, 0.1), mass=1, on=below)
    m.contact(below, box, friction=0.5)
    below = box
result = m.simulate(until=10)
print(result[box.displacement.norm].max())
