// Relations written as kernels h (and g): rows, Jacobians, curvature and geometric stiffness from the one template.
#pragma once

#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// traits(Item): what the relation declares; absent means no.
template <class Item>
constexpr RelationTraits traits_of() {
  RelationTraits t;
  if constexpr (requires { Item::written; }) t.written = Item::written;
  if constexpr (requires { Item::uses_lambda; }) t.uses_lambda = Item::uses_lambda;
  if constexpr (requires { Item::switched; }) t.switched = Item::switched;
  if constexpr (requires { Item::uses_velocity; }) t.uses_velocity = Item::uses_velocity;
  if constexpr (requires { Item::uses_time; }) t.uses_time = Item::uses_time;
  if constexpr (requires { Item::has_input; }) t.has_input = Item::has_input;
  if constexpr (requires { Item::linear; }) t.linear = Item::linear;
  if constexpr (requires { Item::drive_unit; }) t.drive_unit = Item::drive_unit;
  if (t.written == Level::rate) t.uses_velocity = true;
  return t;
}

/// Whether the rows of R, written at rate level, are linear in the rates: their Jacobian varies with the place alone.
template <class R>
constexpr bool linear_in_rates() {
  if constexpr (requires { R::linear_rates; }) return R::linear_rates;
  else return false;
}

/// R::rows is the number of rows, or with `row_count()` the most that an item has: the first row_count() of h count.
template <class R>
class ItemRelationPool : public StoredRelations<detail::ItemStore<R>> {
  using Stored = StoredRelations<detail::ItemStore<R>>;
  using Stored::store_, Stored::laws_;

 public:
  using Stored::size, Stored::parallel;
  using P = typename R::port;
  static constexpr int T = P::tangent, m = R::rows;
  static constexpr RelationTraits tr = traits_of<R>();
  template <class S> using View = typename P::template View<S>;

  void add(R item, std::span<const Endpoint> endpoints, LawRef law) {
    store_.add(std::move(item), endpoints);
    laws_.push_back(law);
  }
  std::span<const Endpoint> endpoints(int i) const override { return store_.all_ends(i); }
  std::string trouble(const Kinematics& k, int i) const override { return store_.trouble(k, i); }
  RelationTraits traits() const override {
    RelationTraits traits = tr;
    traits.linear = tr.linear && !store_.of_joints;
    return traits;
  }
  int rows(int i) const override { return count(store_.items[i]); }
  int history() const override { return history_of<R>(); }
  bool remembers_turns_only() const override { return history_of<R>() == 0 || saltus::remembers_turns_only<R>(); }
  Remembered remember([[maybe_unused]] const Kinematics& k, [[maybe_unused]] const int* row_begin, [[maybe_unused]] double* block) const override {
    Remembered worst;
    if constexpr (history_of<R>() > 0)
      for (int i = 0; i < size(); ++i) {
        const R& item = store_.items[i];
        worst.add(item.remember(P::gather(k, store_.ends(i)), context<double>(k, item, row_begin[i]), block + this->history_first(i)), i);
      }
    return worst;
  }

