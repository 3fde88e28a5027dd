"""Piles and walls in saltus, MuJoCo, pybullet and Siconos with Bullet: one scene, speed and residual of each.

    piles.py [--scene pile:343] [--scene wall:20x8] [--engines saltus,mujoco,mujoco_tight,pybullet_50,siconos] [--step 2e-3] [--until 1] [--repeat 2] [--siconos-python /usr/bin/python3]

Scenes are those of `saltus.scenes` (seed 0), between planes; each engine gets the same shapes, masses and places. Times are CPU seconds of the steps alone, the
least of `--repeat` processes in turns. What is compared is judged here, by one function for all: the deepest overlap at the end (`saltus.queries`), creep, which is
the mean speed of the bodies over the last tenth of the run, and, of the contacts that an engine tells of its last step, the natural map
|r - P(r - u - mu |u_T| n)| / max(|r|, |u|) in N s and m/s: impulses out of the cone, of points that part, and what they leave of an approach. Saltus' own is its
certificate, the largest of the run; Siconos' is what it says of its last step. pybullet stands with 50 sweeps (`pybullet_1000`: any other number), MuJoCo as it comes and as `mujoco_tight`: elliptic cones, tolerance 1e-12."""

from __future__ import annotations

import argparse
import itertools
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FRICTION, GRAVITY = 0.4, 9.81
Step = Callable[[], None]


def build(text: str, bodies_at: Any = None) -> tuple[Any, list[Any], list[Any]]:
    """Model, bodies and planes of a scene."""
    import saltus as sl

    kind, _, size = text.partition(":")
    model = sl.Model()
    planes = [model.plane()]
    if kind == "wall":
        columns, rows = (int(x) for x in size.split("x"))
        bodies = sl.scenes.wall(model, columns=columns, rows=rows)
    else:
        count, cell = int(size), 0.07 * (math.sqrt(3.0) if kind == "boxes" else 1.0)
        width = cell * max(3, round((count / 2.0) ** (1.0 / 3.0)))
        bodies = sl.scenes.pile(model, count, shape="box" if kind == "boxes" else "sphere", size=0.05, spread=0.2, width=width)
        half = 0.5 * width
        planes += [model.plane(at=(s * half, 0, 0), normal=(-s, 0, 0)) for s in (-1, 1)] + [model.plane(at=(0, s * half, 0), normal=(0, -s, 0)) for s in (-1, 1)]
    model.contact(planes, bodies, friction=FRICTION)
    model.contact(bodies, friction=FRICTION)
    return model, bodies, planes


def described(text: str) -> dict[str, Any]:
    """The scene in plain numbers."""
    _, bodies, planes = build(text)
    out: dict[str, Any] = {"bodies": [], "planes": []}
    for body in bodies:
        p, R = body.reference
        record = {**body._shape, "mass": float(body._weight[0]), "p": list(map(float, p)), "R": np.asarray(R).tolist(), "q": quaternion(R)}
        out["bodies"].append({**record, "inertia": inertia(record)})
    for plane in planes:
        p, R = plane.reference
        out["planes"].append({"p": list(map(float, p)), "n": np.asarray(R)[:, 2].tolist(), "q": quaternion(R)})
    return out


def quaternion(R: Any) -> list[float]:
    """w x y z."""
    R = np.asarray(R)
    w = math.sqrt(max(0.0, 1.0 + np.trace(R))) / 2.0
    if w > 1e-6:
        return [w, (R[2, 1] - R[1, 2]) / (4 * w), (R[0, 2] - R[2, 0]) / (4 * w), (R[1, 0] - R[0, 1]) / (4 * w)]
    values, vectors = np.linalg.eigh(0.5 * (R + R.T))
    return [0.0, *vectors[:, int(np.argmax(values))]]


def matrix(q: Any) -> np.ndarray:
    """Of w x y z."""
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip


