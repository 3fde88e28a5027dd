"""Bricard's six-revolute loop: overconstrained, one equation is redundant. P1, P2, P3 of the case are ends of bars 1 to 3."""

import numpy as np

from saltus.verification.models import of_gallery, options_of, with_step

BOX = [1 * (0.1**2 + 0.1**2) / 12, 1 * (1 + 0.1**2) / 12]  # about the long and a transverse axis


def model(box: bool = False):
    m = of_gallery("bricard")
    if box:
        for i in range(1, 6):
            bar = m[f"bar{i}"]
            inertia = np.array(bar.fields["inertia"], dtype=float)
            axial = int(np.argmin(np.diag(inertia) if inertia.ndim == 2 else inertia))
            bar.set(inertia=[BOX[0] if k == axial else BOX[1] for k in range(3)])
    return m


def ends(result) -> dict[str, np.ndarray]:
    return {f"P{i}": np.array(result[f"P{i + 1}.position"].last) for i in (1, 2, 3)}


def verify(case):
    keywords = with_step("generalized_alpha", 1e-3, spectral_radius=0.9)
    case.how = options_of(keywords)
    for kind in ("thin_rod", "box_0.1"):
        result = model(kind != "thin_rod").simulate(1.0, **keywords)
        for name, place in ends(result).items():
            yield case.compare(f"{kind} {name} at 1 s", place, case.truth(f"{kind}_t1")[name], 1e-4)
        energy = result["energy.total"]
        yield case.compare(f"{kind} energy drift", np.ptp(energy), 0.0, 1e-3, source="conservation")
    if not case.quick:
        # The loop passes its turning point four times in 10 s: the error of the phase grows, the tolerance does not.
        fine = with_step("generalized_alpha", 2.5e-4, spectral_radius=0.9)
        case.how = options_of(fine)
        for until in (5.0, 10.0):
            found = ends(model().simulate(until, **fine))
            for name, place in found.items():
                yield case.compare(
                    f"thin_rod {name} at {until:g} s", place, case.truth(f"thin_rod_t{until:g}")[name], 1e-4
                )
        # The last step is cut short, so that averages start anew where one row's own terms are far below the others'.
        for step in (7e-4, 4.4e-4):
            cut = with_step("generalized_alpha", step, spectral_radius=0.9)
            case.how = options_of(cut)
            for name, place in ends(model().simulate(10.0, **cut)).items():
                yield case.compare(f"thin_rod {name} at 10 s", place, case.truth("thin_rod_t10")[name], 1e-5)
    case.how = "generalized_alpha, spectral radius 0.9"

    def run(step):
        return np.concatenate(
            list(ends(model().simulate(1.0, **with_step("generalized_alpha", step, spectral_radius=0.9))).values())
        )

    truth = np.concatenate([case.truth("thin_rod_t1")[name] for name in ("P1", "P2", "P3")])
    yield case.order("the hinge points", run, (4e-3, 2e-3, 1e-3), truth, 2)
