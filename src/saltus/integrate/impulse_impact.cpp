#include "saltus/integrate/impulse_impact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/math/sparse_lu.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
constexpr double tolerance = 1e-9, ended = 1e-10;  // of a step; of the fastest approach: what still closes is no impact
constexpr double at_rest = 0.5 * ended;             // of it: what gives nothing back has turned round
constexpr double gone = 1e-9;                       // of the way of a contact: what is left of one that opens, and what begins to push
constexpr double loose = 1e-12;                     // of sum H^2 / M: compliance of equalities, for those that others hold already
constexpr int reached = 4;                             // neighbours of neighbours that feel a push within a step
constexpr int most_steps = 2'000'000;
// Dormand and Prince 1980.
constexpr double a[7][6] = {{}, {0.2}, {3.0 / 40, 9.0 / 40}, {44.0 / 45, -56.0 / 15, 32.0 / 9}, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                            {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}, {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double error[7] = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }
}  // namespace

/// W_ where nothing is held and M is diagonal.
bool ImpulseImpact::couple_by_masses(const Problem& p, std::span<const FollowedContact> contacts) {
  const int m = count_of(contacts);
  if (std::any_of(p.blocks.begin(), p.blocks.end(), [](const Block& block) { return block.set == &equality_set; })) return false;
  inverse_.assign(at(p.unknowns()), 0.0);
  for (int i = 0; i < p.unknowns(); ++i)
    for (SparseRows::InnerIterator e(p.M, i); e; ++e) {
      if (e.col() != i && e.value() != 0.0) return false;
      if (e.col() == i) inverse_[at(i)] = 1.0 / e.value();
    }
  if (!std::all_of(inverse_.begin(), inverse_.end(), [](double x) { return x > 0.0 && std::isfinite(x); })) return false;
  H_.resize(m, p.unknowns());
  int entries = 0;
  for (const FollowedContact& c : contacts) entries += p.H.outerIndexPtr()[c.row + 1] - p.H.outerIndexPtr()[c.row];
  H_.resizeNonZeros(entries);
  int next = 0;
  for (int c = 0; c < m; ++c) {
    H_.outerIndexPtr()[c] = next;
    for (SparseRows::InnerIterator e(p.H, contacts[at(c)].row); e; ++e, ++next)
      H_.innerIndexPtr()[next] = static_cast<int>(e.col()), H_.valuePtr()[next] = e.value() * std::sqrt(inverse_[at(e.col())]);
  }
  H_.outerIndexPtr()[m] = next;
  W_ = H_ * H_.transpose();
  return true;
}

/// W_ := H_c (M^-1 with the equalities held) H_c^T.
bool ImpulseImpact::couple(const Problem& p, std::span<const FollowedContact> contacts) {
  if (couple_by_masses(p, contacts)) return true;
  const int n = p.unknowns(), m = count_of(contacts);
  std::vector<int> joints;
  for (const Block& block : p.blocks)
    for (int r = 0; block.set == &equality_set && r < block.dim; ++r) joints.push_back(block.begin + r);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator e(p.M, i); e; ++e) entries.emplace_back(i, static_cast<int>(e.col()), e.value());
  for (int j = 0; j < count_of(joints); ++j) {
    double own = 0.0;
    for (SparseRows::InnerIterator e(p.H, joints[j]); e; ++e) {
      const int row = n + j, column = static_cast<int>(e.col());
      entries.emplace_back(row, column, e.value()), entries.emplace_back(column, row, e.value());
      if (const double mass = p.M.coeff(column, column); mass > 0.0) own += e.value() * e.value() / mass;
    }
    entries.emplace_back(n + j, n + j, -loose * own);
  }
  const int size = n + count_of(joints);
  Eigen::SparseMatrix<double> K(size, size);
  K.setFromTriplets(entries.begin(), entries.end());
  SparseLu lu;
  if (!lu.compute(K)) return false;
  entries.clear();
  Eigen::VectorXd load(size);
  for (int c = 0; c < m; ++c) {
    load.setZero();
    for (SparseRows::InnerIterator e(p.H, contacts[at(c)].row); e; ++e) load[e.col()] = e.value();
    const Eigen::VectorXd moved = lu.solve(load);
    for (int other = 0; other < m; ++other) {
      double sum = 0.0;
      for (SparseRows::InnerIterator e(p.H, contacts[at(other)].row); e; ++e) sum += e.value() * moved[e.col()];
      if (sum != 0.0) entries.emplace_back(other, c, sum);
    }
  }
  W_.resize(m, m);
  W_.setFromTriplets(entries.begin(), entries.end());
  return true;
}

