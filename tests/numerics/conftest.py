import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # check.py, the independent checker
sys.path.append(str(Path(__file__).parent.parent / "python"))  # commands.py, the command line in this process


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).parent.parent / "data" / "numerics"
