#include "saltus/integrate/static_states.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/row_problem.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/math/long_vectors.hpp"

namespace saltus {
namespace {

constexpr int most_iterations = 200, most_searches = 12;
constexpr double tolerance = 1e-11;  // of the problem of the laws
constexpr double enough = 1e-8;      // of it on the way, where leaks of a thousand millionth of the other conductances keep solvers from more: the next correction mends the rest
constexpr double rounding = 1e-13;   // of the unknowns: a correction that no longer counts
constexpr double balanced = 1e-9;    // of the terms of an equation
constexpr double small = 1e-6;       // of the largest equation: sizes below it do not count
constexpr double loosest = 1e-40;    // of the stiffest row of a state without decay of its own: the last d on these states
constexpr double resting = 1e-3;     // likewise: d at which what does not move is at rest
constexpr double shrinks = 0.01;     // of the rates from step to step: no lower d is needed
constexpr double far = 1e12;         // times the unknowns at the start: a state that does not come to rest
constexpr double slow = 1e-3, slower = 10.0, faster = 0.1;  // d over the largest decay where Newton's method fails first; its changes

class StaticStates final : public StaticWork {
 public:
  explicit StaticStates(const Plan& plan) : s_(*plan.system), l_(s_.layout), rows_(s_, plan.options.threads), A_(at(s_.pattern.nonzeros())) {
    y_.resize(at(l_.y_size() + l_.nd));
    trial_ = y_;
    for (auto* x : {&F_, &du_, &size_, &kept_}) x->assign(at(l_.unknowns()) + 1, 0.0);
    lambda_.assign(at(l_.rows), 0.0);
    acted_.assign(at(l_.unknowns()) + 1, 0);
    for (const RelationEntry& e : s_.relation_entries)
      for (const int column : columns_of(s_, e))
        if (column >= 0) acted_[at(column)] = 1;
  }

  StepReport start(State& state) override {
    std::fill(state.xdot(), state.xdot() + l_.nx, 0.0);
    return {};
  }

  StepReport step(State& state, double h) override {
    StepReport report;
    rows_.begin_step();
    t_ = state.t() + h;
    std::copy(state.data(), state.data() + l_.nd, std::copy(state.y(), state.y() + l_.y_size(), y_.begin()));
    std::copy_n(state.lambda(), l_.rows, lambda_.begin());
    damping_ = 0.0, keep_ = 1.0, rate_ = 0.0, largest_yet_.equation = 1e-300, settled_ = false, cause_.clear();
    if (!settle(report)) {
      report.status = StepStatus::failed;
      report.cause = "no operating point found: " + cause_;
      return report;
    }
    std::copy(y_.begin(), y_.begin() + l_.y_size(), state.y());
    std::copy(lambda_.begin(), lambda_.end(), state.lambda());
    state.t() = t_;
    return report;
  }

 private:
  double* data() { return y_.data() + l_.y_size(); }
  double& unknown(std::vector<double>& y, int i) const { return y[at(l_.x_begin() + i - l_.nv)]; }
  double unknown(const std::vector<double>& y, int i) const { return y[at(l_.x_begin() + i - l_.nv)]; }

  bool settle(StepReport& report) {
    largest_yet_.unknown = most_unknown(y_);
    for (int i = 0; i < most_iterations; ++i) {
      ++report.iterations;
      if (!correct()) {
        if (damping_ > 1e9 * largest_) return false;
        damping_ = std::max(slower * damping_, slow * largest_);
        continue;
      }
      const double length = move();
      if (const int away = loosen(length); away >= 0 && most_unknown(y_) > far * std::max(largest_yet_.unknown, 1.0)) {
        const std::string name = unknown_name(s_, away);
        cause_ = name.substr(name.find("state ")) + " does not come to rest";
        return false;
      }
      report.residual.equations = out_, report.residual.laws = rows_.report().residual;
      if (out_ <= balanced && length <= rounding && settled_ && damping_ == 0.0) return true;
      damping_ = damping_ < 1e-12 * largest_ ? 0.0 : faster * damping_;
      if (out_ <= balanced && i > most_iterations / 2 && length <= 1e-10 && !free_) return true;
    }
    cause_ = "the corrections do not end, with " + short_text(out_) + " of an equation out of balance";
    return false;
  }

