import saltus as sl

for angle in (25, 30):
    m = sl.Model(); ramp = m.plane(rotation=sl.degrees(y=angle))
    box = m.box(size=(0.2, 0.2, 0.2), mass=8, on=ramp)
    m.contact(ramp, box, friction=0.5)
    m.simulate(until=1).plot(box.displacement.norm, label=f"{angle} deg")
