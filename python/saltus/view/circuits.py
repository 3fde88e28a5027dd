"""The circuit of a model as nets and elements, which the page draws as a schematic."""

from __future__ import annotations

from typing import Any

from saltus.reading import current_path
from saltus.view.pictures import picture_of
from saltus.view.places import Places

GROUND = "ground"
SYMBOLS = ("resistor", "capacitor", "inductor", "diode", "zener", "thyristor", "switch", "transistor", "amplifier", "transformer", "gyrator", "voltage_source", "current_source", "motor")
PLOTTED = 4  # voltages, and as many currents, where a model names no outputs
TWO_SIDED = ("transformer", "gyrator")  # drawn between C and D, too; others only measure a voltage there


def circuit(places: Places, index: dict[str, int]) -> dict[str, Any] | None:
    """{"nets": [{"n", "ground"}], "parts": [{"i", "ways": [[symbol, net, net]], "leads": [net]}]}; None without terminals.

    index: numbers of the items by name. An element is what connects two or more nets, of which one is a terminal at least: from A to B, of a
    two-port from C to D too; what else it touches, such as a gate, is a lead.
    """
    terminals = {name for name, record in places.records.items() if picture_of(record).shape == "net"}
    nets: dict[str, int] = {}
    parts = []
    for name, record in places.records.items() if terminals else ():
        pins = {port: net for port, value in record["fields"].items() if (net := _net(value)) in terminals or net == GROUND}
        if len(pins) < 2 or not terminals & set(pins.values()):
            continue
        number = {port: nets.setdefault(net, len(nets)) for port, net in pins.items()}
        look = picture_of(record).shape
        symbol = look if look in SYMBOLS else "box"
        first = ("A", "B") if {"A", "B"} <= set(pins) else tuple(pins)[:2]
        ways: list[list[Any]] = [[symbol, number[first[0]], number[first[1]]]]
        if two := {"C", "D"} <= set(pins):
            ways.append([symbol if symbol in TWO_SIDED else "measures", number["C"], number["D"]])
        parts.append({"i": index[name], "ways": ways, "leads": [net for port, net in number.items() if port not in first and not (two and port in "CD")]})
    return {"nets": [{"n": net, "ground": net == GROUND} for net in nets], "parts": parts} if parts else None


def plotted(places: Places) -> dict[str, str]:
    """Voltages and currents, `name -> path`, that the page of a circuit plots where its model names no outputs."""
    voltages = {f"{name}.voltage": f"{name}.value" for name, record in places.records.items() if picture_of(record).shape == "net"}
    currents = {f"{name}.current": path for name, record in places.records.items() if (path := current_path(name, record))}
    return dict([*list(voltages.items())[:PLOTTED], *list(currents.items())[:PLOTTED]])


def _net(value: Any) -> str:
    if isinstance(value, dict) and set(value) == {"node"}:
        value = value["node"]
    return value if isinstance(value, str) else ""
