"""Two spur gears whose involute teeth touch: a pinion of 18 turns a wheel of 27 against a damper."""

import math

import numpy as np
from numpy.typing import NDArray

import saltus as sl
from saltus.handles import Body, Shape

MODULE, WIDTH, PRESSURE = 0.01, 0.02, math.radians(20.0)


def tooth(teeth: int, steps: int = 6, backlash: float = 2e-4) -> NDArray[np.float64]:
    """Outline (n, 2) [m] of one involute tooth about x, counter-clockwise, from root to root."""
    pitch = 0.5 * MODULE * teeth
    base, outer = pitch * math.cos(PRESSURE), pitch + MODULE
    radii = np.array([pitch - 1.25 * MODULE, *np.linspace(base, outer, steps)])
    roll = np.sqrt(np.maximum((radii / base) ** 2 - 1.0, 0.0))  # of the taut thread; below the base circle a flank is radial
    half = 0.25 * (2.0 * math.pi / teeth) + math.tan(PRESSURE) - PRESSURE - 0.5 * backlash / pitch
    angle = half - (roll - np.arctan(roll))
    flank = np.column_stack([radii * np.cos(angle), radii * np.sin(angle)])
    return np.concatenate([flank * (1.0, -1.0), flank[::-1]])


def prism(outline: NDArray[np.float64], pitch: float) -> list[list[float]]:
    """Corners of a tooth, about a place on its pitch circle."""
    return np.concatenate([np.column_stack([outline - (pitch, 0.0), np.full(len(outline), side * 0.5 * WIDTH)]) for side in (-1.0, 1.0)]).tolist()


def gear(m: sl.Model, name: str, teeth: int, at: float, first: float) -> tuple[Body, list[Shape]]:
    """A body about (at, 0, 0) [m] and the hulls of its teeth, one of which points along `first` [rad]."""
    pitch = 0.5 * MODULE * teeth
    body = m.cylinder(radius=pitch - 1.2 * MODULE, length=WIDTH, density=7800.0, at=(at, 0, 0), axis="z", name=name)
    shapes: list[Shape] = []
    for k in range(teeth):
        angle = first + 2.0 * math.pi * k / teeth
        angle -= 2.0 * math.pi * round(angle / (2.0 * math.pi))
        place = (at + pitch * math.cos(angle), pitch * math.sin(angle), 0.0)
        shapes.append(m.shape("hull", body, points=prism(tooth(teeth), pitch), at=place, rotation=(0, 0, angle), name=f"{name}_{k + 1}"))
    return body, shapes


def model(pinion_teeth: int = 18, wheel_teeth: int = 27) -> sl.Model:
    m = sl.Model(gravity=(0.0, 0.0, 0.0))
    apart = 0.5 * MODULE * (pinion_teeth + wheel_teeth)
    pinion, small = gear(m, "pinion", pinion_teeth, 0.0, 0.0)
    wheel, large = gear(m, "wheel", wheel_teeth, apart, math.pi + math.pi / wheel_teeth)  # a gap looks at the tooth of the pinion
    drive = m.revolute(m.ground, pinion, at=(0, 0, 0), axis="z", angle="2*t", name="drive")
    driven = m.revolute(m.ground, wheel, at=(apart, 0, 0), axis="z", damping=0.5, name="driven")
    mesh = m.contact(small, large, name="mesh")
    m.outputs = {"pinion": drive.angle, "wheel": driven.angle, "force": mesh.force}
    m.simulation = {"until": 2.0, "step": 1e-3}
    return m
