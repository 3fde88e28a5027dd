"""A bridge of ideal diodes rectifies an oscillating current."""

import saltus as sl

m = sl.Model()
a, p, n = m.terminal(name="a"), m.terminal(name="p"), m.terminal(name="n")
m.capacitor(a, m.ground, C=1e-6, voltage=10)
m.inductor(a, m.ground, L=1e-2)
load = m.resistor(p, n, R=1e3, name="load")
for anode, cathode in ((a, p), (m.ground, p), (n, a), (n, m.ground)):
    m.diode(anode, cathode)
m.outputs = {"source": a.voltage, "current of the load": load.current}

result = m.simulate(until=5e-3)
print(f"current of the load: {1e3 * result[load.current].min():.3f} to {1e3 * result[load.current].max():.3f} mA")
assert result[load.current].min() > -1e-9 and result[a.voltage].min() < -5
result.to_png("diode_bridge.png")
