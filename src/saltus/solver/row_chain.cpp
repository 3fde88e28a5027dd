#include "saltus/solver/row_chain.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {
constexpr int most_rounds = 100;
constexpr double redundant = 1e-9;  // pivot over the diagonal of W: what is below goes to the solvers that know redundant rows
constexpr double rounding = 1e-15;
}  // namespace

bool RowChain::can(const Problem& p) {
  if (!p.symmetric || p.D.nonZeros() > 0 || p.G.nonZeros() > 0) return false;
  if (!std::all_of(p.blocks.begin(), p.blocks.end(), [](const Block& block) { return block.set->bounds != nullptr; })) return false;
  for (int i = 0; i < p.unknowns(); ++i)
    for (SparseRows::InnerIterator e(p.M, i); e; ++e)
      if (e.col() != i && e.value() != 0.0) return false;
  return true;
}

bool RowChain::solve(const Problem& p, std::span<double> v, std::span<double> r) {
  rounds_ = 0;
  if (!can(p) || !read(p) || !couple(p)) return false;
  if (half_lines_) sweep();
  std::fill(r.begin(), r.end(), 0.0);
  do {
    if (++rounds_ > most_rounds || !solve_held(r)) return false;
  } while (exchange(r));
  std::copy(p.p0.begin(), p.p0.end(), v.begin());
  for (int i = 0; i < p.rows(); ++i)
    for (SparseRows::InnerIterator e(p.H, i); e; ++e) v[e.col()] += e.value() * r[at(i)];
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= inverse_[i];
  return true;
}

/// Masses and bounds.
bool RowChain::read(const Problem& p) {
  low_.resize(at(p.rows())), high_.resize(at(p.rows()));
  for (const Block& block : p.blocks) block.set->bounds(block.parameters, block.dim, block.set_scale, low_.data() + block.begin, high_.data() + block.begin);
  inverse_.assign(at(p.unknowns()), 0.0);
  for (int i = 0; i < p.unknowns(); ++i) {
    for (SparseRows::InnerIterator e(p.M, i); e; ++e)
      if (e.col() == i) inverse_[at(i)] = 1.0 / e.value();
    if (!(inverse_[at(i)] > 0.0 && std::isfinite(inverse_[at(i)]))) return false;
  }
  return true;
}

/// Two runs and the row between them, which holds from now on.
RowChain::Run RowChain::joined(const Run& before, int row, const Run& behind) const {
  const double left = before.empty() ? 0.0 : beside_[at(row)], right = behind.empty() ? 0.0 : beside_[at(row) + 1];
  const double inverse = 1.0 / (diagonal_[at(row)] - left * left * before.last_last - right * right * behind.first_first);
  const double r = -(rate_[at(row)] + left * before.r_last + right * behind.r_first) * inverse;
  const double to_first = before.empty() ? 1.0 : -left * before.first_last, to_last = behind.empty() ? 1.0 : -right * behind.first_last;
  return {.first = before.empty() ? row : before.first, .last = behind.empty() ? row : behind.last,
          .r_first = before.r_first + to_first * r, .r_last = behind.r_last + to_last * r,
          .first_first = before.first_first + to_first * to_first * inverse, .first_last = to_first * to_last * inverse, .last_last = behind.last_last + to_last * to_last * inverse};
}

/// The modes of half-lines, row by row: the next one with those before it, and what it makes hold among them.
void RowChain::sweep() {
  runs_.clear();
  const auto run_to = [&](int last) { return !runs_.empty() && runs_.back().last == last ? runs_.back() : Run{}; };
  for (int i = 0; i < count_of(mode_); ++i) {
    Run run{};
    for (int row = i; row >= 0; row = run.first - 1) {
      const Run before = run_to(row - 1);
      const double w = rate_[at(row)] + (before.empty() ? 0.0 : beside_[at(row)] * before.r_last) + (run.empty() ? 0.0 : beside_[at(row) + 1] * run.r_first);
      if (!(w < 0.0)) break;
      if (!before.empty()) runs_.pop_back();
      run = joined(before, row, run);
    }
    if (!run.empty()) runs_.push_back(run);
  }
  std::fill(mode_.begin(), mode_.end(), Mode::low);
  for (const Run& run : runs_) std::fill(mode_.begin() + run.first, mode_.begin() + run.last + 1, Mode::holds);
}

