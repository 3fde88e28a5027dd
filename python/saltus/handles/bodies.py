"""Handles of bodies, frames, nodes, trees and beams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.geometry import along_screw, number, refuse, rotation_matrix, rotation_vector, screw
from saltus.handles.base import Handle, Massive, Moving, QuantityOf, StartOf
from saltus.quantity import Line
from saltus.rotations import turn_vector
from saltus.settings import assign_to
from saltus.statements import kept, named, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from saltus.arguments import Direction, Function, FunctionMatrix, Matrix, Number, Numbers, Point, Real, Surface, Turn, Vector
    from saltus.model import Model


NOT_DRAWN_OTHERWISE: dict[str, Any] = {}


class Body(Massive, Moving):
    """A body: joints, springs, loads and contacts take it by its reference frame."""

    def __init__(
        self,
        model: Model,
        name: str,
        p: np.ndarray | None = None,
        R: np.ndarray | None = None,
        shape: dict[str, Any] | None = None,
    ):
        super().__init__(model, name)
        self._p, self._R = p, np.eye(3) if R is None else R
        self._shape = shape or {}
        self._weight: tuple[Any, Any] | None = None  # mass and centre of mass, as its verb was given them
        self._look = NOT_DRAWN_OTHERWISE  # drawn instead of the shape

    @property
    def shape(self) -> dict[str, Any]:
        """Its shape for contacts and pictures, with `type` (such as "sphere") and sizes (`radius`, in m); empty if it has none."""
        return shown(self._shape)

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Body)
        before, after = ((None if b._p is None else b._p.tolist(), b._R.tolist(), b._shape, b._weight) for b in (self, other))
        return before != after

    if TYPE_CHECKING:  # keywords of the verbs of bodies, read as given and assigned
        mass: Number | None
        density: Real | None
        inertia: Matrix
        center_of_mass: Numbers | None
        radius: Real | None
        length: Number | None
        size: Vector
        at: Point | None
        on: Body | None
        axis: Direction | None

    def looks_like(self, mesh: Surface, *, scale: float | None = None) -> Body:
        """Draws the body as the triangles of a .stl or .obj file, or of what else `m.mesh` takes, in its own axes; returns the body.

        scale: metres in a unit of the file, 1e-3 for one in mm; default 1, or what the file says. Mass, inertia and contacts stay as they are.
        """
        from saltus.mesh_files import read_mesh

        self._look = read_mesh(mesh, scale)
        return self

    def frame(self, at: Point | None = None, *, rotation: Turn = (0.0, 0.0, 0.0), name: str = "") -> Frame:
        """A frame fixed to the body.

        at: world point (3) [m] in the reference position, or a frame; default: the body's own origin.
        rotation: rotation vector (3) [rad], or `sl.Rotation`, from the body's axes to the frame's.
        """
        frame = Frame(self, at, turn_vector(rotation, f"markers/{name or self.name + '_frame'}/rotation"), name)
        frame._where()  # a mistake is refused here
        if name:
            frame._item_name()
        return frame


class Rod(Body):
    """A slim rod; its x axis points from `start` to `end`."""

    @property
    def start(self) -> Frame:
        """Frame at the first end, axes of the rod."""
        return self._end(-0.5, "start")

    @start.setter
    def start(self, value: Point) -> None:
        assign_to(self, "start", value)

    @property
    def end(self) -> Frame:
        """Frame at the second end, axes of the rod."""
        return self._end(0.5, "end")

    @end.setter
    def end(self, value: Point) -> None:
        assign_to(self, "end", value)

    def _end(self, side: float, word: str) -> Frame:
        return Frame(self, side, np.zeros(3), f"{self.name}_{word}")


class Frame(Moving):
    """A frame fixed to a body. It enters the model as a marker only when a quantity of it is read or it has a name.

    Its place follows that of its body in the reference position: the end of a rod is there where the rod ends.
    """

    _follows = True

    def __init__(self, body: Body, at: Any, turn: np.ndarray, name: str = ""):
        """at: a world point, a body or frame, None (origin of the body), or the end of a rod as a share of its length."""
        super().__init__(body._model, name)
        self._body, self._at, self._turn = body, kept(at), turn

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._body, self._at, self._turn, self.name))

    def _names(self) -> Iterator[str]:
        yield self._body.name
        yield from named(self._at)

    def _where(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R (3, 3)) in the world, in the reference position."""
        p, R = self._body.reference
        if isinstance(self._at, float):
            p = p + self._at * self._body._shape["length"] * R[:, 0]
        elif self._at is not None:
            p = self._model._point(self._at, f"markers/{self.name or self._body.name + '_frame'}/at")
        return p, R @ rotation_matrix(self._turn) if np.any(self._turn) else R

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R_WB (3, 3)) in the reference position."""
        p, R = (np.array(x) for x in self._where())
        p.setflags(write=False), R.setflags(write=False)
        return p, R

    def __repr__(self) -> str:
        return f"<frame {self.name}>" if self.name else f"<frame of {self._body.name}>"

    def _record(self) -> tuple[str, dict[str, Any]]:
        """Type and fields of its marker."""
        return "frame", {"body": self._reference()}

    def _reference(self) -> Any:
        p, R = self._where()
        reference: dict[str, Any] = {"body": self._body.name, "at": p.tolist()}
        turn = rotation_vector(self._body._R.T @ R).tolist()
        return {**reference, "rotation": turn} if any(turn) else reference

    def _item_name(self) -> str:
        model = self._model
        if not self.name:
            self._name = model._free_name("frame")
        if self.name not in model._names:
            model._enter_frame(self)
        return self.name


class BeamPoint(Frame):
    """The frame of a beam's section; x along the beam but for shear. It enters the model when it is used."""

    def __init__(self, beam: Beam, share: float, name: str = ""):
        super().__init__(beam, share, np.zeros(3), name)  # type: ignore[arg-type]

    def _where(self) -> tuple[np.ndarray, np.ndarray]:
        i, xi = self._body._element_at(self._at)
        p, R = list(self._body._poses.values())[i]
        q, turn = along_screw(*self._body._screws[i], xi)
        return p + R @ q, R @ turn

    def __reduce__(self) -> tuple[Any, ...]:
        return (BeamPoint, (self._body, self._at, self.name))

    _said = property(lambda self: f"<point of {self._body.name} at {self._at:g}>")

    def __repr__(self) -> str:
        return self._said

    def _reference(self) -> Any:
        return self._item_name()

    def _record(self) -> tuple[str, dict[str, Any]]:
        i, xi = self._body._element_at(self._at)
        return "beam_point", {"beam": self._body.elements[i].name, "xi": xi}


