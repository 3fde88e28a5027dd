"""What packages are made from: settings and the workflow have the right form, extras are those that messages name. tools/check_wheel.sh makes them."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def project():
    if sys.version_info < (3, 11):
        pytest.skip("tomllib is there from Python 3.11 on")
    import tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_settings_of_cibuildwheel_have_its_form(project):
    """The schema is the one that cibuildwheel 4.3 carries."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "tests" / "data" / "cibuildwheel.schema.json").read_text())
    jsonschema.validate(project["tool"]["cibuildwheel"], schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**project["tool"]["cibuildwheel"], "buidl": "cp312-*"}, schema)


def test_the_workflow_is_yaml_with_jobs_of_steps():
    yaml = pytest.importorskip("ruamel.yaml").YAML(typ="safe")
    flow = yaml.load((ROOT / "tools" / "workflows" / "wheels.yml").read_text())
    assert set(flow) == {"name", "on", "jobs"} and set(flow["jobs"]) == {"wheels", "sources"}
    for job in flow["jobs"].values():
        assert job["runs-on"] and all(("uses" in step) != ("run" in step) for step in job["steps"])
        assert all(re.fullmatch(r"[\w-]+/[\w-]+@v[\d.]+", step["uses"]) for step in job["steps"] if "uses" in step)
    systems = " ".join(flow["jobs"]["wheels"]["strategy"]["matrix"]["os"])
    assert all(name in systems for name in ("ubuntu", "macos", "windows"))


def test_extras_are_those_that_messages_and_pages_name(project):
    extras = set(project["project"]["optional-dependencies"])
    named = set()
    for path in [*(ROOT / "python" / "saltus").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]:
        text = path.read_text()
        named |= set(re.findall(r"saltus\[(\w+)\]", text)) | set(re.findall(r'missing_extra\([^)]*, "(\w+)"\)', text))
    assert named and named <= extras
    table = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "packages.md").read_text(), re.MULTILINE))
    assert table == extras - {"cli", "test"}


def test_versions_agree(project):
    wanted = project["project"]["requires-python"]
    assert wanted == ">=3.10" and "cp310-*" in project["tool"]["cibuildwheel"]["build"]
    assert f'VERSION {project["project"]["version"]} ' in (ROOT / "CMakeLists.txt").read_text()
    assert (ROOT / "tests" / "data" / "files" / project["project"]["version"]).is_dir(), "python tests/python/stored_files.py"


BARE = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"matplotlib", "pandas", "scipy", "h5py", "pyarrow", "xarray", "cloudpickle", "ruamel"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "matplotlib" else find(name, package)
from saltus import cli
sys.argv = ["saltus", *sys.argv[1:]]
cli.main()
"""


@pytest.mark.parametrize(
    "arguments, code, output",
    [
        (("gallery", "bouncing_ball"), 0, "plots need the extra `plot`"),
        (("run", "ball.json"), 0, "done at t"),
        (("verify", "--case", "independent/pendulums", "--case", "truth/relay_finite_time", "--case", "truth/lcp_small"), 0, "2 of those that wait lack a package: pip install 'saltus[numerics]'"),
        (("run", "ball.json", "--plot"), 2, "pip install 'saltus[plot]'"),
        (("run", "ball.json", "--report", "ball.html"), 2, "pip install 'saltus[plot]'"),
        (("export", "ball.saltus", "ball.parquet"), 2, "pip install 'saltus[tables]'"),
        (("export", "ball.saltus", "ball.csv"), 0, ""),
        (("view", "ball.saltus", "--html", "ball.html"), 0, ""),
    ],
)
def test_the_command_works_after_a_plain_install(arguments, code, output, tmp_path):
    shutil.copy(ROOT / "examples" / "cpp_embed" / "ball.json", tmp_path)
    shutil.copy(ROOT / "tests" / "data" / "files" / "0.1.0" / "drop.saltus.gz", tmp_path)
    (tmp_path / "ball.saltus").write_bytes(gzip.decompress((tmp_path / "drop.saltus.gz").read_bytes()))
    done = subprocess.run([sys.executable, "-c", BARE, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == code and output in done.stdout + done.stderr, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
