"""Scenes of many bodies: walls, towers, arches, vaults, card houses, piles, boxes of grains, hoppers, drums, chutes, pairs of gears.

Each function adds its bodies to a model and returns their handles, so that contacts, laws and loads stay the user's:

    m = sl.Model()
    bricks = sl.scenes.wall(m, columns=8, rows=10)
    m.contact(m.plane(), bricks, friction=0.6)
    m.contact(bricks, friction=0.6)

Lengths in m, densities in kg/m^3, angles in rad. What is random is drawn by numpy's PCG64 from `seed`: the same call gives the same scene.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from saltus import geometry as g
from saltus.handles import Body
from saltus.rotations import Rotation

if TYPE_CHECKING:
    from saltus.handles import Plane, Shape
    from saltus.model import Model
    from saltus.arguments import Point, Vector

__all__ = ["arch", "card_house", "chute", "drum", "gear_pair", "granular_box", "hopper", "pile", "tower", "vault", "wall"]


def _count(value: object, path: str, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        g.refuse(path, f"is {value!r}, expected a whole number of at least {least}")
    return int(value)


def _origin(model: Model, at: Point, path: str) -> np.ndarray:
    return np.asarray(model._point(at, path), dtype=float)


def wall(
    model: Model, *, columns: int = 8, rows: int = 10, brick: Vector = (0.24, 0.115, 0.071), density: float = 1800.0, at: Point = (0.0, 0.0, 0.0)
) -> list[Body]:
    """A wall in running bond: `rows` rows of `columns` bricks along x, each second row shifted by half a brick between two halves.

    brick: length, depth, height [m]; density [kg/m^3]; at (3) [m]: middle of its foot. From below, each row along x."""
    count, high = _count(columns, "scenes/wall/columns"), _count(rows, "scenes/wall/rows")
    length, depth, height = g.edges(brick, "scenes/wall/brick")
    foot = _origin(model, at, "scenes/wall/at")
    left = -0.5 * count * length
    bricks = []
    for row in range(high):
        edges = [left + i * length for i in range(count + 1)]
        if row % 2:
            edges = [left, *(left + (i + 0.5) * length for i in range(count)), -left]
        for start, end in zip(edges, edges[1:]):
            bricks.append(model.box(size=(end - start, depth, height), density=density, at=foot + (0.5 * (start + end), 0.0, (row + 0.5) * height)))
    return bricks


def tower(model: Model, *, levels: int = 12, plank: Vector = (0.12, 0.024, 0.008), density: float = 600.0, at: Point = (0.0, 0.0, 0.0)) -> list[Body]:
    """A tower of planks laid flat, two a level at the ends of those below, by turns along x and y.

    plank: length, width, thickness [m] (default: the usual toy of 15 : 3 : 1); at (3) [m]: middle of its foot. From below."""
    high = _count(levels, "scenes/tower/levels")
    length, width, thickness = g.edges(plank, "scenes/tower/plank")
    foot = _origin(model, at, "scenes/tower/at")
    planks = []
    for level in range(high):
        for side in (-0.5, 0.5):
            middle = np.array([0.0, side * (length - width), (level + 0.5) * thickness])
            size = (length, width, thickness)
            if level % 2:
                middle, size = middle[[1, 0, 2]], (width, length, thickness)
            planks.append(model.box(size=size, density=density, at=foot + middle))
    return planks


def card_house(
    model: Model, *, storeys: int = 2, card: Vector = (0.089, 0.058, 0.003), lean: float = math.radians(18.0), density: float = 800.0, at: Point = (0.0, 0.0, 0.0)
) -> list[Body]:
    """A house of cards: leaning pairs side by side, one less a storey, with a card laid across each two of them.

    card: height, width along y, thickness [m]; lean: of a card from upright [rad]; at (3) [m]: middle of its foot. From below."""
    count = _count(storeys, "scenes/card_house/storeys")
    length, width, thickness = g.edges(card, "scenes/card_house/card")
    angle = g.number(lean, "scenes/card_house/lean", "rad", above=0.0)
    if angle >= 0.5 * math.pi:
        g.refuse("scenes/card_house/lean", f"is {angle:g} rad, a card that lies", "give less than half a right angle, as 0.3")
    foot = _origin(model, at, "scenes/card_house/at")
    sine, cosine = math.sin(angle), math.cos(angle)
    rise = length * cosine + thickness * sine  # of a leaning card from its lowest to its highest edge
    reach = 0.5 * (length * sine + thickness * cosine)  # from a card's middle to the edge at which its pair meets
    pitch = 2.0 * (length * sine + thickness * cosine)  # width of a pair
    cards = []
    for storey in range(count):
        floor = foot + (0.0, 0.0, storey * (rise + thickness))
        pairs = count - storey
        for pair in range(pairs):
            ridge = floor + ((pair - 0.5 * (pairs - 1)) * pitch, 0.0, 0.0)
            for side in (-1.0, 1.0):
                turn = Rotation.of_vector((0.0, -side * angle, 0.0))
                cards.append(model.box(size=(thickness, width, length), density=density, at=ridge + (side * reach, 0.0, 0.5 * rise), rotation=turn))
        for pair in range(pairs - 1):
            middle = floor + ((pair - 0.5 * (pairs - 2)) * pitch, 0.0, rise + 0.5 * thickness)
            cards.append(model.box(size=(pitch, width, thickness), density=density, at=middle))
    return cards


def _ring(model: Model, angles: list[float], radius: float, thickness: float, front: float, back: float, density: float, foot: np.ndarray) -> list[Body]:
    """Voussoirs between angles from x in the x-z plane, from y = front to y = back."""
    stones = []
    for first, last in zip(angles, angles[1:]):
        corners = [
            (r * math.cos(a), y, r * math.sin(a))
            for a in (first, last) for r in (radius - 0.5 * thickness, radius + 0.5 * thickness) for y in (front, back)
        ]  # fmt: skip
        stones.append(model.hull(corners, density=density, at=foot))
    return stones


def arch(
    model: Model, *, voussoirs: int = 21, radius: float = 1.0, thickness: float = 0.15, depth: float = 0.3, embrace: float = math.pi, density: float = 2000.0,
    at: Point = (0.0, 0.0, 0.0),
) -> list[Body]:  # fmt: skip
    """A round arch of equal wedges in the x-z plane, on the plane through `at` (3) [m], the middle of its span.

    radius [m] of the middle line, thickness along it, depth along y; embrace: angle of the whole arch [rad]: the half circle stands on the floor. The
    half circle stands by friction alone from thickness / radius = 0.1075 on (Milankovitch 1907, Cocchetti, Colasante, Rizzi 2011). From +x."""
    count = _count(voussoirs, "scenes/arch/voussoirs", 2)
    r, t = (g.number(x, f"scenes/arch/{w}", "m", above=0.0) for x, w in ((radius, "radius"), (thickness, "thickness")))
    d, angle = g.number(depth, "scenes/arch/depth", "m", above=0.0), g.number(embrace, "scenes/arch/embrace", "rad", above=0.0)
    if t >= 2.0 * r:
        g.refuse("scenes/arch/thickness", f"is {t:g} m with a radius of {r:g} m: its stones meet in the middle", "give less than twice the radius")
    if angle > math.pi:
        g.refuse("scenes/arch/embrace", f"is {angle:g} rad, more than the half circle", "give pi or less")
    foot = _origin(model, at, "scenes/arch/at")
    ends = 0.5 * (math.pi - angle)
    angles = [ends + i * angle / count for i in range(count + 1)]
    return _ring(model, angles, r, t, -0.5 * d, 0.5 * d, density, foot)


def vault(
    model: Model, *, voussoirs: int = 15, rings: int = 4, radius: float = 1.0, thickness: float = 0.2, ring: float = 0.4, density: float = 2000.0, at: Point = (0.0, 0.0, 0.0)
) -> list[Body]:
    """A barrel vault: half circles side by side along y, each second one with its joints between those of its neighbours.

    radius [m] of the middle line; thickness; ring: depth of one along y; at (3) [m]: middle of its foot. Ring by ring, from +x."""
    count, many = _count(voussoirs, "scenes/vault/voussoirs", 2), _count(rings, "scenes/vault/rings")
    r, t, d = (g.number(x, f"scenes/vault/{w}", "m", above=0.0) for x, w in ((radius, "radius"), (thickness, "thickness"), (ring, "ring")))
    if t >= 2.0 * r:
        g.refuse("scenes/vault/thickness", f"is {t:g} m with a radius of {r:g} m: its stones meet in the middle", "give less than twice the radius")
    foot = _origin(model, at, "scenes/vault/at")
    stones = []
    for i in range(many):
        step = math.pi / count
        angles = [k * step for k in range(count + 1)] if i % 2 == 0 else [0.0, *((k + 0.5) * step for k in range(count)), math.pi]
        front = (i - 0.5 * many) * d
        stones += _ring(model, angles, r, t, front, front + d, density, foot)
    return stones


def _cell(mean: float, share: float, shape: str) -> float:
    """Of the grid of a pile [m]: no turn makes neighbours touch."""
    return mean * (1.0 + share) * (math.sqrt(3.0) if shape != "sphere" else 1.0) * 1.1


def pile(
    model: Model, count: int, *, shape: str = "sphere", size: float = 0.05, spread: float = 0.2, density: float = 2500.0, width: float | None = None,
    at: Point = (0.0, 0.0, 0.0), seed: int = 0,
) -> list[Body]:  # fmt: skip
    """`count` bodies apart from each other above `at` (3) [m], which fall into a heap: layers of a square grid, shaken, turned at random.

    shape: sphere, box or mixed. size: mean diameter or edge [m], even within +- spread of it. width [m]: of the square that they fill; default: as wide
    as high."""
    n = _count(count, "scenes/pile/count")
    mean, share = g.number(size, "scenes/pile/size", "m", above=0.0), g.number(spread, "scenes/pile/spread", "")
    if not 0.0 <= share < 1.0:
        g.refuse("scenes/pile/spread", f"is {share:g}, expected 0 to below 1", "it is a share of the size")
    if shape not in ("sphere", "box", "mixed"):
        g.refuse("scenes/pile/shape", f"is {shape!r}, which is none of them", "use sphere, box or mixed")
    foot = _origin(model, at, "scenes/pile/at")
    cell = _cell(mean, share, shape)
    across = max(1, int(g.number(width, "scenes/pile/width", "m", above=0.0) / cell)) if width is not None else max(1, round(n ** (1 / 3)))
    random = np.random.default_rng(seed)
    bodies = []
    for i in range(n):
        edge = mean * random.uniform(1.0 - share, 1.0 + share)
        kind = shape if shape != "mixed" else ("sphere", "box")[int(random.integers(2))]
        free = 0.5 * (cell - edge * (math.sqrt(3.0) if kind == "box" else 1.0))
        layer, inside = divmod(i, across * across)
        grid = np.array([inside % across - 0.5 * (across - 1), inside // across - 0.5 * (across - 1), layer + 0.5])
        p = foot + cell * grid + random.uniform(-free, free, 3)
        turn = Rotation.of_vector(random.normal(size=3))
        if kind == "sphere":
            bodies.append(model.sphere(radius=0.5 * edge, density=density, at=p, rotation=turn))
        else:
            bodies.append(model.box(size=(edge, edge, edge), density=density, at=p, rotation=turn))
    return bodies


def granular_box(
    model: Model, count: int, *, width: float, shape: str = "sphere", size: float = 0.05, spread: float = 0.2, density: float = 2500.0, at: Point = (0.0, 0.0, 0.0),
    seed: int = 0,
) -> tuple[list[Plane], list[Body]]:  # fmt: skip
    """A box open above, of `width` [m] along x and y about `at` (3) [m], the middle of its floor, and a `pile` in it: its planes, the floor first, and the grains.

    Where walls have friction they carry a part of the weight, which grows with the height (Janssen 1895)."""
    inside = g.number(width, "scenes/granular_box/width", "m", above=0.0)
    foot = _origin(model, at, "scenes/granular_box/at")
    least = _cell(g.number(size, "scenes/granular_box/size", "m", above=0.0), g.number(spread, "scenes/granular_box/spread", ""), shape)
    if inside < least:
        g.refuse("scenes/granular_box/width", f"is {inside:g} m, and a grain and its play take {least:.3g} m", f"give {least:.3g} m or more, or smaller grains")
    grains = pile(model, count, shape=shape, size=size, spread=spread, density=density, width=inside, at=foot, seed=seed)
    walls = [model.plane(at=foot)]
    for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
        walls.append(model.plane(at=foot - (0.5 * inside * x, 0.5 * inside * y, 0.0), normal=(x, y, 0.0)))
    return walls, grains


def _gear(teeth: int, module: float, width: float, slope: float, backlash: float, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of an involute gear with a bore, about z; one tooth points along x."""
    pitch = 0.5 * module * teeth
    base, root, tip = pitch * math.cos(slope), pitch - 1.25 * module, pitch + module
    radii = np.linspace(max(base, root), tip, points)
    involute = lambda r: np.sqrt(np.maximum((r / base) ** 2 - 1.0, 0.0)) - np.arctan(np.sqrt(np.maximum((r / base) ** 2 - 1.0, 0.0)))  # noqa: E731
    half = (0.5 * math.pi - 0.5 * backlash / module) / teeth + math.tan(slope) - slope - involute(radii)  # angle from the middle of the tooth
    if root < base:  # the foot of a flank stands a little out from it, so that the outline goes round
        half, radii = np.append(min(1.05 * half[0], 0.5 * (half[0] + math.pi / teeth)), half), np.append(root, radii)
    if half[-1] <= 0.0:
        g.refuse("scenes/gear_pair/backlash", f"is {backlash:g} m, which leaves teeth of module {module:g} m no tips", "give a small part of the module")
    angle = np.concatenate([np.concatenate([-half, half[::-1]]) + 2.0 * math.pi * k / teeth for k in range(teeth)])
    around = np.tile(np.concatenate([radii, radii[::-1]]), teeth)
    rings = [(r, z) for r in (around, np.full(len(angle), 0.5 * root)) for z in (-0.5 * width, 0.5 * width)]
    corners = np.concatenate([np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(len(angle), z)]) for r, z in rings])
    i = np.arange(len(angle))
    j = np.roll(i, -1)
    squares = [np.column_stack([a * len(i) + i, a * len(i) + j, b * len(i) + j, b * len(i) + i]) for a, b in ((0, 1), (1, 3), (3, 2), (2, 0))]
    return corners, np.concatenate([square[:, three] for square in squares for three in ((0, 1, 2), (0, 2, 3))])


