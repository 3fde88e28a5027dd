"""Forces and relations of the user on frames and coordinates: as the built-in items, turned, far away, with every scheme, saved and loaded."""

import math
import re

import numpy as np
import pytest

import saltus as sl
from saltus import _core
from saltus.verbs.kernels import Motion

HINGE = ["A_x - B_x", "A_y - B_y", "A_z - B_z", "A_R00*B_R02 + A_R10*B_R12 + A_R20*B_R22", "A_R01*B_R02 + A_R11*B_R12 + A_R21*B_R22"]
ANGLE = "atan2(A_R01*B_R00 + A_R11*B_R10 + A_R21*B_R20, A_R00*B_R00 + A_R10*B_R10 + A_R20*B_R20)"  # of B about z of A


def pendulum(joint, *, turn=(0, 0, 0), shift=(0, 0, 0), spring=None):
    """A rod that swings in space about its hinge at one end: as a joint of the house, or of the user."""
    R, at = sl.Rotation.of_vector(turn), np.array(shift, dtype=float)
    m = sl.Model(gravity=(R @ (0.3, 0, -9.81)))
    place = lambda *p: R @ np.array(p) + at  # noqa: E731
    rod = m.rod(place(0, 0, 0), place(0.7, 0, -0.4), mass=1.5, angular_velocity=(R @ (0, 2.0, 0)), name="rod")
    axis = (R @ (0, 1, 0))
    if joint == "house":
        hinge = m.revolute(m.ground, rod, at=place(0, 0, 0), axis=axis, **(spring or {}))
        return m, rod, hinge
    frame = sl.Rotation.of_matrix(basis(axis))
    A = m.ground.frame(place(0, 0, 0), rotation=frame)
    B = rod.frame(place(0, 0, 0), rotation=relative(rod, frame))
    return m, rod, joint(m, A, B)