def inertia(body: dict[str, Any]) -> list[float]:
    """About the axes of a ball or box."""
    if body["type"] == "sphere":
        return [0.4 * body["mass"] * body["radius"] ** 2] * 3
    a, b, c = (x * x for x in body["size"])
    return [body["mass"] / 12.0 * x for x in (b + c, a + c, a + b)]


# --- the engines: places() -> (n, 3) and (n, 3, 3), contacts() -> rows of (u (3), r (3)) along (n, t1, t2) ----------------


class Mujoco:
    def __init__(self, scene: dict[str, Any], h: float, tight: bool) -> None:
        import mujoco

        self.mujoco, self.h = mujoco, h
        friction = f'friction="{FRICTION} 0 0" condim="3" solref="{2 * h} 1"'
        option = 'cone="elliptic" tolerance="1e-12" iterations="400" noslip_iterations="20"' if tight else ""
        xml = [f'<mujoco><option timestep="{h}" gravity="0 0 -{GRAVITY}" {option}/><size memory="2G"/><worldbody>']
        for plane in scene["planes"]:
            xml.append(f'<geom type="plane" size="0 0 1" pos="{_text(plane["p"])}" zaxis="{_text(plane["n"])}" {friction}/>')
        for body in scene["bodies"]:
            size = f"{body['radius']}" if body["type"] == "sphere" else _text([0.5 * x for x in body["size"]])
            xml.append(f'<body pos="{_text(body["p"])}" quat="{_text(body["q"])}"><freejoint/><inertial mass="{body["mass"]}" pos="0 0 0" '
                       f'diaginertia="{_text(body["inertia"])}"/><geom type="{body["type"]}" size="{size}" {friction}/></body>')  # fmt: skip
        self.model = mujoco.MjModel.from_xml_string("".join(xml) + "</worldbody></mujoco>")
        self.data = mujoco.MjData(self.model)

    def step(self) -> None:
        self.mujoco.mj_step(self.model, self.data)

    def places(self) -> tuple[np.ndarray, np.ndarray]:
        q = self.data.qpos.reshape(-1, 7)
        return q[:, :3].copy(), np.array([matrix(x) for x in q[:, 3:]])

    def contacts(self) -> list[tuple[np.ndarray, np.ndarray]]:
        d, m, out, force = self.data, self.model, [], np.zeros(6)
        rates = [np.concatenate([v[:3], matrix(q[3:]) @ v[3:]]) for v, q in zip(d.qvel.reshape(-1, 6), d.qpos.reshape(-1, 7))]
        for i in range(d.ncon):
            c = d.contact[i]
            self.mujoco.mj_contactForce(m, d, i, force)
            frame = c.frame.reshape(3, 3)
            u = np.zeros(3)
            for geom, sign in ((c.geom1, -1.0), (c.geom2, 1.0)):
                body = m.geom_bodyid[geom] - 1
                if body >= 0:
                    u += sign * (rates[body][:3] + np.cross(rates[body][3:], c.pos - d.qpos[7 * body : 7 * body + 3]))
            out.append((frame @ u, force[:3] * self.h))
        return out


