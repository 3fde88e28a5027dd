"""How the tests are spread over processes: `pytest -n 2 --dist loadgroup`. Without -n this changes nothing.

A file whose tests share costly fixtures stays in one process, and so do all files that watch a clock or start many
processes of their own: two of these beside each other would disturb one another.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SHARE_FIXTURES = {"test_matrix", "test_multiplier_order", "test_still", "test_exports"}
CLOCKS_AND_PROCESSES = {"test_study", "test_commands", "test_store", "test_kept", "test_live", "test_server", "test_memory", "test_going_on", "test_notebook"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        file = Path(str(item.path)).stem
        if file in CLOCKS_AND_PROCESSES:
            item.add_marker(pytest.mark.xdist_group("clocks and processes"))
        elif file in SHARE_FIXTURES:
            item.add_marker(pytest.mark.xdist_group(file))
