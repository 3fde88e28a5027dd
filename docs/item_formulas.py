"""Equations and sketches of the item pages, beside what the engine's own table says of an item."""

ROW = "with the multiplier $\\lambda$ on the right of the equations of motion: $M\\dot v = f + H^T\\lambda$"
GAP = "normal gap $g$, its rate $\\dot g$, the force $\\lambda_N$ that pushes open"
CONE = r"-\left(u + \mu \lVert u_T\rVert\, n\right) \in N_K(\lambda), \qquad K = \{\lambda : \lVert\lambda_T\rVert \le \mu\lambda_N\}"
NEWTON = r"0 \le \dot g^+ + e\,\dot g^- \;\perp\; \lambda_N \ge 0"

EQUATIONS = {  # LaTeX, and what its letters are
    "connectors/spring_damper": (r"F_B = -\left(k\,(L - L_0) + c\,\dot L - f_0\right) n = -F_A", "$n$ from A to B, $L$ the distance"),
    "connectors/user_spring": (r"F_B = -f(t, L, \dot L)\, n = -F_A", "$n$ from A to B, $f$ the `tension`"),
    "connectors/resistor": (r"i = (v_A - v_B)/R", "current $i$ from A to B"),
    "connectors/capacitor": (r"i = C\,\frac{d}{dt}(v_A - v_B)", "current $i$ from A to B"),
    "connectors/inductor": (r"v_A - v_B = L\,\frac{di}{dt} + R\,i", "current $i$ from A to B"),
    "connectors/dc_motor": (r"v_A - v_B = L\,\frac{di}{dt} + R\,i + k\,\omega, \qquad \tau = k\,i", "torque $\\tau$ on the rotor, its speed $\\omega$ against the stator"),
    "connectors/voltage_source": (r"v_A - v_B = u(t)", "its current is an unknown"),
    "connectors/current_source": (r"i = i(t)", "from A through the source to B"),
    "connectors/mutual_gravity": (r"F = \frac{G\, m_A m_B}{r^2}", "along the line of the two points, where no softening is given"),
    "connectors/dahl_friction": (r"\dot z = v\left(1 - \frac{\sigma z}{F_c}\,\mathrm{sign}\,v\right)", "deflection $z$, stiffness $\\sigma$, Coulomb force $F_c$ (Dahl), without the elastic part"),
    "connectors/lugre_friction": (r"\dot z = v - \frac{\sigma_0 \lvert v\rvert}{g(v)}\,z, \qquad F = \sigma_0 z + \sigma_1 \dot z + \sigma_2 v", "deflection $z$ of the bristles, $g(v) = F_c + (F_s - F_c)\\,e^{-(v/v_s)^2}$"),
    "joints/revolute": (r"y = \left(p_{AB},\; e_x^A\cdot e_z^B,\; e_y^A\cdot e_z^B\right) = 0", "five rows; the angle about $z$ is free"),
    "joints/prismatic": (r"x_{AB} = y_{AB} = 0,\quad R_{AB} = 1", "five rows; the position along $z$ is free"),
    "joints/cylindrical": (r"x_{AB} = y_{AB} = 0,\quad e_x^A\cdot e_z^B = e_y^A\cdot e_z^B = 0", "four rows; position along and angle about $z$ are free"),
    "joints/spherical": (r"p_{AB} = 0", "three rows; all rotations are free"),
    "joints/universal": (r"p_{AB} = 0,\quad e_x^A\cdot e_y^B = 0", "four rows"),
    "joints/fixed": (r"p_{AB} = 0,\quad R_{AB} = 1", "six rows"),
    "joints/distance": (r"\lVert p_B - p_A\rVert = L", "one row"),
    "joints/planar_revolute": (r"p_{AB,x} = p_{AB,y} = 0", "two rows"),
    "joints/coordinate_constraint": (r"q_B - q_A = u(t)", "or one coordinate alone"),
    "joints/revolute_drive": (r"\varphi = \varphi(t)", "angle about $z$; its turns are counted"),
    "joints/revolute_speed_drive": (r"\dot\varphi = \omega(t)", ""),
    "joints/prismatic_drive": (r"z_{AB} = s(t)", ""),
    "joints/prismatic_speed_drive": (r"\dot z_{AB} = v(t)", ""),
    "relations/plane_gap": (r"g = z_{AB} - r", "$z_{AB}$: height of B's point above the plane $z = 0$ of A"),
    "relations/plane_contact": (r"y = (g,\; u_1,\; u_2), \qquad g = z_{AB} - r", GAP + ", sliding velocities $u_1, u_2$ along the plane"),
    "relations/plane_contact_2d": (r"y = (g,\; u_x), \qquad g = z_{AB} - r", GAP),
    "relations/sphere_gap": (r"g = \lVert p_B - p_A\rVert - r_A - r_B", GAP),
    "relations/sphere_contact": (r"y = (g,\; u_1,\; u_2), \qquad g = \lVert p_B - p_A\rVert - r_A - r_B", GAP),
    "relations/coordinate_pair_gap": (r"g = \pm\,(q_B - q_A - a)", "value $a$ (`at`), sign as given"),
    "relations/coordinate_gap": (r"g = \pm\,(q - a)", "value $a$ (`at`), sign as given"),
    "relations/linear_relation": (r"y = H q + b(t)", ROW),
    "relations/linear_compliance": (r"y = H q + b(t) + D\lambda", ROW),
    "relations/first_order_linear_relation": (r"y = C x + D\lambda + e(t), \qquad \dot x = f_1 + B\lambda", ""),
    "relations/first_order_relation": (r"y = h(t, x, \lambda), \qquad \dot x = f_1 + g(t, x, \lambda)", ""),
    "relations/user_relation": (r"y = h(t, q)", ROW),
    "relations/user_rate_relation": (r"\dot y = h(t, q, v)", ROW),
    "relations/diode": (r"0 \le i \;\perp\; v_K - v_A \ge 0", "current $i$ from the anode A to the cathode B ($K$)"),
    "laws/equality": (r"y = 0", ROW),
    "laws/complementarity": (r"0 \le y \;\perp\; \lambda \ge 0", ROW),
    "laws/newton_impact": (NEWTON, GAP + "; $-$ and $+$: before and after the impact"),
    "laws/coulomb_impact": (CONE, NEWTON.join(("normal direction as newton_impact: $", "$"))),
    "laws/coulomb_impact_2d": (CONE, "as coulomb_impact, with one sliding direction"),
    "laws/relay": (r"\lambda \in \begin{cases} \{\lambda_\mathrm{high}\} & y < 0\\ [\lambda_\mathrm{low}, \lambda_\mathrm{high}] & y = 0\\ \{\lambda_\mathrm{low}\} & y > 0\end{cases}", ROW),
    "laws/poisson_impact": (r"\lambda_N^{\mathrm{exp}} \ge e\,\lambda_N^{\mathrm{comp}}", "impulses of the phases of compression and expansion (Poisson); bodies do not stick together at the end"),
    "laws/rolling_impact": (r"\lVert m_R\rVert \le \mu_r \lambda_N, \qquad \lvert m_n\rvert \le \mu_s \lambda_N", "moments of rolling and spinning beside friction; $\\mu_r, \\mu_s$ are lengths"),
    "loads/force": (r"F = F(t)", "at the origin of the frame, in world axes or its own"),
    "loads/torque": (r"M = M(t)", "in world axes or its own"),
    "loads/coordinate_load": (r"Q = Q(t)", "on one coordinate"),
}  # fmt: skip

