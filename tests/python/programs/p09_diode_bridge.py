import saltus as sl

m = sl.Model(); a, p, n = m.terminal(), m.terminal(), m.terminal()
m.capacitor(a, m.ground, C=1e-6, voltage=10); m.inductor(a, m.ground, L=1e-2); m.resistor(p, n, R=1e3)
for anode, cathode in ((a, p), (m.ground, p), (n, a), (n, m.ground)): m.diode(anode, cathode)
m.simulate(until=5e-3).plot(a.voltage)