class Carrier(Handle):
    """What carries links: a tree, by its base, or a link."""

    def revolute(self, **keywords: Any) -> Link:
        """A link on a hinge; keywords as of `m.link`."""
        return self._model.link(self, joint="revolute", **keywords)  # type: ignore[arg-type]

    def prismatic(self, **keywords: Any) -> Link:
        """A link on a slide; keywords as of `m.link`."""
        return self._model.link(self, joint="prismatic", **keywords)  # type: ignore[arg-type]

    def fixed(self, **keywords: Any) -> Link:
        """A link that is fixed to it; keywords as of `m.link`."""
        return self._model.link(self, joint="fixed", **keywords)  # type: ignore[arg-type]

    def ball(self, **keywords: Any) -> Link:
        """A link on a ball joint; keywords as of `m.link`."""
        return self._model.link(self, joint="ball", **keywords)  # type: ignore[arg-type]

    def free(self, **keywords: Any) -> Link:
        """A link that nothing holds, in coordinates against its carrier; keywords as of `m.link`."""
        return self._model.link(self, joint="free", **keywords)  # type: ignore[arg-type]


class Tree(Massive, Carrier):
    """A kinematic tree: links on joints, one object in the coordinates of the joints."""

    def __init__(self, model: Model, name: str, place: tuple[np.ndarray, np.ndarray] | None = None):
        super().__init__(model, name)
        self._place = place

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray]:
        """(p (3) [m], R (3, 3)) of its base in the reference position."""
        if self._place is None:
            refuse(self.name, "has a base whose place is known only when the model is compiled", "give `at` of its body as three numbers")
        return self._place

    def inverse_dynamics(self, q: Numbers, v: Numbers, a: Numbers) -> np.ndarray:
        """Forces of the joints (n) [N m, N] that give them the accelerations a (n) at coordinates q and rates v (n), all in the order of the links.

        q: a number of each hinge and slide, the quaternion of a ball, displacement and quaternion of a free joint; of these, forces, rates and accelerations are as
        `rate`: three torques in the axes of the link, behind three forces in those of the joint.
        Gravity acts, springs and loads on the links do not; a base that moves is in its initial state, free to accelerate as if nothing drove it.
        """
        return np.array(self._model._engine.compile().inverse_dynamics(self.name, *(np.asarray(x, dtype=float).tolist() for x in (q, v, a))))

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Tree)
        before, after = (None if t._place is None else [x.tolist() for x in t._place] for t in (self, other))
        return before != after