/// The way of each contact alone, K W x^(n+1) / (n+1) = u^2 / 2, its impulse, and how long the shortest takes.
bool ImpulseImpact::scales(std::span<const FollowedContact> contacts) {
  way_.clear(), impulse_.clear();
  quickest_ = HUGE_VAL;
  for (int i = 0; i < count_of(contacts); ++i) {
    const ImpulseContact& law = contacts[i].law;
    const double own = W_.coeff(i, i);
    if (!(own > 0.0)) return false;
    way_.push_back(std::pow(0.5 * (law.exponent + 1.0) * fastest_ * fastest_ / (law.stiffness * own), 1.0 / (law.exponent + 1.0)));
    impulse_.push_back(fastest_ / own);
    quickest_ = std::min(quickest_, way_[i] / fastest_);
  }
  return true;
}

/// Contacts that push or close, and those that they reach within a step.
void ImpulseImpact::find_touched() {
  for (const int c : touched_) place_[at(c)] = -1;
  touched_ = pushing_;
  for (const int c : touched_) place_[at(c)] = 0;
  std::size_t next = 0;
  for (int layer = 0; layer < reached; ++layer)
    for (const std::size_t end = touched_.size(); next < end; ++next)
      for (SparseRows::InnerIterator e(W_, touched_[next]); e; ++e)
        if (place_[at(e.col())] < 0) touched_.push_back(static_cast<int>(e.col())), place_[at(e.col())] = 0;
  std::sort(touched_.begin(), touched_.end());
  for (int k = 0; k < count_of(touched_); ++k) place_[at(touched_[k])] = k;
}

/// touch_ := what is touched at the state; false: nothing pushes or closes.
bool ImpulseImpact::gather(std::span<const FollowedContact> contacts) {
  const std::size_t m = way_.size();
  Touched& t = touch_;
  pushing_.clear();
  for (std::size_t i = 0; i < m; ++i)
    if (state_[m + i] > gone * way_[i] || state_[i] < -ended * fastest_) pushing_.push_back(static_cast<int>(i));
  find_touched();
  const std::size_t n = touched_.size();
  t.begin.assign(1, 0), t.column.clear(), t.coupling.clear();
  for (auto* x : {&t.stiffness, &t.exponent, &t.unloading, &t.way, &t.impulse}) x->resize(n);
  for (auto* x : {&t.state, &t.next, &t.stage}) x->resize(3 * n);
  for (auto& slope : t.slope) slope.resize(3 * n);
  t.open.resize(n), t.hertz = true;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = at(touched_[k]);
    const ImpulseContact& law = contacts[i].law;
    t.stiffness[k] = law.stiffness, t.exponent[k] = law.exponent, t.way[k] = way_[i], t.impulse[k] = impulse_[i];
    t.unloading[k] = law.restitution == 0.0 ? 0.0 : 1.0 / (law.restitution * law.restitution);
    t.hertz &= law.exponent == 1.5;
    for (int part = 0; part < 3; ++part) t.state[at(part) * n + k] = state_[at(part) * m + i];
    for (SparseRows::InnerIterator e(W_, touched_[k]); e; ++e)
      if (const int place = place_[at(e.col())]; place >= 0) t.column.push_back(place), t.coupling.push_back(e.value());
    t.begin.push_back(count_of(t.column));
  }
  return n > 0;
}

/// Within a step what has opened goes on behind zero, where it pushes no more: its rate does not jump.
void ImpulseImpact::rates(const std::vector<double>& s, std::vector<double>& out) const {
  const Touched& t = touch_;
  const std::size_t n = t.open.size();
  const double *w = s.data(), *x = w + n;
  double *ways = out.data() + n, *pushes = ways + n;
  for (std::size_t k = 0; k < n; ++k) {
    const double deep = std::max(x[k], 0.0);
    pushes[k] = t.stiffness[k] * (t.hertz ? deep * std::sqrt(deep) : t.exponent[k] == 1.0 ? deep : std::pow(deep, t.exponent[k]));
    ways[k] = w[k] < 0.0 ? -w[k] : t.open[k] ? 0.0 : -w[k] * t.unloading[k];
  }
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0.0;
    for (int e = t.begin[k]; e < t.begin[k + 1]; ++e) sum += t.coupling[at(e)] * pushes[at(t.column[at(e)])];
    out[k] = sum;
  }
}

/// Whether some contact pushes or closes.
bool ImpulseImpact::loaded() const {
  const Touched& t = touch_;
  const std::size_t n = t.open.size();
  for (std::size_t k = 0; k < n; ++k)
    if (t.state[n + k] > gone * t.way[k] || t.state[k] < -ended * fastest_) return true;
  return false;
}