  /// du_ and lambda_ of one linearization; false: there is none.
  bool correct() {
    rows_.configure(t_, y_.data(), data(), 0.0);
    Assembly& assembly = rows_.assembly();
    std::fill(A_.begin(), A_.end(), 0.0);
    assembly.set_multipliers(lambda_.data());
    assembly.add_force_matrix(seeds_, A_.data());
    assembly.add_input_matrix(seeds_, 1.0, A_.data());
    if (!finite(A_.data(), count_of(A_))) return cause_ = "a derivative is not finite", false;
    hold_states();
    held_.clear();
    for (int b = 0; b < count_of(s_.relation_entries); ++b) {
      const RelationEntry& e = s_.relation_entries[b];
      held_.push_back({.block = b, .count = e.rows, .set = e.law.type->set, .parameters = e.law.parameters});
    }
    scale_rows();
    if (!rows_.solve({.level = Level::value, .forces = &seeds_, .direct = 1.0, .matrix = scaled_.data()}, held_, tolerance) && !(rows_.report().residual <= enough)) return cause_ = rows_.report().cause, false;
    std::copy_n(rows_.report().v.begin(), l_.unknowns(), du_.begin());
    const double* r = rows_.report().r.data();
    for (const HeldRows& h : held_) {
      std::copy_n(r, h.count, lambda_.begin() + s_.relation_entries[at(h.block)].row);
      r += h.count;
    }
    return finite(du_.data(), l_.unknowns()) && finite(lambda_.data(), l_.rows);
  }

  /// Adds d to the states. What decays by itself needs none; the others have one in common: a step of implicit Euler keeps what they keep together, such as charge.
  void hold_states() {
    double steepest = 0.0;
    largest_ = 0.0, free_ = false;
    for (int i = l_.nv; i < l_.nv + l_.nx; ++i) {
      const double own = std::abs(A_[at(s_.diagonal_slot[at(i)])]);
      largest_ = std::max(largest_, own);
      if (own == 0.0) free_ = true, steepest = std::max(steepest, row_size(i));
    }
    if (steepest == 0.0) steepest = 1.0;
    if (largest_ == 0.0) largest_ = steepest;
    for (int i = l_.nv; i < l_.nv + l_.nx; ++i) {
      double& own = A_[at(s_.diagonal_slot[at(i)])];
      kept_[at(i)] = own == 0.0 ? keep_ * steepest : 0.0;
      own += damping_ + kept_[at(i)];
    }
  }
  /// Loads the forces; rows of states that no multiplier acts on go to the solvers with entries of at most 1, whatever a capacitance is.
  void scale_rows() {
    rows_.load_forces();
    loads_ = rows_.loads();
    scaled_ = A_;
    for (int i = l_.nv; i < l_.nv + l_.nx; ++i) {
      if (acted_[at(i)]) continue;
      const double scale = std::ldexp(1.0, -std::ilogb(row_size(i)));
      for (int k = s_.pattern.begin[at(i)]; k < s_.pattern.begin[at(i) + 1]; ++k) scaled_[at(k)] *= scale;
      loads_[at(i)] *= scale;
    }
    rows_.load_nothing();
    rows_.load(loads_);
  }
  double row_size(int i) const {
    double most = 0.0;
    for (int k = s_.pattern.begin[at(i)]; k < s_.pattern.begin[at(i) + 1]; ++k) most = std::max(most, std::abs(A_[at(k)]));
    return most;
  }
  double most_unknown(const std::vector<double>& y) const {
    double most = 0.0;
    for (int i = 0; i < l_.unknowns(); ++i) most = std::max(most, std::abs(unknown(y, i)));
    return most;
  }

  /// Lowers d until the rates shrink by themselves; the state without own decay that is fastest beside its row, -1: none moves.
  int loosen(double length) {
    if (!free_) return settled_ = true, -1;
    int fastest = -1;
    double rate = 0.0;
    for (int i = l_.nv; i < l_.nv + l_.nx; ++i)
      if (const double now = kept_[at(i)] * std::abs(du_[at(i)]); now > rate) rate = now, fastest = i;
    const bool still = length <= rounding;
    if (!still) settled_ = rate < shrinks * rate_;
    rate_ = rate;
    if (!settled_ && keep_ <= resting && still) settled_ = true;
    if (!settled_ && keep_ > loosest) keep_ *= faster;
    return fastest;
  }