_GROUND = '<path class="ground" d="M8 62h24M10 62l-5 7M17 62l-5 7M24 62l-5 7M31 62l-5 7"/>'
_BODY = '<rect class="body" x="{x}" y="{y}" width="{w}" height="{h}" rx="4"/>'
SKETCHES = {  # insides of an SVG of 120 by 76
    "coil": '<circle class="body" cx="14" cy="38" r="7"/><circle class="body" cx="106" cy="38" r="7"/><path d="M21 38h9l4-9 8 18 8-18 8 18 8-18 8 18 4-9h21"/><text x="11" y="24">A</text><text x="103" y="24">B</text>',
    "piston": '<path d="M18 26h50v24h-50zM50 26v24M50 38h52"/><circle class="body" cx="12" cy="38" r="6"/><circle class="body" cx="108" cy="38" r="6"/><text x="9" y="24">A</text><text x="105" y="24">B</text>',
    "revolute": '<rect class="body" x="10" y="44" width="46" height="12" rx="6"/><rect class="body" x="50" y="30" width="58" height="12" rx="6" transform="rotate(-24 54 46)"/><circle cx="52" cy="48" r="7"/><circle class="dot" cx="52" cy="48" r="2"/><path class="free" d="M78 60a28 28 0 00 2-22m-5 5l5-6 6 5"/>',
    "prismatic": '<path d="M8 50h104M8 26h104"/><rect class="body" x="38" y="29" width="40" height="18"/><path class="free" d="M84 38h24m-6-5l7 5-7 5"/>',
    "cylindrical": '<path d="M6 38h108"/><rect class="body" x="38" y="26" width="40" height="24"/><path class="free" d="M86 30h22m-6-5l7 5-7 5M58 60a22 12 0 01-14-4m0 6v-7h7"/>',
    "spherical": '<rect class="body" x="6" y="44" width="44" height="11" rx="5"/><circle class="body" cx="60" cy="46" r="11"/><path d="M47 38a15 15 0 1026 0"/><path d="M66 38l34-24"/><path class="free" d="M92 34a20 20 0 00-4-20m-6 4l5-6 6 5"/>',
    "universal": '<path d="M6 38h36v-16M42 38v16M114 38h-36M78 38l-8-12M78 38l8 12"/><path d="M42 22l22 16M42 54l22-16"/><circle class="dot" cx="60" cy="38" r="4"/>',
    "fixed": '<rect class="body" x="10" y="28" width="50" height="20"/><rect class="body" x="60" y="28" width="50" height="20"/><path d="M60 22v32M56 26l8-6M56 38l8-6M56 50l8-6"/>',
    "distance": '<circle class="body" cx="18" cy="52" r="7"/><circle class="body" cx="102" cy="24" r="7"/><path d="M25 50l70-24"/><text x="54" y="30">L</text>',
    "plane": '<path class="ground" d="M6 60h108M14 60l-6 8M30 60l-6 8M46 60l-6 8M62 60l-6 8M78 60l-6 8M94 60l-6 8M110 60l-6 8"/><circle class="body" cx="60" cy="34" r="20"/><path class="free" d="M60 60v-22m-5 6l5-7 5 7"/><text x="84" y="34">B</text><text x="100" y="56">A</text>',
    "sphere": '<circle class="body" cx="36" cy="42" r="22"/><circle class="body" cx="84" cy="36" r="25"/><circle class="dot" cx="58" cy="39" r="3"/><text x="32" y="46">A</text><text x="80" y="40">B</text>',
    "beam": '<path d="M8 50C36 50 60 46 112 20M8 56C38 56 62 52 115 25"/><text x="8" y="44">A</text><text x="98" y="18">B</text>',
    "rope": '<circle class="body" cx="60" cy="30" r="18"/><path d="M42 70v-40a18 18 0 0136 0v40"/>',
    "force": '<rect class="body" x="60" y="26" width="46" height="26" rx="4"/><path class="free" d="M12 39h46m-8-6l9 6-9 6"/><text x="22" y="30">F</text>',
    "torque": '<rect class="body" x="30" y="34" width="60" height="20" rx="4"/><path class="free" d="M84 30a28 20 0 00-46-2m0-9v10h9"/><text x="54" y="16">M</text>',
    "net": '<path d="M12 38h96"/><circle class="dot" cx="60" cy="38" r="5"/><text x="56" y="26">v</text>',
    "sphere_body": '<circle class="body" cx="60" cy="38" r="26"/>', "capsule": '<rect class="body" x="22" y="24" width="76" height="28" rx="14"/>', "cylinder": '<path class="body" d="M34 18a26 8 0 0152 0v40a26 8 0 01-52 0zM34 18a26 8 0 0052 0"/>',
    "box": '<path class="body" d="M26 26l16-12h54v38l-16 12h-54zM26 26h54v38M80 26l16-12"/>', "rigid": '<path class="body" d="M30 54C10 30 40 8 62 16s52-2 44 26-54 30-76 12z"/><path class="free" d="M60 40h22M60 40v-22M60 40l-12 12"/>',
    "complementarity": '<path d="M14 66h96M20 72v-66"/><path class="free" d="M20 14v52h84"/><text x="6" y="14">λ</text><text x="104" y="60">y</text>', "relay": '<path d="M8 38h104M60 72v-68"/><path class="free" d="M16 16h44v44h44"/><text x="66" y="12">λ</text><text x="104" y="32">y</text>',
    "friction": '<path class="body" d="M60 66L30 18a30 9 0 0160 0z"/><path d="M30 18a30 9 0 0060 0"/><path class="free" d="M60 66V8m-5 7l5-8 5 8"/><text x="68" y="10">n</text>',
    "resistor": '<path d="M6 38h24l5-14 10 28 10-28 10 28 10-28 5 14h34"/>', "capacitor": '<path d="M6 38h48M54 18v40M66 18v40M66 38h48"/>', "inductor": '<path d="M6 38h16a9 9 0 0118 0 9 9 0 0118 0 9 9 0 0118 0 9 9 0 0118 0h20"/>',
    "diode": '<path d="M6 38h38M76 38h38M76 20v36"/><path class="body" d="M44 20v36l32-18z"/><text x="10" y="30">A</text><text x="102" y="30">B</text>', "voltage_source": '<path d="M6 38h32M82 38h32M48 38h10M53 33v10M66 38h8"/><circle cx="60" cy="38" r="22"/>',
    "current_source": '<path d="M6 38h32M82 38h32M46 38h26m-8-6l9 6-9 6"/><circle cx="60" cy="38" r="22"/>', "motor": '<path d="M6 38h32M82 38h32M50 48v-20l10 14 10-14v20"/><circle cx="60" cy="38" r="22"/>',
}  # fmt: skip
WORDS = [  # (part of "family/name", sketch), the first that fits; else the shape of the item's picture
    ("joints/planar_revolute", "revolute"), ("joints/revolute", "revolute"), ("joints/rough_revolute", "revolute"), ("joints/planar_prismatic", "prismatic"), ("joints/prismatic", "prismatic"), ("joints/rough_prismatic", "prismatic"),
    ("joints/cylindrical", "cylindrical"), ("joints/spherical", "spherical"), ("joints/universal", "universal"), ("joints/fixed", "fixed"), ("joints/planar_fixed", "fixed"), ("joints/bond", "fixed"), ("joints/distance", "distance"),
    ("laws/complementarity", "complementarity"), ("laws/newton", "complementarity"), ("laws/poisson_impact", "complementarity"), ("laws/adhesive_impact", "complementarity"), ("laws/relay", "relay"), ("coulomb_impact", "friction"), ("orthotropic", "friction"),
    ("rolling_impact", "friction"), ("loads/force", "force"), ("loads/joint_force", "force"), ("loads/torque", "torque"), ("loads/joint_torque", "torque"), ("penalty_sphere_plane", "plane"), ("penalty_spheres", "sphere"), ("markers/sphere", "sphere_body"),
    ("markers/capsule", "capsule"), ("markers/cylinder", "cylinder"), ("markers/box", "box"), ("markers/plane", "plane"), ("torsional_spring", "revolute"), ("rope_spring", "rope"), ("bodies/rigid_body", "rigid"), ("nodes/node_rigid", "rigid"),
]  # fmt: skip


def sketch_of(family: str, name: str) -> str:
    """SVG of an item, empty where there is none."""
    from saltus.view.pictures import picture

    word = next((sketch for part, sketch in WORDS if part in f"{family}/{name}"), picture(family, name).shape)
    return f'<svg class="item-sketch" viewBox="0 0 120 76" role="img" aria-label="Sketch of {name}">{SKETCHES[word]}</svg>' if word in SKETCHES else ""
