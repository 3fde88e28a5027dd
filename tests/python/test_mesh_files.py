"""Surfaces of triangles as they come: turned inside out, inverted, crossing, in mm, broken, in files of other formats. Masses and rests against closed forms."""

import json
import re
import struct
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import saltus as sl
from saltus import _core

CUBE = 0.5 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])


def quiet(make):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return make()


def obj(points, faces):
    return "\n".join(["v %.17g %.17g %.17g" % tuple(p) for p in points] + ["f %d %d %d" % tuple(f + 1) for f in faces])


def stl_text(points, faces):
    facets = ["facet normal 0 0 0\nouter loop\n" + "\n".join("vertex %g %g %g" % tuple(points[i]) for i in face) + "\nendloop\nendfacet" for face in faces]
    return "\n".join(["solid part", *facets, "endsolid part"])


def stl_bytes(points, faces):
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(struct.pack("<12fH", 0, 0, 0, *np.ravel(points[face]), 0) for face in faces)


def test_a_ball_rests_on_a_cube_that_came_inside_out():
    m = sl.Model()
    with pytest.warns(sl.ModelWarning, match="is inside out: the corners of all 12 triangles run clockwise"):
        cube = m.mesh((0.2 * CUBE, FACES[:, ::-1]), density=1000, at=(0, 0, 0.1))
    ball = m.sphere(radius=0.05, mass=1, at=(0, 0, 0.3))
    m.contact([m.plane()], [cube], friction=0.5)
    m.contact([cube], [ball])
    result = quiet(lambda: m.simulate(until=1.0))
    assert result[ball.position.z].last == pytest.approx(0.25, abs=1e-6)
    assert [fault.path for fault in m.check()] == [fault.path for fault in result.warnings] == ["bodies/mesh_1/surface"]


@pytest.mark.parametrize(("inverted", "words"), [([3], "triangle 3 of 12 is inverted"), ([0, 7], "triangles 0, 7 of 12 are inverted"), (range(7), "triangles 0, 1, 2, 3, 4 and 2 more of 12 are inverted")])
def test_inverted_triangles_are_named(inverted, words):
    faces = FACES.copy()
    faces[list(inverted)] = faces[list(inverted), ::-1]
    with pytest.raises(sl.ModelError, match=f"bodies/mesh_1/surface: {words}: .*seen from outside; swap two corners"):
        sl.Model().mesh((CUBE, faces), mass=1)


@pytest.mark.parametrize(("write", "name", "line"), [(obj, "part.obj", 8 + 4), (stl_text, "part.stl", 2 + 7 * 3)])
def test_an_inverted_triangle_of_a_file_is_named_with_its_line(write, name, line, tmp_path):
    faces = FACES.copy()
    faces[3] = faces[3, ::-1]
    (tmp_path / name).write_text(write(CUBE, faces))
    with pytest.raises(sl.ModelError, match="triangle 3 of 12 is inverted") as error:
        sl.Model().mesh(tmp_path / name, mass=1)
    assert (error.value.faults[0].file, error.value.faults[0].line) == (str(tmp_path / name), line)


def test_parts_of_a_surface_are_solids_or_holes_in_them():
    inner = np.concatenate([FACES, FACES[:, ::-1] + 8])
    hollow = quiet(lambda: sl.Inertia.mesh((np.concatenate([CUBE, 0.5 * CUBE]), inner), density=8000))
    assert hollow.mass == pytest.approx(8000 - 1000, rel=1e-13)
    assert np.allclose(hollow.matrix, np.eye(3) * (8000 / 6 - 1000 * 0.25 / 6), rtol=1e-12)
    filled = np.concatenate([inner, FACES + 16])  # a core in the hole
    assert quiet(lambda: sl.Inertia.mesh((np.concatenate([CUBE, 0.5 * CUBE, 0.2 * CUBE]), filled), density=8000)).mass == pytest.approx(7000 + 64, rel=1e-13)
    m = sl.Model()
    with pytest.warns(sl.ModelWarning, match="all 12 triangles, from triangles 12, 13, 14, 15, 16 and 7 more, run clockwise"):
        body = m.mesh((np.concatenate([CUBE, CUBE + (3, 0, 0)]), inner), density=1000)
    assert m["mesh_1"].settings["density"] == 1000 and np.allclose(body.reference[0], (1.5, 0, 0))


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        (FACES[1:], "is open: 3 edges bound one triangle only, as of triangle"),
        (np.concatenate([FACES, FACES[:1], FACES[:1, ::-1]]), "triangles 0, 5, 12, 13 share one edge"),
    ],
)
def test_what_is_no_closed_surface_is_refused_with_a_triangle(faces, words):
    with pytest.raises(sl.ModelError, match=words):
        sl.Model().mesh((CUBE, faces), mass=1)


