#include "saltus/integrate/start.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "saltus/base/index.hpp"
#include "saltus/math/rank.hpp"

namespace saltus {
namespace {
constexpr double rounding = start_rounding;
constexpr int most_named = 12;
constexpr const char* close_joints = "place the parts so that the joints close, and let what is driven begin where its joint stands";

std::string with_relations(const System& s, int row) {
  for (const RelationEntry& e : s.relation_entries)
    if (row >= e.row && row < e.row + e.rows) return "relations/" + e.name;
  return "relations";
}
/// "row 0 of 'pin': 0.01, row 1 of 'pin': -0.2", the worst first.
std::string listed(const System& s, const std::vector<double>& violation, double above) {
  std::vector<int> rows;
  for (int r = 0; r < count_of(violation); ++r)
    if (!(std::abs(violation[r]) <= above)) rows.push_back(r);
  std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
    return std::abs(violation[a]) > std::abs(violation[b]);
  });
  std::string text;
  const int shown = std::min<int>(most_named, count_of(rows));
  for (int i = 0; i < shown; ++i)
    text += (i ? ", " : "") + row_name(s, rows[i]) + ": " + in_three_digits(violation[rows[i]]);
  if (count_of(rows) > shown) text += " and " + std::to_string(rows.size() - static_cast<std::size_t>(shown)) + " more";
  return text;
}
int worst_row(const std::vector<double>& violation) {
  int worst = 0;
  for (int r = 0; r < count_of(violation); ++r)
    if (std::abs(violation[r]) > std::abs(violation[worst])) worst = r;
  return worst;
}
StartReport refused(std::string cause) {
  StartReport report;
  report.ok = false;
  report.cause = std::move(cause);
  return report;
}
double norm_of(const std::vector<double>& x) {
  double s = 0.0;
  for (const double e : x) s += e * e;
  return std::sqrt(s);
}
/// Largest term of each row's rate, H v and dh/dt: what cancels in it. Needs the assembly at y, input_blocks() included.
std::vector<double> rate_terms(const System& s, Assembly& assembly, const double* y) {
  std::vector<double> terms(s.layout.rows, 0.0);
  RowSink sink;
  sink.time_rate = terms.data();
  assembly.relations(sink);
  for (double& x : terms) x = std::abs(x);
  const double* unknowns = y + s.layout.v_begin();  // v, x, z stand side by side
  for (const RelationEntry& e : s.relation_entries) {
    const double* H = assembly.direction(e);
    for (int r = 0; r < e.rows; ++r)
      for (int c = 0; c < e.columns; ++c) {
        const int column = s.relation_columns[e.column_begin + c];
        if (column < s.layout.nv) terms[e.row + r] = std::max(terms[e.row + r], std::abs(H[r * e.columns + c] * unknowns[column]));
      }
  }
  return terms;
}
Fault warning(std::string path, std::string message, std::string remedy) {
  return {{}, std::move(path), std::move(message), std::move(remedy), Severity::warning};
}
}  // namespace

std::string in_three_digits(double x) {
  std::ostringstream out;
  out.precision(3);
  out << x;
  return out.str();
}

std::optional<Fault> velocities_changed(const System& s, const std::vector<double>& violation, const double* given, std::vector<double> change) {
  double fastest = 1e-3;
  for (int i = 0; i < s.layout.nv; ++i) fastest = std::max(fastest, std::abs(given[i]));
  bool changed = false;
  for (const NodeEntry& node : s.nodes) {
    const auto begin = change.begin() + node.place.v, end = begin + node.place.sizes.v;
    const double* v = given + node.place.v;
    if (std::all_of(v, v + node.place.sizes.v, [](double x) { return x == 0.0; })) std::fill(begin, end, 0.0);
    else changed |= std::any_of(begin, end, [&](double x) { return !(std::abs(x) <= rounding * fastest); });
  }
  if (!changed) return std::nullopt;
  int most = 0;
  for (int i = 0; i < count_of(change); ++i)
    if (std::abs(change[i]) > std::abs(change[most])) most = i;
  return warning(with_relations(s, worst_row(violation)),
                 "initial velocities were changed by " + in_three_digits(norm_of(change)) + " to satisfy the constraints; most " + unknown_name(s, most) + " by " + in_three_digits(change[most]),
                 "give velocities that the joints allow");
}
std::string velocities_refused(const System& s, const std::vector<double>& violation, double above) {
  return "the initial velocities violate the constraints (m/s, rad/s for rotations) and consistent is off: " + listed(s, violation, above) + "; give velocities that the joints allow";
}
Fault positions_moved(const System& s, const std::vector<double>& violation, double change) {
  const int worst = worst_row(violation);
  return warning(with_relations(s, worst), "initial positions were moved by " + in_three_digits(change) + " onto the constraints; worst " + row_name(s, worst) + ": " + in_three_digits(std::abs(violation[worst])), close_joints);
}
std::string positions_refused(const System& s, const std::vector<double>& violation, double above) {
  return "the initial positions violate the constraints (m, rad for rotations) and consistent is off: " + listed(s, violation, above) + "; " + close_joints;
}

