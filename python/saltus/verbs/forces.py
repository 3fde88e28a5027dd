"""Force elements beside springs: bushings, gravity between masses, penalty contacts, tyres, loads of mass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from saltus import geometry as g
from saltus.errors import ModelError
from saltus.handles import Body, Connector, Load
from saltus.verbs._verb import given, verb

if TYPE_CHECKING:
    from saltus.arguments import Direction, End, Function, Matrix, Number, Numbers, Point, VectorOfTime
    from saltus.handles import Ground

    PenaltyModel = Literal["hertz", "hunt_crossley", "lankarani_nikravesh", "flores", "walton_braun", "dmt", "jkr"]


class ForceVerbs:
    """Force elements between two frames, and loads in proportion to the mass."""

    @verb("connectors")
    def bushing(
        self,
        A: End,
        B: End,
        *,
        stiffness: Matrix | Numbers | None = None,
        damping: Matrix | Numbers | None = None,
        offset: Numbers | None = None,
        preload: Numbers | None = None,
        force: Function | Any | None = None,
        at: Point | None = None,
        axis: Direction | None = None,
        name: str = "",
    ) -> Connector:
        """Elastic connection in six directions, axes of A, or of frames at `at` with z along `axis`: displacement, then rotation vector.

        stiffness, damping: (6) or (6, 6) [N/m, N m/rad], [N s/m, N m s/rad]; offset (6) [m, rad] without force; preload (6) [N, N m],
        positive pulls B back. Or force: six expressions, or one function that gives six numbers, of (t, x, y, z, a, b, c, vx, vy, vz, va, vb, vc): the place of B in A [m], its
        Tait-Bryan angles about x, y, z [rad] and their rates; positive against the motion of B.
        """
        name = self._free_name("bushing", name)
        path = f"connectors/{name}"
        place = {"A": self._frame(A, f"{path}/A"), "B": self._frame(B, f"{path}/B")}
        if at is not None:
            place["at"] = self._point(at, f"{path}/at").tolist()
        if axis is not None:
            place["axis"] = axis if isinstance(axis, str) else g.direction(axis, f"{path}/axis").tolist()
        fields = given(stiffness=stiffness, damping=damping, offset=offset, preload=preload)
        if force is None:
            return Connector(self, self._add("connectors", "bushing", name, {**place, **{key: self._plain(value) for key, value in fields.items()}}))
        if fields:
            g.refuse(f"{path}/force", f"is given with {', '.join(fields)}", "write these into the function, or leave it out")
        return Connector(self, self._add("connectors", "user_bushing", name, {**place, "force": self._plain(force)}))

    @verb("connectors")
    def attraction(self, A: Body, B: Body, *, constant: Number | None = None, softening: Number | None = None, name: str = "") -> Connector:
        """Gravity between the masses of two bodies, at their origins: G m_A m_B / (L^2 + s^2) along the line.

        constant: G [m^3/(kg s^2)], default that of nature; softening: s [m], default 0. `force` acts on B.
        """
        name = self._free_name("attraction", name)
        masses = {f"mass_{word}": self._weight_of(body, f"connectors/{name}/{word}")[0] for word, body in (("A", A), ("B", B))}
        fields = {"A": self._frame(A, "A"), "B": self._frame(B, "B"), **masses, **given(constant=constant, softening=softening)}
        return Connector(self, self._add("connectors", "mutual_gravity", name, fields))

    @verb("connectors")
    def penalty(
        self,
        A: Body,
        B: Body,
        *,
        stiffness: Number,
        model: PenaltyModel | None = None,
        exponent: Number | None = None,
        damping: Number | None = None,
        restitution: Number | None = None,
        rest_speed: Number | None = None,
        unloading: Number | None = None,
        cohesion: Number | None = None,
        adhesion: Number | None = None,
        friction: Number | None = None,
        slip_speed: Number | None = None,
        pulls: bool | None = None,
        name: str = "",
    ) -> Connector:
        """Contact of two spheres, or of a plane and a sphere, by a force of how far they enter each other, d: no impacts, small steps.

        stiffness K and exponent n: K d^n, n = 1.5 of Hertz by default. model: "hertz" (with `damping` [N s/m]), "hunt_crossley",
        "lankarani_nikravesh", "flores" (losses of `restitution`, 0 to 1), "walton_braun" (springs K and `unloading` [N/m], `cohesion`), "dmt" or
        "jkr" (`adhesion` [J/m^2]). friction: coefficient, regularized below slip_speed [m/s]. `force` is what acts on B; see
        `sl.items.PenaltySpheres` for each field. For contacts that do not enter each other: `contact`.
        """
        name = self._free_name("penalty", name)
        path = f"connectors/{name}"
        kinds = (self._shape(A, f"{path}/A"), self._shape(B, f"{path}/B"))
        types = {("sphere", "sphere"): "penalty_spheres", ("plane", "sphere"): "penalty_sphere_plane"}
        if kinds not in types:
            g.refuse(path, f"joins a {kinds[0]} and a {kinds[1]}", "write the plane first" if kinds == ("sphere", "plane") else "it takes two spheres, or a plane and a sphere; for a torus add sl.items.PenaltySphereTorus")
        sizes = {"radius_A": A._shape["radius"], "radius_B": B._shape["radius"]} if kinds[0] == "sphere" else {"radius": B._shape["radius"]}
        fields = {"A": self._frame(A, "A"), "B": self._frame(B, "B"), **sizes, "stiffness": stiffness}
        others = given(model=model, exponent=exponent, damping=damping, restitution=restitution, rest_speed=rest_speed, unloading=unloading,
                       cohesion=cohesion, adhesion=adhesion, friction=friction, slip_speed=slip_speed, pulls=pulls)  # fmt: skip
        return Connector(self, self._add("connectors", types[kinds], name, {**fields, **others}))

    @verb("connectors")
    def tyre(
        self,
        A: Body | Ground,
        B: End,
        *,
        radius: Number,
        stiffness: Number,
        longitudinal: Function,
        lateral: Function,
        relaxation: tuple[Number, Number] = (0.1, 0.1),
        damping: Number | None = None,
        friction: Number | None = None,
        name: str = "",
    ) -> Connector:
        """Tyre of a wheel B, which turns about its y axis, on the plane z = 0 of A: a plane, or the ground.

        radius [m] of the free wheel; stiffness [N/m] and damping [N s/m] against the plane. longitudinal, lateral: forces [N] as functions of (slip,
        load): the slip kappa = -v_s / abs(v), or tan(alpha), and the vertical force [N]; linear `"8e4*slip"`, `sl.magic_formula(...)`, or a table.
        relaxation: lengths [m] with which the slips follow, along and across. friction: shortens both forces to its share of the load.
        `force` is what acts on B.
        """
        name = self._free_name("tyre", name)
        path = f"connectors/{name}"
        relaxation = tuple(relaxation) if isinstance(relaxation, (tuple, list)) else (relaxation, relaxation)
        if len(relaxation) != 2:
            g.refuse(f"{path}/relaxation", f"is {relaxation!r}, expected two lengths [m]", "write (along, across)")
        slips = self._add("nodes", "node_ode1", self._free_name("", f"{name}_slips"), {"count": 2})
        ends = {"A": self._frame(A, f"{path}/A"), "B": self._frame(B, f"{path}/B")}
        self._warn_of_lying(A, B, path)
        fields = {
            **ends,
            "longitudinal_slip": {"node": slips, "coordinate": 0},
            "lateral_slip": {"node": slips, "coordinate": 1},
            "radius": radius,
            "stiffness": stiffness,
            "longitudinal": longitudinal,
            "lateral": lateral,
            "relaxation_x": relaxation[0],
            "relaxation_y": relaxation[1],
            **given(damping=damping, friction=friction),
        }
        return Connector(self, self._add("connectors", "tyre", name, fields))

    def _warn_of_lying(self, A: Any, B: Any, path: str) -> None:
        """Warns of a wheel whose y axis, about which a tyre turns, is nearer to the normal of the plane than to the plane."""
        try:
            normal, axis = self._handle(A).reference[1][:, 2], self._handle(B).reference[1][:, 1]
        except ModelError:  # known only when the model is compiled
            return
        if abs(normal @ axis) <= np.sqrt(0.5):
            return
        turned = "the frame of it that has y along the axis of the cylinder: .frame(rotation=sl.degrees(x=90))" if getattr(B, "_shape", {}).get("type") == "cylinder" else "a frame of it whose y axis is that of the wheel: .frame(rotation=...)"
        words = [f"({', '.join(f'{x:.3g}' for x in vector + 0.0)})" for vector in (axis, normal)]
        g.warn(f"{path}/B", f"is {g.short(B)}, whose y axis, {words[0]}, about which the wheel turns, lies along the normal of the plane, {words[1]}: the wheel lies flat", f"give {turned}")

    @verb("loads")
    def mass_load(self, on: Body, acceleration: VectorOfTime, *, axes: End | Ground | None = None, name: str = "") -> Load:
        """The mass of a body times an acceleration field (3) [m/s^2], at its centre of mass: gravity of its own, that changes, a shaken floor.

        acceleration: numbers or expressions of t and of x, y, z, vx, vy, vz, the place and velocity of the centre of mass as seen from the frame `axes`
        (default: the world), whose axes it is given in; a centrifuge seen from its rotor: ("w^2*x + 2*w*vy", "w^2*y - 2*w*vx", 0). For a body without the
        model's gravity: `body.set(gravity_share=0)`.
        """
        name = self._free_name("mass_load", name)
        path = f"loads/{name}"
        if callable(acceleration) and not hasattr(acceleration, "_saltus_compiled"):
            function = acceleration
            acceleration = lambda t, x, y, z, vx, vy, vz: function(t)  # noqa: E731
        mass, center = self._weight_of(on, f"{path}/on")
        fields = {"on": self._frame(on, f"{path}/on"), "axes": "ground" if axes is None else self._frame(axes, f"{path}/axes"), "mass": mass}
        return Load(self, self._add("loads", "mass_load", name, {**fields, **given(center_of_mass=center), "acceleration": self._plain(acceleration)}))

    def _weight_of(self, body: Any, path: str) -> tuple[Any, Any]:
        """Mass and centre of mass of a body."""
        body = self._handle(body)
        if isinstance(body, Body) and body is not self.ground:
            self._own(body, path)
            if body._weight is not None:
                return body._weight
            fields = self._engine.record(body.name)["fields"]  # of a model file
            if "mass" in fields:
                return fields["mass"], fields.get("center_of_mass")
        g.refuse(path, f"is {g.short(body)}, which has no mass of its own", "give a body")


def magic_formula(B: float, C: float, D: float, E: float = 0.0, *, shift: float = 0.0) -> str:
    """Pacejka's Magic Formula D load sin(C atan(B s - E (B s - atan(B s)))), s = slip + shift, as an expression of `slip` and `load`.

    B: stiffness factor, C: shape, D: peak as a coefficient of friction, E: curvature, at most 1 (Pacejka 2012, 4.3).
    """
    if not E <= 1.0:
        g.refuse("magic_formula/E", f"is {E:g}, must be at most 1", "above it the curve bends back")
    s = f"{B!r}*(slip + {shift!r})" if shift else f"{B!r}*slip"
    return f"{D!r}*load*sin({C!r}*atan({s} - {E!r}*({s} - atan({s}))))"