def gear_pair(
    model: Model, *, teeth: tuple[int, int] = (18, 27), module: float = 0.01, width: float = 0.02, slope: float = math.radians(20.0), backlash: float = 2e-4,
    points: int = 8, density: float = 7800.0, at: Point = (0.0, 0.0, 0.0),
) -> tuple[Body, Body]:  # fmt: skip
    """Two spur gears with involute flanks as surfaces of triangles, in mesh: the first about z through `at` (3) [m], the second beside it along x. Joints, drives and their contact are the user's.

    Pitch diameters are module [m] times teeth, heads 1 and feet 1.25 modules; slope: pressure angle [rad]; backlash [m] on the pitch circles; points: of a flank. The axis of
    the second goes through its `reference`."""
    try:
        first, second = teeth
    except (TypeError, ValueError):
        g.refuse("scenes/gear_pair/teeth", f"is {g.short(teeth)}, expected two numbers", "write (18, 27)")
    numbers = [_count(z, "scenes/gear_pair/teeth", 5) for z in (first, second)]
    size, wide, alpha = (g.number(x, f"scenes/gear_pair/{w}", u, above=0.0) for x, w, u in ((module, "module", "m"), (width, "width", "m"), (slope, "slope", "rad")))
    play, many = g.number(backlash, "scenes/gear_pair/backlash", "m"), _count(points, "scenes/gear_pair/points", 2)
    if not 0.0 < alpha < math.radians(45.0):
        g.refuse("scenes/gear_pair/slope", f"is {alpha:g} rad, half a right angle or more", "give radians, as sl.degrees(20)")
    distance = 0.5 * size * sum(numbers)
    for mine, other in (numbers, numbers[::-1]):
        tip, reach = 0.5 * size * other + size, math.hypot(0.5 * size * other * math.cos(alpha), distance * math.sin(alpha))
        if tip > reach:  # the line of action ends at the base circles
            g.refuse("scenes/gear_pair/teeth", f"are {first} and {second}: tips of {other} teeth reach below the involute of {mine}, and jam", "give more teeth, or a larger slope")
    middle = _origin(model, at, "scenes/gear_pair/at")
    places = [(middle, (0.0, 0.0, 0.0)), (middle + (distance, 0.0, 0.0), (0.0, 0.0, math.pi + math.pi / numbers[1]))]  # a tooth of the first in a gap of the second
    one, two = (model.mesh(_gear(z, size, wide, alpha, play, many), density=density, at=p, rotation=turn) for z, (p, turn) in zip(numbers, places, strict=True))
    return one, two


