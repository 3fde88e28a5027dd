"""A buck converter feeds a motor whose wheel slips on the ground until the cart has its speed."""

import saltus as sl

SUPPLY, DUTY, PERIOD = 24.0, 0.5, 1e-4
COIL, CAPACITOR = 1e-4, 1e-3
INDUCTANCE, RESISTANCE, CONSTANT = 1e-3, 1.0, 0.25
RADIUS, WHEEL, CART, FRICTION = 0.025, 0.5, 2.0, 0.5


def model() -> sl.Model:
    m = sl.Model()
    supply, switched, output = m.terminal(name="supply"), m.terminal(name="switched"), m.terminal(name="output")
    m.voltage_source(supply, m.ground, voltage=SUPPLY)
    m.pwm_switch(supply, switched, period=PERIOD, duty=DUTY, name="switch")
    m.diode(m.ground, switched, name="freewheel")
    coil = m.inductor(switched, output, L=COIL, name="coil")
    m.capacitor(output, m.ground, C=CAPACITOR, name="smoothing")

    floor = m.plane(name="floor")
    cart = m.box(size=(0.2, 0.1, 0.02), mass=CART, at=(0, 0, RADIUS), name="cart")
    wheel = m.sphere(radius=RADIUS, mass=WHEEL, at=(0, 0, RADIUS), name="wheel")
    m.generic(m.ground, cart, locked=("y", "rx", "ry", "rz"), at=(0, 0, RADIUS), name="guide")
    axle = m.revolute(cart, wheel, at=(0, 0, RADIUS), axis="y", name="axle")
    tread = m.contact(floor, wheel, friction=FRICTION, name="tread")
    motor = m.dc_motor(output, m.ground, axle, L=INDUCTANCE, R=RESISTANCE, k=CONSTANT, name="motor")
    m.outputs = {"output": output.voltage, "coil": coil.current, "motor": motor.current, "spin": wheel.angular_velocity, "speed": cart.velocity, "tread": tread.force}
    m.simulation = {"until": 0.4, "scheme": "moreau_jean", "step": 2e-6}
    return m
