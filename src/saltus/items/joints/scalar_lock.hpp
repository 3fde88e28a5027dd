// Locks on a scalar coordinate, switched in a run; they slip for good above a limit.
#pragma once

#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// While it holds y = v_B - v_A, else y = lambda: no effort. It holds while `locked` is above 0 and it has not broken: once the effort of an accepted
/// state is above `limit`, it is broken for good; an impulse counts as a force over the step. lambda: force or torque on B.
template <class Of>
struct ScalarLock {
  Function locked{1.0};
  double limit = 0.0;

  using port = CoordPair;
  using of = Of;
  static constexpr int rows = 1;
  static constexpr Level written = Level::rate;
  static constexpr bool linear_rates = true;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr bool uses_time = true, uses_lambda = true, switched = true;
  static constexpr std::string_view name = word_for<Of>("coordinate_lock", "revolute_lock", "prismatic_lock");
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = word_for<Of>("joint", "revolute", "joint");
  static constexpr std::string_view doc = word_for<Of>("Keeps the difference of two coordinates, or one, constant while it is locked; breaks above a force or torque.",
                                                       "Holds the angle about the z axis of two joint frames while it is locked; breaks above a torque.",
                                                       "Holds the position along the z axis of two joint frames while it is locked; breaks above a force.");
  static constexpr std::string_view sample = R"({"locked": 1})";
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("locked", &ScalarLock::locked, "", "it holds while this function of t is above 0", function_of("t")),
                      field("limit", &ScalarLock::limit, Of::effort_unit, "breaks above this force or torque; 0: never", at_least(0.0))};
  }
  bool parallel() const { return locked.parallel(); }
  static constexpr int history = 1;  // 1: broken

  template <class C>
  double remember(const CoordPair::View<double>&, const C& context, double* kept) const {
    kept[0] = (limit > 0.0 && std::abs(context.lambda[0]) > limit) || broken(context) ? 1.0 : 0.0;
    return 0.0;
  }
  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& r, const Context<S, 1>& context) const {
    S switched;
    locked(&context.t, &switched, context.data);
    return {{val(switched) > 0.0 && !broken(context) ? r.v : context.lambda[0]}};
  }

 private:
  template <class C>
  static bool broken(const C& context) { return context.history && context.history[0] > 0.5; }
};

}  // namespace saltus
