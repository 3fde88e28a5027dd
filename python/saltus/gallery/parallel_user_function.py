"""60 equal oscillators, half of their springs given by Python functions, assembled by two threads."""

from saltus import _core


def model() -> _core.Model:
    m = _core.Model()
    m.gravity = [0, 0, 0]
    for i in range(60):
        m.add("nodes", "node_1d", f"x{i}", {"displacement": 0.1})
        m.add("bodies", "mass_1d", f"mass{i}", {"node": f"x{i}", "mass": 1.0})
        if i < 30:
            spring = {"A": "ground", "B": f"x{i}", "force": lambda t, u, v: 100.0 * u}
            m.add("connectors", "coordinate_user_spring", f"spring{i}", spring)
        else:
            m.add("connectors", "coordinate_spring_damper", f"spring{i}", {"A": "ground", "B": f"x{i}", "stiffness": 100})
    m.outputs = {"first": "x0.coordinate", "last": "x59.coordinate"}
    m.simulation = {"until": 0.3, "step": 1e-3, "scheme": "runge_kutta_4", "threads": 2}
    return m
