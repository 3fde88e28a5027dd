// What is wrong with the sizes of matrices and functions of items of run-time size; empty if nothing.
#pragma once

#include <string>
#include <string_view>
#include <memory>

#include "saltus/base/room.hpp"
#include "saltus/math/function.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus::sizes {

inline std::string text(int rows, int cols) { return std::to_string(rows) + " x " + std::to_string(cols); }
/// An empty matrix stands for zero where `optional`.
inline std::string wrong(std::string_view field, const Matrix& m, int rows, int cols, bool optional = false) {
  if ((optional && m.rows == 0) || (m.rows == rows && m.cols == cols)) return {};
  return std::string(field) + " is " + text(m.rows, m.cols) + ", must be " + text(rows, cols);
}
/// The constant 0 stands for as many zeros as it takes.
inline bool absent(const Function& f) {
  if (f.is_external() || !f.is_constant() || f.outputs() != 1) return false;
  double value;
  f(static_cast<const double*>(nullptr), &value, nullptr);
  return value == 0.0;
}
inline std::string wrong(std::string_view field, const Function& f, int results, bool optional = false) {
  if ((optional && absent(f)) || f.outputs() == results) return {};
  return std::string(field) + " has " + std::to_string(f.outputs()) + " results, must have " + std::to_string(results);
}
inline std::string on_nothing(int frames, int coordinates) { return frames + coordinates > 0 ? "" : "is on nothing: name frames, or coordinates in `on`"; }
inline std::string first(std::string a, std::string b, std::string c = {}, std::string d = {}) {
  for (std::string* s : {&a, &b, &c, &d})
    if (!s->empty()) return *s;
  return {};
}

inline constexpr int pose = 12, frame = 18;  // numbers of a frame, without and with its velocities

/// Whether f reads the axes of a frame whose `count` inputs, pose or frame, begin at `first`, or how these turn.
inline bool turns(const Function& f, int first, int count) {
  for (int i = 3; i < count; ++i)
    if ((i < pose || i >= pose + 3) && f.depends_on(first + i)) return true;
  return false;
}

/// Inputs of a user function, side by side: time, then the given lists.
template <class S>
class Inputs {
 public:
  explicit Inputs(int size) : large_(size > small ? static_cast<std::size_t>(size) : 0), next_(size > small ? large_.data() : small_.data()), data_(next_) {}
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  Inputs& add(const S& x) { std::construct_at(next_++, x); return *this; }
  Inputs& add(const S* x, int n) { for (int i = 0; i < n; ++i) std::construct_at(next_++, x[i]); return *this; }
  /// Places and rotations of frames: `pose*` of the names of inputs.
  Inputs& add_poses(const CoordinateView<S>& x) {
    for (int i = 0; i < x.frames; ++i) add(x.frame[i].p.data(), 3).add(x.frame[i].R.data(), 9);
    return *this;
  }
  /// With their velocities, the angular one in world axes: `frame*`.
  Inputs& add_frames(const CoordinateView<S>& x) {
    for (int i = 0; i < x.frames; ++i) {
      const Vec3<S> w = x.frame[i].R * x.frame[i].w;
      add(x.frame[i].p.data(), 3).add(x.frame[i].R.data(), 9).add(x.frame[i].v.data(), 3).add(w.data(), 3);
    }
    return *this;
  }
  S* data() { return data_; }

 private:
  static constexpr int small = 48;
  Room<S, small> small_;
  std::vector<S> large_;
  S* next_;
  S* data_;
};

}  // namespace saltus::sizes
