// A connection that is switched on and off in a run, and that breaks.
#pragma once

#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// While it holds, B does not move against A: y = rates of the locked motions, (v in A; w in B). While it does not, y = lambda: no force. Written for the
/// rates, so that bodies are joined where they are. It holds while `locked` is above 0 and it has not broken: once the force, or the moment, of an
/// accepted state is above its limit, it is broken for good; an impulse counts as a force over the step in which it passes. lambda: force on B along the
/// axes of A [N], moment on B along the axes of B [N m].
struct Bond {
  Function locked{1.0};
  double force_limit = 0.0, moment_limit = 0.0;
  bool x = true, y = true, z = true, rx = true, ry = true, rz = true;

  using port = FramePair;
  static constexpr int rows = 6;
  static constexpr Level written = Level::rate;
  static constexpr bool linear_rates = true;
  static constexpr bool uses_time = true, uses_lambda = true, switched = true;
  static constexpr std::string_view name = "bond";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "joint";
  static constexpr std::string_view doc = "Fixes B to A while it is locked, where they are when it locks; breaks above a force or a moment.";
  static constexpr std::string_view sample = R"json({"locked": 1, "ry": false})json";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("locked", &Bond::locked, "", "it holds while this function of t is above 0", function_of("t")),
                      field("force_limit", &Bond::force_limit, "N", "breaks above this force; 0: never", at_least(0.0)),
                      field("moment_limit", &Bond::moment_limit, "N m", "breaks above this moment; 0: never", at_least(0.0)),
                      field("x", &Bond::x, "", "holds the translation along x of A"), field("y", &Bond::y, "", "along y"), field("z", &Bond::z, "", "along z"),
                      field("rx", &Bond::rx, "", "holds the rotation about x of B"), field("ry", &Bond::ry, "", "about y"), field("rz", &Bond::rz, "", "about z")};
  }
  int row_count() const { return x + y + z + rx + ry + rz; }
  std::string invalid() const { return row_count() > 0 ? "" : "holds nothing: leave at least one of x, y, z, rx, ry, rz true"; }
  bool parallel() const { return locked.parallel(); }
  static constexpr int history = 1;  // 1: broken

  template <class C>
  double remember(const FramePair::View<double>&, const C& context, double* kept) const {
    const bool holds[] = {x, y, z, rx, ry, rz};
    double square[2] = {};
    for (int i = 0, row = 0; i < 6; ++i)
      if (holds[i]) square[i / 3] += context.lambda[row] * context.lambda[row], ++row;
    const bool breaks = (force_limit > 0.0 && square[0] > force_limit * force_limit) || (moment_limit > 0.0 && square[1] > moment_limit * moment_limit);
    kept[0] = breaks || broken(context) ? 1.0 : 0.0;
    return 0.0;
  }
  template <class S>
  Vec<S, 6> h(const FramePair::View<S>& r, const Context<S, 6>& context) const {
    S switched;
    locked(&context.t, &switched, context.data);
    const bool on = val(switched) > 0.0 && !broken(context), holds[] = {x, y, z, rx, ry, rz};
    Vec<S, 6> rate;
    for (int i = 0, row = 0; i < 6; ++i)
      if (holds[i]) rate[row] = on ? (i < 3 ? r.v[i] : r.w[i - 3]) : context.lambda[row], ++row;
    return rate;
  }

 private:
  template <class C>
  static bool broken(const C& context) { return context.history && context.history[0] > 0.5; }
};

}  // namespace saltus