def basis(z):
    x = np.cross((0.3, 0.8, -0.2), z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def relative(body, frame):
    """From the body's axes to the frame's."""
    return sl.Rotation.of_matrix(body.reference[1].T @ frame.matrix)


def of_user(m, A, B):
    return m.user_relation(on=[A, B], function=HINGE)


@pytest.mark.parametrize("scheme", ["generalized_alpha", "moreau_jean", "runge_kutta_4", "dormand_prince", "event_driven", "nonsmooth_generalized_alpha"])
def test_a_revolute_joint_of_two_frames_is_the_one_of_the_house(scheme):
    """Not to the same bits: its rows of places stand in world axes, not in those of A. What `generalized_alpha` leaves open of them in a step is 1e-10."""
    runs = [pendulum(joint) for joint in ("house", of_user)]
    a, b = (m.simulate(until=1.0, step=0.005, scheme=scheme)[rod.position] for m, rod, _ in runs)
    assert np.abs(np.asarray(a) - np.asarray(b)).max() < (1e-8 if scheme == "generalized_alpha" else 1e-11)
    at_once = [m.state()[rod.acceleration] for m, rod, _ in runs]
    assert np.abs(at_once[0] - at_once[1]).max() < 1e-11


def test_it_stands_at_rest_where_the_house_does():
    positions = []
    for joint in ("house", of_user):
        m, rod, _ = pendulum(joint)
        positions.append(m.static()[rod.position])
    assert np.allclose(*positions, atol=1e-9)


def test_it_is_the_same_turned_and_far_away():
    m, rod, _ = pendulum(of_user)
    here = np.asarray(m.simulate(until=1.0, step=0.005)[rod.position])
    turn, shift = (0.4, -1.1, 0.7), (300.0, -200.0, 1e3)
    m, rod, _ = pendulum(of_user, turn=turn, shift=shift)
    there = np.asarray(m.simulate(until=1.0, step=0.005)[rod.position])
    assert np.abs(sl.Rotation.of_vector(turn) @ here + shift - there).max() < 1e-9


def sprung(m, A, B):
    m.user_relation(on=[A, B], function=HINGE)
    return m.user_force(on=[A, B], potential=f"0.5*6*({ANGLE})^2")


def test_a_torsion_spring_of_a_potential_is_the_one_of_the_house():
    models = [pendulum("house", spring={"stiffness": 6.0}), pendulum(sprung)]
    a, b = (m.simulate(until=1.0, step=0.002, scheme="generalized_alpha") for m, _, _ in models)
    assert np.abs(np.asarray(a[models[0][1].position]) - np.asarray(b[models[1][1].position])).max() < 1e-9
    state = [m.state()[rod.angular_acceleration] for m, rod, _ in models]
    assert np.abs(state[0] - state[1]).max() < 1e-12 * np.abs(state[0]).max()
    assert np.allclose(a["energy.potential"], b["energy.potential"], atol=1e-11)
    frequencies = [m.modes(at="static").frequencies for m, _, _ in models]
    assert np.allclose(*frequencies, rtol=1e-9)


def test_two_planets_in_three_lines():
    m = sl.Model(gravity=(0, 0, 0))
    suns = [m.point_mass(mass=1.0, at=(-0.5, 0, 0), velocity=(0, -0.5, 0)), m.point_mass(mass=1.0, at=(0.5, 0, 0), velocity=(0, 0.5, 0))]
    m.user_force(on=suns, potential="-0.5/sqrt((B_x - A_x)^2 + (B_y - A_y)^2 + (B_z - A_z)^2)")
    result = m.simulate(until=2 * math.pi, tolerance=1e-10)
    assert np.allclose(result[suns[0].position][-1], (-0.5, 0, 0), atol=1e-7)  # around once: omega^2 r = 0.5
    energy = np.asarray(result["energy.total"])
    assert np.ptp(energy) < 1e-8 * abs(energy[0])


def law(t, A, B):
    d, dv = B.p - A.p, B.v - A.v
    L = np.linalg.norm(d)
    n = d / L
    f = (40 * (L - 0.8) + 0.3 * n @ dv) * n
    return f, -f


SPRING = [
    {"length": "sqrt((B_x - A_x)^2 + (B_y - A_y)^2 + (B_z - A_z)^2)", "tension": "40*(L - 0.8) + 0.3*dL"},
    {"function": law},
    {"length": lambda A, B: np.linalg.norm(B.p - A.p), "tension": "40*(L - 0.8) + 0.3*dL"},
]


@pytest.mark.parametrize(
    ("element", "scheme"),
    [(SPRING[0], "generalized_alpha"), (SPRING[0], "moreau_jean"), (SPRING[1], "generalized_alpha"), (SPRING[1], "moreau_jean"), (SPRING[2], "dormand_prince")],
)
def test_a_spring_of_the_user_is_the_one_of_the_house(element, scheme):
    def run(own):
        m = sl.Model()
        box = m.box(size=(0.2, 0.3, 0.4), mass=2.0, at=(0.6, 0.1, -0.7), angular_velocity=(1, 2, 3))
        A, B = m.ground.frame((0, 0, 0.2)), box.frame((0.5, 0.2, -0.6))
        if own:
            m.user_force(on=[A, B], **element)
        else:
            m.spring(A, B, stiffness=40, damping=0.3, rest_length=0.8)
        return np.asarray(m.simulate(until=0.5, step=0.005, scheme=scheme)[box.position])

    assert np.abs(run(True) - run(False)).max() < 1e-8  # of differences: a function of the program has no derivatives of its own


def test_torques_are_in_world_axes_and_turn_what_they_should():
    def run(own):
        m = sl.Model(gravity=(0, 0, 0))
        body = m.body(mass=1.0, inertia=(1.0, 2.0, 2.5), angular_velocity=(0.3, 1, -0.2))
        if own:
            m.user_force(on=[body], function=["0", "0", "1 - A_vz", "sin(t)", "0.2", "cos(2*t)"])
        else:
            m.torque(body, ["sin(t)", 0.2, "cos(2*t)"])
            m.force(body, lambda t: (0, 0, 1 - (1 - math.exp(-t))))
        return m.simulate(until=2.0, tolerance=1e-10)

    a, b = run(True), run(False)
    for path in ("rotation", "angular_velocity", "position"):
        assert np.allclose(np.asarray(a[f"body_1.{path}"])[-1], np.asarray(b[f"body_1.{path}"])[-1], atol=1e-7)


def test_a_hydraulic_cylinder_of_parts_is_the_one_of_the_house():
    values = {"piston_area": 2e-3, "rod_area": 1.2e-3, "piston_volume": 4e-4, "rod_volume": 5e-4, "bulk_modulus": 1e9}
    A1, A2, V1, V2, beta = values.values()
    inflow, outflow = "1e-5*sin(6*t) - 1e-11*q0", "-2e-12*q1"

    def run(own):
        m = sl.Model(gravity=(0, 0, 0))
        slider = m.box(size=(0.1, 0.1, 0.1), mass=20.0, name="slider")
        slide = m.prismatic(m.ground, slider, axis="x", name="slide")
        m.add(sl.items.NodeOde1(name="p1", count=1, initial_values=[2e5]))
        m.add(sl.items.NodeOde1(name="p2", count=1, initial_values=[1e5]))
        ends = [{"node": "p1", "coordinate": 0}, {"node": "p2", "coordinate": 0}, slide.translation.z]
        if own:
            flows = [f"{beta}*({inflow} - {A1}*v2)/({V1} + {A1}*q2)", f"{beta}*({outflow} + {A2}*v2)/({V2} - {A2}*q2)", f"{A1}*q0 - {A2}*q1"]
            m.add(sl.items.UserForce(on=[*ends[:2], m._plain(ends[2])], function=flows))
        else:
            m.add(sl.items.HydraulicCylinder(piston_pressure=ends[0], rod_pressure=ends[1], on=m._plain(ends[2]), piston_flow=inflow.replace("q0", "p1"), rod_flow=outflow.replace("q1", "p2"), **values))
        return np.asarray(m.simulate(until=0.3, step=1e-3, scheme="generalized_alpha")["slider.position.x"])

    a, b = run(True), run(False)
    assert np.ptp(b) > 1e-4
    assert np.abs(a - b).max() < 1e-12


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha"])
def test_a_spring_that_yields_is_the_one_of_the_house(scheme):
    def simulate(own, step):
        m = sl.Model(gravity=(0, 0, 0))
        m.add(sl.items.Node1d(name="x", velocity=3.0))
        m.add(sl.items.Mass1d(name="mass", node="x", mass=1.0))
        end = {"node": "x", "coordinate": 0}
        if own:
            plastic = "min(max(m0, q0 - 30/900), q0 + 30/900)"
            m.add(sl.items.UserForce(on=[end], function=f"-900*(q0 - ({plastic}))", memory=[0.0], update=plastic))
        else:
            m.add(sl.items.ElastoplasticSpring(A="ground", B=end, stiffness=900, yield_force=30))
        return np.asarray(m.simulate(until=0.5, step=step, scheme=scheme)["x.coordinate"])

    coarse, fine = (np.abs(simulate(True, h) - simulate(False, h)).max() for h in (1e-3, 1e-4))
    assert fine < 1e-5 and coarse < 1e-3  # the one of the house follows the turning point inside of a step


def test_memory_is_updated_once_for_each_accepted_step(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(sl.items.Node1d(name="x", velocity=1.0))
    m.add(sl.items.Mass1d(name="mass", node="x", mass=1.0))
    m.add(sl.items.UserForce(name="counter", on=[{"node": "x", "coordinate": 0}], function="0", memory=[5.0, 0.0], update=["m0 + 1", "max(m1, q0)"]))
    result = m.simulate(until=1.0, step=0.1, scheme="moreau_jean")
    data = result._recorded.arrays["data"]
    assert np.any(np.all(np.isclose(data, 5.0 + np.arange(11)[:, None]), axis=0))
    m.save(tmp_path / "m.json")
    assert np.array_equal(sl.Model.load(tmp_path / "m.json").simulate(until=1.0, step=0.1, scheme="moreau_jean")._recorded.arrays["data"], data)
    half = m.simulate(until=0.5, step=0.1, scheme="moreau_jean")
    on = m.simulate(until=1.0, step=0.1, scheme="moreau_jean", start=half)
    assert np.array_equal(on._recorded.arrays["data"][-1], data[-1])


def test_a_skate_of_rates_does_not_slide_sideways():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1.0, inertia=(1, 1, 0.5), velocity=(2.0, 0, 0), angular_velocity=(0, 0, 1.5), name="skate")
    m.user_relation(on=[body], function="A_vx*A_R01 + A_vy*A_R11", written="rate")
    result = m.simulate(until=3.0, tolerance=1e-9)
    v, R = np.asarray(result[body.velocity]), np.asarray(result[body.rotation_matrix]).reshape(-1, 3, 3)
    assert np.abs(np.einsum("ni,ni->n", v, R[:, :, 1])).max() < 1e-7
    assert np.allclose(np.linalg.norm(v, axis=1), 2.0, atol=1e-6)
    t, p = np.asarray(result.time), np.asarray(result[body.position])
    assert np.allclose(p[:, 0], 2.0 / 1.5 * np.sin(1.5 * t), atol=1e-5)  # a circle


def test_a_gap_of_the_user_bounces():
    m = sl.Model()
    ball = m.point_mass(mass=1.0, at=(0, 0, 1))
    m.user_relation(on=[ball], function="A_z", law={"type": "newton_impact", "restitution": 1.0})
    result = m.simulate(until=1.0, scheme="event_driven")
    fall = math.sqrt(2 / 9.81)
    assert abs([e for e in result._recorded.events if e[1] == "impact"][0][0] - fall) < 1e-9


def test_threads_and_functions_of_the_program_give_the_same_bits():
    def run(threads):
        m = sl.Model()
        for i in range(300):
            mass = m.point_mass(mass=1.0, at=(i, 0, 0), velocity=(0.1 * i, 1, 0))
            m.user_force(on=[mass], potential=f"5*((A_x - {i})^2 + A_y^2 + A_z^4)")
        return m.simulate(until=0.05, step=0.005, scheme="generalized_alpha", threads=threads)._recorded.arrays["y"]

    assert np.array_equal(run(1), run(3))


def test_compiled_functions_take_the_numbers_in_a_row():
    ctypes = pytest.importorskip("ctypes")
    table = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))

    def potential(x, out):
        out[0] = 5 * (x[0] ** 2 + x[1] ** 2 + x[2] ** 2)

    def run(kernel):
        m = sl.Model()
        mass = m.point_mass(mass=1.0, at=(0.2, 0, 0))
        m.user_force(on=[mass], potential=kernel)
        return np.asarray(m.simulate(until=0.5, step=0.01, scheme="generalized_alpha")[mass.position])

    call = table(potential)
    assert np.allclose(run(sl.Compiled(call)), run("5*(A_x^2 + A_y^2 + A_z^2)"), atol=1e-9)


