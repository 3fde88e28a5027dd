"""A relay in the feedback of a third-order plant: limit cycle."""

import numpy as np

from saltus.verification.models import of_gallery, options_of, with_step


def verify(case):
    for step in (0.01, 1e-3):
        keywords = with_step("moreau_jean", step)
        case.how = options_of(keywords)
        result = of_gallery("relay_oscillator").simulate(100.0, **keywords)
        x, t = np.asarray(result["x.state"])[:, 0], result.time
        late = np.flatnonzero((x[:-1] * x[1:] < 0) & (t[:-1] > 60))
        zeros = t[late] + (t[late + 1] - t[late]) * x[late] / (x[late] - x[late + 1])
        yield case.check("half_period", np.diff(zeros).mean(), 2 * step)
        yield case.check("amp", np.abs(x[t > 60]).max(), 0.5 * step)
        if step == 0.01:
            peer = case.peer_value("x1_at_10s")
            yield case.compare(
                "x1 at 10 s against the peer", x[1000], peer, 1e-9, source="Siconos 4.4.0, same scheme and step"
            )
    keywords = with_step("zero_order_hold", 1e-3)
    case.how = options_of(keywords)
    result = of_gallery("relay_oscillator").simulate(100.0, **keywords)
    yield case.check("amp", np.abs(np.asarray(result["x.state"])[result.time > 60, 0]).max(), 1e-3)
