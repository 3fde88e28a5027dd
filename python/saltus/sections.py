"""Sections of beams: stiffness and inertia per length from a shape and a material."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from saltus import geometry as g
from saltus.calls import checked
from saltus.errors import methods_at_their_lines


@dataclass(frozen=True)
class Section:
    """A section of a beam, in its axes: x along the beam, y and z in the section, from its centroid.

    stiffness: (EA, GA_y, GA_z, GJ, EI_y, EI_z) [N, N m^2], or 6 by 6. mass_per_length [kg/m]. inertia_per_length (3) or (3, 3) [kg m]:
    rho (I_y + I_z), rho I_y, rho I_z.
    """

    stiffness: Any
    mass_per_length: Any = 0.0
    inertia_per_length: Any = (0.0, 0.0, 0.0)

    @classmethod
    @checked("section", "sl.Section.rectangle")
    def rectangle(
        cls, *, width: float, height: float, E: float, G: float | None = None, nu: float | None = None, density: float = 0.0, shear: float = 5.0 / 6.0
    ) -> Section:
        """Solid, `width` [m] along y and `height` [m] along z. E [Pa], and G [Pa] or nu; density [kg/m^3]; shear: share of the area that carries it."""
        b, h = (g.number(x, f"section/{word}", "m", above=0.0) for x, word in ((width, "width"), (height, "height")))
        short, long = sorted((b, h))
        # Saint-Venant's torsion constant (Timoshenko, Goodier, Theory of Elasticity, par. 109).
        series = sum(math.tanh(0.5 * n * math.pi * long / short) / n**5 for n in range(1, 40, 2))
        torsion = long * short**3 * (1.0 / 3.0 - 64.0 / math.pi**5 * short / long * series)
        return cls._of(b * h, b * h**3 / 12.0, h * b**3 / 12.0, torsion, E, G, nu, density, shear)

    @classmethod
    @checked("section", "sl.Section.circle")
    def circle(
        cls, *, radius: float, inner: float = 0.0, E: float, G: float | None = None, nu: float | None = None, density: float = 0.0, shear: float = 0.9
    ) -> Section:
        """Solid, or a tube with the `inner` radius [m]. E [Pa], and G [Pa] or nu; density [kg/m^3]; shear: share of the area that carries it, about
        0.9 solid, 0.5 of a thin tube."""
        r = g.number(radius, "section/radius", "m", above=0.0)
        hole = g.number(inner, "section/inner", "m")
        if not 0.0 <= hole < r:
            g.refuse("section/inner", f"is {hole:g} m, must be between 0 and the radius, {r:g} m")
        bending = 0.25 * math.pi * (r**4 - hole**4)
        return cls._of(math.pi * (r * r - hole * hole), bending, bending, 2.0 * bending, E, G, nu, density, shear)

    @classmethod
    @checked("section", "sl.Section.slim")
    def slim(cls, *, EI: float, EA: float, mass_per_length: float = 0.0) -> Section:
        """A solid round section by its stiffness in bending, EI [N m^2], and along the beam, EA [N]; torsion and shear as of Poisson's ratio 0.3.
        mass_per_length [kg/m]."""
        bending, tension = g.number(EI, "section/EI", "N m^2", above=0.0), g.number(EA, "section/EA", "N", above=0.0)
        mass = g.number(mass_per_length, "section/mass_per_length", "kg/m")
        if mass < 0.0:
            g.refuse("section/mass_per_length", f"is {mass:g} kg/m, must be at least 0")
        torsion, shear, turning = bending / 1.3, 0.9 * tension / 2.6, mass * bending / tension
        return cls((tension, shear, shear, torsion, bending, bending), mass, (2.0 * turning, turning, turning))

    @classmethod
    def _of(cls, area: float, I_y: float, I_z: float, torsion: float, E, G, nu, density, shear) -> Section:
        E = g.number(E, "section/E", "Pa", above=0.0)
        if (G is None) == (nu is None):
            g.refuse("section", "needs a shear modulus" if G is None else "has both a shear modulus and Poisson's ratio", "give G= [Pa] or nu=")
        G = 0.5 * E / (1.0 + g.number(nu, "section/nu", above=-1.0)) if G is None else g.number(G, "section/G", "Pa", above=0.0)
        rho = g.number(density, "section/density", "kg/m^3")
        shear = g.number(shear, "section/shear", above=0.0)
        return cls(
            (E * area, shear * G * area, shear * G * area, G * torsion, E * I_y, E * I_z),
            rho * area,
            (rho * (I_y + I_z), rho * I_y, rho * I_z),
        )

    def record(self, plain) -> dict[str, Any]:
        """Fields of a beam's record."""
        values = {"stiffness": self.stiffness, "mass_per_length": self.mass_per_length, "inertia_per_length": self.inertia_per_length}
        return {word: plain(np.asarray(value) if isinstance(value, tuple) else value) for word, value in values.items()}


methods_at_their_lines(Section)