def hopper(
    model: Model, *, opening: float, width: float, height: float, slope: float = math.radians(60.0), plate: float = 0.02, at: Point = (0.0, 0.0, 0.0)
) -> list[Shape]:
    """A square hopper of four fixed walls above a square opening about `at` (3) [m]: shapes of the ground.

    opening, width [m]: of the hole and of the upper rim; slope [rad] of its walls from level; height [m] of the upright walls on its rim; plate: their
    thickness."""
    hole, rim, high, thick = (
        g.number(x, f"scenes/hopper/{w}", "m", above=0.0) for x, w in ((opening, "opening"), (width, "width"), (height, "height"), (plate, "plate"))
    )
    angle = g.number(slope, "scenes/hopper/slope", "rad", above=0.0)
    if rim <= hole:
        g.refuse("scenes/hopper/width", f"is {rim:g} m with an opening of {hole:g} m", "give a width above the opening")
    if angle >= 0.5 * math.pi:
        g.refuse("scenes/hopper/slope", f"is {angle:g} rad, upright or beyond", "give less than pi/2")
    foot = _origin(model, at, "scenes/hopper/at")
    rise = 0.5 * (rim - hole) * math.tan(angle)
    length = math.hypot(0.5 * (rim - hole), rise)
    walls = []
    for quarter in range(4):
        about = Rotation.of_vector((0.0, 0.0, 0.5 * math.pi * quarter))
        lean = about @ Rotation.of_vector((0.0, -angle, 0.0))  # x of the plate points up the slope
        up, outward = np.array([math.cos(angle), 0.0, math.sin(angle)]), np.array([math.sin(angle), 0.0, -math.cos(angle)])
        middle = np.array([0.5 * hole, 0.0, 0.0]) + 0.5 * length * up + 0.5 * thick * outward
        walls.append(model.shape("box", model.ground, size=(length, rim + 2.0 * thick, thick), at=foot + about @ middle, rotation=lean))
        upright = np.array([0.5 * (rim + thick), 0.0, rise + 0.5 * high])
        walls.append(model.shape("box", model.ground, size=(thick, rim + 2.0 * thick, high), at=foot + about @ upright, rotation=about))
    return walls


