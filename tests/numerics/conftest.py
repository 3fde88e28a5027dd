import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # check.py, the independent checker


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).parent.parent / "data" / "numerics"
