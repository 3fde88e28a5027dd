"""Modules of the package need each other one way: what a change touches can be read off the imports."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import saltus

ROOT = Path(saltus.__file__).parent
MODULES = {".".join(("saltus", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path for path in ROOT.rglob("*.py")}
PUBLIC = "saltus"  # passes everything on to users


def needed(module: str) -> set[str]:
    """Modules that one imports when it runs, in functions too; not those that only its types name."""
    path, out = MODULES[module], set()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]

    def look(node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            out.update(name.name for name in node.names)
        if isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parts, *([node.module] if node.module else [])])
            out.update(whole if (whole := f"{base}.{name.name}") in MODULES else base for name in node.names)
        for child in ast.iter_child_nodes(node):
            look(child)

    look(ast.parse(path.read_text()))
    return {name for name in out if name in MODULES and name not in (module, PUBLIC)}


def test_no_two_modules_of_the_package_need_each_other():
    try:
        order = tuple(TopologicalSorter({module: needed(module) for module in MODULES if module != PUBLIC}).static_order())
    except CycleError as error:
        raise AssertionError("imports in a circle: " + " -> ".join(error.args[1])) from None
    assert order.index("saltus.geometry") < order.index("saltus.handles") < order.index("saltus.model") < order.index("saltus.result_file")
