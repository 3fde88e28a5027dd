"""Holds what keeps the code readable: functions of at most 80 lines, classes of at most 25 data members, files of at most 800 lines. No exemptions.
Casts to std::size_t, which only a warning of comparison, an overflow or braces ask for, become no more.

`python tools/check_sizes.py [--largest N]` reads src/ and python/, tests not, and prints what is larger, or the N largest of each kind.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = {"lines of a function": 80, "data members of a class": 25, "lines of a file": 800}
CASTS = 211  # to std::size_t in src/; a file that needs none lowers it
Found = tuple[str, int, str]  # kind, size, place
NO_MEMBER = re.compile(r"^(?:using|typedef|friend|template|static|constexpr|static_assert|public|private|protected|enum|struct|class|union|operator)\b")


def blanked(text: str) -> str:
    """The text without comments and what quotes hold, line for line."""
    quoted = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "", text)  # 1'000
    text = quoted.sub(lambda m: ('""' if m[0][0] in "R\"'" else "") + "\n" * m[0].count("\n"), text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m[0].count("\n"), text, flags=re.MULTILINE)


def members(statement: str) -> int:
    """Data members that a statement of a class declares."""
    statement = " ".join(re.sub(r"^\s*(?:(?:public|private|protected)\s*:)+", "", statement.strip()).split())
    statement = re.sub(r"^(?:\[\[[^\]]*\]\]|alignas\([^)]*\)|mutable|inline|volatile)\s*", "", statement)
    if not statement or NO_MEMBER.match(statement):
        return 0
    while (inner := re.sub(r"<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]", "", statement)) != statement:
        statement = inner
    first = re.split(r"=", statement, maxsplit=1)[0]
    if "(" in re.sub(r"\([^()]*\*[^()]*\)\s*\(", "", first):  # a function; a pointer to one is a member
        return 0
    while (inner := re.sub(r"\([^()]*\)", "", statement)) != statement:
        statement = inner
    return statement.count(",") + 1


def of_cpp(path: Path) -> Iterator[Found]:
    text, place = blanked(path.read_text()), path.relative_to(ROOT)
    yield "lines of a file", path.read_text().count("\n"), str(place)
    stack: list[tuple[str, str, int, int]] = []  # kind, name, line, members
    begin, line = 0, 1
    for i, letter in enumerate(text):
        line += letter == "\n"
        if letter == "{":
            head = text[begin:i].strip()
            inside = stack[-1][0] if stack else "namespace"
            kind = "block"
            if inside in ("namespace", "class"):
                named = re.search(r"\b(class|struct|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)(?:<[^;{]*>)?\s*(?:final\s*)?(?::[^:][^;{]*)?$", head)
                if re.search(r"\bnamespace\b[\w:\s]*$", head) or head.endswith('extern ""'):
                    kind = "namespace"
                elif named and "(" not in head.rpartition(named[1])[0].rpartition(">")[2]:
                    kind = "class"
                elif re.search(r"\)[^=;]*$", head) and not re.search(r"\benum\b", head) and not re.search(r"=[^=()]*$", head):
                    kind = "function"
                name = named[2] if kind == "class" and named else (re.findall(r"([\w~:]+)\s*\(", head) or ["?"])[0]
            else:
                name = ""
            stack.append((kind, name, line, 0))
            if kind in ("namespace", "class", "function"):
                begin = i + 1
        elif letter == "}" and stack:
            kind, name, first, count = stack.pop()
            if kind == "function":
                yield "lines of a function", line - first + 1, f"{place}:{first} {name}"
            if kind == "class":
                yield "data members of a class", count, f"{place}:{first} {name}"
            if kind in ("namespace", "function"):
                begin = i + 1
            elif kind == "class":
                begin = i + 1  # up to the semicolon: names of members of this type
        elif letter == ";" and (not stack or stack[-1][0] in ("namespace", "class")):
            if stack and stack[-1][0] == "class":
                kind, name, first, count = stack[-1]
                stack[-1] = (kind, name, first, count + members(text[begin:i]))
            begin = i + 1


def of_python(path: Path) -> Iterator[Found]:
    text, place = path.read_text(), path.relative_to(ROOT)
    yield "lines of a file", text.count("\n"), str(place)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body  # as of C++: without what is said about it
            yield "lines of a function", (node.end_lineno or node.lineno) - body[0].lineno + 1 if body else 0, f"{place}:{node.lineno} {node.name}"
        if isinstance(node, ast.ClassDef):
            own = {t.attr for n in ast.walk(node) if isinstance(n, (ast.Assign, ast.AnnAssign)) for target in (n.targets if isinstance(n, ast.Assign) else [n.target])
                   for t in ast.walk(target) if isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.value.id == "self"}
            yield "data members of a class", len(own), f"{place}:{node.lineno} {node.name}"


def found() -> list[Found]:
    tests = re.compile(r"_test\.cpp$|_testing\.hpp$|test_items\.hpp$")
    cpp = [f for p in sorted((ROOT / "src").rglob("*.[ch]pp")) if not tests.search(p.name) for f in of_cpp(p)]
    return cpp + [f for p in sorted((ROOT / "python").rglob("*.py")) for f in of_python(p)]


def casts() -> int:
    return sum(blanked(p.read_text()).count("static_cast<std::size_t>(") for p in (ROOT / "src").rglob("*.[ch]pp"))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--largest", type=int, default=0, help="print so many of each kind")
    largest, sizes = options.parse_args().largest, found()
    for kind, most in MOST.items():
        for _, size, place in sorted((f for f in sizes if f[0] == kind), key=lambda f: -f[1])[:largest]:
            print(f"{size:5d} {kind}  {place}")
        if not largest and not any(f[0] == kind for f in sizes):
            raise SystemExit(f"no {kind} were found")
    faults = [f for f in sizes if f[1] > MOST[f[0]]]
    for kind, size, place in faults:
        print(f"{place} has {size} {kind}, at most {MOST[kind]}", file=sys.stderr)
    if (count := casts()) > CASTS:
        print(f"src has {count} casts to std::size_t, at most {CASTS}: give a subscript, a size or a std::size_t the number itself", file=sys.stderr)
        return 1
    print(f"{len(faults)} too large" if faults else f"{len(sizes)} functions, classes and files are of readable size")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
