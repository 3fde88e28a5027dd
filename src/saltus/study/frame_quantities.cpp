#include <algorithm>
#include <cmath>

#include "saltus/base/errors.hpp"
#include "saltus/math/rotation.hpp"
#include "saltus/study/offered.hpp"

namespace saltus::study {
namespace {

/// J a + bias of a marker: (acceleration in W, angular acceleration in M).
Vec6<double> acceleration(const System& s, const Kinematics& k, int m, const double* a) {
  Vec6<double> r = k.bias[m];
  const int begin = s.marker_column_begin[m], n = s.marker_column_begin[m + 1] - begin;
  for (int i = 0; i < 6; ++i)
    for (int c = 0; c < n; ++c) r[i] += k.jacobian[6 * begin + i * n + c] * a[s.marker_columns[begin + c]];
  return r;
}
Vec3<double> part(const Vec6<double>& x, int first) { return {{x[first], x[first + 1], x[first + 2]}}; }

/// What the frames are at an instant, with accelerations.
struct Moving {
  Frame<double> frame;
  Vec3<double> a, alpha;  // in W, in the frame's own axes
};
using MovingAt = std::function<Moving(Assembly&, const Sample&, bool accelerations)>;

MovingAt moving(const System& s, int m) {
  return [&s, m](Assembly& assembly, const Sample& sample, bool accelerations) {
    const Kinematics& k = accelerations ? at(assembly, sample) : frames_at(assembly, sample);
    Moving x{k.frames[m], {}, {}};
    if (accelerations) {
      const Vec6<double> r = acceleration(s, k, m, sample.a);
      x.a = part(r, 0), x.alpha = part(r, 3);
    }
    return x;
  };
}

/// Adds quantities of one frame that is given as it moves.
class Adder {
 public:
  Adder(std::string before, MovingAt moving, Offered& out) : before_(std::move(before)), moving_(std::move(moving)), out_(out) {}

  template <class F>
  void add(const char* name, const char* unit, std::vector<std::string> components, bool accelerations, F write) {
    out_.push_back({before_ + name, unit, std::move(components), [moving = moving_, write, accelerations](Assembly& a, const Sample& s, double* o) { write(moving(a, s, accelerations), o); }});
  }
  template <class F>
  void vector(const char* name, const char* unit, F value, bool accelerations = false) {
    add(name, unit, xyz(), accelerations, [value](const Moving& x, double* o) { put(value(x), o); });
  }
  void rotations() {
    vector("rotation", "rad", [](const Moving& x) { return quaternion_log(quaternion_of(x.frame.R)); });
    add("quaternion", "", {"w", "x", "y", "z"}, false, [](const Moving& x, double* o) {
      const auto q = quaternion_of(x.frame.R);
      std::copy(q.data(), q.data() + 4, o);
    });
    add("rotation_matrix", "", {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"}, false, [](const Moving& x, double* o) { std::copy(x.frame.R.data(), x.frame.R.data() + 9, o); });
    add("transformation", "", numbers(16), false, [](const Moving& x, double* o) {
      std::fill(o, o + 15, 0.0), o[15] = 1.0;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) o[4 * r + c] = x.frame.R(r, c);
        o[4 * r + 3] = x.frame.p[r];
      }
    });
    static constexpr const char* const axes[] = {"axis_x", "axis_y", "axis_z"};
    for (int c = 0; c < 3; ++c)
      vector(axes[c], "", [c](const Moving& x) { return Vec3<double>{{x.frame.R(0, c), x.frame.R(1, c), x.frame.R(2, c)}}; });
  }

 private:
  std::string before_;
  MovingAt moving_;
  Offered& out_;
};

/// Axes of a sequence, of the world (small letters) or turning along (capitals).
struct Sequence {
  int axes[3];
  bool moving;
};
Sequence sequence_of(const std::string& text, const std::string& path) {
  const auto refuse = [&](const char* message) {
    throw ModelError("outputs/" + path, "'" + text + "' " + message, "write x, y, z for axes of the world or X, Y, Z for axes that turn along, such as angles_ZYX; no axis twice in a row");
  };
  Sequence s{{0, 0, 0}, !text.empty() && text[0] >= 'X' && text[0] <= 'Z'};
  if (text.size() != 3) refuse("is no sequence of three axes");
  for (int i = 0; i < 3; ++i) {
    s.axes[i] = text[i] - (s.moving ? 'X' : 'x');
    if (s.axes[i] < 0 || s.axes[i] > 2) refuse("is no sequence of three axes");
    if (i > 0 && s.axes[i] == s.axes[i - 1]) refuse("turns twice about the same axis in a row");
  }
  return s;
}

/// The middle angle is within +-pi/2, or 0 to pi where the first and the last axis are the same. At its ends the third is 0. Bernardes, Viollet 2022.
void write_angles(const Mat3<double>& R, const Sequence& s, double* out) {
  constexpr double pi = 3.14159265358979323846, singular = 1e-7;
  const int i = s.axes[s.moving ? 2 : 0], j = s.axes[1], last = s.axes[s.moving ? 0 : 2];
  const bool proper = i == last;
  const int k = proper ? 3 - i - j : last;
  const double sign = (i - j) * (j - k) * (k - i) / 2;
  const auto q = quaternion_of(R);
  double a = q[0], b = q[1 + i], c = q[1 + j], d = sign * q[1 + k];
  if (!proper) {
    const double a0 = a, b0 = b;
    a -= c, b += d, c += a0, d -= b0;
  }
  double middle = 2.0 * std::atan2(std::hypot(c, d), std::hypot(a, b));
  const double total = std::atan2(b, a), difference = std::atan2(d, c);
  double first = total - difference, third = total + difference;
  const bool low = middle < singular, high = middle > pi - singular;
  if (low || high) {
    const double lone = low ? 2.0 * total : (s.moving ? 2.0 : -2.0) * difference;
    first = s.moving ? 0.0 : lone, third = s.moving ? lone : 0.0;
  }
  if (!proper) third *= sign, middle -= 0.5 * pi;
  const auto wrapped = [&](double x) { return x - 2.0 * pi * std::floor((x + pi) / (2.0 * pi)); };
  out[0] = wrapped(s.moving ? third : first), out[1] = middle, out[2] = wrapped(s.moving ? first : third);
}

}  // namespace

const std::vector<std::string>& xyz() {
  static const std::vector<std::string> names{"x", "y", "z"};
  return names;
}
std::vector<std::string> numbers(int n) {
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) names.push_back(std::to_string(i));
  return names;
}

