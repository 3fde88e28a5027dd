"""exudyn's side: `exudyn_machines.py NAME STEPS ...`, one line of JSON a run: CPU seconds and what the probes read at its end."""

import json
import math
import sys
import time

import exudyn as exu
import exudyn.itemInterface as ei
import machines as d

HINGE_Y = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]  # axes of a joint whose z is y of the body


def marker(mbs, body, place):
    return mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=list(place)))


def rigid(mbs, mass, inertia, place, about="y", turn=0.0):
    axis = [math.sin(0.5 * turn) if about == name else 0.0 for name in "xyz"]
    node = mbs.AddNode(ei.NodeRigidBodyEP(referenceCoordinates=[*place, math.cos(0.5 * turn), *axis]))
    body = mbs.AddObject(ei.ObjectRigidBody(mass=mass, inertia=[*inertia, 0, 0, 0], nodeNumber=node))
    mbs.AddLoad(ei.LoadMassProportional(markerNumber=mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body)), loadVector=[0, 0, -d.GRAVITY]))
    return node, body


def joint(mbs, a, b, free, turn=None):
    turned = {} if turn is None else {"rotationMarker0": turn, "rotationMarker1": turn}
    mbs.AddObject(ei.GenericJoint(markerNumbers=[a, b], constrainedAxes=[int(i not in free) for i in range(6)], **turned))


def position(mbs, node):
    return list(mbs.GetNodeOutput(node, exu.OutputVariableType.Position))


def gear_train(mbs):
    ground = mbs.AddObject(ei.ObjectGround())
    shafts = []
    for i, J in enumerate(d.GEAR_INERTIA):
        node = mbs.AddNode(ei.NodeRigidBodyRxyz(referenceCoordinates=[0.2 * i, 0, 0, 0, 0, 0]))  # its last coordinate is the angle, turns and all
        body = mbs.AddObject(ei.ObjectRigidBody(mass=1, inertia=[J, J, J, 0, 0, 0], nodeNumber=node))
        joint(mbs, marker(mbs, ground, (0.2 * i, 0, 0)), marker(mbs, body, (0, 0, 0)), free=(5,))
        shafts.append((node, mbs.AddMarker(ei.MarkerNodeCoordinate(nodeNumber=node, coordinate=5))))
    for (_, a), (_, b) in zip(shafts, shafts[1:]):
        mbs.AddObject(ei.ObjectConnectorCoordinate(markerNumbers=[a, b], factor1=-d.RATIO))
    nail = mbs.AddMarker(ei.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(ei.NodePointGround()), coordinate=0))
    mbs.AddObject(ei.CoordinateSpringDamper(markerNumbers=[nail, shafts[-1][1]], stiffness=d.WINDING, damping=d.GEAR_LOSS))
    mbs.AddLoad(ei.LoadCoordinate(markerNumber=shafts[0][1], load=d.TORQUE))
    return lambda: [float(mbs.GetNodeOutput(shafts[i][0], exu.OutputVariableType.Coordinates)[5]) for i in (0, -1)], d.GEAR_END


def excavator(mbs):
    bodies = {"ground": mbs.AddObject(ei.ObjectGround())}
    places = d.arm_places()
    before, where, node = "ground", (0, 0, 0), None
    for name, length, mass, turn in d.ARM:
        J = mass * length**2 / 12
        node, bodies[name] = rigid(mbs, mass, (0.05 * J, J, J), places[name][0], "y", turn)
        joint(mbs, marker(mbs, bodies[before], where), marker(mbs, bodies[name], (-0.5 * length, 0, 0)), free=(5,), turn=HINGE_Y)
        before, where = name, (0.5 * length, 0, 0)
    oil = []
    for a, at_a, b, at_b, valves in d.CYLINDERS:
        oil.append(mbs.AddNode(ei.NodeGenericODE1(referenceCoordinates=[0, 0], initialCoordinates=list(d.PRESSURES), numberOfODE1Coordinates=2)))
        mbs.AddObject(
            ei.HydraulicActuatorSimple(
                markerNumbers=[marker(mbs, bodies[a], at_a), marker(mbs, bodies[b], at_b)], nodeNumbers=[oil[-1]], offsetLength=d.SHORTEST, strokeLength=d.STROKE,
                chamberCrossSection0=d.PISTON, chamberCrossSection1=d.ROD, hoseVolume0=d.VOLUME, hoseVolume1=d.VOLUME, valveOpening0=valves[0], valveOpening1=valves[1],
                actuatorDamping=d.OIL_LOSS, oilBulkModulus=d.BULK, nominalFlow=d.CONDUCTANCE, systemPressure=d.SUPPLY, tankPressure=d.TANK, useChamberVolumeChange=True,
            )
        )
    return lambda: position(mbs, node)[::2] + [1e-6 * float(p) for n in oil for p in mbs.GetNodeOutput(n, exu.OutputVariableType.Coordinates)], d.EXCAVATOR_END


