#include "saltus/integrate/accelerations_mass.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {
std::vector<double> column_scales(const System& s, const Kinematics& k, double length) {
  std::vector<double> scale(s.layout.unknowns(), 1.0);
  if (!(length > 0.0)) length = s.length_scale;
  const double turn = length > 0.0 ? 1.0 / length : 1.0;
  for (std::size_t m = 1; m < s.markers.size(); ++m) {
    const int begin = k.column_begin[m], n = k.column_begin[m + 1] - begin;
    for (int c = 0; c < n; ++c)
      for (int i = 3; i < 6; ++i)
        if (k.jacobian[6 * begin + i * n + c] != 0.0) scale[k.columns[begin + c]] = turn;
  }
  return scale;
}

LinearOutcome failure(std::string cause) {
  LinearOutcome out;
  out.ok = false;
  out.cause = std::move(cause);
  return out;
}

LinearOutcome outcome_of(const LinearReport& report) {
  LinearOutcome out;
  out.residual = report.residual;
  out.inconsistent = report.inconsistent;
  if (!(report.residual < 1e-6) && !report.inconsistent) {
    out.ok = false;
    out.cause = "the equations of motion could not be solved: backward error " + std::to_string(report.residual);
  }
  return out;
}

std::span<const int> columns_of(const System& s, const RelationEntry& e) {
  return {s.relation_columns.data() + e.column_begin, static_cast<std::size_t>(e.columns)};
}
const RelationPool& pool_of(const System& s, const RelationEntry& e) { return *s.relations[e.pool]; }

std::string unknown_name(const System& s, int unknown) {
  const Layout& l = s.layout;
  for (const NodeEntry& node : s.nodes) {
    const NodePlace& p = node.place;
    if (unknown < l.nv && unknown >= p.v && unknown < p.v + p.sizes.v) return "velocity " + std::to_string(unknown - p.v) + " of node '" + node.name + "'";
    const int x = unknown - l.nv, z = x - l.nx;
    if (x >= 0 && x < l.nx && x >= p.x && x < p.x + p.sizes.x) return "first-order state " + std::to_string(x - p.x) + " of node '" + node.name + "'";
    if (z >= 0 && z >= p.z && z < p.z + p.sizes.z) return "algebraic unknown " + std::to_string(z - p.z) + " of node '" + node.name + "'";
  }
  return "unknown " + std::to_string(unknown);
}

std::string row_name(const System& s, int row) {
  for (const RelationEntry& e : s.relation_entries)
    if (row >= e.row && row < e.row + e.rows) return "row " + std::to_string(row - e.row) + " of '" + e.name + "'";
  return "row " + std::to_string(row);
}

RowForm row_form(const System& s, const RelationEntry& e) {
  return e.law.type->equality ? held_form(s, e) : RowForm::set_valued;
}

RowForm held_form(const System& s, const RelationEntry& e) {
  const RelationTraits traits = pool_of(s, e).traits();
  bool second = false, first = false, algebraic = false;
  for (const int c : columns_of(s, e)) {
    if (c < 0 || c >= s.layout.unknowns()) continue;
    const CoordinateKind kind = s.kind_of(c);
    second |= kind == CoordinateKind::ode2;
    first |= kind == CoordinateKind::ode1;
    algebraic |= kind == CoordinateKind::algebraic;
  }
  if (traits.switched && !algebraic && !first) return RowForm::first_rate;  // while it is off it has neither H nor a multiplier
  if (traits.uses_lambda || algebraic) return RowForm::value;
  if (first) return second ? RowForm::mixed : RowForm::first_order;
  return traits.written == Level::rate ? RowForm::first_rate : RowForm::second;
}

void add_row_weights(const System& system, Assembly& assembly, const RelationEntry& e, std::span<const double> column_scale, std::vector<double>& out) {
  const double* H = assembly.direction(e);
  for (int r = 0; r < e.rows; ++r) {
    double sum = 0.0;
    for (int c = 0; c < e.columns; ++c) {
      const int column = columns_of(system, e)[c];
      const double entry = H[r * e.columns + c] * (column < system.layout.unknowns() ? column_scale[column] : 0.0);
      sum += entry * entry;
    }
    out.push_back(sum > 1e-12 && std::isfinite(sum) ? sum : 1.0);
  }
}

namespace {
std::vector<int> held_entries(const System& system) {
  std::vector<int> entries;
  for (int i = 0; i < count_of(system.relation_entries); ++i) {
    const RowForm form = row_form(system, system.relation_entries[i]);
    if (form == RowForm::second || form == RowForm::first_rate || form == RowForm::first_order) entries.push_back(i);
  }
  return entries;
}
}  // namespace

