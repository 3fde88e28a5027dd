"""Siconos' side of the benchmark: `siconos_bench.py WORKLOAD SIZE STEPS`, one line of JSON as saltus_bench prints.

Run by the interpreter that has Siconos. Models and schemes are those of the other programs, written with its Python interface."""

import json
import sys
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn


def ball(size):
    """A ball on the floor, restitution 0.9."""
    ds = sk.LagrangianLinearTIDS([1.0], [0.0], np.eye(1))
    ds.setFExtPtr([-9.81])
    floor = sk.Interaction(sk.NewtonImpactNSL(0.9), sk.LagrangianLinearTIR(np.eye(1)))
    return [ds], [(floor, ds)], sk.MoreauJeanOSI(0.5), sk.LCP(), 1e-3, lambda: [*ds.q(), *ds.velocity()]


def beads(size):
    """Beads above each other on a wire, restitution 0.5. Of its solvers the fastest without failures on 100 beads."""
    systems = [sk.LagrangianLinearTIDS([0.101 * (i + 1)], [0.0], np.eye(1)) for i in range(size)]
    links = []
    for i, ds in enumerate(systems):
        ds.setFExtPtr([-9.81])
        H = np.array([[1.0]]) if i == 0 else np.array([[-1.0, 1.0]])
        gap = sk.Interaction(sk.NewtonImpactNSL(0.5), sk.LagrangianLinearTIR(H, [-0.1]))
        links.append((gap, ds) if i == 0 else (gap, systems[i - 1], ds))
    return systems, links, sk.MoreauJeanOSI(0.5), sk.LCP(sn.SICONOS_LCP_NEWTON_MIN_FBLSA), 1e-3, lambda: [systems[i].q()[0] for i in (0, size // 2, size - 1)]


def woodpecker(size):
    """Glocker's woodpecker toy: three planar contacts with friction."""
    M = np.array([[0.0048, 4.5e-5, 6.75e-5], [4.5e-5, 4.55e-7, 6.75e-7], [6.75e-5, 6.75e-7, 1.7125e-6]])
    K = 0.0056 * np.array([[0, 0, 0], [0, 1, -1], [0, -1, 1]])
    ds = sk.LagrangianLinearTIDS([0, -0.1036, -0.2788], [-0.3411, 0, -7.4583], M, K, np.zeros((3, 3)))
    ds.setFExtPtr([-0.047088, -0.00044145, -0.000662175])
    contacts = (([[0, 0, -0.02], [1, 0.01, -0.0051]], 0.0024, 0.5), ([[0, 0.0058, 0], [1, 0.0031, 0]], 0.0006, 0.0),
                ([[0, -0.0058, 0], [1, 0.0031, 0]], 0.0006, 0.0))  # fmt: skip
    links = [(sk.Interaction(sk.NewtonImpactFrictionNSL(e, 0.0, 0.3, 2), sk.LagrangianLinearTIR(np.array(H, float), [b, 0.0])), ds)
             for H, b, e in contacts]  # fmt: skip
    return [ds], links, sk.MoreauJeanOSI(0.5), sk.FrictionContact(2), 2e-5, lambda: list(ds.q())


def diode_bridge(size):
    """A tank on a bridge of four ideal diodes with a resistor."""
    L, C, R = 1e-2, 1e-6, 1e3
    ds = sk.FirstOrderLinearDS([10.0, 0.0], np.array([[0, -1 / C], [1 / L, 0]]))
    relation = sk.FirstOrderLinearTIR(np.array([[0, 0], [0, 0], [-1, 0], [1, 0]], float), np.array([[0, 0, -1 / C, 1 / C], [0, 0, 0, 0]]))
    relation.setDPtr(np.array([[1 / R, 1 / R, -1, 0], [1 / R, 1 / R, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]]))
    link = sk.Interaction(sk.ComplementarityConditionNSL(4), relation)
    return [ds], [(link, ds)], sk.EulerMoreauOSI(0.5), sk.LCP(), 1e-6, lambda: list(ds.x())


def sphere_stack(size):
    """Spheres above each other, 1 mm apart, that fall on the floor and each other, with friction; contacts by its Bullet."""
    from siconos.mechanics.collision import RigidBodyDS, SiconosContactor, SiconosContactorSet, SiconosPlane, SiconosSphere
    from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager

    systems = []
    for i in range(size):
        ds = RigidBodyDS([0, 0, 0.101 + 0.201 * i, 1, 0, 0, 0], [0] * 6, 1.0, 0.004 * np.eye(3))
        shapes = SiconosContactorSet()
        shapes.append(SiconosContactor(SiconosSphere(0.1)))
        ds.setContactors(shapes)
        ds.setFExtPtr([0, 0, -9.81])
        systems.append(ds)
    manager = SiconosBulletCollisionManager()
    floor = SiconosContactorSet()
    floor.append(SiconosContactor(SiconosPlane()))
    manager.insertStaticContactorSet(floor)
    manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(0.0, 0.0, 0.5, 3), 0, 0)
    return systems, manager, sk.MoreauJeanOSI(0.5), sk.FrictionContact(3), 1e-3, lambda: [systems[0].q()[2], systems[-1].q()[2]]


WORKLOADS = {"sphere_stack": sphere_stack, "ball": ball, "beads": beads, "woodpecker": woodpecker, "diode_bridge": diode_bridge}


def main():
    """Build, run, print."""
    name, size, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    systems, links, scheme, problem, step, probes = WORKLOADS[name](size)
    model = sk.NonSmoothDynamicalSystem(0.0, (steps + 10) * step)
    for ds in systems:
        model.insertDynamicalSystem(ds)
    manager = None if isinstance(links, list) else links
    for link in [] if manager else links:
        model.link(*link)
    stepping = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, step), scheme, problem)
    if manager:
        stepping.insertInteractionManager(manager)
    problem.numericsSolverOptions().dparam[sn.SICONOS_DPARAM_TOL] = 1e-8 if name == "sphere_stack" else 1e-12
    start = time.process_time()
    for _ in range(steps):
        stepping.computeOneStep()
        stepping.nextStep()
    seconds = time.process_time() - start
    print(json.dumps({"program": "siconos", "workload": name, "size": size, "steps": steps, "cpu": seconds, "probes": [float(x) for x in probes()]}))


main()