  void evaluate(const Kinematics& k, const RowSink& out, int begin, int end) const override {
    for (int i = begin; i < end; ++i) {
      const R& item = store_.items[i];
      const Endpoint* e = store_.ends(i);
      const View<double> view = P::gather(k, e);
      const int row = out.row_begin[i], rows = count(item);
      if (out.y) {
        const Vec<double, m> y = h(item, view, context<double>(k, item, row));
        std::copy(y.data(), y.data() + rows, out.y + row);
      }
      if (out.time_rate) {
        std::fill(out.time_rate + row, out.time_rate + row + rows, 0.0);
        if constexpr (tr.uses_time) {
          auto c = context<Dual<1>>(k, item, row);
          c.t = Dual<1>::variable(k.t, 0);
          const auto y = h(item, P::moved(constant<Dual<1>>(view), {}), c);
          for (int r = 0; r < rows; ++r) out.time_rate[row + r] = y[r].d[0];
        }
      }
      if (out.curvature) {
        auto c = context<Taylor2<>>(k, item, row);
        c.t = Taylor2<>(k.t, 1.0, 0.0);
        const auto y = h(item, P::along(k, e), c);
        for (int r = 0; r < rows; ++r) out.curvature[row + r] = tr.written == Level::value ? y[r].second : y[r].first;
        if constexpr (requires { R::sliding; }) rates_along(item, P::along(k, e), c, rows, out.curvature + row);
      }
      if (out.D) {
        double* block = out.D + out.square_begin[i];
        std::fill(block, block + rows * rows, 0.0);
        if constexpr (tr.uses_lambda) {
          const auto y = h(item, constant<Dual<m>>(view), lambda_context(k, item, row));
          for (int r = 0; r < rows; ++r)
            for (int c = 0; c < rows; ++c) block[r * rows + c] = y[r].d[c];
        }
      }
      if (!out.H && !out.rate_H && !out.B && !out.turn) continue;
      const int n = P::columns(k, e, nullptr);
      detail::RowBuffer<T> J(n);
      P::jacobian(k, e, view, J, n, 0);
      if (out.H) {
        double* block = out.H + out.value_begin[i];
        std::fill(block, block + rows * n, 0.0);
        add_projected(by_position(item, e, view, context<double>(k, item, row)), J, n, rows, block);
        if constexpr (tr.written == Level::rate) {
          detail::RowBuffer<T> V(n);
          if (P::rate_jacobian(k, e, view, V, n, 0)) add_projected(by_rate(item, e, view, context<double>(k, item, row)), V, n, rows, block);
        }
      }
      if (out.turn) {
        double* block = out.turn + out.value_begin[i];
        std::fill(block, block + rows * n, 0.0);
        if constexpr (tr.written == Level::value) {
          add_projected(turning(item, view, k, row), J, n, rows, block);
          detail::RowBuffer<T> V(n);
          if (P::rate_jacobian(k, e, view, V, n, 0)) add_projected(by_position(item, e, view, context<double>(k, item, row)), V, n, rows, block);
        }
      }
      if (out.rate_H) {
        double* block = out.rate_H + out.value_begin[i];
        std::fill(block, block + rows * n, 0.0);
        if constexpr (tr.uses_velocity) add_projected(by_rate(item, e, view, context<double>(k, item, row)), J, n, rows, block);
      }
      if constexpr (tr.has_input)
        if (out.B) {
          const auto g = input(item, constant<Dual<m>>(view), lambda_context(k, item, row));
          double* block = out.B + out.value_begin[i];
          for (int c = 0; c < n; ++c)
            for (int r = 0; r < rows; ++r) {
              block[c * rows + r] = 0.0;
              for (int t = 0; t < T; ++t) block[c * rows + r] += J[t * n + c] * g[t].d[r];
            }
        }
    }
  }

  void add_input(const Kinematics& k, const int* row_begin, double weight, const ForceSink& sink) const override {
    if constexpr (tr.has_input)
      for (int i = 0; i < size(); ++i) {
        const Endpoint* e = store_.ends(i);
        const View<double> view = P::gather(k, e);
        auto f = input(store_.items[i], view, context<double>(k, store_.items[i], row_begin[i]));
        for (int t = 0; t < T; ++t) f[t] *= weight;
        P::scatter(k, e, view, f.data(), sink);
      }
  }

  void add_reaction(const Kinematics& k, int i, int row, const ForceSink& sink) const override {
    const R& item = store_.items[i];
    const Endpoint* e = store_.ends(i);
    const View<double> view = P::gather(k, e);
    const Vec<double, T> f = port_force(item, e, view, context<double>(k, item, row));
    P::scatter(k, e, view, f.data(), sink);
  }