/// touch_.next := the state after h, from touch_.slope[0] on; its error over what is allowed.
double ImpulseImpact::try_step(double h) {
  Touched& t = touch_;
  const std::size_t n = t.open.size();
  const int entries = static_cast<int>(3 * n);
  double weights[7];
  const double* slopes[7];
  for (int k = 0; k < 7; ++k) slopes[k] = t.slope[k].data();
  for (int s = 1; s < 7; ++s) {
    std::vector<double>& to = s == 6 ? t.next : t.stage;
    for (int k = 0; k < s; ++k) weights[k] = h * a[s][k];
    add_weighted_sum(entries, t.state.data(), s, weights, slopes, to.data());
    rates(to, t.slope[s]);
  }
  for (int k = 0; k < 7; ++k) weights[k] = h * error[k];
  std::fill(t.stage.begin(), t.stage.end(), 0.0);
  add_weighted_sum(entries, t.stage.data(), 7, weights, slopes, t.stage.data());
  double worst[3] = {};
  for (std::size_t k = 0; k < n; ++k) {
    worst[0] = std::max(worst[0], std::abs(t.stage[k]));
    worst[1] = std::max(worst[1], std::abs(t.stage[n + k]) / t.way[k]);
    worst[2] = std::max(worst[2], std::abs(t.stage[2 * n + k]) / t.impulse[k]);
  }
  const bool numbers = finite(t.stage.data(), entries);
  return numbers ? std::max({worst[0] / fastest_, worst[1], worst[2]}) / tolerance : HUGE_VAL;
}

/// The part of the step until the first contact opens that closes again within it; all of it where there is none.
double ImpulseImpact::until_closing(double h) const {
  const Touched& t = touch_;
  const std::size_t n = t.open.size();
  double part = 1.0;
  for (std::size_t k = 0; k < n; ++k)
    if (const double before = t.state[n + k], after = t.next[n + k]; after < -gone * t.way[k] && t.next[k] < 0.0) part = std::min(part, std::max(before, 0.0) / (before - after));
  return h * part;
}

/// The part of the step until the first contact that gives nothing back turns round; all of it where none does.
double ImpulseImpact::until_turning(double h) const {
  const Touched& t = touch_;
  double part = 1.0;
  for (std::size_t k = 0; k < t.open.size(); ++k)
    if (t.unloading[k] == 0.0 && t.state[k] < 0.0 && t.next[k] > at_rest * fastest_) part = std::min(part, t.state[k] / (t.state[k] - t.next[k]));
  return h * part;
}

/// The end of the step; what gives nothing back has lost its work where it turns round.
void ImpulseImpact::take_step() {
  Touched& t = touch_;
  const std::size_t n = t.open.size(), m = way_.size();
  for (std::size_t k = 0; k < n; ++k) {
    const bool lost = t.unloading[k] == 0.0 && t.next[k] >= -at_rest * fastest_;
    t.next[n + k] = lost ? 0.0 : std::max(t.next[n + k], 0.0);
    for (std::size_t part = 0; part < 3; ++part) state_[part * m + at(touched_[k])] = t.next[part * n + k];
  }
}

bool ImpulseImpact::follow(const Problem& problem, std::span<FollowedContact> contacts) {
  const std::size_t m = contacts.size();
  state_.assign(3 * m, 0.0);
  fastest_ = 0.0;
  for (std::size_t i = 0; i < m; ++i) state_[i] = contacts[i].rate, fastest_ = std::max(fastest_, -contacts[i].rate);
  for (FollowedContact& c : contacts) c.percussion = 0.0;
  if (fastest_ == 0.0) return true;
  if (!couple(problem, contacts) || !scales(contacts)) return false;
  place_.assign(m, -1), touched_.clear();
  double h = 0.05 * quickest_;
  const double least = 1e-9 * quickest_;
  bool begins = true;  // touch_ and its first slopes are not yet those of the state
  for (int steps = 0;; ++steps) {
    if (steps == most_steps) return false;
    Touched& t = touch_;
    if (std::exchange(begins, false)) {
      if (!gather(contacts) || !loaded()) break;
      for (std::size_t k = 0; k < t.open.size(); ++k) t.open[k] = t.state[t.open.size() + k] <= 0.0 && t.state[k] >= 0.0;
      rates(t.state, t.slope[0]);
    }
    const double worst = try_step(h);
    if (!std::isfinite(worst)) return false;
    const double opens = until_closing(h), turns = until_turning(h);
    if (worst > 1.0 && h > least) {  // where a contact turns round its rate has a kink
      h = std::max(least, h * std::clamp(0.9 * std::pow(worst, -0.2), 0.2, 0.9));
    } else if (opens < 0.999 * h && h > least) {
      h = std::max(least, opens);
    } else if (turns < h && h > least) {
      h = std::max(least, turns);
    } else {
      take_step();
      begins = true;
      h = std::min(quickest_, std::max(least, h * std::clamp(0.9 * std::pow(std::max(worst, 1e-10), -0.2), 0.2, 5.0)));
    }
  }
  for (std::size_t i = 0; i < m; ++i) contacts[i].percussion = state_[2 * m + i];
  return true;
}

}  // namespace saltus