class Pybullet:
    def __init__(self, scene: dict[str, Any], h: float, sweeps: int) -> None:
        import pybullet as p

        self.p, self.h = p, h
        p.connect(p.DIRECT)
        p.setGravity(0, 0, -GRAVITY)
        p.setPhysicsEngineParameter(fixedTimeStep=h, numSolverIterations=sweeps, numSubSteps=0, solverResidualThreshold=0.0)
        for plane in scene["planes"]:
            body = p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE, planeNormal=plane["n"]), basePosition=plane["p"])
            p.changeDynamics(body, -1, lateralFriction=math.sqrt(FRICTION), restitution=0)
        self.bodies = []
        for body in scene["bodies"]:
            if body["type"] == "sphere":
                shape = p.createCollisionShape(p.GEOM_SPHERE, radius=body["radius"])
            else:
                shape = p.createCollisionShape(p.GEOM_BOX, halfExtents=[0.5 * x for x in body["size"]])
            w, x, y, z = body["q"]
            handle = p.createMultiBody(body["mass"], shape, basePosition=body["p"], baseOrientation=[x, y, z, w])
            p.changeDynamics(handle, -1, lateralFriction=math.sqrt(FRICTION), rollingFriction=0, spinningFriction=0, restitution=0, linearDamping=0, angularDamping=0)
            p.changeDynamics(handle, -1, localInertiaDiagonal=body["inertia"])
            self.bodies.append(handle)

    def step(self) -> None:
        self.p.stepSimulation()

    def places(self) -> tuple[np.ndarray, np.ndarray]:
        found = [self.p.getBasePositionAndOrientation(b) for b in self.bodies]
        return np.array([x[0] for x in found]), np.array([matrix([x[1][3], *x[1][:3]]) for x in found])

    def contacts(self) -> list[tuple[np.ndarray, np.ndarray]]:
        p, out = self.p, []
        first = self.bodies[0]
        centres = {b: np.array(p.getBasePositionAndOrientation(b)[0]) for b in self.bodies}
        rates = {b: [np.array(x) for x in p.getBaseVelocity(b)] for b in self.bodies}
        for c in p.getContactPoints():
            n, t1, t2 = np.array(c[7]), np.array(c[11]), np.array(c[13])  # on B, towards A
            u = np.zeros(3)
            for body, point, sign in ((c[1], c[5], 1.0), (c[2], c[6], -1.0)):
                if body >= first:
                    u += sign * (rates[body][0] + np.cross(rates[body][1], np.array(point) - centres[body]))
            out.append((np.array([n @ u, t1 @ u, t2 @ u]), np.array([c[9], c[10], c[12]]) * self.h))
        return out


def _text(x: Any) -> str:
    return " ".join(repr(float(a)) for a in x)


