// The state of a run: one flat buffer. Copy is memcpy; a saved buffer restarts a run bit for bit.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "saltus/system/layout.hpp"

namespace saltus {

/// Offsets of everything that a later step reuses. [t h steps .. | y = q v x z 0 | a | xdot | lambda | data | memory].
struct StateLayout {
  Layout system;
  int memory_size = 0;  // the scheme's own doubles: history, step control, last accepted factors, contact tail

  static constexpr int head = 8;  // t, proposed h, accepted steps, rejected steps, where the run began, 3 spare
  int y() const { return head; }
  int a() const { return y() + system.y_size(); }
  int xdot() const { return a() + system.nv; }
  int lambda() const { return xdot() + system.nx; }
  int data() const { return lambda() + system.rows; }
  int memory() const { return data() + system.nd; }
  int size() const { return memory() + memory_size; }
};

class State {
 public:
  State() = default;
  explicit State(const StateLayout& layout)
      : layout_(layout),
        at_{layout.system.v_begin(), layout.system.x_begin(), layout.system.z_begin(), layout.a(), layout.xdot(), layout.lambda(), layout.data(), layout.memory()},
        buffer_(static_cast<std::size_t>(layout.size()), 0.0) {}

  double& t() { return buffer_[0]; }
  double t() const { return buffer_[0]; }
  double& h() { return buffer_[1]; }
  double h() const { return buffer_[1]; }
  double& steps() { return buffer_[2]; }
  double steps() const { return buffer_[2]; }
  double& rejected() { return buffer_[3]; }
  double rejected() const { return buffer_[3]; }

  /// Time of the run's first state.
  double& begun() { return buffer_[4]; }
  double begun() const { return buffer_[4]; }

  double* y() { return buffer_.data() + StateLayout::head; }
  const double* y() const { return buffer_.data() + StateLayout::head; }
  double* q() { return y(); }
  const double* q() const { return y(); }
  double* v() { return y() + at_.v; }
  const double* v() const { return y() + at_.v; }
  double* x() { return y() + at_.x; }
  const double* x() const { return y() + at_.x; }
  double* z() { return y() + at_.z; }
  const double* z() const { return y() + at_.z; }
  double* a() { return buffer_.data() + at_.a; }
  const double* a() const { return buffer_.data() + at_.a; }
  double* xdot() { return buffer_.data() + at_.xdot; }
  const double* xdot() const { return buffer_.data() + at_.xdot; }
  double* lambda() { return buffer_.data() + at_.lambda; }
  const double* lambda() const { return buffer_.data() + at_.lambda; }
  double* data() { return buffer_.data() + at_.data; }
  const double* data() const { return buffer_.data() + at_.data; }
  double* memory() { return buffer_.data() + at_.memory; }
  const double* memory() const { return buffer_.data() + at_.memory; }

  const StateLayout& layout() const { return layout_; }
  std::span<const double> bytes() const { return buffer_; }
  std::span<double> bytes() { return buffer_; }

 private:
  StateLayout layout_;
  struct { int v = 0, x = 0, z = 0, a = 0, xdot = 0, lambda = 0, data = 0, memory = 0; } at_;  // sums of sizes, read several times a step
  std::vector<double> buffer_;
};

}  // namespace saltus
