// Joint that locks any of three translations and three rotations.
#pragma once

#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// Rows of the locked motions in the order x, y, z, rx, ry, rz. Translations: p_AB in A [m]. Rotations, each row the turn about its
/// axis to first order:
///   three locked   twice the vector part of R_AB's quaternion, regular up to half a turn
///   two locked     the axis k of B that is left free stays on that of A: its components in A, regular at any turn about k
///   one locked     Cardan's joint about k: arm k + 1 fixed in A, arm k + 2 fixed in B stay normal to each other, regular at any turn
/// What is locked may be given in time: p_AB = offset(t), and the rotations stand against the axes of A turned by exp(turn(t)).
/// lambda: force on B along the axes of A at B's point [N], moment on B about the axes, so turned [N m].
struct Generic {
  bool x = false, y = false, z = false, rx = false, ry = false, rz = false;
  Function offset{std::vector<double>(3)}, turn{std::vector<double>(3)};

  using port = FramePair;
  static constexpr int rows = 6;
  static constexpr bool uses_time = true;
  static constexpr std::string_view name = "generic";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "joint";
  static constexpr std::string_view sample = R"json({"y": true, "z": true, "rx": true, "rz": true, "offset": ["0", "0.3*sin(t)", "t^2"], "turn": ["0.4*t", "0", "cos(t)"]})json";
  static constexpr std::string_view doc = "Joint with any of three translations and three rotations locked, along the axes of A's joint frame.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("x", &Generic::x, "", "locks the translation along x"), field("y", &Generic::y, "", "locks the translation along y"),
                      field("z", &Generic::z, "", "locks the translation along z"), field("rx", &Generic::rx, "", "locks the rotation about x"),
                      field("ry", &Generic::ry, "", "locks the rotation about y"), field("rz", &Generic::rz, "", "locks the rotation about z"),
                      field("offset", &Generic::offset, "m", "where along x, y, z the locked translations stand: functions of t", function_of("t", 3)),
                      field("turn", &Generic::turn, "rad", "rotation vector against which the locked rotations stand, axes of A: functions of t", function_of("t", 3))};
  }
  std::string_view free_motions() const {
    const bool angle = rx && ry && !rz, position = !this->z;
    return angle && position ? "angle|position" : angle ? "angle" : position ? "position" : "";
  }
  int row_count() const { return x + y + z + rx + ry + rz; }
  std::string invalid() const {
    if (row_count() == 0) return "locks nothing: set at least one of x, y, z, rx, ry, rz to true";
    if (const std::string free = driven_freely(); !free.empty()) return free + " is given in time and not locked: lock it, or leave it out";
    return {};
  }
  bool parallel() const { return offset.parallel() && turn.parallel(); }

  template <class S>
  Vec<S, 6> h(const FramePair::View<S>& r, const Context<S, 6>& context) const {
    Vec<S, 6> out;
    int row = 0;
    const bool moves[] = {x, y, z}, turns[] = {rx, ry, rz};
    const Vec3<S> stands = given(offset, context.t, context.data);
    for (int i = 0; i < 3; ++i)
      if (moves[i]) out[row++] = r.p[i] - stands[i];
    const int locked = rx + ry + rz;
    if (locked == 0) return out;
    const Mat3<S> R = turned_back(r.R, context.t, context.data);
    const Vec3<S> open = locked == 3 ? alignment::lock(R) : Vec3<S>{};
    for (int i = 0; i < 3; ++i)
      if (turns[i]) out[row++] = locked == 3 ? open[i] : sign(i, locked) * R(first(i, locked), second(i, locked));
    return out;
  }
  template <class S>
  Mat<S, 6, 6> jacobian(const FramePair::View<S>& r, const Context<S, 6>& context) const {
    Mat<S, 6, 6> H;
    int row = 0;
    const bool moves[] = {x, y, z}, turns[] = {rx, ry, rz};
    for (int i = 0; i < 3; ++i)
      if (moves[i]) H(row++, i) = S(1.0);
    const int locked = rx + ry + rz;
    if (locked == 0) return H;
    const Mat3<S> R = turned_back(r.R, context.t, context.data);
    if (locked == 3) {
      alignment::lock_rows(R, H, row);
      return H;
    }
    for (int i = 0; i < 3; ++i)
      if (turns[i]) {
        alignment::component_row(R, first(i, locked), second(i, locked), H, row);
        for (int j = 3; j < 6; ++j) H(row, j) = H(row, j) * sign(i, locked);
        ++row;
      }
    return H;
  }

 private:
  template <class S>
  static Vec3<S> given(const Function& function, const S& t, const double* data) {
    Vec3<S> value;
    function(&t, value.data(), data);
    return value;
  }
  /// exp(turn(t))^T R.
  template <class S>
  Mat3<S> turned_back(const Mat3<S>& R, const S& t, const double* data) const {
    if (zero(turn)) return R;
    return transposed(rotation_exp(given(turn, t, data))) * R;
  }
  static bool zero(const Function& function) {
    if (!function.is_constant()) return false;
    const Vec3<double> value = given(function, 0.0, nullptr);
    return value[0] == 0.0 && value[1] == 0.0 && value[2] == 0.0;
  }
  /// The name of a motion that is given a place without being locked.
  std::string driven_freely() const {
    static constexpr const char* words[] = {"x", "y", "z", "rx", "ry", "rz"};
    const bool locks[] = {x, y, z, rx, ry, rz};
    for (int i = 0; i < 6; ++i) {
      const Function& function = i < 3 ? offset : turn;
      if (function.is_external() || locks[i]) continue;
      const std::string& text = function.source()[i % 3];
      if (text != "0") return std::string(words[i]) + " ('" + text + "')";
    }
    return {};
  }
  /// Axis that two locked rotations leave free.
  int free_axis() const { return !rx ? 0 : !ry ? 1 : 2; }
  /// The row of locked rotation i is sign R(first, second): R(m, k) is the turn of k towards m, m the third axis.
  int first(int i, int locked) const { return locked == 1 ? (i + 1) % 3 : 3 - i - free_axis(); }
  int second(int i, int locked) const { return locked == 1 ? (i + 2) % 3 : free_axis(); }
  /// theta about i moves k towards i x k: the third axis where k = i + 1, against it where k = i + 2.
  double sign(int i, int locked) const { return locked == 1 ? -1.0 : free_axis() == (i + 1) % 3 ? 1.0 : -1.0; }
};

}  // namespace saltus
