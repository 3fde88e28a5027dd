"""Spatial slider-crank (Haug; IFToMM): the slider's pin is along y, the rod's pin normal to rod and y."""

import numpy as np

from saltus.verification.exudyn.slider_crank_3d import END, PIN, slider_crank
from saltus.verification.models import controlled, options_of, with_step


def model():
    along = (END - PIN) / np.linalg.norm(END - PIN)
    pin = np.cross(along, [0, 1.0, 0])
    return slider_crank((1e-4, 1e-4, 1e-5), "y", pin / np.linalg.norm(pin))


def verify(case):
    keywords = controlled("dormand_prince", 1e-10)
    case.how = options_of(keywords)
    for until in (1.0, 5.0):
        result = model().simulate(until, **keywords)
        for key, quantity in (
            ("crank_rate", "crank.angular_velocity.x"),
            ("slider_x", "slider.position.x"),
            ("slider_v", "slider.velocity.x"),
        ):
            yield case.check(f"t{until:g}_{key}", result[quantity].last, 1e-5)
        R = np.array(result["crank.rotation_matrix"].last).reshape(3, 3)
        angle = np.arctan2(R[2, 1], R[1, 1])
        turns = round((case.truth(f"t{until:g}_crank_angle") - angle) / (2 * np.pi))
        yield case.check(f"t{until:g}_crank_angle", angle + 2 * np.pi * turns, 1e-5, note="up to whole turns")
    energy = np.asarray(result["energy.total"])
    yield case.compare("energy drift in 5 s", np.ptp(energy), 0.0, 1e-6, source="conservation")
    case.how = "generalized_alpha, spectral radius 0.8"

    def run(h):
        result = model().simulate(1.0, **with_step("generalized_alpha", h, spectral_radius=0.8))
        return [result["slider.position.x"].last, result["slider.velocity.x"].last]

    yield case.order("the slider", run, (4e-3, 2e-3, 1e-3), [case.truth("t1_slider_x"), case.truth("t1_slider_v")], 2)
