"""Spatial slider-crank with the universal joint's pins as the peer orients them."""

import numpy as np

import saltus as sl
from saltus.geometry import basis_with_x, direction, rotation_vector
from saltus.verification.models import controlled, options_of, with_step

PIN, END, BEARING = np.array([0, 0.1, 0.2]), np.array([0.2, 0, 0]), (0, 0.1, 0.12)


def slider_crank(inertia_crank, slider_pin, rod_pin):
    """slider_pin: axis of the cross in the slider; rod_pin: the one in the rod, both at the start, world axes."""
    m = sl.Model()
    along = (END - PIN) / np.linalg.norm(END - PIN)
    omega = np.array([6.0, 0, 0])
    v_pin = np.cross(omega, PIN - BEARING)
    v_end = np.array([v_pin @ along / along[0], 0, 0])  # the rod keeps its length
    w_rod = np.cross(along, v_end - v_pin) / np.linalg.norm(END - PIN)
    slider_axis = direction(slider_pin, "slider_pin")
    w_rod -= (
        along * (np.cross(w_rod, rod_pin) @ slider_axis) / (np.cross(along, rod_pin) @ slider_axis)
    )  # pins stay normal
    crank = m.body(mass=0.12, inertia=inertia_crank, at=(0, 0.1, 0.16), angular_velocity=omega,
                   velocity=0.5 * v_pin, name="crank")  # fmt: skip
    turn = rotation_vector(basis_with_x(along))
    rod = m.body(mass=0.5, inertia=(0.0004, 0.004, 0.004), at=0.5 * (PIN + END), rotation=turn,
                 velocity=0.5 * (v_pin + v_end), angular_velocity=w_rod, name="rod")  # fmt: skip
    slider = m.body(mass=2.0, inertia=(1e-4, 1e-4, 1e-4), at=END, velocity=v_end, name="slider")
    m.revolute(m.ground, crank, at=BEARING, axis="x", name="bearing")
    m.spherical(crank, rod, at=PIN, name="ball")
    m.universal(slider, rod, at=END, axes=(slider_pin, rod_pin), name="cross")
    m.prismatic(m.ground, slider, at=END, axis="x", name="guide")
    return m


def model():
    along = (END - PIN) / np.linalg.norm(END - PIN)
    pin = np.cross(along, [0, 0, 1.0])
    return slider_crank((0.0001, 1e-5, 0.0001), "z", pin / np.linalg.norm(pin))


def values(keywords, until=0.5, make=model):
    result = make().simulate(until, **keywords)
    return {
        "slider_x": result["slider.position.x"].last, "slider_v": result["slider.velocity.x"].last,
        "crank_rate": result["crank.angular_velocity.x"].last,
    }  # fmt: skip


def verify(case):
    keywords = controlled("dormand_prince", 1e-9)
    case.how = options_of(keywords)
    for key, value in values(keywords).items():
        yield case.check(key, value)
    case.how = "generalized_alpha, spectral radius 0.8"
    keys = ("slider_x", "slider_v", "crank_rate")

    def run(h):
        found = values(with_step("generalized_alpha", h, spectral_radius=0.8))
        return [found[key] for key in keys]

    yield case.order("slider and crank", run, (2e-3, 1e-3, 5e-4), [case.truth(key) for key in keys], 2)