def test_a_surface_with_one_side_is_refused():
    n = 8  # Klein's bottle, a square whose sides are joined, one of them turned round
    at = lambda i, j: (i % n) * n + (j if i < n else -j) % n  # noqa: E731
    faces = [t for i in range(n) for j in range(n) for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
    with pytest.raises(sl.ModelError, match="one side only"):
        sl.Model().mesh((np.random.default_rng(0).normal(size=(n * n, 3)), faces), mass=1)


def test_a_surface_that_goes_through_itself_is_warned_of():
    two = np.concatenate([CUBE, CUBE + (0.5, 0.2, 0.3)]), np.concatenate([FACES, FACES + 8])
    m = sl.Model()
    with pytest.warns(sl.ModelWarning, match=r"bodies/mesh_1/surface: goes through itself: triangles \d+, \d+ cross at \(.*\) m, as \d+ other pairs; its mass counts twice"):
        m.mesh(two, density=1000)
    assert len(m.check()) == 1
    quiet(lambda: sl.Model().mesh((np.concatenate([CUBE, CUBE + (1, 0, 0)]), two[1]), density=1000))  # they touch


def recorded(points, faces, *others):
    """A file with a body that has the surface, and spheres of radius 0.1 on bodies that may touch it."""
    body = lambda at: {"type": "rigid_body", "node": {"type": "node_rigid", "position": list(at)}, "mass": 1, "inertia": [1, 1, 1]}  # noqa: E731
    balls = {f"ball_{i}": body(at) for i, at in enumerate(others)}
    markers = {f"{name}_shape": {"type": "sphere", "body": name, "radius": 0.1} for name in balls}
    skin = {"type": "mesh", "body": "case", "points": np.asarray(points).tolist(), "triangles": np.asarray(faces).tolist()}
    touch = {"type": "contact", "A": ["skin"], "B": list(markers), "law": {"type": "newton_impact"}}
    tree = {"saltus": 1, "gravity": [0, 0, 0], "bodies": {"case": body((0, 0, 0)), **balls}, "markers": {"skin": skin, **markers}, "relations": {"touch": touch}}
    return sl.Model.parse(json.dumps(tree))


def test_records_of_surfaces_are_looked_at_as_those_of_verbs():
    """Of a file: two cubes through each other; a cube inside out with a ball outside, and as a room with one inside."""
    two = np.concatenate([CUBE, CUBE + (0.5, 0.2, 0.3)]), np.concatenate([FACES, FACES + 8])
    words = [str(f) for f in recorded(*two, (3, 0, 0), (0, 3, 0)).check()]
    assert len(words) == 1 and re.search(r"markers/skin/triangles: goes through itself: triangles \d+, \d+ cross at \(.*\) m, as \d+ other pairs", words[0])
    x = np.array([float(w) for w in re.search(r"\((.*)\) m", words[0])[1].split(",")])
    on = lambda c: np.isclose(np.abs(x - c).max(), np.ptp(CUBE[:, 0]) / 2, atol=1e-3)  # noqa: E731
    middle = CUBE.mean(axis=0)
    assert on(middle) and on(middle + (0.5, 0.2, 0.3))  # a place on both
    turned = [str(f) for f in recorded(CUBE, FACES[:, ::-1], (3, 0, 0), (0, 3, 0)).check()]
    assert len(turned) == 1 and "markers/skin/triangles: is inside out: the corners of its 12 triangles run clockwise seen from outside" in turned[0]
    assert recorded(CUBE, FACES[:, ::-1], tuple(middle), (0, 3, 0)).check() == []
    assert recorded(CUBE, FACES, (3, 0, 0), (0, 3, 0)).check() == []


def test_crossings_are_those_of_all_pairs():
    """Segment and triangle by signed volumes of tetrahedra, pair by pair."""
    chance = np.random.default_rng(3)
    points = np.concatenate([0.3 * chance.normal(size=(4, 3)) + chance.normal(size=3) for _ in range(60)])
    faces = np.concatenate([np.array([(0, 1, 2), (0, 3, 1), (1, 3, 2), (0, 2, 3)]) + 4 * k for k in range(60)])
    side = lambda a, b, c, d: np.sign(np.linalg.det([b - a, c - a, d - a]))  # noqa: E731

    def meets(edges, face):
        a, b, c = points[face]
        for p, q in ((points[edges[i]], points[edges[i - 1]]) for i in range(3)):
            if side(p, a, b, c) * side(q, a, b, c) < 0 and abs(side(p, q, a, b) + side(p, q, b, c) + side(p, q, c, a)) == 3:
                return True
        return False

    true = {(i, j) for i in range(len(faces)) for j in range(i + 1, len(faces)) if i // 4 != j // 4 and (meets(faces[i], faces[j]) or meets(faces[j], faces[i]))}
    assert len(true) > 50 and {(a, b) for a, b, _ in _core.mesh_crossings(points.tolist(), faces.tolist())} == true


NAN = float("nan")
BROKEN = {
    "cut off": ("a.stl", stl_bytes(CUBE, FACES)[:-50], "its head tells of 12 triangles, expected 684 bytes, got 634", 0),
    "not finite": ("a.stl", stl_bytes(np.where(np.arange(8)[:, None] == 7, NAN, CUBE), FACES), "triangle 2 has vertex 2, .*nan.*, which is not finite", 0),
    "words": ("a.stl", b"solid x\nfacet normal 0 0 1\nouter loop\nvertex a b c", "has 'vertex a b c', expected three numbers", 4),
    "two corners": ("a.stl", b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet", "has 2 corners, expected 3", 7),
    "no STL": ("a.stl", b"hello", "no STL file", 0),
    "far back": ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -9", "names point -9 of 3", 4),
    "too far": ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 3\n", "triangle 0 names a point that is not there: there are 2", 3),
    "number": ("a.obj", b"v 0 0 0\nv 1 O 0\n", "has 'v 1 O 0', expected three numbers", 2),
    "face of two": ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2", "has a face of 2 points", 3),
    "flat": ("a.obj", b"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3", "triangle 0 has no area, and there are no others", 4),
    "none": ("a.obj", b"v 0 0 0\n", "holds no triangles", 0),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("verb", ["mesh", "surface"])
def test_a_broken_file_is_refused_with_its_triangle_or_line(case, verb, tmp_path):
    name, data, words, line = BROKEN[case]
    (tmp_path / name).write_bytes(data)
    m = sl.Model()
    with pytest.raises(sl.ModelError, match=words) as error:
        m.mesh(tmp_path / name, mass=1) if verb == "mesh" else m.surface(tmp_path / name)
    assert (error.value.faults[0].file, error.value.faults[0].line) == (str(tmp_path / name), line)


def test_what_a_file_has_beyond_its_triangles_is_noted(tmp_path):
    file = tmp_path / "a.obj"
    file.write_text("mtllib ../../secret.mtl\n" + obj(CUBE, FACES) + "\nf 1 1 2\n")
    m = sl.Model()
    with pytest.warns(sl.ModelWarning) as told:
        body = m.mesh(file, density=1000)
    assert [str(w.message).partition(str(file))[2] for w in told] == [
        ":1 mesh: names materials in ../../secret.mtl, which leaves the folder of the file: not read",
        ":22 bodies/mesh_1/surface: triangle 12 has no area: left out",
    ]
    assert body.settings["density"] == 1000 and len(m.check()) == 2
    file.write_text("mtllib a.mtl\n" + obj(CUBE, FACES))
    quiet(lambda: sl.Model().mesh(file, density=1000))


def test_a_file_in_millimetres_is_suspected(tmp_path):
    file = tmp_path / "part.stl"
    file.write_bytes(stl_bytes(100 * CUBE, FACES))
    m = sl.Model()
    with pytest.warns(sl.ModelWarning, match=r"mesh_1/scale: is not given, and the solid of part.stl is 100 m long, 1e\+09 kg; if the file is in mm write scale=1e-3"):
        m.mesh(file, density=1000)
    assert not [f for f in m.doctor().findings if "reaches" in f.message]
    for scale in (1e-3, 1):
        quiet(lambda scale=scale: sl.Model().mesh(file, density=1000, scale=scale))
    m = sl.Model()
    m.mesh((100 * CUBE, FACES), density=1000, name="part")
    assert [f.text for f in m.doctor().findings if "part: reaches 86.6 m and has 1e+09 kg; are its lengths in mm?" in f.text]


# trimesh: its objects, and files that it reads.


def test_an_object_with_vertices_and_faces_is_taken_wherever_a_mesh_is():
    cube = SimpleNamespace(vertices=CUBE[np.ravel(FACES)], faces=np.arange(36).reshape(-1, 3))  # corners apart, as files have them
    assert sl.Inertia.mesh(cube, density=1000).mass == pytest.approx(1000)
    m = sl.Model()
    body = quiet(lambda: m.mesh(cube, density=1000, scale=0.1, at=(0, 0, 0.05)))
    cube.vertices *= 7.0  # of the program: the body stays
    m.contact([m.surface((np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]), [(0, 1, 2), (0, 2, 3)]))], [body])
    body.density = 500
    assert quiet(lambda: m.simulate(0.1))[body.position.z].last == pytest.approx(0.05, abs=1e-8)
    body.looks_like(cube)


def test_a_file_that_needs_trimesh_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    (tmp_path / "a.glb").write_bytes(b"glTF")
    with pytest.raises(sl.ModelError, match="a.glb mesh: is a .glb file, for which trimesh is needed; pip install trimesh, or give a .stl or .obj file"):
        sl.Model().mesh(tmp_path / "a.glb", mass=1)


@pytest.mark.parametrize("ending", ["glb", "gltf", "ply", "off"])
def test_files_that_trimesh_reads_are_the_solids_that_they_hold(ending, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    cube = trimesh.Trimesh(np.array((0.1, 0.2, 0.3)) * CUBE + (1, 0, 0), FACES, process=False)
    file = tmp_path / f"part.{ending}"
    if ending == "gltf":
        for name, data in trimesh.exchange.gltf.export_gltf(cube.scene()).items():
            (tmp_path / ("part.gltf" if name == "model.gltf" else name)).write_bytes(data)
    else:
        cube.export(file)
    box = sl.Inertia.box(size=(0.1, 0.2, 0.3), density=700).moved((1, 0, 0))
    for surface in (file, cube, cube.scene()):
        solid = quiet(lambda surface=surface: sl.Inertia.mesh(surface, density=700))
        assert solid.mass == pytest.approx(box.mass, rel=1e-6) and np.allclose(solid.matrix, box.matrix, rtol=1e-5, atol=1e-7) and np.allclose(solid.center, box.center, atol=1e-6)
    cube.units = "mm"
    assert sl.Inertia.mesh(cube, density=700).mass == pytest.approx(1e-9 * box.mass)
    assert sl.Inertia.mesh(cube, density=700, scale=1.0).mass == pytest.approx(box.mass)