/// W and the rates without multipliers; where each row begins.
bool RowChain::couple(const Problem& p) {
  const std::size_t rows = at(p.rows());
  coefficient_.assign(inverse_.size(), 0.0), row_.assign(inverse_.size(), -1);
  diagonal_.assign(rows, 0.0), beside_.assign(rows, 0.0), rate_.assign(p.b.begin(), p.b.end());
  pivot_.resize(rows), right_.resize(rows), mode_.resize(rows), half_lines_ = true;
  for (int i = 0; i < p.rows(); ++i) {
    const std::size_t row = at(i);
    for (SparseRows::InnerIterator e(p.H, i); e; ++e) {
      const Eigen::Index c = e.col();
      if (e.value() == 0.0) continue;
      if (row_[c] == -1) {
        row_[c] = i, coefficient_[c] = e.value();
      } else {
        if (row_[c] != i - 1) return false;
        beside_[row] += e.value() * coefficient_[c] * inverse_[c], row_[c] = -2;
      }
      diagonal_[row] += e.value() * e.value() * inverse_[c];
      rate_[row] += e.value() * p.p0[c] * inverse_[c];
    }
    if (!(diagonal_[row] > 0.0)) return false;
    half_lines_ &= low_[row] == 0.0 && high_[row] == HUGE_VAL && !(beside_[row] > 0.0);
    const double idle = std::clamp(0.0, low_[row], high_[row]);  // where it begins: held where its rate asks for a multiplier that it may have
    const bool pushed = (rate_[row] < 0.0 && high_[row] > idle) || (rate_[row] > 0.0 && low_[row] < idle) || (std::isinf(low_[row]) && std::isinf(high_[row]));
    mode_[row] = pushed || (idle > low_[row] && idle < high_[row]) ? Mode::holds : idle == low_[row] ? Mode::low : Mode::high;
  }
  return true;
}

/// r with w = 0 in the rows that hold and the others at their bounds.
bool RowChain::solve_held(std::span<double> r) {
  const std::size_t rows = r.size();
  for (std::size_t i = 0; i < rows; ++i)
    if (mode_[i] != Mode::holds) r[i] = mode_[i] == Mode::low ? low_[i] : high_[i];
  for (std::size_t i = 0; i < rows; ++i) {
    if (mode_[i] != Mode::holds) continue;
    pivot_[i] = diagonal_[i], right_[i] = -rate_[i];
    if (i > 0 && mode_[i - 1] != Mode::holds) right_[i] -= beside_[i] * r[i - 1];
    if (i + 1 < rows && mode_[i + 1] != Mode::holds) right_[i] -= beside_[i + 1] * r[i + 1];
    if (i > 0 && mode_[i - 1] == Mode::holds) {
      const double by = beside_[i] / pivot_[i - 1];
      pivot_[i] -= by * beside_[i], right_[i] -= by * right_[i - 1];
    }
    if (!(pivot_[i] > redundant * diagonal_[i])) return false;
  }
  for (std::size_t i = rows; i-- > 0;) {
    if (mode_[i] != Mode::holds) continue;
    const double behind = i + 1 < rows && mode_[i + 1] == Mode::holds ? beside_[i + 1] * r[i + 1] : 0.0;
    r[i] = (right_[i] - behind) / pivot_[i];
  }
  return true;
}

/// Changes the modes that r contradicts; false: there are none.
bool RowChain::exchange(std::span<const double> r) {
  bool changed = false;
  double largest = 0.0;
  for (const double x : r) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < r.size(); ++i) {
    Mode next = mode_[i];
    if (mode_[i] == Mode::holds) {
      if (r[i] < low_[i] - rounding * largest) next = Mode::low;
      if (r[i] > high_[i] + rounding * largest) next = Mode::high;
    } else if (low_[i] < high_[i]) {
      const double own = diagonal_[i] * r[i], before = i > 0 ? beside_[i] * r[i - 1] : 0.0, behind = i + 1 < r.size() ? beside_[i + 1] * r[i + 1] : 0.0;
      const double w = rate_[i] + own + before + behind, size = rounding * (std::abs(rate_[i]) + std::abs(own) + std::abs(before) + std::abs(behind));
      if (mode_[i] == Mode::low ? w < -size : w > size) next = Mode::holds;
    }
    changed |= next != mode_[i];
    mode_[i] = next;
  }
  return changed;
}

}  // namespace saltus
