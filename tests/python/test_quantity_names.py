"""What a table, a handle or a plot shows under a name is read by that name: of the run, at a time, and of the file."""

import numpy as np
import pytest

import saltus as sl


def mechanism(m):
    m.parameters = {"stiffness": 50.0}
    m.parameter("damping", 0.3)
    arm = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="arm")
    m.revolute(m.ground, arm, at=(0, 0, 0), axis="y", torque="sin(t)", stiffness=3.0, limits=(-0.02, 1.0), friction=0.1, name="hinge")
    m.revolute(arm, m.box(size=(0.1, 0.2, 0.3), mass=1, at=(1, 0, 0), name="tip"), at=(1, 0, 0), axis="y", speed="1 + t", name="driven")
    slide = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 3, 0), name="slide")
    m.prismatic(m.ground, slide, axis="z", force=2.0, name="guide")
    m.spring(arm.end, slide, stiffness="stiffness", damping=0.5, name="strut")
    m.force(slide, (0, 0, "damping*t"), name="push")
    m.point_mass(mass=1, at=(0, 9, 0), name="point")
    load = m.point_mass(mass=2, at=(0, 0.1, -1), name="load")
    m.rope([m.point_mass(mass=1, at=(0, -0.1, -1), name="weight"), m.sheave(m.ground, radius=0.1, axis="x", at=(0, 0, 1), name="pulley"), load], stiffness=1e4, damping=10, name="rope")
    m.rail(m.ground, m.point_mass(mass=1, at=(5, 0, 0), name="bead"), curve=((5, 0, 0), (6, 0, -1), (7, 0, -1)), name="track")
    m.outputs = {"turn": "hinge.angle", "lift": "= slide.position.z * 2"}


def contacts(m):
    floor = m.plane(name="floor")
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.11), velocity=(0.5, 0, 0), name="ball")
    m.contact(floor, ball, friction=0.3, restitution=0.5, name="bounce")
    m.contact(floor, m.box(size=(0.2, 0.2, 0.2), mass=1, at=(1, 0, 0.11), name="crate"), friction=0.3, name="corners")
    m.contact([floor], [m.sphere(radius=0.1, mass=1, at=(3, k, 0.11), name=f"bead_{k}") for k in range(2)], friction=0.2, name="heap")
    m.contact(floor, m.sphere(radius=0.1, mass=1, at=(6, 0, 0.11), name="smooth"), name="frictionless")


def circuit(m):
    a, b, c, d = (m.terminal(name=name) for name in "abcd")
    m.voltage_source(a, m.ground, voltage="10*sin(300*t)", name="supply")
    m.inductor(a, b, L=1e-3, name="coil")
    m.resistor(b, m.ground, R=1, name="burden")
    m.diode(m.ground, b, name="freewheel")
    m.capacitor(b, c, C=1e-4, name="store")
    m.resistor(c, m.ground, R=5, name="leak")
    m.coupled_inductors([(c, m.ground), (d, m.ground)], L=[1e-2, 1e-2], k=0.5, name="core")
    m.resistor(d, m.ground, R=2, name="second")
    rotor = m.cylinder(radius=0.1, length=0.1, mass=1, name="rotor")
    m.dc_motor(a, m.ground, m.revolute(m.ground, rotor, axis="z", name="shaft"), k=0.05, R=0.5, L=1e-3, name="motor")


def more(m):
    m.beam((0, 0, 0), (1, 0, 0), EI=10, EA=1e4, mass_per_length=1, elements=2, name="wire")
    tree = m.tree(name="robot")
    tree.revolute(mass=1, inertia=(0.1, 0.1, 0.1), axis="y", at=(0, 5, 0), name="link")
    m.coordinates([[1, 0], [0, 2]], stiffness_matrix=[[5, 0], [0, 3]], name="modal")


MODELS = (mechanism, contacts, circuit, more)


@pytest.fixture(params=MODELS, ids=lambda build: build.__name__)
def run(request):
    m = sl.Model()
    request.param(m)
    return m.simulate(0.1, step=2e-3)


def titles(frame):
    return {title: title.partition(" [")[0] for title in frame.columns}


def test_every_column_of_a_table_is_read_by_its_name_of_the_run_at_a_time_and_of_the_file(run, tmp_path):
    run.save(tmp_path / "run.saltus")
    for result in (run, sl.load_result(tmp_path / "run.saltus")):
        frame, late = result.to_dataframe(), result.at(0.05)
        at_time = late.to_dataframe()
        assert len(frame.columns) > 10
        for title, name in titles(frame).items():
            np.testing.assert_array_equal(result[name], frame[title].to_numpy(dtype=float), err_msg=name)
            np.testing.assert_array_equal(late[name], float(at_time[title].iloc[0]), err_msg=name)


def test_what_a_name_list_offers_is_read(run):
    offered = run._ipython_key_completions_()
    assert set(run.model.outputs) <= set(offered)
    for name in offered:
        run[name]


@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
def test_the_legend_of_a_plot_has_names_that_are_read(tmp_path):
    pytest.importorskip("matplotlib")
    m = sl.Model()
    circuit(m)
    r = m.simulate(0.01, step=1e-3)
    coil, rotor = m["coil"], m["rotor"]
    axes = np.atleast_1d(r.plot(coil.current, coil.voltage, m["a"].voltage, rotor.position, rotor.frame(at=(1, 0, 0)).position, 2 * m["shaft"].angle, file=tmp_path / "plot.png"))
    shown = [line.get_label() for axis in axes for line in axis.lines]
    assert {"coil.current", "coil.voltage", "a.voltage", "rotor.position.x"} <= set(shown)
    for name in shown:
        assert len(r[name]) == len(r.time), name


def test_a_name_that_is_not_there_is_answered_with_those_that_are():
    m = sl.Model()
    circuit(m)
    r = m.simulate(0.01, step=1e-3)
    with pytest.raises(sl.ModelError, match=r"outputs/coil.curent: 'coil' has no quantity 'curent'; did you mean \"current\"\? It has .*voltage"):
        r["coil.curent"]
    m = sl.Model()
    contacts(m)
    r = m.simulate(0.01, step=1e-3)
    with pytest.raises(sl.ModelError, match="corners has 8 points, each with a gap: read that of .*'corners_1'"):
        r["corners.gap"]
    with pytest.raises(sl.ModelError, match=r"has no quantity 'sate'; did you mean \"state\"\?"):
        r["bounce.sate"]


def test_a_state_and_an_output_take_the_names_of_handles_too():
    m = sl.Model()
    circuit(m)
    m.outputs = {"i": "coil.current", "v": "coil.voltage"}
    r = m.simulate(0.01, step=1e-3)
    np.testing.assert_array_equal(r["i"], r["coil.current"])
    np.testing.assert_array_equal(r["v"], r["coil.voltage"])
    state = m.state(step=1e-3)
    state.advance(0.005)
    assert state["coil.current"] == state[m["coil"].current] != 0.0


def test_a_comparison_takes_all_terms_of_a_sum():
    runs = []
    for torque in (0.0, 1.0):
        m = sl.Model(gravity=(0, 0, 0))
        hinge = m.revolute(m.ground, m.rod((0, 0, 0), (1, 0, 0), mass=1), at=(0, 0, 0), axis="y", torque=torque, name="hinge")
        runs.append(m.simulate(0.1, step=0.01))
    assert runs[0].compare(runs[1], hinge.torque)["hinge.torque"].largest == pytest.approx(1.0, abs=1e-6)