std::vector<Fault> redundant_rows(const System& s, Assembly& assembly, const double* y, const double* data) {
  std::vector<int> owner, row_in_owner;  // of each held row
  CsrBuilder builder(s.layout.rows, s.layout.unknowns());
  std::vector<int> numbers, entries;
  for (int i = 0; i < count_of(s.relation_entries); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    const RowForm form = row_form(s, e);
    if (form != RowForm::second && form != RowForm::first_rate && form != RowForm::first_order) continue;
    if (pool_of(s, e).traits().switched) continue;  // rows that are off now hold something later
    numbers.clear();
    for (int r = 0; r < e.rows; ++r) numbers.push_back(count_of(owner)), owner.push_back(i), row_in_owner.push_back(r);
    builder.add_block(numbers, columns_of(s, e));
    entries.push_back(i);
  }
  if (entries.empty()) return {};
  CsrLayout layout = builder.build();
  assembly.update(0.0, y, nullptr, data);
  assembly.input_blocks();
  std::vector<double> values(layout.pattern.nonzeros(), 0.0);
  for (int b = 0; b < count_of(entries); ++b)
    layout.add(b, assembly.direction(s.relation_entries[entries[b]]), values.data());
  // The rows beyond the held ones are empty: leave them out.
  layout.pattern.rows = count_of(owner);
  layout.pattern.begin.resize(owner.size() + 1);
  const std::vector<DependentRow> dependent = dependent_rows(layout.pattern, values, column_scales(s, assembly.kinematics()));
  struct Redundant { std::string rows; std::vector<int> with; int count = 0; };
  std::map<int, Redundant> found;
  for (const DependentRow& d : dependent) {
    const int e = owner[d.row];
    Redundant& r = found[e];
    r.rows += (r.count++ ? ", " : "") + std::to_string(row_in_owner[d.row]);
    for (const int w : d.with)
      if (owner[w] != e) r.with.push_back(owner[w]);
  }
  std::vector<Fault> warnings;
  for (auto& [e, r] : found) {
    std::sort(r.with.begin(), r.with.end());
    r.with.erase(std::unique(r.with.begin(), r.with.end()), r.with.end());
    std::string others;
    for (std::size_t i = 0; i < r.with.size() && i < most_named; ++i)
      others += (i ? ", '" : "'") + s.relation_entries[r.with[i]].name + "'";
    warnings.push_back({{}, "relations/" + s.relation_entries[e].name,
                        std::string(r.count > 1 ? "rows " : "row ") + r.rows + (r.count > 1 ? " are" : " is") + " redundant" +
                            (others.empty() ? "" : " with " + others) + " (rank deficiency " + std::to_string(r.count) + "), reaction not unique: the one of least norm is taken",
                        "remove a joint or choose one with fewer rows if its reaction matters", Severity::warning});
  }
  return warnings;
}

StartReport make_consistent(Accelerations& accelerations, State& state, bool consistent) {
  const System& s = accelerations.assembly().system();
  StartReport report;
  const double t = state.t();
  std::vector<double> y(state.y(), state.y() + s.layout.y_size());
  const double position = accelerations.position_violation(t, y.data(), state.data());
  const std::vector<double> open = accelerations.violation();
  if (!std::isfinite(position)) return refused("a constraint is not a finite number at the start: " + listed(s, open, 0.0));
  const double size = s.length_scale > 0.0 ? s.length_scale : 1.0;
  if (position > largest_start_projection * size)
    return refused("the initial positions violate the constraints by more than " + in_three_digits(largest_start_projection * size) + " m (rad for rotations): " + listed(s, open, largest_start_projection * size) + "; " + close_joints);
  if (!consistent && position > rounding * size)
    return refused(positions_refused(s, open, rounding * size));
  if (consistent && position > 0.0) {
    const LinearOutcome out = accelerations.project_position(t, y.data(), state.data(), 1e-14 * size);
    if (!out.ok) return refused("the initial positions could not be projected: " + out.cause);
    std::vector<double> change(s.layout.nv);
    s.map.difference(state.q(), y.data(), change.data());
    if (position > rounding * size)
      report.warnings.push_back(positions_moved(s, open, norm_of(change)));
  }
  double speed = accelerations.velocity_violation(t, y.data(), state.data());
  std::vector<double> moving = accelerations.violation();
  if (!std::isfinite(speed)) return refused("the rate of a constraint is not a finite number at the start: " + listed(s, moving, 0.0));
  if (speed > 0.0) {
    const std::vector<double> terms = rate_terms(s, accelerations.assembly(), y.data());
    speed = 0.0;
    for (std::size_t r = 0; r < moving.size() && r < terms.size(); ++r) {
      if (std::abs(moving[r]) <= rounding * terms[r]) moving[r] = 0.0;
      speed = std::max(speed, std::abs(moving[r]));
    }
  }
  double fastest = 0.0;
  for (int i = 0; i < s.layout.nv; ++i) fastest = std::max(fastest, std::abs(state.v()[i]));
  const double small = rounding * std::max(fastest * size, 1e-3 * size);
  if (!consistent && speed > small)
    return refused(velocities_refused(s, moving, small));
  if (consistent && speed > 0.0) {
    const LinearOutcome out = accelerations.project_velocity(t, y.data(), state.data());
    if (!out.ok) return refused("the initial velocities could not be projected: " + out.cause);
    std::vector<double> change(s.layout.nv);
    for (int i = 0; i < s.layout.nv; ++i) change[i] = y[s.layout.v_begin() + i] - state.v()[i];
    if (speed > small)
      if (auto changed = velocities_changed(s, moving, state.v(), std::move(change))) report.warnings.push_back(std::move(*changed));
    // What contradicts every velocity stays violated (two motors on one axis): refused, not averaged.
    if (out.inconsistent && accelerations.velocity_violation(t, y.data(), state.data()) > 1e-8 * std::max(fastest, 1.0))
      return refused("no velocity satisfies the constraints (m/s, rad/s for rotations): " + listed(s, accelerations.violation(), 1e-8 * std::max(fastest, 1.0)) + "; remove one of the drives or joints that contradict each other");
  }
  std::copy(y.begin(), y.end(), state.y());
  for (Fault& f : redundant_rows(s, accelerations.assembly(), state.y(), state.data())) report.warnings.push_back(std::move(f));
  return report;
}

}  // namespace saltus