def drum(
    model: Model, *, radius: float, length: float, speed: float, staves: int = 24, plate: float = 0.02, density: float = 7800.0, at: Point = (0.0, 0.0, 0.0)
) -> tuple[Body, list[Shape]]:
    """A drum that turns about y through `at` (3) [m] at `speed` [rad/s]: its body and the shapes of its inside, `staves` around and two lids.

    radius, length [m]: of the inside."""
    count = _count(staves, "scenes/drum/staves", 3)
    r, width, thick = (g.number(x, f"scenes/drum/{w}", "m", above=0.0) for x, w in ((radius, "radius"), (length, "length"), (plate, "plate")))
    middle = _origin(model, at, "scenes/drum/at")
    outer = r + thick
    mass = density * math.pi * (outer**2 - r**2) * width
    axial, across = 0.5 * mass * (outer**2 + r**2), mass * (3.0 * (outer**2 + r**2) + width**2) / 12.0
    body = model.body(mass=mass, inertia=(across, axial, across), at=middle, angular_velocity=(0.0, speed, 0.0))
    model.revolute(model.ground, body, at=middle, axis="y", speed=speed)
    shapes = []
    edge = 2.0 * outer * math.tan(math.pi / count)
    for i in range(count):
        turn = Rotation.of_vector((0.0, 2.0 * math.pi * i / count, 0.0))
        p = turn @ np.array([0.0, 0.0, r + 0.5 * thick])
        shapes.append(model.shape("box", body, size=(edge, width + 2.0 * thick, thick), at=middle + p, rotation=turn))
    for side in (-1.0, 1.0):
        shapes.append(model.shape("box", body, size=(2.0 * outer, thick, 2.0 * outer), at=middle + (0.0, side * 0.5 * (width + thick), 0.0)))
    return body, shapes


def chute(
    model: Model, *, length: float, width: float, slope: float = math.radians(30.0), rim: float = 0.1, plate: float = 0.02, at: Point = (0.0, 0.0, 0.0)
) -> list[Shape]:
    """A fixed chute down along x with two side walls; `at` (3) [m] is the middle of its floor's surface.

    length along its slope, width, height of the walls `rim`, thickness `plate` [m]; slope [rad] below level."""
    along, wide, high, thick = (
        g.number(x, f"scenes/chute/{w}", "m", above=0.0) for x, w in ((length, "length"), (width, "width"), (rim, "rim"), (plate, "plate"))
    )
    turn = Rotation.of_vector((0.0, g.number(slope, "scenes/chute/slope", "rad"), 0.0))
    middle = _origin(model, at, "scenes/chute/at")
    floor = model.shape("box", model.ground, size=(along, wide + 2.0 * thick, thick), at=middle + turn @ np.array([0.0, 0.0, -0.5 * thick]), rotation=turn)
    sides = [
        model.shape("box", model.ground, size=(along, thick, high), at=middle + turn @ np.array([0.0, side * 0.5 * (wide + thick), 0.5 * high]), rotation=turn)
        for side in (-1.0, 1.0)
    ]
    return [floor, *sides]
