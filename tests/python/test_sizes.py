"""What tools/check_sizes.py counts: lines of functions, data members of classes, lines of files, in C++ and Python."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check_sizes.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tools are not beside an installed package")

CPP = '''#pragma once
namespace one::two {
/// Not a member: int x;
template <class S>
class Box final : public Base<S, 3> {
 public:
  Box(int a, double b = 1.0) : a_(a), b_{b} {}
  enum class Kind { first, second };
  static constexpr int most = 3;
  using List = std::vector<int>;
  double size() const { return b_; }
  virtual void run(std::span<const double> x) = 0;

 private:
  struct Inner {
    int n = 0, m = 1;
    std::map<int, double> of;
  } inner_;
  int a_ = 0, (*call_)(int, int) = nullptr;
  double b_, c_[3] = {1, 2, 3};
  std::array<std::pair<int, char>, 2> pairs_{{{1, '{'}, {2, '}'}}};
};

void Other::long_one(int n) {
  const auto inner = [&](int i) {
    return i;
  };
  for (int i = 0; i < n; ++i) inner(i);
}
}  // namespace one::two
'''


def sizes(tmp_path, monkeypatch, name, text):
    spec = importlib.util.spec_from_file_location("check_sizes", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    file = tmp_path / name
    file.write_text(text)
    return {(kind, place.rpartition(" ")[2]): size for kind, size, place in (tool.of_cpp if name.endswith("pp") else tool.of_python)(file)}


def test_nothing_in_this_tree_is_too_large():
    run = subprocess.run([sys.executable, str(TOOL)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_members_and_lines_of_cpp_are_counted(tmp_path, monkeypatch):
    found = sizes(tmp_path, monkeypatch, "box.hpp", CPP)
    assert found["data members of a class", "Inner"] == 3
    assert found["data members of a class", "Box"] == 6  # inner_, a_, call_, b_, c_, pairs_
    assert found["lines of a function", "Other::long_one"] == 6 and found["lines of a function", "size"] == 1
    assert found["lines of a file", "box.hpp"] == CPP.count("\n")


def test_members_and_lines_of_python_are_counted_without_what_is_said_of_them(tmp_path, monkeypatch):
    text = 'class A:\n    def __init__(self):\n        """Says\n        much."""\n        self.x, self.y = 1, 2\n        self.x = 3\n\n    def f(self):\n        return (\n            1\n        )\n'
    found = sizes(tmp_path, monkeypatch, "a.py", text)
    assert found["data members of a class", "A"] == 2 and found["lines of a function", "__init__"] == 2 and found["lines of a function", "f"] == 3
