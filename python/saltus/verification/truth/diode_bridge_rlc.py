"""An LC tank that feeds a resistor through a floating bridge of four ideal diodes, or through one diode."""

import numpy as np

import saltus as sl
from saltus.verification.models import options_of, with_step


def tank():
    m = sl.Model()
    a = m.terminal(name="a")
    m.capacitor(a, m.ground, C=1e-6, voltage=10, name="C")
    m.inductor(a, m.ground, L=1e-2, name="L")
    return m, a


def bridge():
    m, a = tank()
    p, n = m.terminal(name="p"), m.terminal(name="n")
    m.resistor(p, n, R=1e3, name="R")
    for anode, cathode in ((a, p), (m.ground, p), (n, a), (n, m.ground)):
        m.diode(anode, cathode)
    return m


def half_wave():
    m, a = tank()
    k = m.terminal(name="k")
    m.diode(a, k, name="D")
    m.resistor(k, m.ground, R=1e3, name="R")
    return m


def verify(case):
    step = 5e-7  # the first step of a circuit costs h^2: at 1 us the error is 1.4e-3 V
    keywords = with_step("moreau_jean", step)
    case.how = options_of(keywords)
    result = bridge().simulate(5e-3, **keywords)
    yield case.check("bridge_v_5ms", result["a.value"].last, 1e-3)
    yield case.check("bridge_i_5ms", result["L_current.state"].last, 1e-5)
    current = result["p.value"].last - result["n.value"].last
    yield case.check("bridge_resistor_current_5ms", current / 1e3, 1e-6)
    yield case.compare(
        "largest residual of the laws", result.report["residual"]["laws"], 0.0, 1e-10, source="certificate"
    )
    result = half_wave().simulate(5e-3, **keywords)
    v, t = np.asarray(result["a.value"]), result.time
    yield case.check("halfwave_v_5ms", v[-1], 1e-2)
    yield case.check("halfwave_i_5ms", result["L_current.state"].last, 1e-5)
    i = np.flatnonzero(v[1:] * v[:-1] < 0)
    switches = t[i] + (t[i + 1] - t[i]) * v[i] / (v[i] - v[i + 1])
    yield case.check("halfwave_switch_times", switches, step, note="the capacitor's voltage changes its sign")

    def run(h):
        return bridge().simulate(5e-3, **with_step("moreau_jean", h))["a.value"].last

    steps = (4e-6, 2e-6, 1e-6)
    yield case.order("the bridge's voltage", run, steps, case.truth("bridge_v_5ms"), 1)
