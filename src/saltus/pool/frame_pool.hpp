// Sources written as poses: a frame as a function of what stands under it; all that markers need follows from the one template.
#pragma once

#include <utility>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/rigid_motion.hpp"
#include "saltus/pool/ports.hpp"

namespace saltus {

namespace detail {
/// The vector of the antisymmetric part.
template <class S>
Vec3<S> axial(const Mat3<S>& m) {
  return {{0.5 * (m(2, 1) - m(1, 2)), 0.5 * (m(0, 2) - m(2, 0)), 0.5 * (m(1, 0) - m(0, 1))}};
}
/// The derivatives `of` the entries pick: of R as R times an angle in its own axes.
template <class S, class F>
auto turned(const Mat3<S>& R, const F& of) {
  using D = std::decay_t<decltype(of(R.a[0]))>;
  Mat3<D> value, derivative;
  for (std::size_t i = 0; i < 9; ++i) value.a[i] = R.a[i].value, derivative.a[i] = of(R.a[i]);
  return axial(transposed_times(value, derivative));
}
}  // namespace detail

/// Item: `port`, and `pose(views...)`, a template on the scalar: the frame as seen from the world. Optional `jacobian(views...)`, 6 x tangent: translation in the world's axes, rotation in
/// the frame's own; without it the second derivatives nest duals.
template <class Item>
class ItemFrameSource final : public FrameSource {
 public:
  using P = typename Item::port;
  static constexpr int T = P::tangent;
  template <class S> using View = typename P::template View<S>;

  int add(Item item, std::span<const Endpoint> ends) {
    items_.push_back(std::move(item));
    ends_.insert(ends_.end(), ends.begin(), ends.end());
    return size() - 1;
  }
  int size() const override { return count_of(items_); }
  std::span<const Endpoint> endpoints(int i) const override { return {ends(i), static_cast<std::size_t>(P::endpoints)}; }
  void place(int i, FrameUse& use) override { P::place(ends_.data() + static_cast<std::size_t>(i) * P::endpoints, use); }
  int columns(const Kinematics& k, int i, int* out) const override { return P::columns(k, ends(i), out); }