void add_frame(const System& system, int marker, const Vec3<double>& reference, Offered& out) {
  Adder to("", moving(system, marker), out);
  const auto body = [](const Moving& x, const Vec3<double>& v) { return transposed_times(x.frame.R, v); };
  to.vector("position", "m", [](const Moving& x) { return x.frame.p; });
  to.vector("displacement", "m", [reference](const Moving& x) { return x.frame.p - reference; });
  to.vector("velocity", "m/s", [](const Moving& x) { return x.frame.v; });
  to.vector("acceleration", "m/s^2", [](const Moving& x) { return x.a; }, true);
  to.rotations();
  to.vector("angular_velocity", "rad/s", [](const Moving& x) { return x.frame.R * x.frame.w; });
  to.vector("angular_acceleration", "rad/s^2", [](const Moving& x) { return x.frame.R * x.alpha; }, true);
  to.vector("displacement_body", "m", [=](const Moving& x) { return body(x, x.frame.p - reference); });
  to.vector("velocity_body", "m/s", [=](const Moving& x) { return body(x, x.frame.v); });
  to.vector("acceleration_body", "m/s^2", [=](const Moving& x) { return body(x, x.a); }, true);
  to.vector("angular_velocity_body", "rad/s", [](const Moving& x) { return x.frame.w; });
  to.vector("angular_acceleration_body", "rad/s^2", [](const Moving& x) { return x.alpha; }, true);
}

void add_relative(const System& system, int A, int B, const std::string& before, Offered& out) {
  // As an observer on A sees B: with r = p_B - p_A, w of A, R_A^T applied to all, v_r = v_B - v_A - w x r, a_r = a_B - a_A - alpha x r - w x (w x r) - 2 w x v_r.
  const auto seen = [of_A = moving(system, A), of_B = moving(system, B)](Assembly& assembly, const Sample& sample, bool accelerations) {
    const Moving a = of_A(assembly, sample, accelerations), b = of_B(assembly, sample, accelerations);
    const auto to_A = [&](const Vec3<double>& v) { return transposed_times(a.frame.R, v); };
    Moving x;
    x.frame.p = to_A(b.frame.p - a.frame.p), x.frame.R = transposed(a.frame.R) * b.frame.R;
    x.frame.v = to_A(b.frame.v - a.frame.v) - cross(a.frame.w, x.frame.p);
    x.frame.w = to_A(b.frame.R * b.frame.w) - a.frame.w;  // here in the axes of A
    if (accelerations) {
      x.a = to_A(b.a - a.a) - cross(a.alpha, x.frame.p) - cross(a.frame.w, cross(a.frame.w, x.frame.p)) - 2.0 * cross(a.frame.w, x.frame.v);
      x.alpha = to_A(b.frame.R * b.alpha) - a.alpha - cross(a.frame.w, x.frame.w);
    }
    return x;
  };
  Adder to(before, seen, out);
  to.add("distance", "m", {}, false, [](const Moving& x, double* o) { *o = norm(x.frame.p); });
  to.add("distance_rate", "m/s", {}, false, [](const Moving& x, double* o) {
    const double length = norm(x.frame.p);
    *o = length > 0.0 ? dot(x.frame.p, x.frame.v) / length : norm(x.frame.v);
  });
  to.vector("position", "m", [](const Moving& x) { return x.frame.p; });
  to.vector("velocity", "m/s", [](const Moving& x) { return x.frame.v; });
  to.vector("acceleration", "m/s^2", [](const Moving& x) { return x.a; }, true);
  to.rotations();
  to.vector("angular_velocity", "rad/s", [](const Moving& x) { return x.frame.w; });
  to.vector("angular_acceleration", "rad/s^2", [](const Moving& x) { return x.alpha; }, true);
}

std::optional<Named> angles_of(const Offered& offered, const std::string& name, const std::string& path) {
  const std::size_t at_word = name.find("angles_");
  if (at_word == std::string::npos) return std::nullopt;
  const std::string matrix = name.substr(0, at_word) + "rotation_matrix";
  const auto it = std::find_if(offered.begin(), offered.end(), [&](const Named& n) { return n.name == matrix; });
  if (it == offered.end()) return std::nullopt;
  const Sequence sequence = sequence_of(name.substr(at_word + 7), path);
  return Named{name, "rad", numbers(3), [matrix_of = it->evaluate, sequence](Assembly& a, const Sample& s, double* o) {
                 Mat3<double> R;
                 matrix_of(a, s, R.data());
                 write_angles(R, sequence, o);
               }};
}

}  // namespace saltus::study
