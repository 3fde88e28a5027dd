#include "saltus/integrate/impulse_impact.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/math/sparse_lu.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
constexpr double tolerance = 1e-9, ended = 1e-10;  // of a step; of the fastest approach: what still closes is no impact
constexpr double at_rest = 0.5 * ended;             // of it: what gives nothing back has turned round
constexpr double gone = 1e-9;                       // of the way of a contact: what is left of one that opens
constexpr double loose = 1e-12;                     // of sum H^2 / M: compliance of equalities, for those that others hold already
constexpr int reached = 4;                             // neighbours of neighbours that feel a push within a step
constexpr int most_steps = 2'000'000;
// Dormand and Prince 1980.
constexpr double a[7][6] = {{}, {0.2}, {3.0 / 40, 9.0 / 40}, {44.0 / 45, -56.0 / 15, 32.0 / 9}, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                            {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}, {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double error[7] = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }
}  // namespace

/// W_ := H_c (M^-1 with the equalities held) H_c^T.
bool ImpulseImpact::couple(const Problem& p, std::span<const FollowedContact> contacts) {
  const int n = p.unknowns(), m = static_cast<int>(contacts.size());
  std::vector<int> joints;
  for (const Block& block : p.blocks)
    for (int r = 0; block.set == &equality_set && r < block.dim; ++r) joints.push_back(block.begin + r);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator e(p.M, i); e; ++e) entries.emplace_back(i, static_cast<int>(e.col()), e.value());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    double own = 0.0;
    for (SparseRows::InnerIterator e(p.H, joints[j]); e; ++e) {
      const int row = n + static_cast<int>(j), column = static_cast<int>(e.col());
      entries.emplace_back(row, column, e.value()), entries.emplace_back(column, row, e.value());
      if (const double mass = p.M.coeff(column, column); mass > 0.0) own += e.value() * e.value() / mass;
    }
    entries.emplace_back(n + static_cast<int>(j), n + static_cast<int>(j), -loose * own);
  }
  const int size = n + static_cast<int>(joints.size());
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

/// Within a step what has opened goes on behind zero, where it pushes no more: its rate does not jump.
void ImpulseImpact::rates(std::span<const FollowedContact> contacts, const std::vector<double>& s, std::vector<double>& out) const {
  const std::size_t m = contacts.size();
  for (const int c : touched_) {
    const std::size_t i = at(c);
    const ImpulseContact& law = contacts[i].law;
    const double w = s[i], x = s[m + i];
    out[2 * m + i] = x > 0.0 ? law.stiffness * (law.exponent == 1.0 ? x : law.exponent == 1.5 ? x * std::sqrt(x) : std::pow(x, law.exponent)) : 0.0;
    out[m + i] = w < 0.0 ? -w : open_[i] || law.restitution == 0.0 ? 0.0 : -w / (law.restitution * law.restitution);
  }
  for (const int c : touched_) {
    double sum = 0.0;
    for (SparseRows::InnerIterator e(W_, c); e; ++e)
      if (marked_[at(e.col())]) sum += e.value() * out[2 * m + at(e.col())];
    out[at(c)] = sum;
  }
}

/// The way of each contact alone, K W x^(n+1) / (n+1) = u^2 / 2, its impulse, and how long the shortest takes.
bool ImpulseImpact::scales(std::span<const FollowedContact> contacts) {
  way_.clear(), impulse_.clear();
  quickest_ = HUGE_VAL;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ImpulseContact& law = contacts[i].law;
    const double own = W_.coeff(static_cast<int>(i), static_cast<int>(i));
    if (!(own > 0.0)) return false;
    way_.push_back(std::pow(0.5 * (law.exponent + 1.0) * fastest_ * fastest_ / (law.stiffness * own), 1.0 / (law.exponent + 1.0)));
    impulse_.push_back(fastest_ / own);
    quickest_ = std::min(quickest_, way_[i] / fastest_);
  }
  return true;
}

/// Whether some contact pushes or closes.
bool ImpulseImpact::loaded() const {
  const std::size_t m = way_.size();
  for (std::size_t i = 0; i < m; ++i)
    if (state_[m + i] > gone * way_[i] || state_[i] < -ended * fastest_) return true;
  return false;
}

/// next_ := the state after h, from slope_[0] on; its error over what is allowed.
double ImpulseImpact::try_step(std::span<const FollowedContact> contacts, double h) {
  const std::size_t m = contacts.size();
  for (int s = 1; s < 7; ++s) {
    std::vector<double>& to = s == 6 ? next_ : stage_;
    for (const int c : touched_)
      for (std::size_t i = at(c); i < 3 * m; i += m) {
        double sum = 0.0;
        for (int k = 0; k < s; ++k) sum += a[s][k] * slope_[k][i];
        to[i] = state_[i] + h * sum;
      }
    rates(contacts, to, slope_[s]);
  }
  double worst = 0.0;
  for (const int c : touched_)
    for (std::size_t i = at(c); i < 3 * m; i += m) {
      double sum = 0.0;
      for (int k = 0; k < 7; ++k) sum += error[k] * slope_[k][i];
      const double scale = i < m ? fastest_ : i < 2 * m ? way_[i - m] : impulse_[i - 2 * m];
      worst = std::max(worst, std::abs(h * sum) / (tolerance * scale));
    }
  return worst;
}

