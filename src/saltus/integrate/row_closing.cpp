#include "saltus/integrate/row_closing.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {
constexpr int most_iterations = 30;
constexpr double closed = 1e-14;  // of the model's size, and of the sizes that make a rate
constexpr double acceptable = 1e-10;  // where it comes no closer
}  // namespace

RowClosing::RowClosing(const System& system, int threads) : system_(system), at_(system, threads, Frames::needed), assembly_(system, threads, Frames::needed), mass_(system, at_) {
  for (const RelationEntry& e : system.relation_entries) {
    form_.push_back(row_form(system, e));
    position_rows_ |= form_.back() == RowForm::second;
    for (int r = 0; r < e.rows; ++r) scale_.push_back(pool_of(system, e).row_scale(e.item));
  }
  const auto rows = static_cast<std::size_t>(system.layout.rows), n = static_cast<std::size_t>(system.layout.unknowns()) + 1;
  for (auto* x : {&target_, &values_, &h_t_, &multiplier_}) x->assign(rows, 0.0);
  for (auto* x : {&change_, &none_, &tangent_}) x->assign(n, 0.0);
}

LinearOutcome RowClosing::hold(double t, const double* y, const double* data) {
  at_.update(t, y, nullptr, data);
  at_.input_blocks();
  return mass_.factorize(at_);
}

/// target_ := minus what the rows lack at y, by position or in rates; the largest over its scale.
double RowClosing::open(bool velocity, double t, const double* y, const double* data) {
  assembly_.update(t, y, nullptr, data);
  if (velocity) assembly_.input_blocks();
  RowSink sink;
  sink.y = values_.data();
  sink.time_rate = h_t_.data();
  assembly_.relations(sink);
  std::fill(target_.begin(), target_.end(), 0.0);
  const double* v = y + system_.layout.v_begin();
  double worst = 0.0;
  for (std::size_t i = 0; i < form_.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (form_[i] != RowForm::second && !(velocity && form_[i] == RowForm::first_rate)) continue;
    const double* H = assembly_.direction(e);
    const auto columns = columns_of(system_, e);
    for (int r = 0; r < e.rows; ++r) {
      double lacks = values_[e.row + r];
      if (velocity && form_[i] == RowForm::second) {
        lacks = h_t_[e.row + r];
        for (int c = 0; c < e.columns; ++c)
          if (columns[c] >= 0 && columns[c] < system_.layout.nv) lacks += H[r * e.columns + c] * v[columns[c]];
      }
      target_[e.row + r] = -lacks;
      worst = std::isfinite(lacks) ? std::max(worst, std::abs(lacks) / scale_[e.row + r]) : lacks;
      if (!std::isfinite(worst)) return worst;
    }
  }
  return worst;
}

LinearOutcome RowClosing::close_positions(double t1, const double* q0, double h, const double* data, double* rates, double* y) {
  const Layout& l = system_.layout;
  const double size = system_.length_scale > 0.0 ? system_.length_scale : 1.0;
  double before = HUGE_VAL;
  for (int pass = 0; pass < most_iterations; ++pass) {
    for (int i = 0; i < l.nv; ++i) tangent_[i] = h * rates[i];
    system_.map.retract(q0, tangent_.data(), l.nq, y);
    const double worst = open(false, t1, y, data);
    if (!std::isfinite(worst)) return failure("a constraint is not a finite number");
    if (worst <= closed * size || (worst > 0.5 * before && worst <= acceptable * size)) return {};
    if (pass > 4 && worst > before) break;
    before = worst;
    for (double& x : target_) x /= h;
    if (LinearOutcome out = mass_.solve(none_.data(), target_.data(), change_.data(), multiplier_.data()); !out.ok) return out;
    for (int i = 0; i < l.nv; ++i) rates[i] += change_[i];
  }
  return failure("the joints could not be closed at the end of the step: they turn too far within it, or are at a singular position");
}

LinearOutcome RowClosing::close_velocities(double t1, double share, const double* data, double* rates, double* y) {
  const Layout& l = system_.layout;
  double* v = y + l.v_begin();
  double before = HUGE_VAL;
  for (int pass = 0; pass < most_iterations; ++pass) {
    const double worst = open(true, t1, y, data);
    double fastest = 0.0;
    for (int i = 0; i < l.nv; ++i) fastest = std::max(fastest, std::abs(v[i]));
    if (!std::isfinite(worst)) return failure("the rate of a constraint is not a finite number");
    if (worst <= closed * fastest || worst == 0.0 || (worst > 0.5 * before && worst <= acceptable * std::max(1.0, fastest))) return {};
    if (pass > 4 && worst > before) break;
    before = worst;
    for (double& x : target_) x /= share;
    if (LinearOutcome out = mass_.solve(none_.data(), target_.data(), change_.data(), multiplier_.data()); !out.ok) return out;
    for (int i = 0; i < l.nv; ++i) rates[i] += change_[i], v[i] += share * change_[i];
  }
  return failure("the velocities of the joints could not be closed at the end of the step: they turn too far within it, or are at a singular position");
}

}  // namespace saltus
