"""A cantilever under a dead transverse force at its tip: the elastica."""

from saltus.verification.truth._cantilever import cantilever


def tip(elements, alpha):
    """(w, u, angle) of the tip; the beam bends about z."""
    m, beam = cantilever(elements)
    m.force(beam.end, (0, alpha, 0))
    result = m.static()
    x, y, _ = result[beam.end.position].last
    return [y, 1.0 - x, result[beam.end.rotation.z].last]


def verify(case):
    case.how = "static, 80 elements"
    for alpha in (1, 2, 5, 10) if case.quick else range(1, 11):
        truth = case.truth(f"alpha{alpha}")
        yield case.compare(f"tip at P L^2 / EI = {alpha}", tip(80, alpha), [truth["w_over_L"], truth["u_over_L"], truth["tip_angle"]], 1e-4)
    truth = case.truth("alpha5")
    case.how = "static"
    yield case.order(
        "the tip, in the length of an element", lambda h: tip(round(1 / h), 5.0), (1 / 8, 1 / 16, 1 / 32),
        [truth["w_over_L"], truth["u_over_L"], truth["tip_angle"]], 2,
    )  # fmt: skip
