"""A picture of a scene at one time: by a headless browser where one is found, else drawn with matplotlib."""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.view.chromium import Page, browser
from saltus.view.container import unpacked
from saltus.view.places import turned
from saltus.view.shows import scene, to_html

if TYPE_CHECKING:
    from saltus.result import Result

TRIES = 5  # pictures until one is not empty
PALETTE = ("#4e9af1", "#f2a33c", "#5fc48d", "#e0637c", "#9b7fe6", "#38bdc8", "#d9c24a", "#c98a6b")
_LIGHT = np.array([0.45, -0.55, 0.7]) / np.linalg.norm([0.45, -0.55, 0.7])
_TO_AXIS = {"z": (1.0, 0.0, 0.0, 0.0), "x": (0.70710678, 0.0, 0.70710678, 0.0), "y": (0.70710678, -0.70710678, 0.0, 0.0)}


def write_picture(result: Result, path: str | os.PathLike, *, time: float | None = None, size: tuple[int, int] = (1280, 800), title: str = "",
                  compare: Result | None = None) -> str:
    """Writes a PNG of the page at a time [s]; without a browser a drawing of the scene. Returns the file's name."""
    target = Path(path)
    if target.suffix.lower() != ".png":
        raise ModelError(Fault("", "a picture is a PNG", "end its name with .png", os.fspath(path)))
    if not target.parent.is_dir():
        raise ModelError(Fault("", f"the folder {target.parent} is not there", "make it first", os.fspath(path)))
    program = browser()
    if program:
        _photograph(program, to_html(result, title=title, compare=compare), target, time, size)
    else:
        from saltus.display import pyplot

        plt = pyplot()
        figure = draw(result, time=time, size=(size[0] / 120.0, size[1] / 120.0))
        figure.savefig(target, dpi=120)
        plt.close(figure)
    return os.fspath(path)


def _photograph(program: str, html: str, target: Path, time: float | None, size: tuple[int, int]) -> None:
    """Lets a browser draw the page until its first frame is on the screen; NoPicture where none comes."""
    with opened(program, html, size, "fine&t=" + ("end" if time is None else repr(time))) as page:
        for _ in range(TRIES):
            picture = page.picture()
            if not is_empty(picture):
                target.write_bytes(picture)
                return
            page.painted()
        raise page.failed(f"the page is empty, in {TRIES} attempts")


@contextmanager
def opened(program: str, html: str, size: tuple[int, int], query: str) -> Iterator[Page]:
    """A page of Saltus in a browser, with its first frame drawn."""
    with tempfile.TemporaryDirectory(prefix="saltus-", ignore_cleanup_errors=True) as folder:
        file = Path(folder, "page.html")
        file.write_text(html, encoding="utf-8")
        with Page(program, size) as page:
            page.open(f"{file.as_uri()}?{query}")
            yield page


def is_empty(data: bytes) -> bool:
    """Whether a PNG has nearly one colour: few of its rows differ, as those of a page on which nothing was drawn."""
    at, packed = 8, b""
    while at + 8 <= len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        packed += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    try:
        raw = zlib.decompress(packed)
        width, height, depth, color = struct.unpack(">IIBB", data[16:26])
    except (zlib.error, struct.error):
        return True
    row = 1 + (width * depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(color, 4) + 7) // 8
    return len({raw[row * i : row * (i + 1)] for i in range(height)}) <= max(2, height // 50)


def draw(result: Result, *, time: float | None = None, size: tuple[float, float] = (7.0, 5.2)):
    """matplotlib's figure of the scene at a time [s] (default: the end); of the named outputs where nothing has a place."""
    from saltus.display import pyplot

    plt = pyplot()
    head, arrays = unpacked(scene(result, forces=False))
    if not head["frames"]:
        figure, axis = plt.subplots(figsize=size, layout="constrained")
        _outputs(axis, head, arrays)
        return figure
    t = arrays["t"]
    i = len(t) - 1 if time is None else int(np.argmin(np.abs(t - time)))
    p, q = _poses(arrays, i)
    figure = plt.figure(figsize=size)
    axis = figure.add_axes((0.02, 0.06, 0.96, 0.92), projection="3d", computed_zorder=False)
    _scene(axis, head, arrays, p, q, _tracks(arrays))
    figure.text(0.02, 0.03, f"t = {t[i]:.4g} s" if not head["run"]["static"] else "equilibrium", fontsize=9, color="0.35")
    return figure


def _outputs(axis, head, arrays) -> None:
    paths = set(head["outputs"].values())
    for series in [s for s in head["series"] if s["path"] in paths] or head["series"][:4]:
        values = arrays[series["array"]]
        for c in range(values.shape[1]):
            part = series["components"][c] if series["components"] else ""
            axis.plot(arrays["t"], values[:, c], linewidth=1, label=f"{series['path']} {part} [{series['unit']}]".replace(" []", ""))
    axis.set_xlabel("t [s]")
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)


