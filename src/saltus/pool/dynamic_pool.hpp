// Pools of items whose sizes are known at run time: generic systems, linear and users' relations on any number of scalar
// coordinates. They fill the same blocks and rows as the static pools; derivatives by passes of a few duals.
#pragma once

#include "saltus/math/matrix.hpp"
#include "saltus/pool/dynamic_ends.hpp"
#include "saltus/pool/stored_pool.hpp"

namespace saltus {

namespace detail {

/// out[r * columns + c] = d f_r / d xi_c by the seeds, for all columns of the item. f(view, results).
template <class F>
void differentiate(const Kinematics& k, const Ends& ends, const double* history, const Seeds& seeds, int results, int columns, F f, double* out) {
  using D = Dual<dual_pass>;
  EndValues<D> x(k, ends);
  x.view.history = history;
  Buffer<D> y(results);
  each_pass(ends, [&](int first, const int* moved, int count) {
    for (int c = 0; c < count; ++c) {
      const int kind = static_cast<int>(ends.kind(moved[c]));
      x.move(moved[c], c, seeds.value[kind], seeds.rate[kind]);
    }
    f(x.view, y.data());
    for (int r = 0; r < results; ++r)
      for (int c = 0; c < count; ++c) out[r * columns + first + c] = y[r].d[c];
    for (int c = 0; c < count; ++c) x.stop(moved[c], c);
  });
}

}  // namespace detail

/// Items with: `sign` (-1: on the left, 1: on the right) and `rest(view, out)`, conjugate to the tangent of the ends; on coordinates of nodes
/// also linear(), linear_rate(): matrices (n x n or empty) of q and v, `varies()`: whether the rest depends on q or v.
/// F = sign (A q + B v + rest). An item may have potential_energy(view), and remember memory_size() numbers: remember(view, kept)
/// writes what follows an accepted step, or, where nothing is remembered yet, what it begins with. It may know its derivatives itself:
/// derivatives(view, value, rate, K) adds to K (by all directions) those of the rest, each direction moved by its value in place and its rate in
/// velocity; false where it cannot, and duals do.
template <class Item, class Base = ForcePool>
class DynamicForcePool : public StoredPool<detail::DynamicStore<Item>, Base> {
  using Stored = StoredPool<detail::DynamicStore<Item>, Base>;

 public:
  using Stored::size, Stored::parallel;
  void add(Item item, std::span<const Endpoint> endpoints) {
    memory_begin_.push_back(memory_begin_.back() + memory_size(item));
    store_.add(std::move(item), endpoints);
  }
  std::span<const Endpoint> endpoints(int i) const override { return store_.endpoints(i); }
  bool constant_matrix() const override {
    if constexpr (has_linear) {
      for (int i = 0; i < size(); ++i) {
        const auto coordinates = store_.ends(i).coordinates;
        if (store_[i].varies() || std::any_of(coordinates.begin(), coordinates.end(), [](const CoordinateRef& c) { return c.is_of_joint(); })) return false;
      }
      return true;
    }
    return false;
  }

  bool remembers_turns_only() const override { return this->remembered() == 0; }
  Remembered remember([[maybe_unused]] const Kinematics& k, const int*, [[maybe_unused]] double* block) const override {
    if constexpr (remembers)
      for (int i = 0; i < size(); ++i) {
        const int n = memory_size(store_[i]);
        if (n == 0) continue;
        detail::EndValues<double> x(k, store_.ends(i));
        x.view.history = history(k, i);
        double* const kept = block + this->history_first(i);
        // The state is remembered already, or what is remembered is the reference position, before a run: no step was made.
        if (x.view.history && (k.since == 0.0 || k.t - k.since < 0.0)) std::copy_n(x.view.history, n, kept);
        else store_[i].remember(x.view, kept);
      }
    return {};
  }

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    in_item_order(size(), parallel(), scratch, threads, [&](int i) { return store_.begin(i); },
                  [&](int begin, int end, double* out) {
                    for (int i = begin; i < end; ++i) evaluate(k, i, out), out += store_.ends(i).tangent();
                  },
                  [&](int begin, int end, const double* f) {
                    for (int i = begin; i < end; ++i) scatter(k, i, f, sink), f += store_.ends(i).tangent();
                  });
  }
  void add_item_force(const Kinematics& k, int i, const ForceSink& sink) const override {
    detail::Buffer<double> f(store_.ends(i).tangent());
    evaluate(k, i, f.data());
    scatter(k, i, f.data(), sink);
  }

