// Relations written as kernels h (and g): rows, Jacobians, curvature and geometric stiffness from the one template, whatever ends they are on.
#pragma once

#include "saltus/pool/stored_pool.hpp"

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

/// Rows by `rows` where the compiler knows them, with `row_count()` the most that an item has: the first row_count() of h count; else by rows().
template <class R>
class ItemRelationPool final : public StoredPool<R, RelationPool> {
  using Stored = StoredPool<R, RelationPool>;
  using Stored::store_;
  using typename Stored::At;
  using Slopes = typename At::Slopes;

 public:
  using Stored::size, Stored::parallel;
  static constexpr RelationTraits tr = traits_of<R>();

  void add(R item, std::span<const Endpoint> endpoints, LawRef law) {
    if constexpr (varies) traits_.uses_time = (size() > 0 && traits_.uses_time) || item.varies_in_time();
    store_.add(std::move(item), endpoints);
    laws_.push_back(law);
    traits_.linear = tr.linear && store_.linear_in_unknowns();
  }
  /// Those of run-time size tell none: what they put on each end has no name.
  std::span<const Endpoint> endpoints([[maybe_unused]] int i) const override {
    if constexpr (At::fixed) return store_.endpoints_of(i);
    else return {};
  }
  LawRef law(int i) const override { return laws_[i]; }
  RelationTraits traits() const override { return traits_; }
  int rows(int i) const override { return At::rows_of(store_[i]); }

  void evaluate(const Kinematics& k, const RowSink& out, int begin, int end) const override {
    for (int i = begin; i < end; ++i) {
      const int row = out.row_begin[i];
      const At at = this->at(k, i, row);
      const int rows = at.rows();
      if (out.y) {
        const auto y = values(at);
        std::copy_n(y.data(), rows, out.y + row);
      }
      if (out.time_rate) time_rate(at, rows, out.time_rate + row);
      if (out.curvature) curvature(at, rows, out.curvature + row);
      if (out.D) {
        double* block = out.D + out.square_begin[i];
        std::fill_n(block, rows * rows, 0.0);
        if constexpr (tr.uses_lambda)
          by_lambda(at, rows, [&](const auto& view, const auto& c) { return at.h(view, c); }, [&](const auto& y, int c, int pass) {
            for (int r = 0; r < rows; ++r) block[r * rows + c] = y[r].d[pass];
          });
      }
      if (out.H || out.rate_H || out.B || out.turn) blocks(at, rows, out, i);
    }
  }

  void add_input(const Kinematics& k, const int* row_begin, double weight, const ForceSink& sink) const override {
    if constexpr (tr.has_input)
      for (int i = 0; i < size(); ++i) {
        const At at = this->at(k, i, row_begin[i]);
        auto f = at.vector();
        input(at, f.data());
        for (int t = 0; t < at.directions(); ++t) f.data()[t] *= weight;
        at.scatter(f.data(), sink);
      }
  }

  void add_reaction(const Kinematics& k, int i, int row, const ForceSink& sink) const override {
    const At at = this->at(k, i, row);
    auto f = at.vector();
    input(at, f.data());
    at.scatter(f.data(), sink);
  }

  /// Where the rows of an item are few: with any number, blocks that stay the same are cheaper.
  bool residual([[maybe_unused]] const Kinematics& k, [[maybe_unused]] const int* row_begin, [[maybe_unused]] PoolScratch& scratch, [[maybe_unused]] Threads& threads,
                [[maybe_unused]] double* y, [[maybe_unused]] const ForceSink& sink) const override {
    if constexpr (!At::fixed) return false;
    else
      in_item_order(size(), parallel(), scratch, threads, [&](int i) { return store_.begin(i); },
                    [&](int begin, int end, double* out) {
                      for (int i = begin; i < end; ++i, out += At::directions()) {
                        const At at = this->at(k, i, row_begin[i]);
                        const auto rows = values(at);
                        std::copy_n(rows.data(), at.rows(), y + row_begin[i]);
                        input(at, out);
                      }
                    },
                    [&](int begin, int end, const double* f) { store_.scatter(k, begin, end, f, sink); });
    return true;
  }