def _poses(arrays: dict[str, np.ndarray], i: int) -> tuple[np.ndarray, np.ndarray]:
    p = arrays["p.low"] + arrays["p.step"] * arrays["p"][..., i]
    q = np.zeros((len(p), 4))
    q[:, 0] = 1.0
    q[arrays["turning"]] = arrays["q"][..., i] / 32767.0
    return p, q / np.linalg.norm(q, axis=1, keepdims=True)


def _at(place: list[float], p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(point, quaternion) in the world of a place as the head of a scene holds it."""
    frame, local, turn = int(place[0]), np.array(place[1:4]), np.array(place[4:8])
    return (local, turn) if frame < 0 else (p[frame] + turned(q[frame], local), _product(q[frame], turn))


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def _tracks(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Positions (n, frames, 3) [m] over the run."""
    return (arrays["p.low"][..., None] + arrays["p.step"][..., None] * arrays["p"]).transpose(2, 0, 1)


def _scene(axis, head: dict[str, Any], arrays: dict[str, np.ndarray], p: np.ndarray, q: np.ndarray, tracks: np.ndarray) -> None:
    import matplotlib.colors as colors
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    faces, inks, points = [], [], [p]
    count = len(head["bodies"])
    around = 32 if count <= 12 else 20 if count <= 60 else 10

    def solid(quads: np.ndarray, color: str) -> None:
        rgb = np.array(colors.to_rgb(color))
        normal = np.cross(quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 0])
        length = np.linalg.norm(normal, axis=1, keepdims=True)
        shade = 0.62 + 0.38 * np.abs(np.divide(normal, length, out=np.zeros_like(normal), where=length > 0) @ _LIGHT)
        faces.extend(quads)
        inks.extend(np.clip(rgb * shade[:, None], 0, 1))

    for k, body in enumerate(head["bodies"][:600]):
        point, turn = _at([body["f"], *body.get("p", (0, 0, 0)), *body.get("q", (1, 0, 0, 0))], p, q)
        for quads in solids(body, around):
            quads = turned(turn, quads) + point
            solid(quads, PALETTE[k % len(PALETTE)])
            points.append(quads.reshape(-1, 3))
    r = 0.018 * head["size"]
    for joint in head["joints"]:
        place, turn = _at(joint["b"], p, q)
        points.append(place[None])
        kind = "cylinder" if "revolute" in joint["t"] or joint["t"] in ("cylindrical", "prismatic") else "sphere"
        for quads in solids({"kind": kind, "radius": r, "length": 2.4 * r}, 10):
            solid(turned(turn, quads) + place, "#7b8794")
    for spring in head["springs"]:
        a, b = _at(spring["a"], p, q)[0], _at(spring["b"], p, q)[0]
        points += [a[None], b[None]]
        if spring["coil"]:
            axis.plot(*_coil(a, b, 0.016 * head["size"]).T, color="#5b6875", linewidth=0.9, zorder=3)
        else:  # a rope, a beam, a cylinder
            axis.plot(*np.array([a, b]).T, color=PALETTE[0], linewidth=2.0, solid_capstyle="round", zorder=3)
    moving = sorted({body["f"] for body in head["bodies"]})
    for k, frame in enumerate(moving if len(moving) <= 8 else ()):
        axis.plot(*tracks[:, frame].T, color=PALETTE[k % len(PALETTE)], linewidth=0.8, alpha=0.6, zorder=2.5)
    points.append(tracks.reshape(-1, 3)[:: max(1, tracks.size // 60000)])
    drawn = np.concatenate(points)
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    for plane in head["planes"][:4]:
        place, turn = _at(plane["on"], p, q)
        side = 0.75 * float(np.linalg.norm(high - low)) + 2 * r
        middle = turned(np.array([turn[0], *-turn[1:]]), (low + high) / 2 - place) * [1, 1, 0]
        square = turned(turn, middle + side * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])) + place
        axis.add_collection3d(Poly3DCollection([square], facecolor="#c9d3dd", edgecolor="#9aa8b5", alpha=0.55, zorder=1))
    if faces:
        axis.add_collection3d(Poly3DCollection(faces, facecolors=inks, edgecolors="none", antialiaseds=False, zorder=2))
    _frame(axis, head, low, high, r)


def _frame(axis, head, low, high, r) -> None:
    from matplotlib.ticker import MaxNLocator

    half = max(float(np.max(high - low)) / 2.0, 2 * r) * 1.06
    middle = (low + high) / 2.0
    for letter, m in zip("xyz", middle):
        getattr(axis, f"set_{letter}lim")(m - half, m + half)
        getattr(axis, f"set_{letter}label")(f"{letter} [m]", fontsize=8)
        getattr(axis, f"{letter}axis").set_major_locator(MaxNLocator(4))  # more stand on each other
    axis.set_box_aspect((1, 1, 1), zoom=0.95)
    axis.tick_params(labelsize=7)
    flat = head["up"] == "y" and high[2] - low[2] < 0.12 * np.max(high - low)
    # matplotlib counts the azimuth from the axis that follows the vertical one: from z where y is up.
    azimuth = 14.0 if flat else {"z": -56.0, "y": 34.0, "x": 124.0}[head["up"]]
    axis.view_init(elev=8 if flat else 24, azim=azimuth, vertical_axis=head["up"])
    for a in (axis.xaxis, axis.yaxis, axis.zaxis):
        a.pane.set_facecolor("#f4f6f9")
        a._axinfo["grid"]["color"] = "#dde4ea"


def solids(body: dict[str, Any], around: int = 20) -> list[np.ndarray]:
    """Quads (n, 4, 3) [m] of a shape in the body's axes, `around` to a circle; see shapes.shape_of for the kinds."""
    kind = body["kind"]
    if kind == "box":
        return [_box(np.array(body["size"]) / 2.0)]
    if kind == "sphere":
        out = [_sphere(body["radius"], around)]
    elif kind in ("cylinder", "capsule"):
        turn, h = np.array(_TO_AXIS[body.get("axis", "z")]), body["length"] / 2.0
        out = [turned(turn, _tube(body["radius"], -h, h, around) if kind == "cylinder" else _capsule(body["radius"], h, around))]
    elif kind == "link":
        points = np.array(body["points"])
        pairs = zip(points, np.roll(points, -1, axis=0)) if len(points) > 2 else [tuple(points)]
        out = [_between(a, b, body["radius"], around) for a, b in pairs] + [_sphere(body["radius"], 8) + a for a in points]
    elif kind == "mesh":
        points = np.array(body["points"])
        return [points[[[a, b, c, c] for a, b, c in body["faces"]]]]
    else:
        out = []
    return out + [_between(np.array(body.get("p", (0, 0, 0))) * 0.0, np.array(arm), body["arm"], 8) for arm in body.get("arms", ())]


def _box(half: np.ndarray) -> np.ndarray:
    square = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], dtype=float)
    sides = [np.roll(square * [1, 1, s], k, axis=1) for k in range(3) for s in (-1, 1)]
    return np.array(sides) * half


