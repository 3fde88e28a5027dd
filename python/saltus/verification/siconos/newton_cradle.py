"""Five balls, one comes: momentum and energy do not depend on which touching pairs take part."""

import numpy as np

from saltus.verification.models import of_gallery, options_of, with_step


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    result = of_gallery("newton_cradle").simulate(0.1, **keywords)
    nodes = [name for section, kind, name in result._model._engine.records() if section == "nodes"]
    v = np.array([np.asarray(result[f"{name}.rate"]).reshape(len(result), -1)[-1, 0] for name in nodes])
    yield case.check("momentum", v.sum())
    yield case.check("kinetic", 0.5 * (v**2).sum())
