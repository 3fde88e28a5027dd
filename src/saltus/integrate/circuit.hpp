// The circuit of a model as a graph: what its topology makes impossible or leaves open, with the items by name.
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {

/// A branch lies between two terminals and allows a range of currents and a range of voltages, each with any of the other in a
/// monotone way (a resistor all of both, a source one of one, a diode a half-line of each). Potentials and currents exist if and
/// only if voltages exist that sum to zero around every loop and currents that sum to zero in every cut, each within its range
/// (Minty 1960; Rockafellar 1984, ch. 8). Items say what their branches are (BranchInfo); those that do not count as a branch that allows everything
/// between all their terminals: then nothing false is said, but perhaps not everything.
class Circuit {
 public:
  explicit Circuit(const System& system);

  bool empty() const { return terminals_ == 0; }
  /// Unknown of each terminal's potential.
  std::vector<int> potentials() const;

  /// Loops of voltage sources alone, and parts that nothing, current sources alone or diodes alone, all in one direction, join to the rest: no
  /// values of the sources make currents and potentials both exist and be determined.
  std::vector<Fault> faults() const;

  /// Whether derivatives of sources enter: loops of capacitors and voltage sources, cuts of inductors and current sources (index 2).
  bool differentiates() const;
  /// An inductor whose current leads through diodes and transistors alone; empty: there is none. Where they block, a current that is given leaves no potential: only the next moment's has one.
  std::string cut_off_inductor() const;

  struct Contradiction {
    std::string message, remedy;  // empty: there is none
    bool found() const { return !message.empty(); }
    std::string text() const { return message + "; " + remedy; }
  };
  /// The loop or cut that leaves no solution at time t, in the state y. `held`: capacitors keep their voltage and inductors their
  /// current, as in an instant; else both allow everything, as in a step.
  Contradiction contradiction(Assembly& assembly, double t, const double* y, const double* data, bool held) const;

 private:
  using Kind = BranchKind;
  struct Branch {
    Kind kind;
    std::string section, name;
    int pool, item, A, B;  // A, B: 0 ground, else terminals from 1 on
    int state = -1;        // capacitor, inductor: place of its voltage or current in y; sources: their unknown
    LawRef law;
    int row = -1;          // of its law
  };
  struct Parts;
  struct Range { double low, high; };
  struct Ranges { Range current, voltage; };  // from A to B, v_A - v_B
  Ranges ranges(const Branch& branch, const Kinematics& k, const double* y, bool held) const;
  struct Row {
    bool open, resists;  // no voltage in it; the current drops a voltage
    double constant;     // y - (v_B - v_A) without current
  };
  Row row_of(const Branch& branch, const Kinematics& k, double voltage) const;
  void add_element(const ItemPlace& place, const ItemEntry& entry, std::span<const Endpoint> ends);
  static Range bounds(const Branch& branch);
  static std::array<bool, 2> ways(const Branch& branch);
  void hung_on_diodes(int with_ground, Parts& parts, std::vector<Fault>& out) const;
  int terminal_of(const Endpoint& end) const;
  std::string terminals_named(const std::vector<char>& in) const;
  Contradiction loop_without_solution(const std::vector<Ranges>& ranges, bool held) const;
  Contradiction cut_without_solution(const std::vector<Ranges>& ranges, bool held) const;

  const System& system_;
  int terminals_ = 0;              // ground not counted
  std::vector<int> node_of_;       // terminal from 1 on -> system node
  std::vector<int> terminal_of_z_; // algebraic unknown -> terminal, 0: none
  std::vector<Branch> branches_;
  std::set<std::string> elements_; // items that say what their branches are
};

}  // namespace saltus
