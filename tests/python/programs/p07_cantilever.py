import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
beam = m.beam((0, 0, 0), (1, 0, 0), EI=100, EA=1e8)
m.fixed(m.ground, beam.start)
m.force(beam.end, (0, -1000, 0))
result = m.static()
print(result[beam.end.position])
result.plot(beam.centerline)