  void add_input_matrix(const Kinematics& k, const Seeds& seeds, const int* row_begin, double weight, PoolScratch& scratch, Threads& threads,
                        const BlockSlots& to) const override {
    if (traits_.linear) return;
    blocks_in_item_order(size(), parallel(), scratch, threads, to, 1.0, [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i) out = input_block(this->at(k, i, row_begin[i]), seeds, weight, out);
    });
  }

 private:
  static constexpr bool varies = requires(const R& item) { item.varies_in_time(); };
  static constexpr bool of_rates = tr.written == Level::rate;
  static constexpr Seeds position_seeds{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  static constexpr Seeds rate_seeds{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

  static auto values(const At& at) { return at.h(at.template constant<double>(), at.template context<double>()); }
  static void time_rate(const At& at, int rows, double* out) {
    std::fill_n(out, rows, 0.0);
    if constexpr (varies)
      if (!at.item.varies_in_time()) return;
    if constexpr (tr.uses_time) {
      auto c = at.template context<Dual<1>>();
      c.t.d[0] = 1.0;
      const auto y = at.h(at.template constant<Dual<1>>(), c);
      for (int r = 0; r < rows; ++r) out[r] = y[r].d[0];
    }
  }
  static void curvature(const At& at, int rows, double* out) {
    auto c = at.template context<Taylor2<>>();
    c.t.first = 1.0;
    const auto y = at.h(at.along(), c);
    for (int r = 0; r < rows; ++r) out[r] = of_rates ? y[r].first : y[r].second;
    if constexpr (requires { R::sliding; }) rates_along(at, at.along(), c, rows, out);
  }
  /// Rows of a contact behind the gap have no value, only a rate H v: its derivative along the motion.
  template <class V, class C>
  static void rates_along(const At& at, const V& along, const C& c, int rows, double* out) {
    if constexpr (requires { at.item.jacobian(along, c); }) {
      const auto H = at.item.jacobian(along, c);
      const auto v = At::P::rate(along);
      for (int r = 1; r < rows; ++r) {
        Taylor2<> u(0.0);
        for (int t = 0; t < at.directions(); ++t) u += H(r, t) * v[t];
        out[r] = u.first;
      }
    }
  }
  /// put(f, multiplier, its place among the derivatives of f) for f(view, context).
  template <class F, class Put>
  static void by_lambda(const At& at, int rows, F f, Put put) {
    using D = Dual<At::lambda_pass>;
    for (int first = 0; first < rows; first += At::lambda_pass) {
      const int count = std::min(At::lambda_pass, rows - first);
      auto c = at.template context<D>();
      for (int pass = 0; pass < count; ++pass) c.lambda[first + pass] = D::variable(at.lambda(first + pass), pass);
      const auto y = f(at.template constant<D>(), c);
      for (int pass = 0; pass < count; ++pass) put(y, first + pass, pass);
    }
  }

  /// dh/d(direction), of rows written at value; of those at rate, the change with the place at fixed rates.
  static Slopes by_position(const At& at) {
    return at.template known_slopes<of_rates>(false, [&] { return slopes(at, position_seeds); });
  }
  /// dh/d(rate of a direction).
  static Slopes by_rate(const At& at) {
    return at.template known_slopes<of_rates>(true, [&] { return slopes(at, rate_seeds); });
  }
  static Slopes slopes(const At& at, const Seeds& seeds) {
    Slopes H = at.slopes_room();
    at.differentiate(seeds, [&](const auto& view, const auto& c) { return at.h(view, c); }, [&](const auto& y, int first, auto count) {
      for (int r = 0; r < most_rows(at); ++r)
        for (int t = 0; t < count; ++t) H(r, first + t) = y[r].d[t];
    });
    return H;
  }
  /// Of the room that the item has.
  static int most_rows(const At& at) {
    if constexpr (At::fixed) return R::rows;
    else return at.rows();
  }
  /// d(ydot)/d(direction) of a value row at fixed rates.
  static Slopes turned(const At& at) {
    return at.known_turn([&] {
      Slopes G = at.slopes_room();
      at.turn([&](const auto& view, const auto& c) { return at.h(view, c); }, [&](int t, auto second) {
        for (int r = 0; r < most_rows(at); ++r) G(r, t) = second(r);
      });
      return G;
    });
  }

  void blocks(const At& at, int rows, const RowSink& out, int i) const {
    const int n = at.columns();
    auto J = at.jacobian(n);
    const auto begin = [&](double* all) {
      std::fill_n(all + out.value_begin[i], rows * n, 0.0);
      return all + out.value_begin[i];
    };
    if (out.H) {
      double* block = begin(out.H);
      at.project(by_position(at), J, n, rows, block);
      if constexpr (of_rates)
        if (auto V = at.turning(n)) at.project(by_rate(at), V, n, rows, block);
    }
    if (out.turn) {
      double* block = begin(out.turn);
      if constexpr (!of_rates) {
        at.project(turned(at), J, n, rows, block);
        if (auto V = at.turning(n)) at.project(by_position(at), V, n, rows, block);
      }
    }
    if (out.rate_H) {
      double* block = begin(out.rate_H);
      if constexpr (tr.uses_velocity) at.project(by_rate(at), J, n, rows, block);
    }
    if constexpr (tr.has_input)
      if (out.B) {  // (dg/dlambda)^T J, turned over
        Slopes G = at.slopes_room();
        by_lambda(at, rows, [&](const auto& view, const auto& c) { return at.g(view, c); }, [&](const auto& g, int r, int pass) {
          for (int t = 0; t < at.directions(); ++t) G(r, t) = g[at.direction(t)].d[pass];
        });
        detail::Buffer<double, 36> turned_over(rows * n);
        at.project(G, J, n, rows, turned_over.data());
        double* block = out.B + out.value_begin[i];
        for (int c = 0; c < n; ++c)
          for (int r = 0; r < rows; ++r) block[c * rows + r] = turned_over[r * n + c];
      }
  }

  /// What the multipliers put on the directions: g, or H^T lambda.
  static void input(const At& at, double* f) {
    if constexpr (tr.has_input) {
      const auto g = at.g(at.template constant<double>(), at.template context<double>());
      for (int t = 0; t < at.directions(); ++t) f[t] = g[at.direction(t)];
    } else {
      reaction(at, of_rates ? by_rate(at) : by_position(at), f);
    }
  }
  static void reaction(const At& at, const Slopes& H, double* f) {
    const int n = most_rows(at);
    const auto c = at.template context<double>();
    for (int t = 0; t < at.directions(); ++t) {
      f[t] = 0.0;
      for (int r = 0; r < n; ++r) f[t] += H(r, t) * c.lambda[r];
    }
  }

  /// -weight d(input)/dxi at `block`, columns x columns; returns where it ends. Not symmetric in body axes (relations.md).
  double* input_block(const At& at, const Seeds& seeds, double weight, double* block) const {
    const int n = at.columns(), directions = at.directions();
    auto force = at.vector();
    auto K = at.square();
    double *f = force.data(), *k = K.data();
    if constexpr (tr.has_input) {
      input_slopes(at, seeds, f, k);
      for (int c = 0; c < directions * directions; ++c) k[c] *= weight;
    } else {
      input(at, f);
      if (!at.template known_reaction_stiffness<of_rates>(k)) bend(at, false, k);
      scale(at, weight, seeds.value, k);
    }
    for (int t = 0; t < directions; ++t) f[t] *= weight;
    at.congruent(k, f, -1.0, seeds.value[0], n, block);
    if constexpr (tr.has_input || (of_rates && !linear_in_rates<R>())) {  // inputs that depend on the rates of the ends
      auto J = at.jacobian(n), V = at.turning(n);
      const bool turns = seeds.value[0] != 0.0 && V;
      if constexpr (tr.has_input) {
        if (turns) {
          input_slopes(at, rate_seeds, f, k);
          at.add_product(J, k, V, n, -weight * seeds.value[0], block);
        }
      } else {
        bend(at, true, k);
        auto moved = at.square();
        std::copy_n(k, directions * directions, moved.data());
        scale(at, weight, seeds.rate, moved.data());
        at.add_product(J, moved.data(), J, n, -1.0, block);
        if (turns) at.add_product(J, k, V, n, -weight * seeds.value[0], block);
      }
    }
    return block + n * n;
  }
  static void input_slopes(const At& at, const Seeds& seeds, double* f, double* K) {
    const int n = at.directions();
    at.differentiate(seeds, [&](const auto& view, const auto& c) { return at.g(view, c); }, [&](const auto& g, int first, auto count) {
      for (int t = 0; t < n; ++t) {
        f[t] = g[at.direction(t)].value;
        for (int c = 0; c < count; ++c) K[t * n + first + c] = g[at.direction(t)].d[c];
      }
    });
  }
  /// Columns of K by what their directions move with the unknown.
  static void scale(const At& at, double weight, const double (&by_kind)[4], double* K) {
    const int n = at.directions();
    for (int t = 0; t < n; ++t)
      for (int j = 0; j < n; ++j) K[t * n + j] *= weight * at.seed(by_kind, j);
  }
  /// K = d(H^T lambda)/d(direction) or, `by_speed`, by its rate.
  static void bend(const At& at, bool by_speed, double* K) {
    const int n = at.directions(), rows = most_rows(at);
    const auto multipliers = at.template context<double>();
    at.template bend<of_rates>(by_speed, [&](const auto& view, const auto& c) { return at.h(view, c); }, [&](int t, int j, auto second) {
      double sum = 0.0;
      for (int r = 0; r < rows; ++r) sum += second(r) * multipliers.lambda[r];
      K[t * n + j] = sum;
    });
  }
  std::vector<LawRef> laws_;    // by item
  RelationTraits traits_ = tr;  // of the items that there are
};

}  // namespace saltus