def test_a_function_sees_frames_as_arrays():
    seen = []

    def look(t, A, q, v, m):
        seen.append((t, A, q, v, m))
        return np.zeros(3), 0.0

    model = sl.Model(gravity=(0, 0, 0))
    body = model.body(mass=1.0, inertia=(1, 1, 1), at=(1, 2, 3), velocity=(4, 5, 6), angular_velocity=(0, 0, 2), rotation=(0, 0, 0.5))
    slider = model.box(size=(1, 1, 1), mass=1)
    slide = model.prismatic(model.ground, slider, axis="x")
    model.user_force(on=[body, slide.translation.z], function=look, memory=[7.0], update=lambda t, A, q, v, m: m)
    model.state().accelerations
    t, A, q, v, kept = seen[0]
    assert isinstance(A, Motion) and np.allclose(A.p, (1, 2, 3)) and np.allclose(A.v, (4, 5, 6)) and np.allclose(A.w, (0, 0, 2), atol=1e-12)
    assert np.allclose(A.R, sl.Rotation.of_vector((0, 0, 0.5)).matrix) and np.allclose(q, 0) and np.allclose(kept, 7)


def test_a_new_connector_of_the_user_is_short():
    """A leaf spring that yields sideways, in five lines."""

    def leaf(m, A, B, k, kx):
        return m.user_force(on=[A, B], potential=f"0.5*{k}*((B_x - A_x)^2 + (B_y - A_y)^2) + 0.5*{kx}*(B_z - A_z)^2")

    m = sl.Model(gravity=(0, 0, 0))
    mass = m.point_mass(mass=1.0, displacement=(0.1, 0, 0))
    leaf(m, m.ground, mass, 100.0, 400.0)
    assert np.allclose(np.sort(m.modes().frequencies), np.array([10, 10, 20]) / (2 * math.pi), rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (dict(on=[], potential="A_x"), "expected a list of frames"),
        (dict(on=["b"], potential="B_x"), "B_x"),
        (dict(on=["b"], potential="A_xx"), "did you mean"),
        (dict(on=["b"], function=["1", "2"]), "must have 3"),
        (dict(on=["b"], potential=object()), "which is no function"),
        (dict(on=["b"], potential=lambda t, A: 0.0), r"cannot be called as f\(A\)"),
        (dict(on=["b"]), "gives no force"),
        (dict(on=["b"], tension="3*L"), "no `length`"),
        (dict(on=["b"], potential="A_x", memory=[1.0]), "update"),
        (dict(on=["b"], potential="t*A_x"), "depends on places alone"),
        (dict(on=[3.0], potential="A_x"), "no frame and no coordinate"),
        (dict(on=["b"], function=lambda t, A: (1.0, 2.0)), "returned 2 numbers"),
        (dict(on=["b"], function=lambda t: (1.0, 2.0, 3.0)), r"cannot be called as f\(t, A\)"),
    ],
)
def test_mistakes_are_reported(arguments, words):
    m = sl.Model()
    ball = m.point_mass(mass=1.0, name="ball")
    arguments["on"] = [ball if end == "b" else end for end in arguments["on"]]
    with pytest.raises((sl.ModelError, sl.RunError), match=words):
        m.user_force(**arguments)
        m.simulate(until=0.01)