  bool residual(const Kinematics& k, const int* row_begin, PoolScratch& scratch, Threads& threads, double* y, const ForceSink& sink) const override {
    in_item_order(size(), parallel(), scratch, threads, [](int i) { return static_cast<std::ptrdiff_t>(i) * T; },
                  [&](int begin, int end, double* out) {
                    for (int i = begin; i < end; ++i, out += T) {
                      const R& item = store_.items[i];
                      const Endpoint* e = store_.ends(i);
                      const View<double> view = P::gather(k, e);
                      const auto c = context<double>(k, item, row_begin[i]);
                      const Vec<double, m> rows = h(item, view, c);
                      std::copy_n(rows.data(), count(item), y + row_begin[i]);
                      const Vec<double, T> f = port_force(item, e, view, c);
                      std::copy_n(f.data(), T, out);
                    }
                  },
                  [&](int begin, int end, const double* f) { scatter_all<P>(k, store_.ends(begin), end - begin, f, store_.of_joints, sink); });
    return true;
  }

  void add_input_matrix(const Kinematics& k, const Seeds& seeds, const int* row_begin, double weight, PoolScratch& scratch, Threads& threads,
                        const BlockSlots& to) const override {
    if (traits().linear) return;
    blocks_in_item_order(size(), parallel(), scratch, threads, to, 1.0,
                         [&](int begin, int end, double* out) { input_blocks(k, seeds, row_begin, weight, begin, end, out); });
  }

 private:
  /// -weight d(input)/dxi of the items [begin, end).
  void input_blocks(const Kinematics& k, const Seeds& seeds, const int* row_begin, double weight, int begin, int end,
                                      double* out) const {
    for (int i = begin; i < end; ++i) {
      const R& item = store_.items[i];
      const Endpoint* e = store_.ends(i);
      const int n = P::columns(k, e, nullptr), row = row_begin[i];
      const View<double> view = P::gather(k, e);
      double force[T], K[T * T];
      if constexpr (tr.has_input) {
        const auto g = input(item, P::template seeded<T>(view, e, 0, seeds), context<Dual<T>>(k, item, row));
        for (int t = 0; t < T; ++t) {
          force[t] = g[t].value;
          for (int c = 0; c < T; ++c) K[t * T + c] = weight * g[t].d[c];
        }
      } else {
        reaction_stiffness(item, e, view, k, row, force, K);
        for (int c = 0; c < T * T; ++c) K[c] *= weight * seeds.value[0];
      }
      for (int t = 0; t < T; ++t) force[t] *= weight;
      P::congruent(k, e, view, K, force, -1.0, seeds.value[0], n, out);
      if constexpr (tr.has_input || (tr.written == Level::rate && !linear_in_rates<R>())) {  // inputs that depend on the port's rate
        detail::RowBuffer<T> J(n), V(n);
        P::jacobian(k, e, view, J, n, 0);
        const bool turns = seeds.value[0] != 0.0 && P::rate_jacobian(k, e, view, V, n, 0);
        if constexpr (tr.has_input) {
          if (turns) {
            const auto g = input(item, P::template seeded<T>(view, e, 0, rate_seeds), context<Dual<T>>(k, item, row));
            for (int t = 0; t < T; ++t)
              for (int c = 0; c < T; ++c) K[t * T + c] = g[t].d[c];
            detail::add_product_block<T>(J, K, V, n, -weight * seeds.value[0], out);
          }
        } else {
          nested_stiffness(item, view, k, row, true, K);
          detail::add_congruent_block<T>(K, J, n, -weight * seeds.rate[0], out);
          if (turns) detail::add_product_block<T>(J, K, V, n, -weight * seeds.value[0], out);
        }
      }
      out += n * n;
    }
  }

