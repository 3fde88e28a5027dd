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


def linear_chain(mbs, size):
    """Masses on one line with springs and dampers."""
    before = mbs.AddMarker(ei.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(ei.NodePointGround()), coordinate=0))
    nodes = []
    for i in range(1, size + 1):
        node = mbs.AddNode(ei.Node1D(referenceCoordinates=[0], initialVelocities=[0.1 * math.sin(i)]))
        mbs.AddObject(ei.Mass1D(physicsMass=1, nodeNumber=node))
        marker = mbs.AddMarker(ei.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        mbs.AddObject(ei.CoordinateSpringDamper(markerNumbers=[before, marker], stiffness=1000, damping=1))
        before = marker
        nodes.append(node)
    return lambda: [float(mbs.GetNodeOutput(n, exu.OutputVariableType.Coordinates)) for n in (nodes[size // 2], nodes[-1])], 1e-3


def hinge_chain(mbs, size):
    """Rods joined by hinges whose axes turn by 90 degrees from joint to joint."""
    before = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=mbs.AddObject(ei.ObjectGround()), localPosition=[0, 0, 0]))
    turns = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, -1], [0, 1, 0]]]
    node = None
    for i in range(size):
        inertia = [2e-4, 1 / 12 * 0.01, 1 / 12 * 0.01, 0, 0, 0]
        node = mbs.AddNode(ei.NodeRigidBodyEP(referenceCoordinates=[0.1 * (i + 0.5), 0, 0, 1, 0, 0, 0]))
        body = mbs.AddObject(ei.ObjectRigidBody(physicsMass=1, physicsInertia=inertia, nodeNumber=node))
        mbs.AddLoad(ei.LoadMassProportional(markerNumber=mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body)), loadVector=[0, -9.81, -1]))
        start = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=[-0.05, 0, 0]))
        turn = turns[i % 2]
        mbs.AddObject(ei.GenericJoint(markerNumbers=[before, start], constrainedAxes=[1, 1, 1, 1, 1, 0], rotationMarker0=turn, rotationMarker1=turn))
        before = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=[0.05, 0, 0]))
    return lambda: list(mbs.GetNodeOutput(node, exu.OutputVariableType.Position)), 1e-3


SWING = 0.5


def four_bars(mbs, size, planar):
    """size + 1 upright rods of length and mass 1 on hinges, joined by couplers, let go at 0.5 rad; gravity along -y."""
    ground = mbs.AddObject(ei.ObjectGround())
    angle = SWING - 0.5 * math.pi
    along = [math.cos(angle), math.sin(angle)]

    def rod(x, y, turn):
        if planar:
            node = mbs.AddNode(ei.NodeRigidBody2D(referenceCoordinates=[x, y, turn]))
            body = mbs.AddObject(ei.ObjectRigidBody2D(physicsMass=1, physicsInertia=1 / 12, nodeNumber=node))
        else:
            node = mbs.AddNode(ei.NodeRigidBodyEP(referenceCoordinates=[x, y, 0, math.cos(turn / 2), 0, 0, math.sin(turn / 2)]))
            body = mbs.AddObject(ei.ObjectRigidBody(physicsMass=1, physicsInertia=[1e-3, 1 / 12, 1 / 12, 0, 0, 0], nodeNumber=node))
        mbs.AddLoad(ei.LoadMassProportional(markerNumber=mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body)), loadVector=[0, -9.81, 0]))
        return node, body

    def marker(body, x):
        return mbs.AddMarker((ei.MarkerBodyPosition if planar else ei.MarkerBodyRigid)(bodyNumber=body, localPosition=[x, 0, 0]))

    def joint(a, b, axes):
        if planar:
            mbs.AddObject(ei.RevoluteJoint2D(markerNumbers=[a, b]))
        else:
            mbs.AddObject(ei.GenericJoint(markerNumbers=[a, b], constrainedAxes=axes))

    hinge, pin = [1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0]
    rods = [rod(i + 0.5 * along[0], 0.5 * along[1], angle) for i in range(size + 1)]
    couplers = [rod(i + 0.5 + along[0], along[1], 0.0) for i in range(size)]
    for i in range(size + 1):
        joint(marker(ground, i), marker(rods[i][1], -0.5), hinge)
        if i > 0:
            joint(marker(rods[i - 1][1], 0.5), marker(couplers[i - 1][1], -0.5), hinge)
            joint(marker(couplers[i - 1][1], 0.5), marker(rods[i][1], 0.5), pin)
    return lambda: list(mbs.GetNodeOutput(rods[-1][0], exu.OutputVariableType.Position))[:2], 1e-3


def four_bar_2d(mbs, size):
    """In planar coordinates."""
    return four_bars(mbs, size, True)


def four_bar_3d(mbs, size):
    """In space, without redundant rows."""
    return four_bars(mbs, size, False)


WORKLOADS = {"spring_chain": (spring_chain, "rk4"), "spring_chain_implicit": (spring_chain, "full"), "spring_chain_modified": (spring_chain, "modified"),
             "linear_chain_once": (linear_chain, "modified"), "oscillator": (oscillator, "rk4"), "pendulum_chain": (pendulum_chain, "full"),
             "pendulum_chain_modified": (pendulum_chain, "modified"), "hinge_chain": (hinge_chain, "full"), "hinge_chain_modified": (hinge_chain, "modified"), "four_bar_2d": (four_bar_2d, "full"), "four_bar_3d": (four_bar_3d, "full")}  # fmt: skip


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