  std::span<const ItemQuantity> quantities() const override {
    if constexpr (requires { Item::quantities; }) return Item::quantities;
    return {};
  }
  Vec3<double> quantity([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i, [[maybe_unused]] int which) const override {
    if constexpr (requires { Item::quantities; }) return spread([&](const auto&... v) { return items_[i].quantity(which, v...); }, P::gather(k, ends(i)));
    return {};
  }
  Frame<double> frame(const Kinematics& k, int i) const override {
    using S = Dual<1>;
    const View<double> view = P::gather(k, ends(i));
    Vec<S, T> along;
    const Vec<double, T> rate = P::rate(view);
    for (int t = 0; t < T; ++t) along[t].d[0] = rate[t];
    const RigidMotion<S> x = pose(i, P::moved(P::template constant<S>(view), along));
    Frame<double> f;
    for (int r = 0; r < 3; ++r) f.p[r] = x.p[r].value, f.v[r] = x.p[r].d[0];
    for (std::size_t r = 0; r < 9; ++r) f.R.a[r] = x.R.a[r].value;
    f.w = detail::turned(x.R, [](const S& s) { return s.d[0]; });
    return f;
  }
  Vec6<double> bias(const Kinematics& k, int i) const override {  // (R^T R')' = R'^T R' + R^T R'', the first symmetric
    const RigidMotion<Taylor2<>> x = pose(i, P::along(k, ends(i)));
    const Vec3<double> alpha = detail::turned(x.R, [](const Taylor2<>& s) { return s.second; });
    return {{x.p[0].second, x.p[1].second, x.p[2].second, alpha[0], alpha[1], alpha[2]}};
  }
  void jacobian(const Kinematics& k, int i, double* J) const override {
    const int n = columns(k, i, nullptr);
    const View<double> view = P::gather(k, ends(i));
    std::fill_n(J, 6 * n, 0.0);
    add_times(derivative(i, view), n, [&](double* port) { P::jacobian(k, ends(i), view, port, n, 0); }, J);
  }
  void scatter(const Kinematics& k, int i, const Vec6<double>& wrench, const ForceSink& sink) const override {
    const View<double> view = P::gather(k, ends(i));
    P::scatter(k, ends(i), view, transposed_times(derivative(i, view), wrench).data(), sink);
  }
  void add_geometric(const Kinematics& k, int i, const Vec6<double>& wrench, double* G, int n, int offset) const override {
    const View<double> view = P::gather(k, ends(i));
    Mat<double, T, T> K;
    const Vec<double, T> force = stiffness(i, view, wrench, K);
    P::geometric(k, ends(i), view, force.data(), G, n, offset);
    const int own = columns(k, i, nullptr);
    detail::RowBuffer<T> J(own);
    P::jacobian(k, ends(i), view, J, own, 0);
    const double* rows = J;
    for (int t = 0; t < T; ++t) {
      detail::RowBuffer<1> KJ(own);
      for (int j = 0; j < T; ++j)
        if (K(t, j) != 0.0) add_row(K(t, j), rows + j * own, own, KJ);
      for (int r = 0; r < own; ++r)
        if (rows[t * own + r] != 0.0) add_row(rows[t * own + r], KJ, own, G + (offset + r) * n + offset);
    }
  }
  /// d(D r)/dq = dD/dq r + D dr/dq, r the rate of the port.
  bool add_rate_jacobian(const Kinematics& k, int i, const double* map, int rows, double* V, int n, int offset) const override {
    const View<double> view = P::gather(k, ends(i));
    const int own = columns(k, i, nullptr);
    const auto mapped = [&](const Mat<double, 6, T>& m, auto fill) {
      detail::RowBuffer<6> frame(own);
      add_times(m, own, fill, frame);
      const double* x = frame;
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < 6; ++j)
          if (map[r * 6 + j] != 0.0) add_row(map[r * 6 + j], x + j * own, own, V + r * n + offset);
    };
    detail::RowBuffer<T> swing(own);
    const bool swings = P::rate_jacobian(k, ends(i), view, swing, own, 0);
    if (swings) mapped(derivative(i, view), [&](double* port) { std::copy_n(static_cast<const double*>(swing), T * own, port); });
    const Vec<double, T> rate = P::rate(view);
    if (dot(rate, rate) == 0.0) return swings;
    mapped(turning(i, view, rate), [&](double* port) { P::jacobian(k, ends(i), view, port, own, 0); });
    return true;
  }

 private:
  const Endpoint* ends(int i) const { return ends_.data() + static_cast<std::size_t>(i) * P::endpoints; }
  template <class F, class V>
  static auto spread(F&& f, const V& view) {
    if constexpr (requires { std::tuple_size<V>::value; })
      return std::apply(f, view);
    else
      return f(view);
  }
  template <class S>
  RigidMotion<S> pose(int i, const View<S>& view) const {
    return spread([&](const auto&... v) { return items_[i].pose(v...); }, view);
  }
  template <class S>
  auto by_hand(int i, const View<S>& view) const {
    return spread([&](const auto&... v) {
      if constexpr (requires(const Item& item) { item.jacobian(v...); }) return items_[i].jacobian(v...);
      else return false;
    }, view);
  }
  static constexpr bool has_jacobian = !std::is_same_v<decltype(std::declval<const ItemFrameSource&>().by_hand(0, std::declval<const View<double>&>())), bool>;
  View<Dual<T>> displaced(int i, const View<double>& view) const {
    return P::template seeded<T>(view, ends(i), 0, {{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}});
  }

