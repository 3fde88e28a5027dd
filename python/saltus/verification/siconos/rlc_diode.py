"""An LC tank with a resistor behind one diode."""

from saltus.verification.case import at
from saltus.verification.models import options_of, with_step
from saltus.verification.siconos._systems import linear

L, C, R = 1e-2, 1e-6, 1e3


def model():
    return linear([-1, 0], [[0, -1 / C], [1 / L, 0]], C=[[-1, 0]], D=[[R]], B=[[-1 / C], [0]])


def verify(case):
    keywords = with_step("moreau_jean", 1e-7)
    case.how = options_of(keywords)
    result = model().simulate(5e-3, **keywords)
    yield case.check("v_1ms_fine", at(result, "x.state.0", 1e-3))
    yield case.check("v_4ms_fine", at(result, "x.state.0", 4e-3))
    yield case.check("i_4ms_fine", at(result, "x.state.1", 4e-3))
    keywords = with_step("moreau_jean", 1e-5, theta=0.500000001)
    case.how = options_of(keywords)
    result = model().simulate(5e-3, **keywords)
    for key, path, ms in (
        ("v_1ms", "x.state.0", 1),
        ("i_1ms", "x.state.1", 1),
        ("v_4ms", "x.state.0", 4),
        ("i_4ms", "x.state.1", 4),
    ):
        yield case.compare(f"{key} against the peer", at(result, path, ms * 1e-3), case.peer_value(key), 1e-9,
                           source="Siconos 4.4.0, same scheme and step")  # fmt: skip
