"""exudyn's side of the benchmark: `exudyn_bench.py WORKLOAD SIZE STEPS`, one line of JSON as saltus_bench prints."""

import json
import math
import sys
import time

import exudyn as exu
import exudyn.itemInterface as ei


def spring_chain(mbs, size):
    """Points with axial springs and dampers, hanging from the origin."""
    ground = mbs.AddObject(ei.ObjectGround())
    before = mbs.AddMarker(ei.MarkerBodyPosition(bodyNumber=ground, localPosition=[0, 0, 0]))
    nodes = []
    for i in range(1, size + 1):
        node = mbs.AddNode(ei.NodePoint(referenceCoordinates=[0.1 * i, 0, 0], initialVelocities=[0, 0.1 * math.sin(i), 0]))
        body = mbs.AddObject(ei.MassPoint(physicsMass=1, nodeNumber=node))
        marker = mbs.AddMarker(ei.MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 0]))
        mbs.AddLoad(ei.LoadForceVector(markerNumber=marker, loadVector=[0, 0, -9.81]))
        mbs.AddObject(ei.ObjectConnectorSpringDamper(markerNumbers=[before, marker], referenceLength=0.1, stiffness=1000, damping=1))
        before = marker
        nodes.append(node)

    def probes():
        return [x for n in (nodes[size // 2], nodes[-1]) for x in mbs.GetNodeOutput(n, exu.OutputVariableType.Position)]

    return probes, 1e-3


def oscillator(mbs, size):
    """One mass, one spring, one damper."""
    node = mbs.AddNode(ei.Node1D(referenceCoordinates=[0], initialCoordinates=[0.1]))
    mbs.AddObject(ei.Mass1D(physicsMass=1, nodeNumber=node))
    nail = mbs.AddMarker(ei.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(ei.NodePointGround()), coordinate=0))
    marker = mbs.AddMarker(ei.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    mbs.AddObject(ei.CoordinateSpringDamper(markerNumbers=[nail, marker], stiffness=100, damping=2))
    return lambda: [mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)], 1e-3


def pendulum_chain(mbs, size):
    """Rods joined by ball joints, let go from the horizontal."""
    ground = mbs.AddObject(ei.ObjectGround())
    before = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=ground, localPosition=[0, 0, 0]))
    last = None
    for i in range(size):
        inertia = [2e-4, 1 / 12 * 0.01, 1 / 12 * 0.01, 0, 0, 0]
        node = mbs.AddNode(ei.NodeRigidBodyEP(referenceCoordinates=[0.1 * (i + 0.5), 0, 0, 1, 0, 0, 0]))
        body = mbs.AddObject(ei.ObjectRigidBody(physicsMass=1, physicsInertia=inertia, nodeNumber=node))
        mbs.AddLoad(ei.LoadMassProportional(markerNumber=mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body)), loadVector=[0, 0, -9.81]))
        start = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=[-0.05, 0, 0]))
        mbs.AddObject(ei.SphericalJoint(markerNumbers=[before, start]))
        before = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=[0.05, 0, 0]))
        last = node
    return lambda: list(mbs.GetNodeOutput(last, exu.OutputVariableType.Position)), 1e-3


WORKLOADS = {"spring_chain": (spring_chain, "rk4"), "spring_chain_implicit": (spring_chain, "full"),
             "spring_chain_once": (spring_chain, "modified"), "oscillator": (oscillator, "rk4"), "pendulum_chain": (pendulum_chain, "full")}


def main():
    """Build, run, print."""
    name, size, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    make, how = WORKLOADS[name]
    mbs = exu.SystemContainer().AddSystem()
    probes, step = make(mbs, size)
    mbs.Assemble()
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.endTime = steps * step
    s.timeIntegration.verboseMode = 0
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = 1e9
    s.displayComputationTime = False
    s.linearSolverType = exu.LinearSolverType.EigenSparse if size > 10 else exu.LinearSolverType.EXUdense
    solver = exu.DynamicSolverType.RK44 if how == "rk4" else exu.DynamicSolverType.GeneralizedAlpha
    if how != "rk4":
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.8
        s.timeIntegration.newton.useModifiedNewton = how == "modified"
        s.timeIntegration.newton.relativeTolerance = 1e-9
    start = time.process_time()
    mbs.SolveDynamic(s, solverType=solver, updateInitialValues=True)
    seconds = time.process_time() - start
    print(json.dumps({"program": "exudyn", "workload": name, "size": size, "steps": steps, "cpu": seconds, "probes": probes()}))


main()