  /// D (6 x T): the frame's tangent by the port's.
  Mat<double, 6, T> derivative(int i, const View<double>& view) const {
    if constexpr (has_jacobian) {
      return by_hand(i, view);
    } else {
      const auto x = pose(i, displaced(i, view));
      Mat<double, 6, T> D;
      for (int t = 0; t < T; ++t) {
        const std::size_t j = t;
        const Vec3<double> turn = detail::turned(x.R, [&](const Dual<T>& s) { return s.d[j]; });
        for (int r = 0; r < 3; ++r) D(r, t) = x.p[r].d[j], D(3 + r, t) = turn[r];
      }
      return D;
    }
  }
  /// force = D^T wrench and K = d(force)/d(port tangent): outer displacement first.
  Vec<double, T> stiffness(int i, const View<double>& view, const Vec6<double>& wrench, Mat<double, T, T>& K) const {
    if constexpr (has_jacobian) {
      const auto force = transposed_times(by_hand(i, displaced(i, view)), wrench);
      Vec<double, T> value;
      for (int t = 0; t < T; ++t) {
        value[t] = force[t].value;
        for (int j = 0; j < T; ++j) K(t, j) = force[t].d[j];
      }
      return value;
    } else {
      using Inner = Dual<1>;
      using S = Dual<T, Inner>;
      Vec<S, T> inner;
      for (int t = 0; t < T; ++t) inner[t].d[t] = Inner(1.0);
      for (int j = 0; j < T; ++j) {
        Vec<S, T> outer;
        outer[j].value.d[0] = 1.0;
        const RigidMotion<S> x = pose(i, P::moved(P::moved(P::template constant<S>(view), outer), inner));
        for (int t = 0; t < T; ++t) {
          const Vec3<Inner> turn = detail::turned(x.R, [&](const S& s) { return s.d[t]; });
          K(t, j) = 0.0;
          for (int r = 0; r < 3; ++r) K(t, j) += wrench[r] * x.p[r].d[t].d[0] + wrench[3 + r] * turn[r].d[0];
        }
      }
      return transposed_times(derivative(i, view), wrench);
    }
  }
  /// d(D rate)/d(port tangent) at fixed rate.
  Mat<double, 6, T> turning(int i, const View<double>& view, const Vec<double, T>& rate) const {
    Mat<double, 6, T> G;
    if constexpr (has_jacobian) {
      const auto x = by_hand(i, displaced(i, view)) * rate;
      for (int r = 0; r < 6; ++r)
        for (int t = 0; t < T; ++t) G(r, t) = x[r].d[t];
    } else {
      using Inner = Dual<1>;
      using S = Dual<T, Inner>;
      Vec<S, T> outer, along;
      for (int t = 0; t < T; ++t) outer[t].d[t] = Inner(1.0), along[t].value.d[0] = rate[t];
      const RigidMotion<S> x = pose(i, P::moved(P::moved(P::template constant<S>(view), outer), along));
      for (int t = 0; t < T; ++t) {
        const std::size_t j = t;
        using D = Dual<1>;
        Mat3<D> R, rate_of_R;  // and their change along the tangent
        for (std::size_t e = 0; e < 9; ++e) R.a[e] = D(x.R.a[e].value.value, {x.R.a[e].d[j].value}), rate_of_R.a[e] = D(x.R.a[e].value.d[0], {x.R.a[e].d[j].d[0]});
        const Vec3<D> w = detail::axial(transposed_times(R, rate_of_R));
        for (int r = 0; r < 3; ++r) G(r, t) = x.p[r].d[j].d[0], G(3 + r, t) = w[r].d[0];
      }
    }
    return G;
  }
  /// out (6 x n) += m X, X (T x n) written by fill.
  template <class Fill>
  static void add_times(const Mat<double, 6, T>& m, int n, const Fill& fill, double* out) {
    detail::RowBuffer<T> port(n);
    fill(port);
    const double* x = port;
    for (int r = 0; r < 6; ++r)
      for (int t = 0; t < T; ++t)
        if (m(r, t) != 0.0) add_row(m(r, t), x + t * n, n, out + r * n);
  }

  std::vector<Item> items_;
  std::vector<Endpoint> ends_;
};

}  // namespace saltus
