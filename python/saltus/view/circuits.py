"""The circuit of a model as nets and elements, which the page draws as a schematic."""

from __future__ import annotations

from typing import Any

from saltus.view.pictures import picture
from saltus.view.places import Places

GROUND = "ground"


def circuit(places: Places, index: dict[str, int]) -> dict[str, Any] | None:
    """{"nets": [{"n", "ground"}], "parts": [{"i", "symbol", "pins": [[port, net]]}]}; None without terminals.

    index: numbers of the items by name. An element is what connects two or more nets, of which one is a terminal at least.
    """
    terminals = {name for name, record in places.records.items() if picture(record["section"], record["type"]) == "net"}
    if not terminals:
        return None
    nets: dict[str, int] = {}
    parts = []
    for name, record in places.records.items():
        pins = [(port, net) for port, value in record["fields"].items() if (net := _net(value)) in terminals or net == GROUND]
        if len(pins) >= 2 and any(net in terminals for _, net in pins):
            symbol = picture(record["section"], record["type"])
            parts.append({"i": index[name], "symbol": symbol or "box", "pins": [[port, nets.setdefault(net, len(nets))] for port, net in pins]})
    return {"nets": [{"n": net, "ground": net == GROUND} for net in nets], "parts": parts} if parts else None


def _net(value: Any) -> str:
    if isinstance(value, dict) and set(value) == {"node"}:
        value = value["node"]
    return value if isinstance(value, str) else ""
