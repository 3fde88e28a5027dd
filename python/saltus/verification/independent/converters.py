"""Converters of direct voltage, switched at a fixed rate: their periodic motion, with a current without and with gaps."""

import numpy as np

import saltus as sl

VIN, L, C, T = 24.0, 1e-3, 2e-5, 1e-4


def converter(kind, R, duty, start):
    m = sl.Model()
    s, x, o = (m.terminal(name=n) for n in "sxo")
    m.voltage_source(s, m.ground, voltage=VIN)
    if kind == "buck":
        m.pwm_switch(s, x, period=T, duty=duty)
        m.diode(m.ground, x)
        m.inductor(x, o, L=L, current=start[0], name="L")
    else:
        m.inductor(s, x, L=L, current=start[0], name="L")
        m.pwm_switch(x, m.ground, period=T, duty=duty)
        m.diode(x, o)
    m.capacitor(o, m.ground, C=C, voltage=start[1])
    m.resistor(o, m.ground, R=R)
    return m


def phases(kind, R):
    """A, b of y' = A y + b for y = (current, voltage): switch closed, diode conducting, neither."""
    rc, idle = -1 / (R * C), np.diag([0.0, -1 / (R * C)])
    joined = np.array([[0, -1 / L], [1 / C, rc]])
    source = np.array([VIN / L, 0.0])
    if kind == "buck":
        return (joined, source), (joined, 0 * source), (idle, 0 * source)
    return (idle, source), (joined, source), (idle, 0 * source)


def flow(phase, y, t):
    A, b = phase
    whole = np.zeros((3, 3))
    whole[:2, :2], whole[:2, 2] = A * t, b * t
    values, vectors = np.linalg.eig(whole + 1e-300)
    if np.linalg.cond(vectors) > 1e8:  # powers of a nilpotent part: halve and square a Taylor sum
        total, term = np.eye(3), np.eye(3)
        for k in range(1, 20):
            term = term @ (whole / 1024) / k
            total = total + term
        total = np.linalg.matrix_power(total, 1024)
    else:
        total = (vectors @ np.diag(np.exp(values)) @ np.linalg.inv(vectors)).real
    return total[:2, :2] @ y + total[:2, 2]


def period(kind, R, duty, y):
    """State a period later, from where the switch closes."""
    closed, diode, idle = phases(kind, R)
    y = flow(closed, y, duty * T)
    left = (1 - duty) * T
    if flow(diode, y, left)[0] > 0.0:
        return flow(diode, y, left)
    low, high = 0.0, left  # where the current ends
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if flow(diode, y, middle)[0] > 0.0 else (low, middle)
    y = flow(diode, y, low)
    return flow(idle, np.array([0.0, y[1]]), left - low)


def periodic(kind, R, duty):
    """The state that comes back after a period, by Newton's method."""
    y = np.array([VIN * duty / R, VIN * (duty if kind == "buck" else 1 / (1 - duty))])
    for _ in range(50):
        miss = period(kind, R, duty, y) - y
        J = np.column_stack([(period(kind, R, duty, y + e) - period(kind, R, duty, y - e)) / 2e-6 for e in 1e-6 * np.eye(2)]) - np.eye(2)
        change = np.linalg.lstsq(J, -miss, rcond=1e-9)[0]
        y = y + change
        if np.abs(change).max() < 1e-12:
            break
    return y


def verify(case):
    # In steps of fixed length an edge acts from the beginning of the step in which it lies: a share of 1/1000 of the period, 2.5e-3 of the duty.
    for kind in ("buck", "boost"):
        for R, gaps in ((10.0, "without"), (1000.0, "with")):
            truth = periodic(kind, R, 0.4)
            for keywords, bound in (({}, 2e-4), ({"step": T / 1000}, 5e-3)):
                result = converter(kind, R, 0.4, truth).simulate(10 * T, **keywords)
                case.how = f"{result.scheme}, " + (f"step {keywords['step']:g} s" if keywords else "as simulate() chooses")
                values = [float(result[q].last) for q in ("L_current.state", "o.value")]
                size = np.array([max(truth[0], VIN * 0.4 * T / L), truth[1]])
                yield case.compare(
                    f"{kind} converter, current {gaps} gaps, after ten periods: current, voltage by their size", np.array(values) / size, truth / size, bound,
                    source="periodic solution by exponentials of matrices",
                )  # fmt: skip
