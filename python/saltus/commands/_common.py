"""What the commands share: output, faults, exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from saltus.errors import Fault

DONE, MODEL_ERROR, FAILED, INTERRUPTED = 0, 2, 3, 130


def print_json(value: Any) -> None:
    """One JSON value on standard output; NaN and infinities, which JSON lacks, become null."""
    json.dump(_finite(value), sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def _finite(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy arrays and scalars
        value = value.tolist()
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, dict):
        return {str(k): _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    return value


def report_faults(faults: Iterable[Fault]) -> int:
    """Prints `file:line:column path: message; remedy`, one a line, on standard error; the exit code."""
    for fault in faults:
        print(("warning: " if fault.severity == "warning" else "") + fault.text, file=sys.stderr)
    return MODEL_ERROR


def interrupted() -> int:
    print("interrupted", file=sys.stderr)
    return INTERRUPTED
