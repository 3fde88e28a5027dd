"""Car axis on a bumpy road: stiff springs, a rheonomic and a nonlinear constraint."""

from saltus.verification.models import controlled, of_gallery, options_of, with_step


def places(keywords):
    result = of_gallery("car_axis").simulate(3.0, **keywords)
    out = {}
    for side, word in (("l", "left"), ("r", "right")):
        for axis in "xy":
            out[axis + side] = result[f"{word}.position.{axis}"].last
            out[axis + side + "_rate"] = result[f"{word}.velocity.{axis}"].last
    return out


def verify(case):
    keywords = controlled("generalized_alpha", 1e-7, spectral_radius=0.9)
    case.how = options_of(keywords)
    found = places(keywords)
    names = ("xl", "yl", "xr", "yr")
    note = "the right end swings at 4472 rad/s on its spring: the phase of that costs a second-order scheme most"
    yield case.compare(
        "positions", [found[name] for name in names], [case.truth(name) for name in names], 2e-4, note=note
    )
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    found = places(keywords)
    for name in ("xl", "yl", "xr", "yr"):
        yield case.check(name, found[name], 1e-6)
    for name in ("xl_rate", "yl_rate", "xr_rate", "yr_rate"):
        yield case.check(name, found[name], 1e-5)
    case.how = "generalized_alpha, spectral radius 0.9"

    def run(step):
        found = places(with_step("generalized_alpha", step, spectral_radius=0.9))
        return [found[name] for name in names]

    yield case.order("the positions", run, (1e-3, 5e-4, 2.5e-4), [case.truth(name) for name in names], 2)