class Link(Carrier, Body):
    """A link of a kinematic tree, a body on the joint that carries it."""

    coordinate = StartOf("coordinate", "Coordinate of its joint (n) [rad or m]: an angle counts its turns. Of a ball its quaternion (n, 4), of a free joint displacement [m] and quaternion (n, 7).")
    rate = StartOf("rate", "Its rate (n) [rad/s or m/s]; of a ball the angular velocity against the carrier in the axes of the link (n, 3), of a free joint behind the velocity (n, 6).")
    coordinate_acceleration = QuantityOf("coordinate_acceleration", "Its acceleration (n) [rad/s^2 or m/s^2], as the rate.")

    def _scalar(self, quantity: str, component: str) -> dict[str, Any]:
        scalar = super()._scalar(quantity, component)
        if scalar and not component and self._model._engine.record(self.name)["fields"].get("joint") == "free":
            del scalar["coordinate"]  # it has no single one, says the engine
        return scalar


class BeamElement(Handle):
    """An element of a beam, of constant strain: values in the axes of its section, x along the beam."""

    section_force = QuantityOf("section_force", "Force of the part towards the end on the one towards the start (n, 3) [N]: x is the tension.")
    section_moment = QuantityOf("section_moment", "Moment of it (n, 3) [N m]: torsion, then bending about y and z.")
    strain = QuantityOf("strain", "Stretch, and shear along y and z (n, 3).")
    curvature = QuantityOf("curvature", "Twist, and curvature about y and z (n, 3) [1/m], against the reference position.")


class Beam(Handle):
    """A beam: elements between nodes. Its frames are taken wherever a body is."""

    def __init__(self, model: Model, name: str, poses: dict[str, tuple[np.ndarray, np.ndarray]], elements: tuple[BeamElement, ...]):
        """poses: of its nodes by their names, in the reference position."""
        super().__init__(model, name)
        self._poses, self._parts = poses, elements
        places = list(poses.values())
        self._screws = [screw(R.T @ (q - p), R.T @ S) for (p, R), (q, S) in zip(places, places[1:], strict=False)]
        self._ends = np.concatenate([[0.0], np.cumsum([np.linalg.norm(u) for u, _ in self._screws])])
        self._made: dict[Any, Any] = {}  # its frames, by name of the node or by share

    @property
    def nodes(self) -> tuple[BeamNode, ...]:
        """Frames of the sections between the elements, from the start."""
        return tuple(self._made.setdefault(name, BeamNode(self, name)) for name in self._poses)

    @property
    def elements(self) -> tuple[BeamElement, ...]:
        """Its elements, from the start, with forces and strains of their sections."""
        return self._parts  # type: ignore[return-value]

    @property
    def length(self) -> float:
        """Along the centre line [m], in the reference position."""
        return float(self._ends[-1])

    @property
    def start(self) -> BeamNode:
        """Frame of the section at the start."""
        return self.nodes[0]

    @start.setter
    def start(self, value: Point) -> None:
        assign_to(self, "start", value)

    @property
    def end(self) -> BeamNode:
        """Frame of the section at the end."""
        return self.nodes[-1]

    @end.setter
    def end(self, value: Point) -> None:
        assign_to(self, "end", value)

    @property
    def centerline(self) -> Line:
        """Places of its nodes from the start to the end: `result[beam.centerline]` (time, nodes, 3) [m], `result.plot(beam.centerline)`."""
        return Line(f"{self.name}.centerline", tuple(node.position for node in self.nodes))

    def at(self, s: float, *, name: str = "") -> BeamNode | BeamPoint:
        """Frame of the section at the share s of the length, 0 at the start and 1 at the end: x along the beam. Without a name, at a node that node."""
        share = number(s, f"bodies/{self.name}/at")
        if not 0.0 <= share <= 1.0:
            refuse(f"bodies/{self.name}/at", f"is {share:g}, a share of the length; must be between 0 and 1", f"divide a length by {self.length:g} m")
        if name:
            point = BeamPoint(self, share, name)
            point._item_name()
            return point
        i, xi = self._element_at(share)
        if xi in (0.0, 1.0):
            return self.nodes[i + int(xi)]
        return self._made.setdefault(share, BeamPoint(self, share))

    def _element_at(self, share: float) -> tuple[int, float]:
        """Number of the element, and where on it: 0 or 1 within rounding of a node."""
        s = share * self.length
        i = min(int(np.searchsorted(self._ends, s, side="right")) - 1, len(self._parts) - 1)
        xi = (s - self._ends[i]) / (self._ends[i + 1] - self._ends[i])
        return i, float(round(xi)) if abs(xi - round(xi)) < 1e-12 * len(self._parts) else float(xi)

    def _place_changed(self, other: Handle) -> bool:
        assert isinstance(other, Beam)
        before, after = ([(name, p.tolist(), R.tolist()) for name, (p, R) in beam._poses.items()] for beam in (self, other))
        return before != after

    def _become(self, other: Handle) -> None:
        made = self._made
        super()._become(other)
        self._made = made

    if TYPE_CHECKING:
        section: Any
        line: Any
        up: Direction | None
        damping: Number


