"""Verification: cases with known answers, each computed by Saltus and compared with its truth and with a peer.

`truth/`, `exudyn/`, `siconos/` hold one module a case: its docstring says what it is, `verify(case)` builds the model and
yields rows. The numbers to compare with stand in truth.json (closed forms, published benchmarks, independent
computations), exudyn.json and siconos.json (the peers' numbers beside an independent value), each with its source;
waiting.json says what the other cases lack.
"""

from saltus.verification.case import Case, Row
from saltus.verification.registry import names, run, waiting

__all__ = ["Case", "Row", "names", "run", "waiting"]