  /// Largest share of the terms of an equation that is out of balance at y with the multipliers, `part` of du_ away from where d was added.
  double imbalance(std::vector<double>& y, double part) {
    Assembly& assembly = rows_.assembly();
    assembly.update(t_, y.data(), lambda_.data(), y.data() + l_.y_size());
    assembly.input_blocks();
    assembly.forces(F_.data());
    assembly.add_inputs(lambda_.data(), 1.0, F_.data());
    double out = 0.0;
    out_ = 0.0;
    for (int i = 0; i < l_.unknowns(); ++i) {
      if (!std::isfinite(F_[at(i)])) return out_ = HUGE_VAL;
      out = std::max(out, std::abs(F_[at(i)] - part * kept_[at(i)] * du_[at(i)]) / size_[at(i)]);
      if (kept_[at(i)] == 0.0) out_ = std::max(out_, std::abs(F_[at(i)]) / size_[at(i)]);
    }
    return out;
  }

  /// Sizes of the equations: the sums of the magnitudes of their terms.
  void sizes() {
    Assembly& assembly = rows_.assembly();
    std::fill(size_.begin(), size_.end(), 0.0);
    assembly.update(t_, y_.data(), lambda_.data(), data());
    assembly.input_blocks();
    assembly.forces(size_.data());
    for (int i = 0; i < l_.unknowns(); ++i) {
      size_[at(i)] = std::abs(size_[at(i)]);
      for (int k = s_.pattern.begin[at(i)]; k < s_.pattern.begin[at(i) + 1]; ++k) size_[at(i)] += std::abs(A_[at(k)]) * std::abs(unknown(y_, s_.pattern.column[at(k)]) + du_[at(s_.pattern.column[at(k)])]);
      if (kept_[at(i)] == 0.0) largest_yet_.equation = std::max(largest_yet_.equation, size_[at(i)]);
    }
    for (double& size : size_) size = std::max(size, small * largest_yet_.equation);
  }

  /// Moves by du_, by less where what is not linear asks for it; the length of the move beside the unknowns.
  double move() {
    sizes();
    const double before = imbalance(y_, 0.0);
    double part = 1.0;
    for (int k = 0;; ++k, part *= 0.5) {
      trial_ = y_;
      for (int i = 0; i < l_.unknowns(); ++i) unknown(trial_, i) += part * du_[at(i)];
      const double now = imbalance(trial_, part);
      if (now <= balanced || now < (1.0 - 0.1 * part) * before || k == most_searches) break;
    }
    double length = 0.0;
    for (int i = 0; i < l_.unknowns(); ++i) length = std::max(length, std::abs(part * du_[at(i)]));
    y_.swap(trial_);
    return length / std::max({most_unknown(y_), largest_yet_.unknown, 1e-300});
  }

  static constexpr Seeds seeds_{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  const System& s_;
  const Layout& l_;
  RowProblem rows_;
  std::vector<double> A_, scaled_, loads_, F_, du_, size_, kept_, y_, trial_, lambda_;
  std::vector<HeldRows> held_;
  std::vector<char> acted_;  // by unknown: rows of relations have it
  double t_ = 0.0, damping_ = 0.0, largest_ = 1.0, out_ = 0.0;
  struct {
    double unknown = 0.0, equation = 0.0;  // the largest unknown at the start, the largest size of an equation so far
  } largest_yet_;
  double keep_ = 1.0, rate_ = 0.0;  // d over the stiffest row of the states without own decay; their rate behind the last step
  bool free_ = false, settled_ = false;  // whether there are such states; whether they come to rest by themselves at this d
  std::string cause_;
};

}  // namespace

bool holds_states_alone(const System& s) { return s.layout.nv == 0 && s.contacts.empty(); }

std::unique_ptr<StaticWork> static_states(const Plan& plan) { return std::make_unique<StaticStates>(plan); }

}  // namespace saltus