def _sphere(radius: float, around: int) -> np.ndarray:
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, around + 1), np.linspace(0, np.pi, around // 2 + 1), indexing="ij")
    return _quads(radius * np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=-1))


def _tube(radius: float, low: float, high: float, around: int) -> np.ndarray:
    u = np.linspace(0, 2 * np.pi, around + 1)
    rings = [(0.0, low), (radius, low), (radius, high), (0.0, high)]
    return _quads(np.stack([np.stack([r * np.cos(u), r * np.sin(u), np.full_like(u, z)], axis=-1) for r, z in rings], axis=1))


def _capsule(radius: float, h: float, around: int) -> np.ndarray:
    """Two halves of a sphere about z = h and -h, and the tube between."""
    u, v = np.linspace(0, 2 * np.pi, around + 1), np.linspace(0, np.pi / 2, around // 4 + 1)
    r, z = radius * np.concatenate([np.sin(v), np.cos(v)]), np.concatenate([h + radius * np.cos(v), -h - radius * np.sin(v)])
    return _quads(np.stack([np.outer(np.cos(u), r), np.outer(np.sin(u), r), np.broadcast_to(z, (len(u), len(z)))], axis=-1))


def _quads(grid: np.ndarray) -> np.ndarray:
    return np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2).reshape(-1, 4, 3)


def _between(a: np.ndarray, b: np.ndarray, radius: float, around: int) -> np.ndarray:
    d = b - a
    length = float(np.linalg.norm(d))
    if length == 0.0:
        return np.zeros((0, 4, 3))
    z = d / length
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    return _tube(radius, 0.0, length, around) @ np.array([x, np.cross(z, x), z]) + a


def _coil(a: np.ndarray, b: np.ndarray, radius: float) -> np.ndarray:
    s = np.linspace(0.0, 1.0, 160)
    angle = 2 * np.pi * 9 * np.clip((s - 0.08) / 0.84, 0, 1)
    r = radius * np.clip(np.minimum(s, 1 - s) / 0.08, 0, 1)
    d = b - a
    length = float(np.linalg.norm(d)) or 1.0
    x = np.cross(d / length, np.eye(3)[int(np.argmin(np.abs(d)))])
    x /= np.linalg.norm(x) or 1.0
    y = np.cross(d / length, x)
    return a + s[:, None] * d + (r * np.cos(angle))[:, None] * x + (r * np.sin(angle))[:, None] * y