def natural(contacts: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """The natural map of a step: r impulses, u velocities behind it."""
    if not contacts:
        return 0.0
    u, r = (np.array([c[i] for c in contacts]) for i in (0, 1))
    z = r - u
    z[:, 0] -= FRICTION * np.linalg.norm(u[:, 1:], axis=1)
    s = np.linalg.norm(z[:, 1:], axis=1)
    normal = np.where(s <= FRICTION * z[:, 0], z[:, 0], np.maximum(0.0, (z[:, 0] + FRICTION * s) / (1.0 + FRICTION**2)))
    share = np.where(s <= FRICTION * z[:, 0], 1.0, np.where(s > 0.0, FRICTION * normal / np.where(s > 0.0, s, 1.0), 0.0))
    projected = np.column_stack([normal, z[:, 1:] * share[:, None]])
    return float(np.linalg.norm(r - projected) / max(np.linalg.norm(r), np.linalg.norm(u), 1e-300))


def overlap(text: str, p: np.ndarray, R: np.ndarray) -> float:
    """The deepest of any two bodies and of a body with a plane [m], by the distances of shapes."""
    import saltus as sl
    from saltus import queries as q
    from saltus.rotations import Rotation

    _, bodies, planes = build(text)
    model, placed = sl.Model(), []
    for body, x, turn in zip(bodies, p, R):
        shape = dict(body._shape)
        place = {"mass": 1.0, "at": x, "rotation": Rotation.of_matrix(turn)}
        placed.append(model.sphere(radius=shape["radius"], **place) if shape["type"] == "sphere" else model.box(size=shape["size"], **place))
    fixed = []
    for plane in planes:
        at, frame = plane.reference
        fixed.append(model.plane(at=at, normal=np.asarray(frame)[:, 2]))
    reach = np.array([b._shape["radius"] if b._shape["type"] == "sphere" else 0.5 * math.dist((0, 0, 0), b._shape["size"]) for b in bodies])
    least = 0.0
    for plane, body in itertools.product(fixed, placed):
        least = min(least, q.distance(plane, body).gap)
    order = np.argsort(p[:, 2])
    for k, i in enumerate(order):
        for j in order[k + 1 :]:
            if p[j, 2] - p[i, 2] > 2.0 * reach.max():
                break
            if np.linalg.norm(p[i] - p[j]) < reach[i] + reach[j]:
                least = min(least, q.distance(placed[i], placed[j]).gap)
    return -least


def work(engine: str, file: str, text: str, h: float, steps: int, python: str) -> None:
    """One engine in this process: a line of JSON."""
    tail = steps // 10
    if engine == "saltus":
        model, bodies, _ = build(text)
        times: list[float] = []
        result = model.simulate(steps * h, step=h, scheme="moreau_jean", record=tail * h, after_step=lambda _: times.append(time.process_time()))
        p = [np.array([np.asarray(result[b.position])[k] for b in bodies]) for k in (-2, -1)]
        R = np.array([np.asarray(result[b.rotation_matrix])[-1].reshape(3, 3) for b in bodies])
        spent, residual = (times[-1] - times[0]) / (len(times) - 1), result.report["residual"]["laws"]
        rest = (times[-1] - times[-1 - tail]) / tail
    elif engine == "siconos":
        out = Path(file).with_suffix(".npz")
        call = ["env", "-u", "PYTHONPATH", python, str(Path(__file__).with_name("siconos_piles.py")), file, repr(h), str(steps), str(tail), str(out)]
        output = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1])
        found = np.load(out)
        p, R, spent, rest, residual = [found["before"], found["after"]], found["R"], output["spent"], output["rest"], output["residual"]
    else:
        with open(file) as stream:
            scene = json.load(stream)
        world: Any = Mujoco(scene, h, engine == "mujoco_tight") if engine.startswith("mujoco") else Pybullet(scene, h, int(engine.partition("_")[2] or 50))
        start = time.process_time()
        for _ in range(steps - tail):
            world.step()
        middle, (before, _) = time.process_time(), world.places()
        last = time.process_time()
        for _ in range(tail):
            world.step()
        end = time.process_time()
        (after, R), residual = world.places(), natural(world.contacts())
        p, spent, rest = [before, after], (middle - start + end - last) / steps, (end - last) / tail
    creep = float(np.linalg.norm(p[1] - p[0], axis=1).mean() / (tail * h))
    print(json.dumps({"ms": 1e3 * spent, "rest_ms": 1e3 * rest, "residual": residual, "overlap": overlap(text, p[1], R), "creep": creep}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scene", action="append")
    parser.add_argument("--engines", default="saltus,mujoco,mujoco_tight,pybullet_50")
    parser.add_argument("--step", type=float, default=2e-3)
    parser.add_argument("--until", type=float, default=1.0)
    parser.add_argument("--siconos-python", default="/usr/bin/python3", help="a Python that imports siconos, for the engine siconos")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        engine, file, text = given.worker
        return work(engine, file, text, given.step, round(given.until / given.step), given.siconos_python)
    print("| scene | engine | ms a step | ms a step in the last tenth | residual | overlap, m | creep, m/s |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for text in given.scene or ["pile:343", "pile:1000", "wall:20x8"]:
            file = Path(folder) / "scene.json"
            file.write_text(json.dumps(described(text)))
            best: dict[str, dict[str, float]] = {}
            for _, engine in itertools.product(range(given.repeat), given.engines.split(",")):
                call = [sys.executable, __file__, "--worker", engine, str(file), text, "--step", str(given.step), "--until", str(given.until), "--siconos-python", given.siconos_python]
                done = subprocess.run(call, capture_output=True, text=True)
                if done.returncode != 0:
                    best.setdefault(engine, {"failed": 1.0})
                    print(f"{engine}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
                    continue
                found = json.loads(done.stdout.strip().splitlines()[-1])
                print(text, engine, found, file=sys.stderr)
                if engine not in best or "ms" not in best[engine] or found["ms"] < best[engine]["ms"]:
                    best[engine] = found
            for engine, row in best.items():
                print(f"| {text} | {engine} | " + (" | ".join(f"{row[key]:.2g}" for key in ("ms", "rest_ms", "residual", "overlap", "creep")) if "ms" in row else "not run | | | | |"))


if __name__ == "__main__":
    main()