def crane(mbs):
    ground = mbs.AddObject(ei.ObjectGround())
    node, trolley = rigid(mbs, d.TROLLEY, (10, 10, 10), (0, 0, 0))
    hook_node, hook = rigid(mbs, d.HOOK, d.HOOK_INERTIA, d.HOOK_AT)
    on_rail = marker(mbs, trolley, (0, 0, 0))
    joint(mbs, marker(mbs, ground, (0, 0, 0)), on_rail, free=(0,))
    damping = [[d.TROLLEY_LOSS if i == j == 0 else 0.0 for j in range(6)] for i in range(6)]
    mbs.AddObject(ei.RigidBodySpringDamper(markerNumbers=[marker(mbs, ground, (0, 0, 0)), on_rail], stiffness=[[0.0] * 6] * 6, damping=damping))
    mbs.AddLoad(ei.Force(markerNumber=on_rail, loadVector=[d.PUSH, 0, 0]))
    bodies = {"trolley": trolley, "hook": hook}
    over = [marker(mbs, bodies[name], place) for name, place, _, _ in d.ROPE]
    # the way is planar: spans of pi r over each sheave, and vertical ones of 5 m between
    falls = 4 * 5.0
    length = d.SLACK * (falls + 3 * math.pi * 0.1)
    mbs.AddObject(
        ei.ReevingSystemSprings(
            markerNumbers=over, hasCoordinateMarkers=False, stiffnessPerLength=d.EA, dampingPerLength=d.ROPE_LOSS, regularizationForce=-1.0, referenceLength=length,
            sheavesAxes=exu.Vector3DList([[0.0, float(sense or 1), 0.0] for _, _, _, sense in d.ROPE]), sheavesRadii=[radius for _, _, radius, _ in d.ROPE],
        )
    )
    return lambda: [position(mbs, node)[0], *position(mbs, hook_node)[::2]], d.CRANE_END


def car(mbs):
    plane = marker(mbs, mbs.AddObject(ei.ObjectGround()), (0, 0, 0))
    node, chassis = rigid(mbs, *d.CHASSIS, (0, 0, 0.5))
    for x, y, steer in d.WHEELS:
        place = (x, y, d.RADIUS)
        _, carrier = rigid(mbs, *d.CARRIER, place, "z", steer)
        _, wheel = rigid(mbs, *d.WHEEL, place, "z", steer)
        c, s = math.cos(steer), math.sin(steer)
        turned = [[c, -s, 0], [s, c, 0], [0, 0, 1]]
        hub, on_wheel = marker(mbs, carrier, (0, 0, 0)), marker(mbs, wheel, (0, 0, 0))
        on_chassis = mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=chassis, localPosition=[x, y, d.RADIUS - 0.5]))
        mbs.AddObject(ei.GenericJoint(markerNumbers=[on_chassis, hub], constrainedAxes=[1, 1, 0, 1, 1, 1], rotationMarker0=turned))
        along = [[0.0] * 6 for _ in range(6)], [[0.0] * 6 for _ in range(6)]
        along[0][2][2], along[1][2][2] = d.STRUT, d.STRUT_LOSS
        mbs.AddObject(ei.RigidBodySpringDamper(markerNumbers=[on_chassis, hub], stiffness=along[0], damping=along[1]))
        joint(mbs, hub, on_wheel, free=(1, 4))
        axle = [[0.0] * 6 for _ in range(6)], [[0.0] * 6 for _ in range(6)]
        axle[0][1][1], axle[1][1][1] = d.AXLE, d.AXLE_LOSS
        mbs.AddObject(ei.RigidBodySpringDamper(markerNumbers=[hub, on_wheel], stiffness=axle[0], damping=axle[1]))
        mbs.AddObject(ei.ObjectJointRollingDisc(markerNumbers=[plane, on_wheel], discRadius=d.RADIUS, discAxis=[0, 1, 0], planeNormal=[0, 0, 1]))
        if steer == 0.0:
            mbs.AddLoad(ei.Torque(markerNumber=on_wheel, loadVector=[0, d.DRIVE, 0], bodyFixed=True))
    return lambda: position(mbs, node), d.CAR_END


def run(name, steps):
    mbs = exu.SystemContainer().AddSystem()
    probe, end = globals()[name](mbs)
    mbs.Assemble()
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps, s.timeIntegration.endTime = steps, end
    s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    s.timeIntegration.newton.useModifiedNewton = True
    s.timeIntegration.verboseMode = 0
    s.solution.file.write = False
    s.solution.sensors.writePeriod = end
    s.linearSolver.solverType = exu.LinearSolverType.EXUdense
    began = time.process_time()
    mbs.SolveDynamic(s)
    return {"steps": steps, "cpu": time.process_time() - began, "probes": probe()}


if __name__ == "__main__":
    for steps in sys.argv[2:]:
        print(json.dumps(run(sys.argv[1], int(steps))), flush=True)
