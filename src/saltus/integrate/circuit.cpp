#include "saltus/integrate/circuit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double slack = 1e-9;  // of the largest finite voltage or current: what adds up to less is rounding

std::string list(const std::vector<std::string>& names, const char* quote = "'") {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + (quote + names[i] + quote);
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}
}  // namespace

/// Sets of nodes that are joined.
struct Circuit::Parts {
  std::vector<int> parent;
  explicit Parts(int n) : parent(at(n)) { std::iota(parent.begin(), parent.end(), 0); }
  int of(int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
  bool join(int a, int b) {
    a = of(a), b = of(b);
    parent[std::max(a, b)] = std::min(a, b);
    return a != b;
  }
};

Circuit::Circuit(const System& system) : system_(system), terminal_of_z_(at(system.layout.nz), 0) {
  if (system.layout.nz == 0) return;  // potentials are algebraic unknowns
  std::set<std::string> terminals;
  for (const ItemPlace& place : system.items)
    if (place.section == "nodes" && place.type == "terminal") terminals.insert(place.name);
  for (int n = 0; n < count_of(system.nodes); ++n) {
    if (!terminals.contains(system.nodes[n].name)) continue;
    node_of_.push_back(n);
    terminal_of_z_[system.nodes[n].place.z] = ++terminals_;
  }
  if (terminals_ == 0) return;
  for (const ItemPlace& place : system.items) {
    const bool relation = place.section == "relations" || place.section == "joints";
    if (!relation && place.section != "connectors" && place.section != "loads") continue;
    if (place.pool < 0 || place.item < 0 || place.pool >= static_cast<int>(relation ? system.relations.size() : system.forces.size())) continue;
    const Pool& pool = relation ? static_cast<const Pool&>(*system.relations[place.pool]) : *system.forces[place.pool];
    if (place.item >= pool.size()) continue;
    const std::span<const Endpoint> ends = pool.endpoints(place.item);
    const ItemEntry* entry = find_entry(place.section, place.type);
    if (entry && entry->of_circuits) {
      add_element(place, *entry, ends);
      continue;
    }
    // Anything else may lead from each of its terminals to every other, and to the ground.
    for (const Endpoint& end : ends)
      if (const int t = terminal_of(end); t > 0) branches_.push_back({Kind::any, place.section, place.name, place.pool, place.item, t, 0, -1, {}});
  }
  // Relations without ports of that kind tell by their columns.
  for (const RelationEntry& e : system.relation_entries) {
    const bool known = elements_.contains(e.name) || std::any_of(branches_.begin(), branches_.end(), [&](const Branch& b) { return b.name == e.name; });
    for (int c = 0; !known && c < e.columns; ++c) {
      const int z = system.relation_columns[e.column_begin + c] - system.layout.nv - system.layout.nx;
      if (z >= 0 && z < system.layout.nz && terminal_of_z_[z] > 0)
        branches_.push_back({Kind::any, "relations", e.name, e.pool, e.item, terminal_of_z_[z], 0, -1, {}});
    }
  }
}

void Circuit::add_element(const ItemPlace& place, const ItemEntry& entry, std::span<const Endpoint> ends) {
  elements_.insert(place.name);
  const int count = count_of(ends);
  int stride = count;
  if (entry.dynamic)
    for (const BranchInfo& info : entry.branches) stride = std::max({info.A, info.B, info.state}) + 1;
  for (int first = 0; first + stride <= count && stride > 0; first += stride)
    for (const BranchInfo& info : entry.branches) {
      Branch b{info.kind, place.section, place.name, place.pool, place.item, terminal_of(ends[first + info.A]), terminal_of(ends[first + info.B]), -1, {}};
      if (b.A < 0 || b.B < 0) b.kind = Kind::any;  // between algebraic unknowns that are no terminals
      if (info.state >= 0) {
        const CoordinateRef& state = ends[first + info.state].coordinate;
        b.state = b.kind == Kind::voltage_source ? state.dof : state.value;
      }
      if (b.kind == Kind::law)
        for (const RelationEntry& e : system_.relation_entries)
          if (e.pool == b.pool && e.item == b.item) b.law = e.law, b.row = e.row;
      b.A = std::max(b.A, 0), b.B = std::max(b.B, 0);
      branches_.push_back(std::move(b));
    }
}

std::vector<int> Circuit::potentials() const {
  std::vector<int> out;
  for (const int node : node_of_) out.push_back(system_.layout.nv + system_.layout.nx + system_.nodes[node].place.z);
  return out;
}

/// 0: ground, -1: another coordinate.
int Circuit::terminal_of(const Endpoint& end) const {
  if (end.kind != EndpointKind::coordinate) return -1;
  if (end.coordinate.kind == CoordinateKind::none) return 0;
  const int z = end.coordinate.dof - system_.layout.nv - system_.layout.nx;
  const int terminal = end.coordinate.kind == CoordinateKind::algebraic && z >= 0 && z < system_.layout.nz ? terminal_of_z_[z] : 0;
  return terminal > 0 ? terminal : -1;
}

std::string Circuit::terminals_named(const std::vector<char>& in) const {
  std::vector<std::string> names;
  for (int i = 1; i <= terminals_; ++i)
    if (in[i]) names.push_back(system_.nodes[node_of_[i - 1]].name);
  return (names.size() == 1 ? "terminal " : "terminals ") + list(names, "");
}

std::vector<Fault> Circuit::faults() const {
  std::vector<Fault> out;
  // A forest of voltage sources: the one that closes a loop, with the way between its ends.
  Parts joined(terminals_ + 1);
  std::vector<std::vector<std::pair<int, int>>> beside(at(terminals_ + 1));  // node, branch
  for (int k = 0; k < count_of(branches_); ++k) {
    const Branch& b = branches_[k];
    if (b.kind != Kind::voltage_source) continue;
    if (joined.join(b.A, b.B)) {
      beside[b.A].emplace_back(b.B, k), beside[b.B].emplace_back(b.A, k);
      continue;
    }
    std::vector<int> from(at(terminals_ + 1), -1), by(from.size(), -1);
    std::deque<int> open{b.A};
    from[b.A] = b.A;
    while (!open.empty() && from[b.B] < 0) {
      const int i = open.front();
      open.pop_front();
      for (const auto& [j, branch] : beside[i])
        if (from[j] < 0) from[j] = i, by[j] = branch, open.push_back(j);
    }
    std::vector<std::string> others;
    for (int i = b.B; i != b.A; i = from[i]) others.push_back(branches_[by[i]].name);
    out.push_back({{}, b.section + "/" + b.name,
                   others.empty() ? "both its ends are at one terminal" : "closes a loop of voltage sources alone with " + list(others) + ": their currents are not determined, and do not exist where the voltages differ",
                   "put a resistor into the loop, or take this source out"});
  }
  // Parts that current sources alone join to the ground, or nothing.
  Parts parts(terminals_ + 1);
  for (const Branch& b : branches_)
    if (b.kind != Kind::current_source) parts.join(b.A, b.B);
  std::vector<char> reported(at(terminals_ + 1), 0);
  for (int i = 1; i <= terminals_; ++i) {
    const int part = parts.of(i);
    if (part == parts.of(0) || reported[part]) continue;
    reported[part] = 1;
    std::vector<char> in(at(terminals_ + 1), 0);
    for (int j = 1; j <= terminals_; ++j) in[j] = parts.of(j) == part;
    std::vector<std::string> sources;
    for (const Branch& b : branches_)
      if (b.kind == Kind::current_source && in[b.A] != in[b.B]) sources.push_back(b.name);
    const std::string path = "nodes/" + system_.nodes[node_of_[i - 1]].name, who = "the part of " + terminals_named(in);
    if (sources.empty())
      out.push_back({{}, path, who + " floats: nothing leads from it to the ground, its potentials are not determined", "join one terminal of it to the ground, directly or by a resistor"});
    else
      out.push_back({{}, path, who + " is cut off by current sources alone, " + list(sources) + ": its potentials are not determined, and their currents have no other way", "put a resistor beside one of them"});
  }
  hung_on_diodes(parts.of(0), parts, out);
  return out;
}

/// Currents that a law allows: an equality and a set of another kind all.
Circuit::Range Circuit::bounds(const Branch& b) {
  if (b.law.type == nullptr || b.law.type->equality || !b.law.type->set->bounds) return {-infinity, infinity};
  double low[16], high[16];
  b.law.type->set->bounds(b.law.parameters, 1, 1.0, low, high);
  return {low[0], high[0]};
}
/// Whether currents may flow from A to B, and back: of a law those of its bounds, of others both.
std::array<bool, 2> Circuit::ways(const Branch& b) {
  if (b.kind != Kind::law) return {true, true};
  const Range current = bounds(b);
  return {current.high > 0.0, current.low < 0.0};
}

/// Parts that currents can leave but not reach, or reach but not leave: whatever flows in a cut of diodes alone, all in one direction,
/// adds up to zero, so nothing flows there, and the part may have any potential that blocks.
void Circuit::hung_on_diodes(int with_ground, Parts& parts, std::vector<Fault>& out) const {
  const int n = terminals_ + 1;
  const auto reached = [&](bool forward) {
    std::vector<char> in(at(n), 0);
    in[0] = 1;
    for (bool more = true; std::exchange(more, false);)
      for (const Branch& b : branches_) {
        const std::array<bool, 2> way = ways(b);
        if (way[forward ? 0 : 1] && in[b.A] && !in[b.B]) in[b.B] = more = true;
        if (way[forward ? 1 : 0] && in[b.B] && !in[b.A]) in[b.A] = more = true;
      }
    return in;
  };
  const std::vector<char> to = reached(true), from = reached(false);
  Parts stiff(n);  // what currents join both ways
  for (const Branch& b : branches_)
    if (const std::array<bool, 2> way = ways(b); way[0] && way[1]) stiff.join(b.A, b.B);
  std::vector<char> reported(at(n), 0);
  for (int i = 1; i < n; ++i) {
    if ((to[i] && from[i]) || parts.of(i) != with_ground || reported[stiff.of(i)]) continue;
    reported[stiff.of(i)] = 1;
    std::vector<char> in(at(n), 0);
    for (int j = 1; j < n; ++j) in[j] = stiff.of(j) == stiff.of(i);
    std::vector<std::string> diodes;
    for (const Branch& b : branches_)
      if (in[b.A] != in[b.B]) diodes.push_back(b.name);
    out.push_back({{}, "nodes/" + system_.nodes[node_of_[i - 1]].name,
                   "the part of " + terminals_named(in) + " floats: " + list(diodes) + " alone lead from it to the ground, and what flows through them has no way back, so that its potentials are not determined",
                   "give the current a way back, such as a resistor to the ground"});
  }
}

bool Circuit::differentiates() const {
  Parts rigid(terminals_ + 1), joined(terminals_ + 1);
  for (const Branch& b : branches_) {
    if ((b.kind == Kind::voltage_source || b.kind == Kind::capacitor) && !rigid.join(b.A, b.B)) return true;
    if (b.kind != Kind::current_source && b.kind != Kind::inductor) joined.join(b.A, b.B);
  }
  for (int i = 1; i <= terminals_; ++i)
    if (joined.of(i) != 0) return true;
  return false;
}

std::string Circuit::cut_off_inductor() const {
  Parts open(terminals_ + 1), closed(terminals_ + 1);
  for (const Branch& b : branches_) {
    if (b.kind == Kind::current_source || b.kind == Kind::inductor) continue;
    closed.join(b.A, b.B);
    if (b.kind != Kind::valve) open.join(b.A, b.B);
  }
  const auto cut = std::find_if(branches_.begin(), branches_.end(), [&](const Branch& b) { return b.kind == Kind::inductor && open.of(b.A) != open.of(b.B) && closed.of(b.A) == closed.of(b.B); });
  return cut == branches_.end() ? std::string() : cut->name;
}

/// The row of an element with a law as the item says it now.
Circuit::Row Circuit::row_of(const Branch& b, const Kinematics& k, double voltage) const {
  const RelationPool& pool = *system_.relations[b.pool];
  std::vector<int> columns;
  pool.columns(k, b.item, columns);
  std::vector<double> y(at(system_.layout.rows)), H(columns.size()), D(1, 0.0);
  std::vector<int> row_begin(at(pool.size()), b.row), none(at(pool.size()), 0);
  RowSink sink;
  sink.y = y.data(), sink.H = H.data(), sink.D = D.data();
  sink.row_begin = row_begin.data(), sink.value_begin = sink.square_begin = none.data();
  Kinematics free = k;
  free.lambda = nullptr;
  pool.evaluate(free, sink, b.item, b.item + 1);
  const bool open = !columns.empty() && std::all_of(H.begin(), H.end(), [](double x) { return x == 0.0; });
  return {open, D[0] != 0.0, y[b.row] - voltage};
}

Circuit::Ranges Circuit::ranges(const Branch& b, const Kinematics& k, const double* y, bool held) const {
  const Range all{-infinity, infinity};
  Ranges out{all, all};
  const auto evaluate = [&](int unknown) {  // what the source adds to this unknown's equation
    std::vector<double> force(at(system_.layout.unknowns() + 1), 0.0);
    ForceSink sink;
    sink.force = force.data();
    system_.forces[b.pool]->add_item_force(k, b.item, sink);
    return force[unknown];
  };
  const auto potential = [&](int terminal) {
    return terminal == 0 ? 0.0 : y[system_.layout.x_begin() + system_.layout.nx + system_.nodes[node_of_[terminal - 1]].place.z];
  };
  switch (b.kind) {
    case Kind::capacitor:
      if (held) out.voltage = {y[b.state], y[b.state]};
      break;
    case Kind::inductor:
      if (held) out.current = {y[b.state], y[b.state]};
      break;
    case Kind::voltage_source: {  // its equation: v_A - v_B - V
      const double V = potential(b.A) - potential(b.B) - evaluate(b.state);
      out.voltage = {V, V};
      break;
    }
    case Kind::current_source: {
      const Endpoint* ends = system_.forces[b.pool]->endpoints(b.item).data();
      double I = 0.0;
      if (b.A != b.B) I = b.B != 0 ? evaluate(ends[1].coordinate.dof) : -evaluate(ends[0].coordinate.dof);
      out.current = {I, I};
      break;
    }
    case Kind::law: {  // w = v_B - v_A + c: at least 0 at the lower bound, at most 0 at the upper one, 0 between
      const Row row = row_of(b, k, potential(b.B) - potential(b.A));
      out.current = bounds(b);
      if (row.open) out.current = {0.0, 0.0};
      else if (!row.resists) out.voltage = {std::isfinite(out.current.low) ? -infinity : row.constant, std::isfinite(out.current.high) ? infinity : row.constant};
      break;
    }
    case Kind::any:
    case Kind::valve: break;
  }
  return out;
}

Circuit::Contradiction Circuit::contradiction(Assembly& assembly, double t, const double* y, const double* data, bool held) const {
  if (empty()) return {};
  assembly.update(t, y, nullptr, data);
  const Kinematics& k = assembly.kinematics();
  std::vector<Ranges> all;
  all.reserve(branches_.size());
  for (const Branch& b : branches_) all.push_back(ranges(b, k, y, held));
  Contradiction found = loop_without_solution(all, held);
  return found.found() ? found : cut_without_solution(all, held);
}

/// Potentials within v_A - v_B <= high, v_B - v_A <= -low exist if no cycle of these differences sums to less than zero (Bellman 1958).
Circuit::Contradiction Circuit::loop_without_solution(const std::vector<Ranges>& ranges, bool held) const {
  struct Edge { int from, to, branch; double weight; };  // potential(to) <= potential(from) + weight
  std::vector<Edge> edges;
  double largest = 0.0;
  for (const Ranges& r : ranges)
    for (const double v : {r.voltage.low, r.voltage.high})
      if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  for (int i = 0; i < count_of(branches_); ++i) {
    const Branch& b = branches_[i];
    const Range v = ranges[i].voltage;
    if (std::isfinite(v.high)) edges.push_back({b.B, b.A, i, v.high + slack * largest});
    if (std::isfinite(v.low)) edges.push_back({b.A, b.B, i, -v.low + slack * largest});
  }
  const int n = terminals_ + 1;
  std::vector<double> potential(at(n), 0.0);
  std::vector<int> by(at(n), -1);
  int changed = -1;
  for (int pass = 0; pass < n; ++pass) {
    changed = -1;
    for (int e = 0; e < count_of(edges); ++e)
      if (const double p = potential[edges[e].from] + edges[e].weight; p < potential[edges[e].to]) {
        potential[edges[e].to] = p, by[edges[e].to] = e;
        changed = edges[e].to;
      }
    if (changed < 0) return {};
  }
  for (int i = 0; i < n; ++i) changed = edges[by[changed]].from;  // now on the cycle
  std::vector<std::string> names;
  int node = changed;
  do {
    const Edge& e = edges[by[node]];
    names.push_back(branches_[e.branch].name);
    node = e.from;
  } while (node != changed);
  std::reverse(names.begin(), names.end());
  return {"the voltages in the loop of " + list(names) + " do not add up to zero, and nothing in it takes up what is left: its current would be infinite",
          held ? "give voltages that agree, or put a resistor into this loop" : "put a resistor or an inductor into this loop"};
}

/// Currents within their ranges exist if no set of terminals takes in more at least than leaves it at most (Hoffman 1960): the least cut
/// of a flow from what has to come in to what has to go out (Ford, Fulkerson 1962).
Circuit::Contradiction Circuit::cut_without_solution(const std::vector<Ranges>& ranges, bool held) const {
  const int n = terminals_ + 1, source = n, sink = n + 1;
  Parts joined(n);
  double largest = 0.0;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const Range c = ranges[i].current;
    if (std::isinf(c.low) && std::isinf(c.high)) joined.join(branches_[i].A, branches_[i].B);
    for (const double x : {c.low, c.high})
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  }
  if (largest == 0.0) return {};  // all currents may vanish
  struct Arc { int to, back; double left; };
  std::vector<std::vector<Arc>> arcs(at(n + 2));
  const auto add = [&](int a, int b, double forward, double backward) {
    arcs[a].push_back({b, count_of(arcs[b]), forward});
    arcs[b].push_back({a, count_of(arcs[a]) - 1, backward});
  };
  std::vector<double> in(at(n), 0.0);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const int a = joined.of(branches_[i].A), b = joined.of(branches_[i].B);
    const Range c = ranges[i].current;
    if (a == b) continue;
    const double base = std::isfinite(c.low) ? c.low : c.high;  // it flows, the rest is left to add or to take away
    in[a] -= base, in[b] += base;
    add(a, b, c.high - base, base - c.low);
  }
  for (int i = 0; i < n; ++i) {
    if (in[i] > 0.0) add(source, i, in[i], 0.0);
    if (in[i] < 0.0) add(i, sink, -in[i], 0.0);
  }
  const double none = slack * largest;
  std::vector<int> from, arc;
  for (;;) {  // shortest ways first: no more of them than nodes times arcs (Edmonds, Karp 1972)
    from.assign(n + 2, -1), arc.assign(n + 2, -1);
    std::deque<int> open{source};
    from[source] = source;
    while (!open.empty() && from[sink] < 0) {
      const int i = open.front();
      open.pop_front();
      for (int k = 0; k < count_of(arcs[i]); ++k)
        if (const Arc& a = arcs[i][k]; a.left > none && from[a.to] < 0) from[a.to] = i, arc[a.to] = k, open.push_back(a.to);
    }
    if (from[sink] < 0) break;
    double most = infinity;
    for (int i = sink; i != source; i = from[i]) most = std::min(most, arcs[from[i]][arc[i]].left);
    for (int i = sink; i != source; i = from[i]) {
      Arc& a = arcs[from[i]][arc[i]];
      a.left -= most, arcs[i][a.back].left += most;
    }
  }
  double left = 0.0;
  for (const Arc& a : arcs[source]) left += a.left > none ? a.left : 0.0;
  if (!(left > 0.0)) return {};
  std::vector<char> inside(at(n), 0);
  for (int i = 0; i < n; ++i) inside[i] = from[joined.of(i)] >= 0;
  // The least cut keeps what it takes in; the side without the ground is named, the other then lacks what it has to give.
  const bool turned = inside[0] != 0;
  for (int i = 0; turned && i < n; ++i) inside[i] = !inside[i];
  std::vector<std::string> names;
  for (const Branch& b : branches_)
    if (inside[b.A] != inside[b.B]) names.push_back(b.name);
  return {"the currents into " + terminals_named(inside) + " through the cut of " + list(names) + " do not add up to zero, and nothing there lets the rest " + (turned ? "in" : "out") + ": its voltage would be infinite",
          held ? "give currents that agree, or another way by a resistor, a capacitor or a diode" : "give it another way by a resistor, a capacitor or a diode"};
}

}  // namespace saltus
