"""Test problems by kind, size and seed. The mechanical ones come from bodies, contact points and a step of h = 5 ms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from saltus.errors import Fault, ModelError
from saltus.numerics.problems import AffineInequality, FrictionProblem, Lcp, Problem, QuadraticProgram, _matrix

STEP = 5e-3
GRAVITY = np.array([0.0, 0.0, -9.81])


@dataclass
class Scene:
    """Rigid bodies at rest on frames of the world, and contact points between them (body -1 is the ground)."""

    mass: list[float] = field(default_factory=list)
    inertia: list[Any] = field(default_factory=list)  # 3 x 3, world axes
    position: list[Any] = field(default_factory=list)
    velocity: list[Any] = field(default_factory=list)  # of the centre, then angular
    contacts: list[tuple[int, int, Any, Any]] = field(default_factory=list)  # below, above, point, normal from below to above

    def body(self, mass: float, inertia: Any, position: Any, velocity: Any = (0.0,) * 6) -> int:
        self.mass.append(float(mass))
        self.inertia.append(0.5 * (np.asarray(inertia, dtype=float) + np.asarray(inertia, dtype=float).T))
        self.position.append(np.asarray(position, dtype=float))
        self.velocity.append(np.asarray(velocity, dtype=float))
        return len(self.mass) - 1

    def box(self, size: Any, density: float, position: Any, rotation: Any = np.eye(3), velocity: Any = (0.0,) * 6) -> int:
        a, b, c = size
        mass = density * a * b * c
        inertia = mass / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
        return self.body(mass, rotation @ inertia @ rotation.T, position, velocity)

    def contact(self, below: int, above: int, point: Any, normal: Any) -> None:
        self.contacts.append((below, above, np.asarray(point, dtype=float), np.asarray(normal, dtype=float)))

    def problem(self, mu: Any, gravity: Any = GRAVITY) -> Problem:
        """M v = M v0 + h f + H^T r, u = H v: one implicit step of the bodies, contacts closed, no restitution."""
        import scipy.sparse as sparse

        M = sparse.block_diag([x for m, J in zip(self.mass, self.inertia) for x in (m * np.eye(3), J)], format="csr")
        v0 = np.concatenate(self.velocity)
        push = np.concatenate([np.concatenate([m * STEP * np.asarray(gravity), np.zeros(3)]) for m in self.mass])
        below, above, points, normals = (np.array(x) for x in zip(*self.contacts))
        frames, centres = _frames(normals), np.array(self.position)
        rows, columns, data = [], [], []
        for bodies, sign in ((below, -1.0), (above, 1.0)):
            at = np.flatnonzero(bodies >= 0)  # the ground has no velocity
            # Velocity of the point: v + omega x p; dotted with a direction d it gives d and p x d.
            arms = np.cross((points[at] - centres[bodies[at]])[:, None, :], frames[at])
            data.append(sign * np.concatenate([frames[at], arms], axis=2).ravel())
            rows.append(np.repeat(3 * at[:, None] + np.arange(3), 6, axis=1).ravel())
            columns.append(np.tile((6 * bodies[at])[:, None] + np.arange(6), (1, 3)).ravel())
        H = sparse.csr_array(
            (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns))), shape=(3 * len(self.contacts), v0.size)
        )
        H.eliminate_zeros()
        friction = np.full(len(self.contacts), mu) if np.isscalar(mu) else mu
        return FrictionProblem(friction, M=M, H=H, p0=M @ v0 + push, b=np.zeros(H.shape[0]))


def _frames(normals: np.ndarray) -> np.ndarray:
    """Of each normal the rows n, t1, t2, right-handed."""
    n = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    t1 = np.cross(n, np.eye(3)[np.argmin(np.abs(n), axis=1)])
    t1 /= np.linalg.norm(t1, axis=1, keepdims=True)
    return np.stack([n, t1, np.cross(n, t1)], axis=1)


# --- masonry ----------------------------------------------------------------------------------------------------------


def wall(size: int, rng: np.random.Generator) -> Problem:
    """Box wall: bricks 0.2 x 0.1 x 0.1 m in running bond, top course pushed along, mu 0.5."""
    courses = max(2, round(np.sqrt(size / 16)) + 1)
    bricks = max(1, round(size / (8 * courses - 4)))
    a, b, c = 0.2, 0.1, 0.1
    scene = Scene()
    ids = []
    for level in range(courses):
        shift = 0.5 * a * (level % 2)
        push = (0.2 * rng.random() * (level == courses - 1), 0.02 * rng.normal() * (level == courses - 1), 0, 0, 0, 0)
        ids.append([scene.box((a, b, c), 2000.0, (i * a + shift, 0, (level + 0.5) * c), velocity=push) for i in range(bricks)])
    for level, course in enumerate(ids):
        for above in course:
            x = scene.position[above][0]
            for below in ids[level - 1] if level else [-1]:
                low, high = x - a / 2, x + a / 2
                if below >= 0:
                    low, high = max(low, scene.position[below][0] - a / 2), min(high, scene.position[below][0] + a / 2)
                if high - low > 1e-9:
                    for px in (low, high):
                        for py in (-b / 2, b / 2):
                            scene.contact(below, above, (px, py, level * c), (0, 0, 1))
    return scene.problem(0.5)


def vault(size: int, rng: np.random.Generator) -> Problem:
    """Semicircular masonry arch, or a vault of rings: mean radius 2 m, thickness 0.4 m, mu 0.6 to 0.8."""
    stones = int(np.clip(round(np.sqrt(3 * size)), 5, 60))
    rings = max(1, round((size + 2 * stones) / (6 * stones + 4)))
    radius, thick, depth = 2.0, 0.4, 0.3
    angle = np.pi / stones
    scene = Scene()
    ids = np.empty((rings, stones), dtype=int)
    for k in range(rings):
        for i in range(stones):
            phi = (i + 0.5) * angle
            outward, along = np.array([-np.cos(phi), 0, np.sin(phi)]), np.array([np.sin(phi), 0, np.cos(phi)])
            rotation = np.column_stack([outward, (0, 1, 0), along])
            ids[k, i] = scene.box((thick, depth, radius * angle), 2000.0, radius * outward + (0, k * depth, 0), rotation)
    for k in range(rings):
        for joint in range(stones + 1):
            phi = joint * angle
            outward, along = np.array([-np.cos(phi), 0, np.sin(phi)]), np.array([np.sin(phi), 0, np.cos(phi)])
            before = ids[k, joint - 1] if joint > 0 else -1
            after = ids[k, joint] if joint < stones else -1
            below, above, normal = (before, after, along) if after >= 0 else (after, before, -along)
            for r in (radius - thick / 2, radius + thick / 2):
                for y in (-depth / 2, depth / 2):
                    scene.contact(below, above, r * outward + (0, k * depth + y, 0), normal)
        for i in range(stones) if k else ():
            phi = (i + 0.5) * angle
            outward = np.array([-np.cos(phi), 0, np.sin(phi)])
            for r in (radius - thick / 2, radius + thick / 2):
                scene.contact(ids[k - 1, i], ids[k, i], r * outward + (0, (k - 0.5) * depth, 0), (0, 1, 0))
    return scene.problem(rng.uniform(0.6, 0.8))


def grid(size: int, rng: np.random.Generator) -> Problem:
    """Hyperstatic: a stack of plates that touch in a square grid of points, far more contacts than motions; mu 0.4."""
    plates = 1 if size < 50 else 3
    side = max(2, round(np.sqrt(size / plates)))
    scene = Scene()
    points = np.linspace(-0.5, 0.5, side)
    for k in range(plates):
        push = np.array([0.05, 0.02, 0, 0, 0, 0.1]) * rng.random(6)
        plate = scene.box((1.0, 1.0, 0.1), 2000.0, (0, 0, 0.1 * k + 0.05), velocity=push)
        for x in points:
            for y in points:
                scene.contact(plate - 1, plate, (x, y, 0.1 * k), (0, 0, 1))
    return scene.problem(0.4)


def mass_ratio(size: int, rng: np.random.Generator) -> Problem:
    """Tower of boxes, light and heavy in turns: masses differ by 10 to 1e6 (1e6 for seed 0); mu 0.5."""
    boxes = max(2, round(size / 4))
    first = rng.random()
    ratio = 10.0 ** (6.0 if first > 0.6 else 1.0 + 8.0 * first)
    scene = Scene()
    for k in range(boxes):
        push = 0.02 * rng.normal(size=3)
        scene.box((0.1, 0.1, 0.1), 1000.0 * (ratio if k % 2 else 1.0), (0, 0, 0.1 * k + 0.05), velocity=(*push[:2], 0, 0, 0, push[2]))
        for x in (-0.05, 0.05):
            for y in (-0.05, 0.05):
                scene.contact(k - 1, k, (x, y, 0.1 * k), (0, 0, 1))
    return scene.problem(0.5)


# --- spheres ----------------------------------------------------------------------------------------------------------


def _packing(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    """Centres and radii (42 to 58 mm) in a box without lid, side walls at 0 and `side`, pushed apart until they just touch."""
    from scipy.spatial import cKDTree

    radii = rng.uniform(0.0425, 0.0575, count)
    side = max(2.2 * radii.max(), np.cbrt(count * 0.1**3 * 0.95))
    x = rng.random((count, 3)) * (side - 0.1) + 0.05
    for sweep in range(400):
        x[:, 2] -= 2e-4 if sweep < 300 else 0.0  # settling
        pairs = cKDTree(x).query_pairs(0.115, output_type="ndarray")
        if pairs.size:
            d = x[pairs[:, 1]] - x[pairs[:, 0]]
            length = np.maximum(np.linalg.norm(d, axis=1), 1e-12)
            overlap = radii[pairs].sum(axis=1) - length
            move = np.where(overlap > 0, 0.5 * overlap / length, 0.0)[:, None] * d
            np.add.at(x, pairs[:, 0], -move)
            np.add.at(x, pairs[:, 1], move)
        x[:, :2] = np.clip(x[:, :2], radii[:, None], side - radii[:, None])
        x[:, 2] = np.maximum(x[:, 2], radii)
    return x, radii, side


def _spheres(count: int, rng: np.random.Generator, walls: bool, shear: float) -> Scene:
    from scipy.spatial import cKDTree

    x, radii, side = _packing(count, rng)
    scene = Scene()
    for centre, radius in zip(x, radii):
        mass = 2500.0 * 4 / 3 * np.pi * radius**3
        speed = 0.01 * rng.normal(size=6)
        speed[0] += shear * centre[2]
        scene.body(mass, 0.4 * mass * radius**2 * np.eye(3), centre, speed)
    near = 5e-3  # what touches: closer than a tenth of a radius
    for i, j in sorted(cKDTree(x).query_pairs(0.115 + near)):
        d = x[j] - x[i]
        gap = np.linalg.norm(d) - radii[i] - radii[j]
        if gap < near:
            scene.contact(i, j, x[i] + d * radii[i] / (radii[i] + radii[j]), d)
    sides = [(2, 0.0, 1.0)] + ([(0, 0.0, 1.0), (0, side, -1.0), (1, 0.0, 1.0), (1, side, -1.0)] if walls else [])
    for axis, place, sign in sides:
        for i in range(count):
            if sign * (x[i, axis] - place) - radii[i] < near:
                point = x[i].copy()
                point[axis] = place
                scene.contact(-1, i, point, sign * np.eye(3)[axis])
    return scene


def packing(size: int, rng: np.random.Generator) -> Problem:
    """Dense packing of spheres in a box, sheared so that many contacts slide, mu 0.3."""
    return _spheres(max(2, round(size / 3.2)), rng, True, 0.3).problem(0.3)


def chute(size: int, rng: np.random.Generator) -> Problem:
    """Spheres that flow down a chute of 30 degrees, faster at the top, mu 0.5."""
    tilt = np.radians(30.0)
    scene = _spheres(max(2, round(size / 2.7)), rng, False, 1.0)
    return scene.problem(0.5, 9.81 * np.array([np.sin(tilt), 0.0, -np.cos(tilt)]))


# --- matrices ---------------------------------------------------------------------------------------------------------


def cones(size: int, rng: np.random.Generator) -> Problem:
    """Random W = B^T B, also of deficient rank, with a solution built in: contacts open, sticking and sliding, mu to 2."""
    m = 3 * max(1, size)
    rank = int(rng.integers(max(1, m // 2), m + 3))
    B = rng.normal(size=(rank, m)) / np.sqrt(rank)
    mu = 2.0 * rng.random(m // 3)
    r, u = np.zeros((m // 3, 3)), np.zeros((m // 3, 3))
    for k, state in enumerate(rng.integers(0, 3, m // 3)):
        t = rng.normal(size=2)
        t /= np.linalg.norm(t)
        if state == 0:  # open: u + mu |u_T| n in the dual cone
            u[k, 0], u[k, 1:] = rng.random(), rng.random() * t
        else:
            r[k, 0] = 0.1 + rng.random()
            r[k, 1:] = mu[k] * r[k, 0] * t * (rng.random() if state == 1 else 1.0)
            u[k, 1:] = -t * rng.random() if state == 2 else 0.0
    W = B.T @ B
    return FrictionProblem(mu, W=W, q=u.ravel() - W @ r.ravel())


def murty(size: int, rng: np.random.Generator) -> Problem:
    """Murty's LCP: upper triangle of 2, q = -1, on which Lemke's path takes 2^n pivots (Murty 1978)."""
    return Lcp(np.eye(size) + 2 * np.triu(np.ones((size, size)), 1), -np.ones(size))


def fathi(size: int, rng: np.random.Generator) -> Problem:
    """Fathi's LCP: U^T U of Murty's matrix, symmetric and positive definite, as hard for pivoting (Fathi 1979)."""
    U = np.eye(size) + 2 * np.triu(np.ones((size, size)), 1)
    return Lcp(U.T @ U, -np.ones(size))


def qp(size: int, rng: np.random.Generator) -> Problem:
    """Convex quadratic program with bounds, equalities and inequalities that share a feasible point."""
    n = max(2, size)
    B = rng.normal(size=(int(rng.integers(1, n + 1)), n))
    low, high = -rng.random(n), rng.random(n)
    x = rng.uniform(low, high)
    A, C = rng.normal(size=(n // 5, n)), rng.normal(size=(n // 3, n))
    return QuadraticProgram(B.T @ B, rng.normal(size=n), low, high, A, A @ x, C, C @ x - rng.random(n // 3) * (rng.random(n // 3) > 0.3))


def avi(size: int, rng: np.random.Generator) -> Problem:
    """Affine variational inequality: monotone, not symmetric, over a bounded polyhedron about 0."""
    n = max(1, size)
    B, S = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    A = np.vstack([rng.normal(size=(2 * n, n)), np.eye(n), -np.eye(n)])
    return AffineInequality(B.T @ B / n + S - S.T, 3 * rng.normal(size=n), A, np.concatenate([rng.random(2 * n) + 0.1, np.full(2 * n, 2.0)]))


def unsolvable(size: int, rng: np.random.Generator) -> Problem:
    """LCP without a solution: some y >= 0 with M^T y <= 0 and q.y < 0 contradicts w = M z + q >= 0, z >= 0."""
    n = max(1, size)
    M, y = rng.normal(size=(n, n)), rng.random(n) * (rng.random(n) > 0.4)
    y[int(rng.integers(n))] = 1.0
    M -= np.outer(y, y @ M + rng.random(n)) / (y @ y)
    q = rng.normal(size=n)
    return Lcp(M, q - y * (q @ y + 0.5 + rng.random()) / (y @ y))


def press(size: int, rng: np.random.Generator) -> Problem:
    """Contacts without a solution: balls on the ground in rows, each between two plates that approach each other."""
    scene, plates = Scene(), []
    while len(scene.contacts) < size:
        angle, radius = rng.uniform(0.0, 2 * np.pi), rng.uniform(0.03, 0.1)
        along, row = np.array([np.cos(angle), np.sin(angle), 0.0]), len(scene.mass)
        for k in range(int(rng.integers(1, 6))):
            mass = 7800 * 4 / 3 * np.pi * radius**3
            ball = scene.body(mass, 0.4 * mass * radius**2 * np.eye(3), 2 * k * radius * along + radius * np.array([0, 0, 1.0]))
            scene.contact(-1, ball, scene.position[ball] - radius * np.array([0, 0, 1.0]), [0.0, 0.0, 1.0])
            scene.contact(ball - 1 if ball > row else -1, ball, scene.position[ball] - radius * along, along)
            plates += [] if ball > row else [len(scene.contacts) - 1]
        scene.contact(-1, ball, scene.position[ball] + radius * along, -along)
        plates.append(len(scene.contacts) - 1)
    problem = scene.problem(rng.uniform(0.0, 1.0, len(scene.contacts)))
    problem.b[3 * np.array(plates)] = -rng.uniform(1e-3, 1.0, len(plates))  # what the plates take away from the gap a second
    return problem


KINDS: dict[str, Callable[[int, np.random.Generator], Problem]] = {
    maker.__name__: maker
    for maker in (wall, vault, packing, chute, mass_ratio, grid, cones, murty, fathi, qp, avi, unsolvable, press)
}


def generate(kind: str, size: int = 100, seed: int = 0) -> Problem:
    """A problem of `kind` (a key of KINDS), about `size` contacts or unknowns; the same seed gives equal bits.

    Raises ModelError for an unknown kind and a size below 1."""
    faults = []
    if kind not in KINDS:
        faults.append(Fault("kind", f"is {kind!r}", f"must be one of {', '.join(KINDS)}"))
    if size < 1 or size > 1_000_000:
        faults.append(Fault("size", f"is {size}, must be within 1 and 1000000"))
    if seed < 0:
        faults.append(Fault("seed", f"is {seed}, must be at least 0"))
    if faults:
        raise ModelError(faults)
    _matrix(np.zeros((0, 0)), "scipy")  # names the extra where scipy is missing
    return KINDS[kind](size, np.random.default_rng([seed, list(KINDS).index(kind)]))
