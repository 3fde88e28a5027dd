"""Where the ground ends, or what carries moves over an edge, within what would be one long step of the default."""

import numpy as np
import pytest

import saltus as sl

G = 9.81


def table(m, kind):
    """Its top is z = 0, it ends at x = 0."""
    if kind == "box":
        return m.shape("box", m.ground, size=(2, 1, 1), at=(-1, 0, -0.5))
    return m.surface(([(-2, -1, 0), (0, -1, 0), (-2, 1, 0), (0, 1, 0)], [(0, 1, 3), (0, 3, 2)]))


@pytest.mark.parametrize("until", [0.55, 1.0, 1.67, 5.0])
@pytest.mark.parametrize("kind, group, friction", [("box", True, 0), ("box", False, 0), ("box", True, 0.3), ("surface", True, 0), ("surface", False, 0.3)])
def test_a_ball_that_is_faster_than_the_root_of_g_r_leaves_the_table_at_its_edge(kind, group, friction, until):
    m = sl.Model()
    top = table(m, kind)
    ball = m.sphere(radius=0.1, mass=1, at=(-1, 0, 0.1), velocity=(2, 0, 0), angular_velocity=(0, 20 if friction else 0, 0))
    m.contact(*(([top], [ball]) if group else (top, ball)), friction=friction)
    result = m.simulate(until)
    times = np.linspace(0.5, until, 100)
    fall = G * (times - 0.5) ** 2 / 2
    assert np.abs(result.at(times)[ball.position.z] - 0.1 + fall).max() < 3e-5 * max(1, fall[-1])


@pytest.mark.parametrize("until", [0.9, 1.67, 5.0])
def test_a_ball_slides_from_a_smooth_plate_onto_a_rough_one(until):
    friction, speed = 0.1, 2.0
    m = sl.Model()
    smooth = m.shape("box", m.ground, size=(2, 1, 1), at=(-1, 0, -0.5))
    rough = m.shape("box", m.ground, size=(20, 1, 1), at=(10, 0, -0.5))
    mass = m.point_mass(mass=1, at=(-1, 0, 0), velocity=(speed, 0, 0))
    m.contact(smooth, mass, friction=0)
    m.contact(rough, mass, friction=friction)
    after = min(until - 0.5, speed / (friction * G))
    assert m.simulate(until)[mass.position.x].last == pytest.approx(speed * after - friction * G * after**2 / 2, abs=3e-5)


@pytest.mark.parametrize("until", [1.1, 1.2, 1.3])
def test_a_box_that_slides_over_an_edge_begins_to_tip_where_its_centre_passes_it(until):
    def box_on(settings):
        m = sl.Model()
        box = m.box(size=(0.4, 0.4, 0.1), mass=1, at=(-0.25, 0, 0.05), velocity=(0.5, 0, 0))
        m.contact([table(m, "box")], [box], friction=0)
        return m.simulate(until, **settings).at(0.55)[box.angular_velocity.y]

    assert box_on({}) == pytest.approx(box_on({"scheme": "event_driven"}), abs=2e-5)