  void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    blocks_in_item_order(size(), parallel(), scratch, threads, to, -Item::sign, [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i) {
        const int columns = store_.column_count(k, i);
        std::fill_n(out, columns * columns, 0.0);
        if (!store_.mapped(k, i)) add_by_directions(k, seeds, i, out);
        else add_by_columns(k, seeds, i, columns, out);
        out += columns * columns;
      }
    });
  }

  double item_potential_energy([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) const override {
    if constexpr (requires(const Item& item, const CoordinateView<double>& view) { item.potential_energy(view); }) {
      detail::EndValues<double> x(k, store_.ends(i));
      x.view.history = history(k, i);
      return store_[i].potential_energy(x.view);
    }
    return 0.0;
  }

 protected:
  static void add_product(const Matrix& A, const double* x, double* out) {
    for (int r = 0; r < A.rows; ++r)
      for (int c = 0; c < A.cols; ++c) out[r] += A(r, c) * x[c];
  }
  int history_begin(int item) const override { return memory_begin_[item]; }
  using Stored::store_;

 private:
  static constexpr bool has_linear = requires(const Item& item) { item.linear(); };
  static constexpr bool remembers = requires(const Item& item) { item.memory_size(); };

  static int memory_size([[maybe_unused]] const Item& item) {
    if constexpr (remembers) return item.memory_size();
    return 0;
  }
  const double* history(const Kinematics& k, int i) const { return remembers && k.history ? k.history + this->history_first(i) : nullptr; }
  /// The kernel's result without its sign, by the directions of the ends.
  void evaluate(const Kinematics& k, int i, double* out) const {
    detail::EndValues<double> x(k, store_.ends(i));
    x.view.history = history(k, i);
    store_[i].rest(x.view, out);
    if constexpr (has_linear) {
      add_product(store_[i].linear(), x.view.q, out);
      add_product(store_[i].linear_rate(), x.view.v, out);
    }
  }
  void scatter(const Kinematics& k, int i, const double* f, const ForceSink& sink) const {
    const detail::Ends ends = store_.ends(i);
    for (const detail::FrameEnd& e : ends.frames) {
      double force[6];
      for (double& x : force) x = Item::sign * *f++;
      e.scatter(k, force, sink);
    }
    for (const CoordinateRef& c : ends.coordinates) detail::add_coordinate_force(k, c, Item::sign * *f++, sink);
  }
  /// out (moving x moving) += d(rest)/dxi by the seeds, of the directions that are not ground.
  void add_by_directions(const Kinematics& k, const Seeds& seeds, int i, double* out) const {
    const detail::Ends ends = store_.ends(i);
    const int n = ends.tangent(), moving = store_.moving_count(i);
    bool varies = true;
    if constexpr (has_linear) varies = store_[i].varies();
    if (varies && !add_own_derivatives(k, seeds, i, out)) {
      detail::Block all(n * moving);
      detail::differentiate(k, ends, history(k, i), seeds, n, moving, [&](const auto& view, auto* f) { store_[i].rest(view, f); }, all.data());
      for (int r = 0, row = 0; r < n; ++r)
        if (ends.kind(r) != CoordinateKind::none) {
          for (int c = 0; c < moving; ++c) out[row * moving + c] += all[r * moving + c];
          ++row;
        }
    }
    if constexpr (has_linear) {
      const Matrix &A = store_[i].linear(), &B = store_[i].linear_rate();
      for (int r = 0; r < n; ++r) {
        if (ends.kind(r) == CoordinateKind::none) continue;
        for (int c = 0; c < n; ++c) {
          const int kind = static_cast<int>(ends.kind(c));
          if (ends.kind(c) == CoordinateKind::none) continue;
          if (A.rows) *out += seeds.value[kind] * A(r, c);
          if (B.rows) *out += seeds.rate[kind] * B(r, c);
          ++out;
        }
      }
    }
  }
  /// The same where the item knows its derivatives; false where it does not.
  bool add_own_derivatives([[maybe_unused]] const Kinematics& k, [[maybe_unused]] const Seeds& seeds, [[maybe_unused]] int i, [[maybe_unused]] double* out) const {
    if constexpr (requires(const Item& item, const CoordinateView<double>& view, double* K) { item.derivatives(view, K, K, K); }) {
      const detail::Ends ends = store_.ends(i);
      const int n = ends.tangent();
      detail::EndValues<double> x(k, ends);
      x.view.history = history(k, i);
      detail::Buffer<double> by_value(n), by_rate(n);
      detail::Buffer<int> moved(n);
      const int moving = ends.moved(moved.data());
      for (int c = 0; c < moving; ++c) {
        const int kind = static_cast<int>(ends.kind(moved[c]));
        by_value[moved[c]] = seeds.value[kind], by_rate[moved[c]] = seeds.rate[kind];
      }
      detail::Block K(n * n);
      if (!store_[i].derivatives(x.view, by_value.data(), by_rate.data(), K.data())) return false;
      for (int r = 0; r < moving; ++r)
        for (int c = 0; c < moving; ++c) *out++ += K[moved[r] * n + moved[c]];
      return true;
    }
    return false;
  }
  /// The same by the unknowns of the ends, with what the forces do as the ends turn.
  void add_by_columns(const Kinematics& k, const Seeds& seeds, int i, int columns, double* out) const {
    const detail::Ends ends = store_.ends(i);
    const int n = ends.tangent(), moving = store_.moving_count(i);
    detail::EndMap map(k, ends, moving, columns);
    detail::Block K(moving * moving);
    add_by_directions(k, seeds, i, K.data());
    map.add_congruent(K.data(), out);
    if (seeds.value[0] == 0.0) return;
    detail::Buffer<double> all(n), f(moving);
    evaluate(k, i, all.data());
    for (int r = 0, row = 0; r < n; ++r)
      if (ends.kind(r) != CoordinateKind::none) f[row++] = all[r];
    map.add_geometric(f.data(), seeds.value[0], out);
    if (!map.turns()) return;
    std::fill_n(K.data(), moving * moving, 0.0);
    add_by_directions(k, {{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, i, K.data());
    map.add_congruent_turning(K.data(), seeds.value[0], out);
  }
  std::vector<int> memory_begin_{0};
};

/// Items with `mass_matrix(view, M)` besides, n x n, and `constant_mass()`; `wrong_mass(view)` and `potential_energy(view)` beside that of the
/// linear part. The rest holds the inertia terms at vdot = 0.
template <class Item>
class DynamicObjectPool final : public DynamicForcePool<Item, ObjectPool> {
 public:
  void add_mass(const Kinematics& k, double scale, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    blocks_in_item_order(this->size(), this->parallel(), scratch, threads, to, scale, [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i) {
        const detail::EndValues<double> x(k, this->store_.ends(i));
        this->store_[i].mass_matrix(x.view, out);
        out += x.count() * x.count();
      }
    });
  }
  bool constant_mass() const override {
    for (int i = 0; i < this->size(); ++i)
      if (!this->store_[i].constant_mass()) return false;
    return true;
  }
  bool mass_of_user() const override { return !constant_mass(); }
  std::string wrong_mass(const Kinematics& k, int i) const override {
    return this->store_[i].wrong_mass(detail::EndValues<double>(k, this->store_.ends(i)).view);
  }
  double item_kinetic_energy(const Kinematics& k, int i) const override {
    double energy = 0.0;
    momentum(k, i, [&](const CoordinateRef&, double rate, double p) { energy += 0.5 * rate * p; });
    return energy;
  }
  void add_item_momentum(const Kinematics& k, int i, const ForceSink& sink) const override {
    momentum(k, i, [&](const CoordinateRef& c, double, double p) { sink.force[c.dof] += p; });
  }
  double item_potential_energy(const Kinematics& k, int i) const override {
    const detail::EndValues<double> x(k, this->store_.ends(i));
    detail::Buffer<double> f(x.count());
    this->add_product(this->store_[i].linear(), x.view.q, f.data());
    double energy = this->store_[i].potential_energy(x.view);
    for (int j = 0; j < x.count(); ++j) energy += 0.5 * f[j] * x.view.q[j];
    return energy;
  }

 private:
  /// Coordinate by coordinate: it, its rate, its momentum.
  template <class Put>
  void momentum(const Kinematics& k, int i, const Put& put) const {
    const detail::EndValues<double> x(k, this->store_.ends(i));
    const int n = x.count();
    detail::Buffer<double> M(n * n);
    this->store_[i].mass_matrix(x.view, M.data());
    for (int r = 0; r < n; ++r) {
      double p = 0.0;
      for (int c = 0; c < n; ++c) p += M[r * n + c] * x.view.v[c];
      put(this->store_.ends(i).coordinates[r], x.view.v[r], p);
    }
  }
};

/// Relations with rows() at run time and a kernel `h(view, lambda, y)`; with `has_input` also `g(view, lambda, out)`, one
/// entry a coordinate. Traits as of static relations.
template <class R>
class DynamicRelationPool final : public StoredRelations<detail::DynamicStore<R>> {
  using Stored = StoredRelations<detail::DynamicStore<R>>;
  using Stored::store_, Stored::laws_;

 public:
  using Stored::size, Stored::parallel;
  static constexpr RelationTraits tr = traits_of<R>();

  void add(R item, std::span<const Endpoint> endpoints, LawRef law) {
    if constexpr (requires { item.varies_in_time(); }) traits_.uses_time = (size() > 0 && traits_.uses_time) || item.varies_in_time();
    store_.add(std::move(item), endpoints);
    laws_.push_back(law);
    traits_.linear = tr.linear && !store_.mapped();
  }
  RelationTraits traits() const override { return traits_; }
  int rows(int i) const override { return store_[i].rows(); }

  void evaluate(const Kinematics& k, const RowSink& out, int begin, int end) const override {
    for (int i = begin; i < end; ++i) {
      const int m = rows(i), row = out.row_begin[i];
      if (out.y) {
        const detail::EndValues<double> x(k, store_.ends(i));
        Lambda<double> lambda(k, row, m);
        store_[i].h(x.view, lambda.data(), out.y + row);
      }
      if (out.time_rate) time_rate(k, i, row, out.time_rate + row);
      if (out.curvature) curvature(k, i, row, out.curvature + row);
      if (out.H) by_coordinates(k, i, row, position_seeds, out.H + out.value_begin[i]);
      if (out.rate_H) {
        if constexpr (tr.uses_velocity) by_coordinates(k, i, row, rate_seeds, out.rate_H + out.value_begin[i]);
        else std::fill_n(out.rate_H + out.value_begin[i], m * store_.column_count(k, i), 0.0);
      }
      if (out.turn) {
        std::fill_n(out.turn + out.value_begin[i], m * store_.column_count(k, i), 0.0);
        if constexpr (tr.written == Level::value) turning(k, i, row, out.turn + out.value_begin[i]);
      }
      if (out.D) {
        double* D = out.D + out.square_begin[i];
        std::fill_n(D, m * m, 0.0);
        if constexpr (tr.uses_lambda)
          by_lambda(k, i, row, m, [&](const auto& view, const auto* lambda, auto* y) { store_[i].h(view, lambda, y); },
                    [&](int r, int c, double x) { D[r * m + c] = x; });
      }
      if constexpr (tr.has_input)
        if (out.B) input_block(k, i, row, out.B + out.value_begin[i]);
    }
  }

  void add_input(const Kinematics& k, const int* row_begin, double weight, const ForceSink& sink) const override {
    if constexpr (tr.has_input)
      for (int i = 0; i < size(); ++i) {
        const detail::EndValues<double> x(k, store_.ends(i));
        Lambda<double> lambda(k, row_begin[i], rows(i));
        detail::Buffer<double> g(x.count());
        store_[i].g(x.view, lambda.data(), g.data());
        for (int j = 0; j < x.count(); ++j) detail::add_coordinate_force(k, store_.ends(i).coordinates[j], weight * g[j], sink);
      }
  }

  void add_input_matrix(const Kinematics& k, const Seeds& seeds, const int* row_begin, double weight, PoolScratch& scratch, Threads& threads,
                        const BlockSlots& to) const override {
    if (!traits_.linear)
      blocks_in_item_order(size(), parallel(), scratch, threads, to, -weight, [&](int begin, int end, double* out) {
        for (int i = begin; i < end; ++i) out = input_stiffness(k, seeds, i, row_begin[i], out);
      });
  }

 private:
  /// An item of places may know slopes(view, H), turning(view, rate, T), reaction_stiffness(view, lambda, K) by all directions.
  static constexpr bool knows_derivatives = requires(const R& item, const CoordinateView<double>& view, double* to) { item.reaction_stiffness(view, to, to); };
  static constexpr Seeds position_seeds{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  static constexpr Seeds rate_seeds{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

  /// d(input)/dxi of item i, columns x columns, at `block`; returns where it ends.
  double* input_stiffness(const Kinematics& k, const Seeds& seeds, int i, int row, double* block) const {
    if (!store_.mapped(k, i)) return coordinate_stiffness(k, seeds, i, row, block);
    const int moving = store_.moving_count(i), columns = store_.column_count(k, i);
    detail::EndMap map(k, store_.ends(i), moving, columns);
    detail::Block K(moving * moving), f(moving);
    std::fill_n(block, columns * columns, 0.0);
    coordinate_stiffness(k, seeds, i, row, K.data());
    map.add_congruent(K.data(), block);
    if (seeds.value[0] != 0.0) {
      coordinate_input(k, i, row, f.data());
      map.add_geometric(f.data(), seeds.value[0], block);
      coordinate_stiffness(k, rate_seeds, i, row, K.data());
      map.add_congruent_turning(K.data(), seeds.value[0], block);
    }
    return block + columns * columns;
  }
  /// What the multipliers put on the coordinates that are not ground.
  void coordinate_input(const Kinematics& k, int i, int row, double* f) const {
    const detail::Ends ends = store_.ends(i);
    const int m = rows(i), moving = store_.moving_count(i);
    if constexpr (tr.has_input) {
      const detail::EndValues<double> x(k, ends);
      Lambda<double> lambda(k, row, m);
      detail::Buffer<double> g(x.count());
      store_[i].g(x.view, lambda.data(), g.data());
      for (int j = 0, next = 0; j < x.count(); ++j)
        if (ends.kind(j) != CoordinateKind::none) f[next++] = g[j];
    } else {
      detail::Buffer<double> H(m * moving);
      by_moving(k, i, row, tr.written == Level::rate ? rate_seeds : position_seeds, H.data());
      Lambda<double> lambda(k, row, m);
      std::fill_n(f, moving, 0.0);
      for (int r = 0; r < m; ++r)
        for (int c = 0; c < moving; ++c) f[c] += lambda[r] * H[r * moving + c];
    }
  }
  /// The same by the coordinates that are not ground.
  double* coordinate_stiffness(const Kinematics& k, const Seeds& seeds, int i, int row, double* block) const {
    const detail::Ends ends = store_.ends(i);
    const int columns = store_.moving_count(i), n = ends.tangent();
    if constexpr (tr.has_input) {
      detail::Buffer<double> all(n * columns);
      detail::differentiate(k, ends, nullptr, seeds, n, columns, [&](const auto& view, auto* g) {
        using S = std::remove_pointer_t<decltype(g)>;
        Lambda<S> lambda(k, row, rows(i));
        store_[i].g(view, lambda.data(), g);
      }, all.data());
      for (int r = 0, j = 0; j < n; ++j)
        if (ends.kind(j) != CoordinateKind::none) std::copy_n(all.data() + j * columns, columns, block + columns * r++);
    } else {
      std::fill_n(block, columns * columns, 0.0);
      reaction_stiffness(k, i, row, seeds, block);
    }
    return block + columns * columns;
  }

  template <class S>
  struct Lambda : detail::Buffer<S> {
    Lambda(const Kinematics& k, int row, int m) : detail::Buffer<S>(m) {
      if (k.lambda)
        for (int r = 0; r < m; ++r) (*this)[r] = S(k.lambda[row + r]);
    }
  };

  void time_rate(const Kinematics& k, int i, int row, double* out) const {
    const int m = rows(i);
    std::fill_n(out, m, 0.0);
    if constexpr (requires { store_[i].varies_in_time(); })
      if (!store_[i].varies_in_time()) return;
    if constexpr (tr.uses_time) {
      detail::EndValues<Dual<1>> x(k, store_.ends(i));
      Lambda<Dual<1>> lambda(k, row, m);
      detail::Buffer<Dual<1>> y(m);
      x.view.t = Dual<1>::variable(k.t, 0);
      store_[i].h(x.view, lambda.data(), y.data());
      for (int r = 0; r < m; ++r) out[r] = y[r].d[0];
    }
  }
  void curvature(const Kinematics& k, int i, int row, double* out) const {
    const int m = rows(i);
    detail::EndValues<Taylor2<>> x(k, store_.ends(i));
    Lambda<Taylor2<>> lambda(k, row, m);
    detail::Buffer<Taylor2<>> y(m);
    x.view.t = Taylor2<>(k.t, 1.0, 0.0);
    const detail::Ends ends = store_.ends(i);
    for (int f = 0; f < ends.frame_count(); ++f) x.frame(f) = detail::frame_along(ends.frames[f].frame(k), ends.frames[f].bias(k));
    for (int j = 0; j < x.count(); ++j) {
      const double bias = detail::coordinate_bias(k, ends.coordinates[j]);
      x.q(j).first = x.v(j).value, x.q(j).second = bias, x.v(j).first = bias;
    }
    store_[i].h(x.view, lambda.data(), y.data());
    for (int r = 0; r < m; ++r) out[r] = tr.written == Level::value ? y[r].second : y[r].first;
  }
  /// d(ydot)/dq at fixed v.
  void turning(const Kinematics& k, int i, int row, double* out) const {
    if (!store_.mapped(k, i)) return turning_of_moving(k, i, row, out);
    const int m = rows(i), moving = store_.moving_count(i);
    detail::EndMap map(k, store_.ends(i), moving, store_.column_count(k, i));
    detail::Buffer<double> P(m * moving);
    turning_of_moving(k, i, row, P.data());
    map.add(P.data(), m, out);
    by_moving(k, i, row, position_seeds, P.data());
    map.add_turning(P.data(), m, out);
  }
  /// The same by the directions that are not ground: the motion in the outer dual, after the displacement.
  void turning_of_moving(const Kinematics& k, int i, int row, double* out) const {
    if (own_turning(k, i, out)) return;
    const detail::Ends ends = store_.ends(i);
    const int m = rows(i), columns = store_.moving_count(i);
    detail::EndValues<Displaced> base(k, ends);
    Lambda<Moved> lambda(k, row, m);
    detail::Buffer<Moved> y(m);
    detail::each_pass(ends, [&](int first, const int* moved, int count) {
      for (int c = 0; c < count; ++c) base.move(moved[c], c, 1.0, 0.0);
      detail::EndValues<Moved> x(base.view);
      x.view.t.d[0] = Displaced(1.0);
      for (int d = 0; d < ends.tangent(); ++d) x.move(d, 0, Displaced(rate(k, ends, d)), Displaced(0.0));
      store_[i].h(x.view, lambda.data(), y.data());
      for (int r = 0; r < m; ++r)
        for (int c = 0; c < count; ++c) out[r * columns + first + c] = y[r].d[0].d[c];
      for (int c = 0; c < count; ++c) base.stop(moved[c], c);
    });
  }
  /// Of a direction of the ends.
  static double rate(const Kinematics& k, const detail::Ends& ends, int direction) {
    if (const int j = direction - 6 * ends.frame_count(); j >= 0) return k.y[ends.coordinates[j].rate];
    return FramePort::rate(ends.frames[direction / 6].frame(k))[direction % 6];
  }
  /// out (rows x columns) = dh/dxi; of rows written at rate those by position hold the turning of the rates.
  void by_coordinates(const Kinematics& k, int i, int row, const Seeds& seeds, double* out) const {
    if (!store_.mapped(k, i)) return by_moving(k, i, row, seeds, out);
    const int m = rows(i), moving = store_.moving_count(i), columns = store_.column_count(k, i);
    detail::EndMap map(k, store_.ends(i), moving, columns);
    detail::Buffer<double> P(m * moving);
    std::fill_n(out, m * columns, 0.0);
    by_moving(k, i, row, seeds, P.data());
    map.add(P.data(), m, out);
    if (seeds.value[0] != 0.0 && tr.written == Level::rate) {
      by_moving(k, i, row, rate_seeds, P.data());
      map.add_turning(P.data(), m, out);
    }
  }
  void by_moving(const Kinematics& k, int i, int row, const Seeds& seeds, double* out) const {
    if (own_slopes(k, i, seeds, out)) return;
    detail::differentiate(k, store_.ends(i), nullptr, seeds, rows(i), store_.moving_count(i), [&](const auto& view, auto* y) {
      using S = std::remove_pointer_t<decltype(y)>;
      Lambda<S> lambda(k, row, rows(i));
      store_[i].h(view, lambda.data(), y);
    }, out);
  }
  /// The same of an item of places that knows its derivatives; false where it does not.
  bool own_slopes([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i, [[maybe_unused]] const Seeds& seeds, [[maybe_unused]] double* out) const {
    if constexpr (knows_derivatives) {
      const detail::Ends ends = store_.ends(i);
      const int n = ends.tangent();
      detail::Block H(rows(i) * n);
      if (!store_[i].slopes(detail::EndValues<double>(k, ends).view, H.data())) return false;
      detail::Buffer<int> moved(n);
      const int moving = ends.moved(moved.data());
      for (int r = 0; r < rows(i); ++r)
        for (int c = 0; c < moving; ++c) *out++ = H[r * n + moved[c]] * seeds.value[static_cast<int>(ends.kind(moved[c]))];
      return true;
    }
    return false;
  }
  bool own_turning([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i, [[maybe_unused]] double* out) const {
    if constexpr (knows_derivatives) {
      const detail::Ends ends = store_.ends(i);
      const int n = ends.tangent();
      detail::Buffer<double> rates(n);
      for (int d = 0; d < n; ++d) rates[d] = rate(k, ends, d);
      detail::Block turned(rows(i) * n);
      if (!store_[i].turning(detail::EndValues<double>(k, ends).view, rates.data(), turned.data())) return false;
      detail::Buffer<int> moved(n);
      const int moving = ends.moved(moved.data());
      for (int r = 0; r < rows(i); ++r)
        for (int c = 0; c < moving; ++c) *out++ = turned[r * n + moved[c]];
      return true;
    }
    return false;
  }
  bool own_stiffness([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i, [[maybe_unused]] int row, [[maybe_unused]] const Seeds& seeds, [[maybe_unused]] double* block) const {
    if constexpr (knows_derivatives) {
      const detail::Ends ends = store_.ends(i);
      const int n = ends.tangent();
      detail::Block K(n * n);
      Lambda<double> lambda(k, row, rows(i));
      if (!store_[i].reaction_stiffness(detail::EndValues<double>(k, ends).view, lambda.data(), K.data())) return false;
      detail::Buffer<int> moved(n);
      const int moving = ends.moved(moved.data());
      for (int r = 0; r < moving; ++r)
        for (int c = 0; c < moving; ++c) *block++ = K[moved[r] * n + moved[c]] * seeds.value[static_cast<int>(ends.kind(moved[c]))];
      return true;
    }
    return false;
  }
  /// put(r, c, d f_r / d lambda_c) for f(view, lambda, results).
  template <class F, class Put>
  void by_lambda(const Kinematics& k, int i, int row, int results, F f, Put put) const {
    using D = Dual<detail::dual_pass>;
    const int m = rows(i);
    const detail::EndValues<D> x(k, store_.ends(i));
    detail::Buffer<D> y(results);
    for (int first = 0; first < m; first += detail::dual_pass) {
      Lambda<D> lambda(k, row, m);
      const int count = std::min(detail::dual_pass, m - first);
      for (int c = 0; c < count; ++c) lambda[first + c].d[c] = 1.0;
      f(x.view, lambda.data(), y.data());
      for (int r = 0; r < results; ++r)
        for (int c = 0; c < count; ++c) put(r, first + c, y[r].d[c]);
    }
  }
  void input_block(const Kinematics& k, int i, int row, double* B) const {
    const int m = rows(i), columns = store_.column_count(k, i);
    if (store_.mapped(k, i)) {
      const int moving = store_.moving_count(i);
      detail::EndMap map(k, store_.ends(i), moving, columns);
      detail::Buffer<double> g(moving * m);
      input_of_moving(k, i, row, g.data());
      std::fill_n(B, columns * m, 0.0);
      for (int j = 0; j < moving; ++j)
        for (int c = 0; c < columns; ++c)
          for (int r = 0; r < m; ++r) B[c * m + r] += map.J()[j * columns + c] * g[j * m + r];
      return;
    }
    input_of_moving(k, i, row, B);
  }
  void input_of_moving(const Kinematics& k, int i, int row, double* B) const {
    const int m = rows(i);
    const detail::Ends ends = store_.ends(i);
    detail::Buffer<int> column(ends.tangent());
    for (int j = 0, next = 0; j < ends.tangent(); ++j) column[j] = ends.kind(j) == CoordinateKind::none ? -1 : next++;
    by_lambda(k, i, row, ends.tangent(), [&](const auto& view, const auto* lambda, auto* g) { store_[i].g(view, lambda, g); },
              [&](int r, int c, double x) {
                if (column[r] >= 0) B[column[r] * m + c] = x;
              });
  }
  /// d(H^T lambda)/dxi at fixed lambda, columns x columns: the displacement first, in the inner dual, then the direction of H.
  void reaction_stiffness(const Kinematics& k, int i, int row, const Seeds& seeds, double* block) const {
    if (own_stiffness(k, i, row, seeds, block)) return;
    const detail::Ends ends = store_.ends(i);
    const int m = rows(i), columns = store_.moving_count(i);
    detail::EndValues<Displaced> base(k, ends);
    Lambda<Moved> lambda(k, row, m);
    detail::Buffer<Moved> y(m);
    const Displaced by_value(tr.written == Level::rate ? 0.0 : 1.0), by_rate(tr.written == Level::rate ? 1.0 : 0.0);
    detail::each_pass(ends, [&](int first, const int* moved, int count) {
      for (int c = 0; c < count; ++c) {
        const int kind = static_cast<int>(ends.kind(moved[c]));
        base.move(moved[c], c, seeds.value[kind], seeds.rate[kind]);
      }
      detail::EndValues<Moved> x(base.view);
      for (int d = 0, r = 0; d < ends.tangent(); ++d) {
        if (ends.kind(d) == CoordinateKind::none) continue;
        x.move(d, 0, by_value, by_rate);
        store_[i].h(x.view, lambda.data(), y.data());
        x.stop(d, 0);
        for (int c = 0; c < count; ++c) {
          double sum = 0.0;
          for (int j = 0; j < m; ++j) sum += y[j].d[0].d[c] * (k.lambda ? k.lambda[row + j] : 0.0);
          block[r * columns + first + c] = sum;
        }
        ++r;
      }
      for (int c = 0; c < count; ++c) base.stop(moved[c], c);
    });
  }

  using Displaced = Dual<detail::dual_pass>;
  using Moved = Dual<1, Displaced>;
  RelationTraits traits_ = tr;  // of the items that there are
};

}  // namespace saltus