MassMatrix::MassMatrix(const System& system, Assembly& assembly)
    : system_(system), dynamic_(system.layout.nv + system.layout.nx), entries_(held_entries(system)), inertia_(system, assembly, entries_.empty() ? Masses::shared : Masses::every) {
  const CsrPattern& M = inertia_.pattern();
  for (const int i : entries_) {
    const RelationEntry& e = system.relation_entries[i];
    for (int r = 0; r < e.rows; ++r) row_.push_back(e.row + r);
  }
  right_.resize(dynamic_ + rows());
  solution_.resize(right_.size());
  if (entries_.empty()) {
    blocks_.analyze(M);
    return;
  }
  CsrBuilder builder(dynamic_ + rows(), dynamic_ + rows());
  for (int i = 0; i < dynamic_; ++i)
    for (const int j : M.row(i)) builder.add_entry(i, j);
  std::vector<int> numbers;
  int next = dynamic_;
  for (const int i : entries_) {
    const RelationEntry& e = system.relation_entries[i];
    numbers.clear();
    for (int r = 0; r < e.rows; ++r) numbers.push_back(next++);
    builder.add_block(numbers, columns_of(system, e));
  }
  builder.add_diagonal(dynamic_, dynamic_ + rows());
  layout_ = builder.build();
  values_.resize(layout_.pattern.nonzeros());
  // Weight of a multiplier: its row's size in displacement, so that forces and moments compare by the model's length.
  assembly.input_blocks();
  column_scale_ = column_scales(system, assembly.kinematics());
  for (const int i : entries_) add_row_weights(system, assembly, system.relation_entries[i], column_scale_, weights_);
  kkt_.analyze(MatrixKind::symmetric_quasidefinite, layout_.pattern, rows(), weights_);
  fine_.analyze(MatrixKind::symmetric_quasidefinite, layout_.pattern, rows(), weights_);
  left_.resize(right_.size()), terms_.resize(right_.size());
}

LinearOutcome MassMatrix::factorize(Assembly& assembly) {
  at_ = &assembly;
  if (!(inertia_.constant() && factored_)) inertia_.update(assembly);
  if (entries_.empty()) {
    if (inertia_.constant() && factored_) return {};
    const MassReport report = blocks_.factorize(inertia_.values());
    if (!report.finite) return failure("the mass matrix holds a number that is not finite at " + unknown_name(system_, report.row));
    if (!report.ok) return failure(unknown_name(system_, report.row) + " has no mass");
    factored_ = true;
    return {};
  }
  factored_ = true;
  std::fill(values_.begin(), values_.end(), 0.0);
  int block = 0;
  for (; block < inertia_.pattern().nonzeros(); ++block) layout_.add(block, &inertia_.values()[block], values_.data());
  for (const int i : entries_) layout_.add(block++, assembly.direction(system_.relation_entries[i]), values_.data());
  const FactorReport report = kkt_.factorize(values_);
  const auto where = [&](int i) { return i < 0 ? std::string("an unknown") : i < dynamic_ ? unknown_name(system_, i) : row_name(system_, row(i - dynamic_)); };
  if (report.status == FactorStatus::not_finite) return failure("the equations hold a number that is not finite at " + where(report.row));
  if (report.status == FactorStatus::singular) return failure(where(report.row) + " has neither mass nor a constraint that holds it");
  return {};
}

LinearOutcome MassMatrix::solve(const double* force, const double* target, double* rate, double* lambda) {
  if (entries_.empty()) {
    if (!blocks_.solve(force, rate)) return failure("a force is not a finite number");
    const int without = at_->solve_own_masses(force, rate);
    return without < 0 ? LinearOutcome{} : failure(unknown_name(system_, without) + " has no mass");
  }
  std::copy(force, force + dynamic_, right_.begin());
  for (int i = 0; i < rows(); ++i) right_[dynamic_ + i] = target[row(i)];
  if (!finite(right_.data(), dynamic_ + rows())) return failure("a force or constraint is not a finite number");
  LinearOutcome out = outcome_of(kkt_.solve(right_, solution_));
  // The regularization is relative to the lightest direction: beside one of 1e-9 kg m^2 it swamps the others.
  if (!out.ok && fine_.factorize(values_).status == FactorStatus::ok) out = outcome_of(fine_.solve(right_, solution_));
  if (out.inconsistent) out.residual = residual_by_kind();
  std::copy(solution_.begin(), solution_.begin() + dynamic_, rate);
  for (int i = 0; i < rows(); ++i) lambda[row(i)] = -solution_[dynamic_ + i];
  return out;
}

/// A row whose own terms are far below the others' and that contradicts them leaves all it has, however small: by the largest terms
/// of forces and, in accelerations of the model, of rows.
double MassMatrix::residual_by_kind() {
  const int n = dynamic_ + rows();
  std::copy(right_.begin(), right_.end(), left_.begin());
  for (int i = 0; i < n; ++i) terms_[i] = std::abs(right_[i]);
  const CsrPattern& pattern = layout_.pattern;
  const auto take = [&](std::size_t i, std::size_t j, double a) {
    const double term = a * solution_[j];
    left_[i] -= term, terms_[i] += std::abs(term);
  };
  for (int i = 0; i < n; ++i)
    for (int k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) {
      const int j = pattern.column[k];
      if (j > i) continue;
      take(i, j, values_[k]);
      if (j < i) take(j, i, values_[k]);
    }
  double worst[2] = {}, most[2] = {};
  for (int i = 0; i < n; ++i) {
    const int kind = i >= dynamic_;
    const double weight = kind ? 1.0 / std::sqrt(weights_[i - dynamic_]) : column_scale_[i];
    worst[kind] = std::max(worst[kind], weight * std::abs(left_[i]));
    most[kind] = std::max(most[kind], weight * terms_[i]);
  }
  return std::max(worst[0] > 0.0 ? worst[0] / most[0] : 0.0, worst[1] > 0.0 ? worst[1] / most[1] : 0.0);
}

}  // namespace saltus
