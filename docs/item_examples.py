"""Collects an example of each item type into docs/item_examples.json: `python docs/item_examples.py`, after items or verbs were added.

The records are those of models that run in the tests (one for each verb) and in the gallery.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
FILE = HERE / "item_examples.json"


def collected() -> dict[str, dict]:
    """{"family/name": {"name", "record", "verb" or "gallery"}}."""
    sys.path.insert(0, str(HERE.parent / "tests" / "python"))
    import test_round_trip as trips

    from saltus import gallery

    warnings.simplefilter("ignore")
    found: dict[str, dict] = {}
    for verb in trips.TABLE:
        model = trips.model_of(verb)[0]._engine
        made = {family: kinds for family, kinds in json.loads(model.text()).items() if isinstance(kinds, dict)}
        for family, kind, name in model.records():
            _keep(found, family, kind, name, model.record(name)["fields"], {"verb": verb})
        for records in made.values():  # what stands inside other records: nodes and laws
            for fields in records.values():
                if isinstance(fields, dict):
                    for word, family in (("law", "laws"), ("node", "nodes")):
                        inside = fields.get(word)
                        if isinstance(inside, dict) and "type" in inside:
                            _keep(found, family, inside["type"], "", {k: v for k, v in inside.items() if k != "type"}, {"verb": verb})
    for name in gallery.names():
        model = gallery.load(name)
        for family, kind, item in model.records():
            key = f"{family}/{kind}"
            _keep(found, family, kind, item, model.record(item)["fields"], {"gallery": name})
            found[key].setdefault("gallery", name)
    return dict(sorted(found.items()))


def _keep(found: dict, family: str, kind: str, name: str, fields: dict, source: dict) -> None:
    key, text = f"{family}/{kind}", json.dumps(fields, default=str)
    if key not in found and len(text) < 4000:
        found[key] = {"name": name, "record": json.loads(text), **source}
    elif key not in found:
        found[key] = {"name": name, **source}


if __name__ == "__main__":
    FILE.write_text(json.dumps(collected(), indent=0) + "\n")
