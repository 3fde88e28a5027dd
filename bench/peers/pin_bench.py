"""pinocchio's side of the benchmark: `pin_bench.py WORKLOAD SIZE STEPS`, one line of JSON as saltus_bench prints.

Its articulated body algorithm with Runge-Kutta here, in minimal coordinates; COARSER of the 1 ms are one step."""

import json
import sys
import time

import numpy as np
import pinocchio as pin

COARSER = 10


def pendulum_chain(size):
    """Rods on ball joints, let go from the horizontal."""
    model = pin.Model()
    model.gravity.linear = np.array([0, 0, -9.81])
    rod = pin.Inertia(1.0, np.array([0.05, 0, 0]), np.diag([2e-4, 0.01 / 12, 0.01 / 12]))
    joint = 0
    for i in range(size):
        place = pin.SE3(np.eye(3), np.array([0.1 if i else 0.0, 0, 0]))
        joint = model.addJoint(joint, pin.JointModelSpherical(), place, f"j{i}")
        model.appendBodyToJoint(joint, rod, pin.SE3.Identity())
    return model


def main():
    """Build, run, print."""
    name, size, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    model = {"pendulum_chain": pendulum_chain}[name](size)
    data = model.createData()
    q, v = pin.neutral(model), np.zeros(model.nv)
    tau = np.zeros(model.nv)
    h = 1e-3 * COARSER

    def rate(q, v):
        return pin.aba(model, data, q, v, tau).copy()

    start = time.process_time()
    for _ in range(steps // COARSER):  # Munthe-Kaas to the order that the steps need: increments in the tangent of q
        a1 = rate(q, v)
        v2 = v + h / 2 * a1
        a2 = rate(pin.integrate(model, q, h / 2 * v), v2)
        v3 = v + h / 2 * a2
        a3 = rate(pin.integrate(model, q, h / 2 * v2), v3)
        v4 = v + h * a3
        a4 = rate(pin.integrate(model, q, h * v3), v4)
        q = pin.integrate(model, q, h / 6 * (v + 2 * v2 + 2 * v3 + v4))
        v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    seconds = time.process_time() - start
    pin.forwardKinematics(model, data, q)
    probes = [float(x) for x in data.oMi[model.njoints - 1].act(np.array([0.05, 0, 0]))]
    print(json.dumps({"program": "pin", "workload": name, "size": size, "steps": steps, "cpu": seconds, "probes": probes}))


main()
