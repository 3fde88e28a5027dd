"""A diode bridge as the peer's linear system, and as a circuit of elements: an ideal bridge with a resistor is a resistor."""

from saltus.verification.case import at
from saltus.verification.models import options_of, with_step
from saltus.verification.siconos._systems import linear
from saltus.verification.truth.diode_bridge_rlc import bridge


def system():
    L, C, R = 1e-2, 1e-6, 1e3
    D = [[1 / R, 1 / R, -1, 0], [1 / R, 1 / R, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]]
    return linear([10, 0], [[0, -1 / C], [1 / L, 0]], C=[[0, 0], [0, 0], [-1, 0], [1, 0]], D=D,
                  B=[[0, 0, -1 / C, 1 / C], [0, 0, 0, 0]])  # fmt: skip


def verify(case):
    keywords = with_step("moreau_jean", 1e-6)
    for kind, model, v, i in (
        ("equations", system, "x.state.0", "x.state.1"),
        ("elements", bridge, "a.value", "L_current.state"),
    ):
        case.how = f"{options_of(keywords)}, {kind}"
        result = model().simulate(5e-3, **keywords)
        for ms in (1, 4):
            yield case.check(f"v_{ms}ms", at(result, v, ms * 1e-3))
            yield case.check(f"i_{ms}ms", at(result, i, ms * 1e-3))
    case.how = "moreau_jean, equations"
    steps = (4e-6, 2e-6, 1e-6)
    yield case.order("v at 1 ms", lambda h: system().simulate(1e-3, **with_step("moreau_jean", h))["x.state.0"].last,
                     steps, case.truth("v_1ms"), 1)  # fmt: skip
