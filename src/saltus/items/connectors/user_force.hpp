// A user's force on frames and coordinates.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/index.hpp"
#include "saltus/items/relations/place_derivatives.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// Forces, torques and efforts as functions of where the ends are and how they move; -dV of a potential V; a tension f(t, L, dL/dt) along any
/// scalar L of the ends, which does the work -f dL. They add up. What it remembers is updated once for each accepted step.
struct UserForce {
  Function function, potential, length, tension, update;
  std::vector<double> memory;

  static constexpr double sign = 1.0;
  static constexpr CoordinateKind coordinates = CoordinateKind::none;
  static constexpr std::string_view name = "user_force";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "A user's force on frames and coordinates: as a function, by a potential, or along a scalar of them.";
  static constexpr auto fields() {
    return std::tuple{
        field("function", &UserForce::function, "", "f(t, A_x, ..., A_R22, A_vx, ..., A_wz, B_x, ..., q0, ..., v0, ..., m0, ...): the force on each frame and, in a second form, the torque "
              "behind each force (world axes), then the effort on each coordinate, of a first-order state its rate; default 0", function_of("t|frame*|q*|v*|m*", 0)),
        field("potential", &UserForce::potential, "J", "V(A_x, A_y, A_z, A_R00, ..., A_R22, B_x, ..., q0, ..., m0, ...): the force is -dV along each direction in which the ends move; default 0",
              or_else(function_of("pose*|q*|m*"), "V depends on places alone; give what varies in time, or with the velocities, as `function`")),
        field("length", &UserForce::length, "", "L(A_x, ..., q0, ..., m0, ...): the scalar that `tension` acts along",
              or_else(function_of("pose*|q*|m*"), "L depends on places alone; `tension` is a function of t, L and dL = dL/dt")),
        field("tension", &UserForce::tension, "", "f(t, L, dL), positive makes L smaller; dL = dL/dt; default 0", function_of("t|L|dL")),
        field("memory", &UserForce::memory, "", "initial values of what it remembers, m0, m1, ...; default none"),
        field("update", &UserForce::update, "", "new values of the memory after each accepted step, functions of the inputs of `function`", function_of("t|frame*|q*|v*|m*", 0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"frames", "frame", false, true, "frames, A, B, ... in the functions"}, PortInfo{"on", "coordinate", false, true, "coordinates, q0, q1, ... in the functions"}};
  }
  static constexpr int sample_frames = 2, sample_coordinates = 2;
  static constexpr std::string_view sample = R"json({"function": ["A_vx*B_R01 - q0", "sin(t)*A_wz", "B_z*A_R22", "A_x*B_wy", "v0*A_R10", "m0", "A_z - B_z", "B_vz*q1", "A_vy", "B_R20", "A_wx*B_x", "q0*q1", "sin(q0)*A_x + v1", "B_y*v0 - m0*q0"],
    "potential": "0.5*(B_x - A_x - 0.3*m0)^2 + q0*A_R02*B_R11 + cos(q1)*B_R00", "length": "sqrt(4 + (A_x - B_z)^2 + q0*A_R21 + q1)", "tension": "3*(L - 1) + 0.4*dL + 0.1*sin(t)*L^2",
    "memory": [0.7], "update": "0.5*m0 + A_x"})json";

  std::string invalid(int frames, int n) const;
  bool parallel() const { return function.parallel() && potential.parallel() && length.parallel() && tension.parallel() && update.parallel(); }
  double potential_energy(const CoordinateView<double>& x) const;
  int memory_size() const { return count_of(memory); }
  void remember(const CoordinateView<double>& x, double* kept) const;
  /// What is wrong with what its update gave, and what to do; empty: nothing is.
  std::string refusal(const double* kept) const;
  /// Learns along which directions of so many ends potential and length vary, and how its formulas do.
  void know_ends(int frames, int n);
  /// Whether it reads how a frame is turned or turns, or puts a torque on it.
  bool takes_axes(int frame) const {
    const int motion = 1 + sizes::frame * frame, place = sizes::pose * frame;
    return torques || sizes::turns(function, motion, sizes::frame) || sizes::turns(update, motion, sizes::frame) || sizes::turns(potential, place, sizes::pose) ||
           sizes::turns(length, place, sizes::pose);
  }
  /// K (by all directions of the ends) += d(rest), each direction moved by its `value` in place and its `rate` in velocity. False where a function
  /// is no formula or a derivative not finite.
  bool derivatives(const CoordinateView<double>& x, const double* value, const double* rate, double* K) const;

  template <class S>
  void rest(const CoordinateView<S>& x, S* out) const {
    std::fill_n(out, x.tangent(), S(0.0));
    if (!sizes::absent(function)) add_function(x, out);
    if (!sizes::absent(potential))
      each_derivative(potential, by_potential, potential_along, x, [&](int direction, const S&, const S& slope) { out[direction] -= slope; });
    if (!sizes::absent(tension)) add_tension(x, out);
  }

 private:
  bool torques = false;  // behind the forces of `function`
  std::vector<int> potential_along, length_along;
  std::vector<int> direction_of_motion;  // by input of `function`; of a velocity after all places
  std::shared_ptr<const FormulaDerivatives> by_function, by_tension;  // null: no formula
  PlaceDerivatives by_potential, by_length;

  bool add_function_derivatives(const CoordinateView<double>& x, const double* value, const double* rate, double* K) const;
  bool add_potential_derivatives(const CoordinateView<double>& x, const double* value, double* K) const;
  bool add_tension_derivatives(const CoordinateView<double>& x, const double* value, const double* rate, double* K) const;
  template <class S>
  void add_memory(const CoordinateView<S>& x, sizes::Inputs<S>& in) const {
    for (int i = 0; i < memory_size(); ++i) in.add(S(x.history ? x.history[i] : memory[i]));
  }
  /// `operations`: those of a formula, for numbers; null: f itself.
  template <class S>
  void evaluate(const Function& f, [[maybe_unused]] const FormulaDerivatives* operations, const CoordinateView<S>& x, S* out) const {
    sizes::Inputs<S> in(1 + sizes::frame * x.frames + 2 * x.n + memory_size());
    in.add(x.t).add_frames(x).add(x.q, x.n).add(x.v, x.n);
    add_memory(x, in);
    if constexpr (std::is_same_v<S, double>)
      if (operations) return (*operations)(in.data(), x.data, 0, out);
    f(in.data(), out, x.data);
  }
  /// Inputs of potential and length.
  template <class S>
  struct Places : sizes::Inputs<S> {
    Places(const UserForce& force, const CoordinateView<S>& x) : sizes::Inputs<S>(sizes::pose * x.frames + x.n + force.memory_size()) {
      this->add_poses(x).add(x.q, x.n);
      force.add_memory(x, *this);
    }
  };
  template <class S>
  S scalar(const Function& f, const CoordinateView<S>& x) const {
    Places<S> in(*this, x);
    S y;
    f(in.data(), &y, x.data);
    return y;
  }
  template <class S>
  void add_function(const CoordinateView<S>& x, S* out) const {
    detail::Buffer<S> f(function.outputs());
    if constexpr (std::is_same_v<S, double>) evaluate(function, by_function.get(), x, f.data());
    else evaluate(function, nullptr, x, f.data());
    const S* next = f.data();
    for (int i = 0; i < x.frames; ++i, out += 6) {
      for (int c = 0; c < 3; ++c) out[c] += *next++;
      if (!torques) continue;
      const Vec3<S> torque = transposed_times(x.frame[i].R, Vec3<S>{{next[0], next[1], next[2]}});
      for (int c = 0; c < 3; ++c) out[3 + c] += torque[c];
      next += 3;
    }
    for (int i = 0; i < x.n; ++i) *out++ += *next++;
  }
  template <class S>
  void add_tension(const CoordinateView<S>& x, S* out) const {
    detail::Buffer<S> slope(x.tangent());
    S in[] = {x.t, S(0.0), S(0.0)};
    each_derivative(length, by_length, length_along, x, [&](int direction, const S& L, const S& by) { in[1] = L, in[2] += by * rate(x, direction), slope[direction] = by; });
    S f;
    tension(in, &f, x.data);
    for (const int d : length_along) out[d] -= f * slope[d];
  }
  template <class S>
  static S rate(const CoordinateView<S>& x, int direction) {
    if (direction >= 6 * x.frames) return x.v[direction - 6 * x.frames];
    const Frame<S>& f = x.frame[direction / 6];
    return direction % 6 < 3 ? f.v[direction % 6] : f.w[direction % 6 - 3];
  }
  /// use(direction, f, df/d(direction)) for each of the directions `along` which f varies.
  template <class S, class Use>
  void each_derivative(const Function& f, [[maybe_unused]] const PlaceDerivatives& known, const std::vector<int>& along, const CoordinateView<S>& x, const Use& use) const {
    if constexpr (std::is_same_v<S, double>)
      if (known.known()) {
        detail::Buffer<double> slope(x.tangent());
        double y;
        if (known.slopes(x, Places<double>(*this, x).data(), &y, slope.data())) {
          for (const int d : along) use(d, y, slope[d]);
          return;
        }
      }
    detail::EndValues<Dual<detail::dual_pass, S>> moved(x);
    const int n = count_of(along);
    for (int first = 0; first < n; first += detail::dual_pass) {
      const int count = std::min(detail::dual_pass, n - first);
      for (int c = 0; c < count; ++c) moved.move(along[first + c], c, S(1.0), S(0.0));
      const auto y = scalar(f, moved.view);
      for (int c = 0; c < count; ++c) use(along[first + c], y.value, y.d[c]);
      for (int c = 0; c < count; ++c) moved.stop(along[first + c], c);
    }
  }
};

}  // namespace saltus