  static constexpr Seeds position_seeds{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  static constexpr Seeds rate_seeds{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

  static int count(const R& item) {
    if constexpr (requires { item.row_count(); }) return item.row_count();
    else return m;
  }
  /// Multipliers of rows that the item does not have are 0.
  template <class S>
  Context<S, m> context(const Kinematics& k, const R& item, int row) const {
    Context<S, m> c;
    c.t = S(k.t);
    c.gravity = k.gravity, c.data = k.data;
    if (k.lambda)
      for (int r = 0; r < count(item); ++r) c.lambda[r] = S(k.lambda[row + r]);
    if constexpr (history_of<R>() > 0)
      if (k.history) c.history = k.history + this->history_first_ + (&item - store_.items.data()) * history_of<R>(), c.since = k.since;
    return c;
  }
  Context<Dual<m>, m> lambda_context(const Kinematics& k, const R& item, int row) const {
    auto c = context<Dual<m>>(k, item, row);
    for (int r = 0; r < count(item); ++r) c.lambda[r] = Dual<m>::variable(k.lambda ? k.lambda[row + r] : 0.0, r);
    return c;
  }
  template <class V, class C>
  static auto h(const R& item, const V& view, const C& c) {
    return detail::as_vec(detail::call([&](const auto&... a) { return item.h(a...); }, view, c));
  }
  template <class V, class C>
  static auto input(const R& item, const V& view, const C& c) {
    return detail::as_vec(detail::call([&](const auto&... a) { return item.g(a...); }, view, c));
  }
  /// What the multipliers of the context put on the port: g, or H^T lambda.
  static Vec<double, T> port_force(const R& item, const Endpoint* e, const View<double>& view, const Context<double, m>& c) {
    if constexpr (tr.has_input) return input(item, view, c);
    else if constexpr (tr.written == Level::rate) return transposed_times(by_rate(item, e, view, c), c.lambda);
    else return transposed_times(by_position(item, e, view, c), c.lambda);
  }
  template <class V, class C>
  static constexpr bool has_jacobian = requires(const R& item, const V& view, const C& c) { item.jacobian(view, c); };

  static Mat<double, m, T> by_position(const R& item, const Endpoint* e, const View<double>& view, const Context<double, m>& c) {
    if constexpr (has_jacobian<View<double>, Context<double, m>> && tr.written == Level::value)
      return item.jacobian(view, c);
    else
      return derivative(item, e, view, c, position_seeds);
  }
  static Mat<double, m, T> by_rate(const R& item, const Endpoint* e, const View<double>& view, const Context<double, m>& c) {
    if constexpr (has_jacobian<View<double>, Context<double, m>> && tr.written == Level::rate)
      return item.jacobian(view, c);
    else
      return derivative(item, e, view, c, rate_seeds);
  }
  static Mat<double, m, T> derivative(const R& item, const Endpoint* e, const View<double>& view, const Context<double, m>& c,
                                      const Seeds& seeds) {
    Context<Dual<T>, m> dual;
    dual.t = Dual<T>(c.t);
    dual.gravity = c.gravity, dual.data = c.data;
    dual.history = c.history, dual.since = c.since;
    for (int r = 0; r < m; ++r) dual.lambda[r] = Dual<T>(c.lambda[r]);
    const auto y = h(item, P::template seeded<T>(view, e, 0, seeds), dual);
    Mat<double, m, T> H;
    for (int r = 0; r < m; ++r)
      for (int t = 0; t < T; ++t) H(r, t) = y[r].d[t];
    return H;
  }
  /// block (rows x n) += port (m x T) J (T x n); zeros of port cost nothing.
  static void add_projected(const Mat<double, m, T>& port, const double* J, int n, int rows, double* block) {
    with_columns(n, [&](auto columns) {
      for (int r = 0; r < rows; ++r)
        for (int t = 0; t < T; ++t)
          if (port(r, t) != 0.0) add_row(port(r, t), J + t * columns, columns, block + r * columns);
    });
  }

  /// Rows of a contact behind the gap have no value, only a rate H v: its derivative along the motion.
  static void rates_along(const R& item, const View<Taylor2<>>& along, const Context<Taylor2<>, m>& c, int rows, double* out) {
    if constexpr (has_jacobian<View<Taylor2<>>, Context<Taylor2<>, m>>) {
      const auto H = item.jacobian(along, c);
      const auto v = P::rate(along);
      for (int r = 1; r < rows; ++r) {
        Taylor2<> u(0.0);
        for (int t = 0; t < T; ++t) u += H(r, t) * v[t];
        out[r] = u.first;
      }
    }
  }

  /// d(ydot)/d(port tangent) of a value row at fixed rate: the motion in the inner dual, time included, after the displacement.
  Mat<double, m, T> turning(const R& item, const View<double>& view, const Kinematics& k, int row) const {
    using Inner = Dual<1>;
    using S = Dual<T, Inner>;
    const Vec<double, T> rate = P::rate(view);
    Vec<S, T> displaced, along;
    for (int t = 0; t < T; ++t) displaced[t].d[t] = Inner(1.0), along[t].value.d[0] = rate[t];
    auto c = context<S>(k, item, row);
    c.t.value.d[0] = 1.0;
    const auto y = h(item, P::moved(P::moved(constant<S>(view), displaced), along), c);
    Mat<double, m, T> G;
    for (int r = 0; r < m; ++r)
      for (int t = 0; t < T; ++t) G(r, t) = y[r].d[t].d[0];
    return G;
  }

  /// force = H^T lambda on the port and K = d(force)/d(port tangent), not symmetric in body axes (relations.md).
  void reaction_stiffness(const R& item, const Endpoint* e, const View<double>& view, const Kinematics& k, int row, double* force,
                          double* K) const {
    const auto c = context<double>(k, item, row);
    const Mat<double, m, T> H = tr.written == Level::rate ? by_rate(item, e, view, c) : by_position(item, e, view, c);
    for (int t = 0; t < T; ++t) {
      force[t] = 0.0;
      for (int r = 0; r < m; ++r) force[t] += H(r, t) * c.lambda[r];
    }
    if constexpr (requires { item.stiffness(view, c); }) {
      const Mat<double, T, T> by_hand = item.stiffness(view, c);
      std::copy(by_hand.data(), by_hand.data() + T * T, K);
    } else if constexpr (has_jacobian<View<Dual<T>>, Context<Dual<T>, m>> && tr.written == Level::value) {
      const auto moved = P::template seeded<T>(view, e, 0, position_seeds);
      const Mat<Dual<T>, m, T> dH = item.jacobian(moved, context<Dual<T>>(k, item, row));
      for (int t = 0; t < T; ++t)
        for (int j = 0; j < T; ++j) {
          K[t * T + j] = 0.0;
          for (int r = 0; r < m; ++r) K[t * T + j] += dH(r, t).d[j] * c.lambda[r];
        }
    } else {
      nested_stiffness(item, view, k, row, false, K);
    }
  }
  /// K = d(H^T lambda)/d(port tangent) or, `by_speed`, by the port's rate: outer displacement first, R (I + [o]) (I + [i]).
  void nested_stiffness(const R& item, const View<double>& view, const Kinematics& k, int row, bool by_speed, double* K) const {
    using Inner = Dual<1>;
    using S = Dual<T, Inner>;
    const auto cs = context<S>(k, item, row);
    const auto lambda = context<double>(k, item, row).lambda;
    for (int j = 0; j < T; ++j) {
      Vec<S, T> outer, inner;
      outer[j].value.d[0] = 1.0;
      for (int t = 0; t < T; ++t) inner[t].d[t] = Inner(1.0);
      const View<S> base = constant<S>(view);
      const auto y = h(item, rate_or_position(by_speed ? P::with_rate(base, outer) : P::moved(base, outer), inner), cs);
      for (int t = 0; t < T; ++t) {
        K[t * T + j] = 0.0;
        for (int r = 0; r < m; ++r) K[t * T + j] += y[r].d[t].d[0] * lambda[r];
      }
    }
  }
  template <class S>
  static View<S> rate_or_position(const View<S>& view, const Vec<S, T>& inner) {
    if constexpr (tr.written == Level::rate)
      return P::with_rate(view, inner);
    else
      return P::moved(view, inner);
  }
  /// The view as constants of the scalar S.
  template <class S>
  static View<S> constant(const View<double>& view) { return P::template constant<S>(view); }
};

}  // namespace saltus