def test_a_function_of_the_program_is_not_saved(tmp_path):
    m = sl.Model()
    ball = m.point_mass(mass=1.0)
    m.user_force(on=[ball], function=lambda t, A: -A.v)
    with pytest.raises(sl.ModelError, match="function"):
        m.save(tmp_path / "m.json")


def test_every_scheme_of_motion_takes_it():
    for scheme in set(_core.schemes()) - {"static", "exact_modal", "zero_order_hold"}:  # the last two are for linear systems
        m, rod, _ = pendulum(sprung)
        assert np.isfinite(np.asarray(m.simulate(until=0.05, step=0.005, scheme=scheme)[rod.position])).all()


@pytest.mark.parametrize("scheme", [None, "moreau_jean", "generalized_alpha", "runge_kutta_4"])
@pytest.mark.parametrize("update, m0", [("log(0.5 - t)", "(nan|-inf)"), (["sqrt(0.5 - t)"], "-?nan"), (lambda t, A, m: [1.0 / max(0.5 - t, 0.0) if t < 0.5 else math.inf], "inf")])
def test_an_update_that_is_no_number_is_named_with_its_value_its_time_and_what_to_do(scheme, update, m0):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.point_mass(mass=1, at=(1, 0, 0), velocity=(0.1, 0, 0))
    m.user_force([body], function=["-0.01*m0", "0", "0"], memory=[0.0], update=update, name="H")
    with pytest.raises(sl.RunError) as error:
        m.simulate(1.0, **({"scheme": scheme, "step": 1e-2} if scheme else {}))
    assert re.search(rf"connectors/H: at t = 0\.5\d* s `update` gives m0 = {m0}; check it for divisions by zero, log and sqrt, or keep m0 there with if", str(error.value)), error.value
