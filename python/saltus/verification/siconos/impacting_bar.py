"""A linear bar of 100 elements (consistent mass) hits a wall; contact lasts twice the time of the wave through it."""

import numpy as np

import saltus as sl
from saltus.items import CoordinateGap, GenericSystem, NewtonImpact, NodeOde2
from saltus.verification.models import options_of, with_step

E, S, LENGTH, RHO, N, GAP, STEP = 2.1e11, 3.14e-4, 1.0, 7800.0, 101, 1e-5, 2e-7

LONG = True


def model():
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="u", count=N, displacements=[GAP] * N, velocities=[-1.0] * N))
    le = LENGTH / (N - 1)
    M, K = np.zeros((N, N)), np.zeros((N, N))
    for e in range(N - 1):
        M[e : e + 2, e : e + 2] += RHO * S * le / 6 * np.array([[2, 1], [1, 2]])
        K[e : e + 2, e : e + 2] += E * S / le * np.array([[1, -1], [-1, 1]])
    m.add(GenericSystem(name="bar", node="u", mass_matrix=M.tolist(), stiffness_matrix=K.tolist()))
    m.add(CoordinateGap(name="wall", on={"node": "u", "coordinate": 0}, law=NewtonImpact(restitution=0.0)))
    return m, M


def verify(case):
    keywords = with_step("moreau_jean", STEP, theta=0.50001)
    case.how = options_of(keywords)
    m, M = model()
    result = m.simulate(6e-4, **keywords)
    force = np.asarray(result["wall.multiplier"]).ravel()
    events = np.zeros_like(force)
    for time, kind, _, value in result.events:
        if kind == "impact":
            events[int(np.argmin(np.abs(result.time - time)))] += value
    v = np.asarray(result["u.rate"])
    momentum = (v @ M).sum(axis=1)
    impulse = np.diff(momentum)
    touched = np.flatnonzero(impulse > 1e-9)
    duration = result.time[touched[-1] + 1] - result.time[touched[0] + 1]
    yield case.check("contact_duration", duration)
    yield case.check("impulse_total", momentum[-1] - momentum[0])
    first = (result.time[1:] > result.time[touched[0] + 1]) & (result.time[1:] < result.time[touched[0] + 1] + 1.9e-4)
    yield case.check("mean_force_first_half", impulse[first].mean() / STEP)
    yield case.check("v_cm_final", momentum[-1] / M.sum())
    yield case.compare("impulse against the peer", momentum[-1] - momentum[0], case.peer_value("impulse_total"), 5e-3,
                       source="Siconos 4.4.0, same scheme and step")  # fmt: skip
    recorded = np.where(events > 0.0, events, force * STEP)[1:]
    yield case.compare(
        "recorded impulses", recorded.sum(), impulse.sum(), 1e-9, source="momentum balance, step by step"
    )
