"""Siconos' side of piles.py, with Bullet, under the system's Python: `siconos_piles.py SCENE.json STEP STEPS TAIL OUT.npz`; a line of JSON.

Moreau-Jean with theta 1/2, NSGS to 1e-8 as Saltus' steps are solved, linear steps; Debian: python3-siconos."""

import json
import sys
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.mechanics.collision import RigidBodyDS, SiconosBox, SiconosContactor, SiconosContactorSet, SiconosSphere
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

FRICTION, GRAVITY = 0.4, 9.81


def rotation_of(q):
    """Matrix of w x y z."""
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def main():
    """Build, run, print."""
    with open(sys.argv[1]) as stream:
        scene = json.load(stream)
    h, steps, tail = float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    nsds = sk.NonSmoothDynamicalSystem(0, (steps + 2) * h)
    options = SiconosBulletOptions()
    options.worldScale, options.contactBreakingThreshold, options.perturbationIterations, options.minimumPointsPerturbationThreshold = 1.0, 1e-3, 0, 0
    manager = SiconosBulletCollisionManager(options)
    manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(0.0, 0.0, FRICTION, 3), 0, 0)
    kept, bodies = [], []

    def contactor(shape):
        out = SiconosContactorSet()
        out.append(SiconosContactor(shape))
        kept.extend([shape, out])
        return out

    for plane in scene["planes"]:
        middle = np.array(plane["p"]) - 0.5 * rotation_of(plane["q"])[:, 2]  # a thick plate: planes that are turned let balls through
        manager.insertStaticContactorSet(contactor(SiconosBox(20.0, 20.0, 1.0)), [*middle, *plane["q"]])
    for body in scene["bodies"]:
        shape = SiconosSphere(body["radius"]) if body["type"] == "sphere" else SiconosBox(*body["size"])
        ds = RigidBodyDS([*body["p"], *body["q"]], [0.0] * 6, body["mass"], np.diag(body["inertia"]))
        ds.contactors().push_back(SiconosContactor(shape))
        ds.setFExtPtr(np.array([0.0, 0.0, -GRAVITY * body["mass"]]))
        nsds.insertDynamicalSystem(ds)
        kept.append(shape), bodies.append(ds)
    integrator, problem = sk.MoreauJeanOSI(0.5), sk.FrictionContact(3, sn.SICONOS_FRICTION_3D_NSGS)
    problem.numericsSolverOptions().iparam[0], problem.numericsSolverOptions().dparam[0] = 10000, 1e-8
    problem.setMaxSize(100000), problem.setMStorageType(1), problem.setNumericsVerboseMode(False), problem.setKeepLambdaAndYState(True)
    run = sk.TimeStepping(nsds, sk.TimeDiscretisation(0, h), integrator, problem)
    run.insertInteractionManager(manager)
    run.setNewtonOptions(sk.SICONOS_TS_LINEAR), run.setNewtonMaxIteration(1)

    def go(count):
        start = time.process_time()
        for _ in range(count):
            run.computeOneStep()
            run.nextStep()
        return time.process_time() - start

    def places():
        return np.array([b.q()[:3] for b in bodies]), np.array([rotation_of(b.q()[3:]) for b in bodies])

    first, (before, _) = go(steps - tail), places()
    last, (after, R) = go(tail), places()
    np.savez(sys.argv[5], before=before, after=after, R=R)
    print(json.dumps({"spent": (first + last) / steps, "rest": last / tail, "residual": float(problem.numericsSolverOptions().dparam[1])}))


if __name__ == "__main__":
    main()
