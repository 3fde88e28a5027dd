// Ports: the kinematics an item is written on, and the way back to markers and unknowns.
// A port has a tangent of fixed size; a kernel's force is conjugate to that tangent, its rows are columns of it.
//   gather    endpoints -> View<double>
//   seeded    View<double> -> View<Dual<N>> moving along the tangent (value and rate factors of the scheme)
//   along     endpoints -> View<Taylor2<>>: the motion at vdot = 0, for the second derivative of a relation
//   scatter   adds a port force to markers and coordinates
//   columns / jacobian   unknowns under the port and the T x n matrix to its tangent
//   moved     View<S> displaced by a tangent vector, to first order: for nested derivatives
//   geometric            adds d(J^T f)/dq at fixed f
//   rate                 the port's velocity, in its tangent
//   rate_jacobian        adds d(rate)/dq at fixed v (T x n); false where it is zero. The J of a node's own frame must not
//                        depend on q (`moves` of all nodes): only arms, turning axes and sources (frame_source.hpp) count
//   congruent            adds factor J^T K J and -value d(J^T f)/dq: the block of a force with port stiffness -K
//   place                learns which points lie in y, and says which markers it reads as whole frames
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "saltus/pool/coordinate_ports.hpp"
#include "saltus/pool/frame_ports.hpp"

namespace saltus {

/// Several ports of one item side by side: tangents and endpoints follow each other.
template <class... P>
struct Ports {
  static constexpr int tangent = (P::tangent + ...), endpoints = (P::endpoints + ...);
  static constexpr auto kinds = [] {
    std::array<EndpointKind, endpoints> r{};
    int i = 0;
    ((std::copy(std::begin(P::kinds), std::end(P::kinds), r.begin() + i), i += P::endpoints), ...);
    return r;
  }();
  template <class S> using View = std::tuple<typename P::template View<S>...>;

  static View<double> gather(const Kinematics& k, const Endpoint* e) {
    return each([&]<class Q>(int, int end) { return Q::gather(k, e + end); });
  }
  static View<Taylor2<>> along(const Kinematics& k, const Endpoint* e) {
    return each([&]<class Q>(int, int end) { return Q::along(k, e + end); });
  }
  template <int N>
  static View<Dual<N>> seeded(const View<double>& x, const Endpoint* e, int first, const Seeds& s) {
    return with(x, [&]<class Q>(const auto& view, int tan, int end) { return Q::template seeded<N>(view, e + end, first + tan, s); });
  }
  template <class S>
  static View<S> constant(const View<double>& x) {
    return with(x, [&]<class Q>(const auto& view, int, int) { return Q::template constant<S>(view); });
  }
  template <class S>
  static View<S> with_rate(const View<S>& x, const Vec<S, tangent>& by) {
    return with(x, [&]<class Q>(const auto& view, int tan, int) {
      Vec<S, Q::tangent> part;
      for (int i = 0; i < Q::tangent; ++i) part[i] = by[tan + i];
      return Q::with_rate(view, part);
    });
  }
  template <class S>
  static View<S> moved(const View<S>& x, const Vec<S, tangent>& by) {
    return with(x, [&]<class Q>(const auto& view, int tan, int) {
      Vec<S, Q::tangent> part;
      for (int i = 0; i < Q::tangent; ++i) part[i] = by[tan + i];
      return Q::moved(view, part);
    });
  }
  static void scatter(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* f, const ForceSink& sink) {
    visit(x, [&]<class Q>(const auto& view, int tan, int end) { Q::scatter(k, e + end, view, f + tan, sink); });
  }
  static Vec<double, tangent> rate(const View<double>& x) {
    Vec<double, tangent> r;
    visit(x, [&]<class Q>(const auto& view, int tan, int) {
      const auto part = Q::rate(view);
      std::copy(part.data(), part.data() + Q::tangent, r.data() + tan);
    });
    return r;
  }
  static Vec<double, tangent> bias(const Kinematics& k, const Endpoint* e) requires(requires { P::bias(k, e); } && ...) {
    Vec<double, tangent> r;
    int tan = 0;
    ((std::copy_n(P::bias(k, e).data(), P::tangent, r.data() + tan), tan += P::tangent, e += P::endpoints), ...);
    return r;
  }
  static bool rate_jacobian(const Kinematics& k, const Endpoint* e, const View<double>& x, double* V, int n, int offset) {
    bool any = false;
    visit(x, [&]<class Q>(const auto& view, int tan, int end) {
      any |= Q::rate_jacobian(k, e + end, view, V + tan * n, n, offset);
      offset += Q::columns(k, e + end, nullptr);
    });
    return any;
  }
  static int columns(const Kinematics& k, const Endpoint* e, int* out) {
    int n = 0, end = 0;
    ((n += P::columns(k, e + end, out ? out + n : nullptr), end += P::endpoints), ...);
    return n;
  }
  static void jacobian(const Kinematics& k, const Endpoint* e, const View<double>& x, double* J, int n, int offset) {
    visit(x, [&]<class Q>(const auto& view, int tan, int end) {
      Q::jacobian(k, e + end, view, J + tan * n, n, offset);
      offset += Q::columns(k, e + end, nullptr);
    });
  }
  static void geometric(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* f, double* G, int n, int offset) {
    visit(x, [&]<class Q>(const auto& view, int tan, int end) {
      Q::geometric(k, e + end, view, f + tan, G, n, offset);
      offset += Q::columns(k, e + end, nullptr);
    });
  }
  static void congruent(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* K, const double* f, double factor, double value,
                        int n, double* block) {
    detail::congruent_by_jacobian<Ports>(k, e, x, K, f, factor, value, n, block);
  }
  static void place(Endpoint* e, FrameUse& use) { ((P::place(e, use), e += P::endpoints), ...); }
  static bool of_joints(const Endpoint* e) {
    bool any = false;
    ((any |= acts_on_joints<P>(e), e += P::endpoints), ...);
    return any;
  }

 private:
  template <class F>
  static auto each(F f) {
    int tan = 0, end = 0;
    auto one = [&]<class Q>() { auto r = f.template operator()<Q>(tan, end); tan += Q::tangent, end += Q::endpoints; return r; };
    return std::tuple{one.template operator()<P>()...};
  }
  template <class V, class F>
  static auto with(const V& x, F f) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      int tan = 0, end = 0;
      auto one = [&]<class Q>(const auto& view) {
        auto r = f.template operator()<Q>(view, tan, end);
        tan += Q::tangent, end += Q::endpoints;
        return r;
      };
      return std::tuple{one.template operator()<P>(std::get<I>(x))...};  // braces: left to right
    }(std::index_sequence_for<P...>{});
  }
  template <class V, class F>
  static void visit(const V& x, F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      int tan = 0, end = 0;
      ((f.template operator()<P>(std::get<I>(x), tan, end), tan += P::tangent, end += P::endpoints), ...);
    }(std::index_sequence_for<P...>{});
  }
};

}  // namespace saltus