class Ground(Body):
    """The fixed frame at the origin of the world; in a circuit 0 V."""


class Plane(Body):
    """A plane fixed to the ground; z of its frame is the outward normal."""

    def _reference(self) -> Any:
        return {"body": "ground", "at": self._p.tolist(), "rotation": rotation_vector(self._R).tolist()}

    if TYPE_CHECKING:
        normal: Direction | None


class Shape(Body):
    """A shape for contact on a body or the ground, in the axes of its own frame; its quantities are those of that frame."""

    if TYPE_CHECKING:
        kind: str


class Node(Moving):
    """A node; `coordinate[i]`, `rate[i]` are its coordinates and velocities, `state[i]`, `value[i]` the others."""

    def __init__(self, model: Model, name: str, p: np.ndarray | None = None, R: np.ndarray | None = None):
        super().__init__(model, name)
        if p is not None:
            self._p, self._R = p, R

    coordinate = QuantityOf("coordinate", "Generalized coordinates q of the node (n, nq).")
    rate = QuantityOf("rate", "Velocities v of the node (n, nv).")
    coordinate_acceleration = QuantityOf("coordinate_acceleration", "Accelerations of the node (n, nv).")
    state = QuantityOf("state", "First-order states x of the node (n, nx).")
    value = QuantityOf("value", "Algebraic unknowns z of the node (n, nz).")


class Coordinates(Handle):
    """Coordinates of a system in Lagrange's form; `coordinate[i]`, `rate[i]` are q and v."""

    coordinate = QuantityOf("coordinate", "Generalized coordinates q (n, nq).")
    rate = QuantityOf("rate", "Their rates v (n, nv).")
    coordinate_acceleration = QuantityOf("coordinate_acceleration", "Their accelerations (n, nv).")

    if TYPE_CHECKING:  # keywords of coordinates
        mass_matrix: FunctionMatrix
        potential: Function | None
        force: Function | Sequence[Number] | None
        stiffness_matrix: Matrix | None
        damping_matrix: Matrix | None


class BeamNode(Node):
    """The frame of a beam's section between two elements or at an end; x along the beam."""

    def __init__(self, beam: Beam, name: str):
        super().__init__(beam._model, name)
        self._beam = beam

    _said = property(lambda self: f"<node {self.name}>")

    def __repr__(self) -> str:
        return self._said

    _p = property(lambda self: self._beam._poses[self.name][0])  # type: ignore[assignment]
    _R = property(lambda self: self._beam._poses[self.name][1])  # type: ignore[assignment]