/// The part of the step until the first contact opens that closes again within it; all of it where there is none.
double ImpulseImpact::until_closing(double h) const {
  const std::size_t m = way_.size();
  double part = 1.0;
  for (const int c : touched_)
    if (const double before = state_[m + at(c)], after = next_[m + at(c)]; after < -gone * way_[at(c)] && next_[at(c)] < 0.0) part = std::min(part, std::max(before, 0.0) / (before - after));
  return h * part;
}

/// The part of the step until the first contact that gives nothing back turns round; all of it where none does.
double ImpulseImpact::until_turning(std::span<const FollowedContact> contacts, double h) const {
  double part = 1.0;
  for (const int c : touched_)
    if (contacts[at(c)].law.restitution == 0.0 && state_[at(c)] < 0.0 && next_[at(c)] > at_rest * fastest_) part = std::min(part, state_[at(c)] / (state_[at(c)] - next_[at(c)]));
  return h * part;
}

/// The end of the step; what gives nothing back has lost its work where it turns round.
void ImpulseImpact::take_step(std::span<const FollowedContact> contacts) {
  const std::size_t m = way_.size();
  for (const int c : touched_) {
    const std::size_t i = at(c);
    const bool lost = contacts[i].law.restitution == 0.0 && next_[i] >= -at_rest * fastest_;
    state_[i] = next_[i], state_[m + i] = lost ? 0.0 : std::max(next_[m + i], 0.0), state_[2 * m + i] = next_[2 * m + i];
  }
}

void ImpulseImpact::find_touched() {
  const std::size_t m = way_.size();
  for (const int c : touched_) marked_[at(c)] = 0;
  touched_.clear();
  for (std::size_t i = 0; i < m; ++i)
    if (state_[m + i] > 0.0 || state_[i] < 0.0) touched_.push_back(static_cast<int>(i)), marked_[i] = 1;
  std::size_t next = 0;
  for (int layer = 0; layer < reached; ++layer)
    for (const std::size_t end = touched_.size(); next < end; ++next)
      for (SparseRows::InnerIterator e(W_, touched_[next]); e; ++e)
        if (!marked_[at(e.col())]) touched_.push_back(static_cast<int>(e.col())), marked_[at(e.col())] = 1;
}

bool ImpulseImpact::follow(const Problem& problem, std::span<FollowedContact> contacts) {
  const std::size_t m = contacts.size();
  for (auto* x : {&state_, &next_, &stage_}) x->assign(3 * m, 0.0);
  for (auto& slope : slope_) slope.assign(3 * m, 0.0);
  fastest_ = 0.0;
  for (std::size_t i = 0; i < m; ++i) state_[i] = contacts[i].rate, fastest_ = std::max(fastest_, -contacts[i].rate);
  for (FollowedContact& c : contacts) c.percussion = 0.0;
  if (fastest_ == 0.0) return true;
  if (!couple(problem, contacts) || !scales(contacts)) return false;
  open_.assign(m, 0), marked_.assign(m, 0), touched_.clear();
  double h = 0.05 * quickest_;
  const double least = 1e-9 * quickest_;
  for (int steps = 0; loaded(); ++steps) {
    if (steps == most_steps) return false;
    find_touched();
    for (const int c : touched_) open_[at(c)] = state_[m + at(c)] <= 0.0 && state_[at(c)] >= 0.0;
    rates(contacts, state_, slope_[0]);
    const double worst = try_step(contacts, h);
    if (!std::isfinite(worst)) return false;
    const double opens = until_closing(h), turns = until_turning(contacts, h);
    if (worst > 1.0 && h > least) {  // where a contact turns round its rate has a kink
      h = std::max(least, h * std::clamp(0.9 * std::pow(worst, -0.2), 0.2, 0.9));
    } else if (opens < 0.999 * h && h > least) {
      h = std::max(least, opens);
    } else if (turns < h && h > least) {
      h = std::max(least, turns);
    } else {
      take_step(contacts);
      h = std::min(quickest_, std::max(least, h * std::clamp(0.9 * std::pow(std::max(worst, 1e-10), -0.2), 0.2, 5.0)));
    }
  }
  for (std::size_t i = 0; i < m; ++i) contacts[i].percussion = state_[2 * m + i];
  return true;
}

}  // namespace saltus
