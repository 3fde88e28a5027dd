// States of a run on their way to Python: columns that grow in whole chunks and are handed over without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "saltus/study/between_states.hpp"

namespace saltus::python {

/// Rows of t, y, a, lambda, data, h, iterations, residuals and xdot, one a recorded state; apart from them the rows before which
/// there is not one smooth step. Memory is asked for once a chunk, and touched as it is filled.
class StateTable {
 public:
  using Array = nanobind::ndarray<nanobind::numpy, double, nanobind::c_contig>;

  /// expected: rows that will come, where that is known; else 0.
  StateTable(const Layout& l, double expected)
      : columns_{Column{1}, {l.y_size()}, {l.nv}, {l.rows}, {l.nd}, {1}, {1}, {3}, {l.nx}},
        most_(std::max(std::size_t{16}, largest / static_cast<std::size_t>(l.y_size() + l.nv + l.rows + l.nd + l.nx + 6))),
        next_(std::clamp(expected, 64.0, static_cast<double>(most_))) {}

  std::size_t rows() const { return rows_; }
  bool full() const { return rows_ == most_ || contacts_.size() >= largest; }

  void append(const State& state, const StepReport& step, Piece before) {
    append({state.t(), state.y(), state.a(), state.xdot(), state.lambda(), state.data()}, state.h(), step, before);
  }
  void append(const RecordedState& state, double h, const StepReport& step, Piece before) {
    if (rows_ == capacity_) grow();
    const double iterations = step.iterations;
    const double residuals[3] = {step.residual.equations, step.residual.constraints, step.residual.laws};
    const double* parts[count] = {&state.t, state.y, state.a, state.lambda, state.data, &h, &iterations, residuals, state.xdot};
    if (before != Piece::smooth) pieces_.emplace_back(rows_, static_cast<int>(before));
    for (int k = 0; k < count; ++k) columns_[k].append(parts[k]);
    for (const ContactState& c : step.contacts) append(c);
    ++rows_;
  }

  /// (row, Piece) of those that are not smooth, of the rows that take() gives next.
  const std::vector<std::pair<std::size_t, int>>& pieces() const { return pieces_; }
  /// (n, contact_width): row of the state, numbers of A, B and the group, identity, gap, point, normal, tangent, force, torque, slip, step and share of friction
  /// of each contact between groups (ContactState).
  nanobind::object take_contacts() {
    const std::size_t shape[2] = {contacts_.size() / contact_width, contact_width};
    auto owned = std::make_unique<std::vector<double>>(std::exchange(contacts_, {}));
    double* data = owned->data();
    const nanobind::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return nanobind::cast(Array(data, 2, shape, owner));
  }
  /// The arrays in the order above, (rows) or (rows, width); the record is empty afterwards.
  nanobind::list take() {
    nanobind::list out;
    for (int k = 0; k < count; ++k) {
      double* data = columns_[k].data.release();
      const nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
      const std::size_t shape[2] = {rows_, static_cast<std::size_t>(columns_[k].width)};
      const bool flat = k == 0 || k == 5 || k == 6;
      out.append(data ? Array(data, flat ? 1 : 2, shape, owner) : Array(nullptr, flat ? 1 : 2, shape));
    }
    rows_ = capacity_ = 0;
    pieces_.clear();
    return out;
  }

 private:
  void append(const ContactState& c) {
    contacts_.insert(contacts_.end(), {static_cast<double>(rows_), static_cast<double>(c.A), static_cast<double>(c.B), static_cast<double>(c.group), c.name, c.gap});
    for (const Vec3<double>* v : {&c.point, &c.normal, &c.tangent, &c.force, &c.torque, &c.slip})
      for (int i = 0; i < 3; ++i) contacts_.push_back((*v)[i]);
    contacts_.insert(contacts_.end(), {c.step, c.share});
  }

  static constexpr int count = 9;
  static constexpr std::size_t contact_width = 26;
  static constexpr std::size_t largest = 4u << 20;  // numbers of a chunk
  struct Column {
    int width;
    std::unique_ptr<double[]> data;
    double* end = nullptr;

    void append(const double* row) {
      switch (width) {  // most are small: a call of memcpy costs more than they do
        case 4: end[3] = row[3]; [[fallthrough]];
        case 3: end[2] = row[2]; [[fallthrough]];
        case 2: end[1] = row[1]; [[fallthrough]];
        case 1: end[0] = row[0]; [[fallthrough]];
        case 0: break;
        default: std::copy_n(row, width, end);
      }
      end += width;
    }
  };

  /// A first or a larger chunk.
  void grow() {
    const std::size_t rows = std::min(most_, capacity_ == 0 ? static_cast<std::size_t>(next_) : 2 * capacity_);
    for (Column& c : columns_) {
      std::unique_ptr<double[]> larger(new double[rows * static_cast<std::size_t>(c.width)]);
      std::copy_n(c.data.get(), rows_ * static_cast<std::size_t>(c.width), larger.get());
      c.data = std::move(larger);
      c.end = c.data.get() + rows_ * static_cast<std::size_t>(c.width);
    }
    capacity_ = rows;
    next_ = static_cast<double>(rows);
  }

  Column columns_[count];
  std::vector<std::pair<std::size_t, int>> pieces_;
  std::vector<double> contacts_;
  std::size_t most_, rows_ = 0, capacity_ = 0;
  double next_;
};

}  // namespace saltus::python
