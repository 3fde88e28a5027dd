// Pools of items whose sizes are known at run time: generic systems, linear and users' relations on any number of scalar
// coordinates. They fill the same blocks and rows as the static pools; derivatives by passes of a few duals.
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/math/matrix.hpp"
#include "saltus/math/taylor.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// What a kernel of run-time size sees: the time, its coordinates and their rates (0 where a coordinate has none).
template <class S>
struct CoordinateView {
  S t{};
  int n = 0;
  const S* q = nullptr;
  const S* v = nullptr;
};

namespace detail {

inline constexpr int dual_pass = 4;  // coordinates differentiated in one pass

/// Numbers on the stack; on the heap only where an item is larger than usual.
template <class T>
class Buffer {
 public:
  explicit Buffer(int size) : size_(size), large_(size > small ? static_cast<std::size_t>(size) : 0), data_(size > small ? large_.data() : small_) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() { return data_; }
  T& operator[](int i) { return data_[i]; }
  int size() const { return size_; }

 private:
  static constexpr int small = 32;
  int size_;
  T small_[small]{};
  std::vector<T> large_;
  T* data_;
};

/// Items with any number of coordinate endpoints each.
template <class Item>
class DynamicStore {
 public:
  void add(Item item, std::span<const Endpoint> ends) {
    items_.push_back(std::move(item));
    endpoints_.insert(endpoints_.end(), ends.begin(), ends.end());
    for (const Endpoint& e : ends) coordinates_.push_back(e.coordinate), of_joints_ = of_joints_ || e.coordinate.is_of_joint();
    begin_.push_back(static_cast<int>(coordinates_.size()));
  }
  int size() const { return static_cast<int>(items_.size()); }
  const Item& operator[](int i) const { return items_[i]; }
  std::span<const CoordinateRef> coordinates(int i) const {
    return {coordinates_.data() + begin_[i], coordinates_.data() + begin_[i + 1]};
  }
  std::span<const Endpoint> endpoints(int i) const { return {endpoints_.data() + begin_[i], endpoints_.data() + begin_[i + 1]}; }
  bool parallel() const {
    return std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.parallel(); });
  }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const {
    for (const CoordinateRef& c : coordinates(i)) {
      const std::size_t begin = out.size();
      out.resize(begin + static_cast<std::size_t>(coordinate_columns(k, c, nullptr)));
      coordinate_columns(k, c, out.data() + begin);
    }
  }
  /// Where the coordinates of item i begin among those of all items.
  int begin(int i) const { return begin_[i]; }
  /// Coordinates of item i that are not ground.
  int moving_count(int i) const {
    const auto all = coordinates(i);
    return static_cast<int>(std::count_if(all.begin(), all.end(), [](const CoordinateRef& c) { return c.kind != CoordinateKind::none; }));
  }
  int column_count(const Kinematics& k, int i) const {
    if (!of_joints_) return moving_count(i);
    int n = 0;
    for (const CoordinateRef& c : coordinates(i)) n += coordinate_columns(k, c, nullptr);
    return n;
  }
  bool of_joints() const { return of_joints_; }
  void place(const FrameUse& use) {
    for (CoordinateRef& c : coordinates_) place_coordinate(c, use);
  }

 private:
  std::vector<Item> items_;
  std::vector<CoordinateRef> coordinates_;
  std::vector<Endpoint> endpoints_;  // the same as they were given
  std::vector<int> begin_{0};
  bool of_joints_ = false;  // some coordinate is one of a joint, whose unknowns are those of its frames
};

/// J of an item: its coordinates that are not ground, by its columns; and V, d(rate)/dq at fixed v.
class CoordinateMap {
 public:
  CoordinateMap(const Kinematics& k, std::span<const CoordinateRef> refs, int moving, int columns)
      : k_(k), refs_(refs), columns_(columns), J_(moving * columns), V_(moving * columns) {
    each([&](const CoordinateRef& c, int row, int offset) {
      add_coordinate_jacobian(k, c, 1.0, J_.data() + row * columns, offset);
      turns_ |= add_coordinate_rate_jacobian(k, c, 1.0, V_.data() + row * columns, offset);
    });
  }
  /// out (rows x columns) += factor P J, or P V, for P rows x moving.
  void add(const double* P, int rows, double* out) { add_product(P, rows, J_.data(), out); }
  void add_turning(const double* P, int rows, double* out) {
    if (turns_) add_product(P, rows, V_.data(), out);
  }
  /// block (columns x columns) += J^T K J, or factor J^T K V.
  void add_congruent(const double* K, double* block) { add_square(K, J_.data(), 1.0, block); }
  void add_congruent_turning(const double* K, double factor, double* block) {
    if (turns_) add_square(K, V_.data(), factor, block);
  }
  /// block += factor d(J^T f)/dq, f by the coordinates that are not ground.
  void add_geometric(const double* f, double factor, double* block) {
    each([&](const CoordinateRef& c, int row, int offset) { add_coordinate_geometric(k_, c, factor * f[row], block, columns_, offset); });
  }
  double* J() { return J_.data(); }

 private:
  template <class F>
  void each(F f) const {
    int row = 0, offset = 0;
    for (const CoordinateRef& c : refs_)
      if (c.kind != CoordinateKind::none) f(c, row++, offset), offset += coordinate_columns(k_, c, nullptr);
  }
  int moving() const { return columns_ ? static_cast<int>(J_.size()) / columns_ : 0; }
  void add_product(const double* P, int rows, const double* J, double* out) const {
    for (int r = 0; r < rows; ++r)
      for (int i = 0; i < moving(); ++i)
        if (const double p = P[r * moving() + i]; p != 0.0) add_row(p, J + i * columns_, columns_, out + r * columns_);
  }
  void add_square(const double* K, const double* right, double factor, double* block) {
    Buffer<double> KR(moving() * columns_);
    add_product(K, moving(), right, KR.data());
    for (int i = 0; i < moving(); ++i)
      for (int r = 0; r < columns_; ++r)
        if (const double j = factor * J_[i * columns_ + r]; j != 0.0) add_row(j, KR.data() + i * columns_, columns_, block + r * columns_);
  }
  const Kinematics& k_;
  std::span<const CoordinateRef> refs_;
  int columns_;
  Buffer<double> J_, V_;
  bool turns_ = false;
};

/// Values of the coordinates on any scalar. `view` points into it.
template <class S>
class CoordinateValues {
 public:
  CoordinateValues(const Kinematics& k, std::span<const CoordinateRef> refs) : refs_(refs), values_(2 * count()) {
    for (int i = 0; i < count(); ++i) {
      const CoordinateRef& c = refs[i];
      q(i) = S(k.y[c.value]), v(i) = S(k.y[c.rate]);
    }
    view.t = S(k.t), view.n = count();
    view.q = values_.data(), view.v = values_.data() + count();
  }
  int count() const { return static_cast<int>(refs_.size()); }
  S& q(int i) { return values_[i]; }
  S& v(int i) { return values_[count() + i]; }
  const CoordinateRef& ref(int i) const { return refs_[i]; }

  CoordinateView<S> view;

 private:
  std::span<const CoordinateRef> refs_;
  Buffer<S> values_;
};

/// What an item declares to be read: `quantities`, `quantity(which, view)`.
template <class Item>
std::span<const ItemQuantity> quantities_of() {
  if constexpr (requires { Item::quantities; }) return Item::quantities;
  return {};
}
template <class Item>
Vec3<double> quantity_of([[maybe_unused]] const Item& item, [[maybe_unused]] int which, [[maybe_unused]] const Kinematics& k, [[maybe_unused]] std::span<const CoordinateRef> refs) {
  if constexpr (requires { Item::quantities; }) return item.quantity(which, CoordinateValues<double>(k, refs).view);
  return {};
}

/// out[r * columns + c] = d f_r / d xi_c by the seeds, for all columns of the item. f(view, results).
template <class F>
void differentiate(const Kinematics& k, std::span<const CoordinateRef> refs, const Seeds& seeds, int results, int columns, F f, double* out) {
  using D = Dual<dual_pass>;
  CoordinateValues<D> x(k, refs);
  Buffer<D> y(results);
  for (int next = 0, first = 0; first < columns; first += dual_pass) {
    int moved[dual_pass], count = 0;
    for (; next < x.count() && count < dual_pass; ++next)
      if (x.ref(next).kind != CoordinateKind::none) {
        const int kind = static_cast<int>(x.ref(next).kind);
        x.q(next).d[count] = seeds.value[kind];
        x.v(next).d[count] = seeds.rate[kind];
        moved[count++] = next;
      }
    f(x.view, y.data());
    for (int r = 0; r < results; ++r)
      for (int c = 0; c < count; ++c) out[r * columns + first + c] = y[r].d[c];
    for (int c = 0; c < count; ++c) x.q(moved[c]).d = {}, x.v(moved[c]).d = {};
  }
}

}  // namespace detail

/// Items with: `sign` (-1: on the left, 1: on the right), linear(), linear_rate(): matrices (n x n or empty) of q and v,
/// `rest(view, out)`: what else there is, `varies()`: whether the rest depends on q or v. F = sign (A q + B v + rest).
template <class Item, class Base = ForcePool>
class DynamicForcePool : public Base {
 public:
  void add(Item item, std::span<const Endpoint> endpoints) { store_.add(std::move(item), endpoints); }
  int size() const override { return store_.size(); }
  bool parallel() const override { return store_.parallel(); }
  void place(FrameUse& use) override { store_.place(use); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const override { store_.columns(k, i, out); }
  std::span<const Endpoint> endpoints(int i) const override { return store_.endpoints(i); }
  std::span<const ItemQuantity> quantities() const override { return detail::quantities_of<Item>(); }
  Vec3<double> quantity(const Kinematics& k, int i, int which) const override { return detail::quantity_of(store_[i], which, k, store_.coordinates(i)); }
  bool constant_matrix() const override {
    for (int i = 0; i < size(); ++i)
      if (store_[i].varies()) return false;
    return true;
  }

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    in_item_order(size(), parallel(), scratch, threads, [&](int i) { return store_.begin(i); },
                  [&](int begin, int end, double* out) {
                    for (int i = begin; i < end; ++i) {
                      const detail::CoordinateValues<double> x(k, store_.coordinates(i));
                      store_[i].rest(x.view, out);
                      add_product(store_[i].linear(), x.view.q, out);
                      add_product(store_[i].linear_rate(), x.view.v, out);
                      out += x.count();
                    }
                  },
                  [&](int begin, int end, const double* f) {
                    for (int i = begin; i < end; ++i)
                      for (const CoordinateRef& c : store_.coordinates(i)) sink.force[c.dof] += Item::sign * *f++;
                  });
  }

  void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    blocks_in_item_order(size(), parallel(), scratch, threads, to, -Item::sign, [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i) {
        const auto refs = store_.coordinates(i);
        const int n = static_cast<int>(refs.size());  // objects have no ground among their coordinates
        std::fill_n(out, n * n, 0.0);
        if (store_[i].varies())
          detail::differentiate(k, refs, seeds, n, n, [&](const auto& view, auto* f) { store_[i].rest(view, f); }, out);
        const Matrix &A = store_[i].linear(), &B = store_[i].linear_rate();
        for (int r = 0; r < n; ++r)
          for (int c = 0; c < n; ++c, ++out) {
            const int kind = static_cast<int>(refs[c].kind);
            if (A.rows) *out += seeds.value[kind] * A(r, c);
            if (B.rows) *out += seeds.rate[kind] * B(r, c);
          }
      }
    });
  }

 protected:
  static void add_product(const Matrix& A, const double* x, double* out) {
    for (int r = 0; r < A.rows; ++r)
      for (int c = 0; c < A.cols; ++c) out[r] += A(r, c) * x[c];
  }
  detail::DynamicStore<Item> store_;
};

/// Items with `mass_matrix(view, M)` besides, n x n, and `constant_mass()`; `wrong_mass(view)` and `potential_energy(view)` beside that of the
/// linear part. The rest holds the inertia terms at vdot = 0.
template <class Item>
class DynamicObjectPool final : public DynamicForcePool<Item, ObjectPool> {
 public:
  void add_mass(const Kinematics& k, double scale, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    blocks_in_item_order(this->size(), this->parallel(), scratch, threads, to, scale, [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i) {
        const detail::CoordinateValues<double> x(k, this->store_.coordinates(i));
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
    return this->store_[i].wrong_mass(detail::CoordinateValues<double>(k, this->store_.coordinates(i)).view);
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
    const detail::CoordinateValues<double> x(k, this->store_.coordinates(i));
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
    const detail::CoordinateValues<double> x(k, this->store_.coordinates(i));
    const int n = x.count();
    detail::Buffer<double> M(n * n);
    this->store_[i].mass_matrix(x.view, M.data());
    for (int r = 0; r < n; ++r) {
      double p = 0.0;
      for (int c = 0; c < n; ++c) p += M[r * n + c] * x.view.v[c];
      put(x.ref(r), x.view.v[r], p);
    }
  }
};

/// Relations with rows() at run time and a kernel `h(view, lambda, y)`; with `has_input` also `g(view, lambda, out)`, one
/// entry a coordinate. Traits as of static relations.
template <class R>
class DynamicRelationPool final : public RelationPool {
 public:
  static constexpr RelationTraits tr = traits_of<R>();

  void add(R item, std::span<const Endpoint> endpoints, LawRef law) {
    if constexpr (requires { item.varies_in_time(); }) traits_.uses_time = (size() > 0 && traits_.uses_time) || item.varies_in_time();
    store_.add(std::move(item), endpoints);
    laws_.push_back(law);
    traits_.linear = tr.linear && !store_.of_joints();
  }
  int size() const override { return store_.size(); }
  bool parallel() const override { return store_.parallel(); }
  void place(FrameUse& use) override { store_.place(use); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const override { store_.columns(k, i, out); }
  RelationTraits traits() const override { return traits_; }
  int rows(int i) const override { return store_[i].rows(); }
  LawRef law(int i) const override { return laws_[i]; }
  std::span<const ItemQuantity> quantities() const override { return detail::quantities_of<R>(); }
  Vec3<double> quantity(const Kinematics& k, int i, int which) const override { return detail::quantity_of(store_[i], which, k, store_.coordinates(i)); }

  void evaluate(const Kinematics& k, const RowSink& out, int begin, int end) const override {
    for (int i = begin; i < end; ++i) {
      const int m = rows(i), row = out.row_begin[i];
      if (out.y) {
        const detail::CoordinateValues<double> x(k, store_.coordinates(i));
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
        const detail::CoordinateValues<double> x(k, store_.coordinates(i));
        Lambda<double> lambda(k, row_begin[i], rows(i));
        detail::Buffer<double> g(x.count());
        store_[i].g(x.view, lambda.data(), g.data());
        for (int j = 0; j < x.count(); ++j) detail::add_coordinate_force(k, x.ref(j), weight * g[j], sink);
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
  static constexpr Seeds position_seeds{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  static constexpr Seeds rate_seeds{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

  /// d(input)/dxi of item i, columns x columns, at `block`; returns where it ends.
  double* input_stiffness(const Kinematics& k, const Seeds& seeds, int i, int row, double* block) const {
    if (!store_.of_joints()) return coordinate_stiffness(k, seeds, i, row, block);
    const int moving = store_.moving_count(i), columns = store_.column_count(k, i);
    detail::CoordinateMap map(k, store_.coordinates(i), moving, columns);
    detail::Buffer<double> K(moving * moving), f(moving);
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
    const auto refs = store_.coordinates(i);
    const int m = rows(i), n = static_cast<int>(refs.size()), moving = store_.moving_count(i);
    if constexpr (tr.has_input) {
      const detail::CoordinateValues<double> x(k, refs);
      Lambda<double> lambda(k, row, m);
      detail::Buffer<double> g(n);
      store_[i].g(x.view, lambda.data(), g.data());
      for (int j = 0, next = 0; j < n; ++j)
        if (refs[j].kind != CoordinateKind::none) f[next++] = g[j];
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
    const auto refs = store_.coordinates(i);
    const int columns = store_.moving_count(i), n = static_cast<int>(refs.size());
    if constexpr (tr.has_input) {
      detail::Buffer<double> all(n * columns);
      detail::differentiate(k, refs, seeds, n, columns, [&](const auto& view, auto* g) {
        using S = std::remove_pointer_t<decltype(g)>;
        Lambda<S> lambda(k, row, rows(i));
        store_[i].g(view, lambda.data(), g);
      }, all.data());
      for (int r = 0, j = 0; j < n; ++j)
        if (refs[j].kind != CoordinateKind::none) std::copy_n(all.data() + j * columns, columns, block + columns * r++);
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
      detail::CoordinateValues<Dual<1>> x(k, store_.coordinates(i));
      Lambda<Dual<1>> lambda(k, row, m);
      detail::Buffer<Dual<1>> y(m);
      x.view.t = Dual<1>::variable(k.t, 0);
      store_[i].h(x.view, lambda.data(), y.data());
      for (int r = 0; r < m; ++r) out[r] = y[r].d[0];
    }
  }
  void curvature(const Kinematics& k, int i, int row, double* out) const {
    const int m = rows(i);
    detail::CoordinateValues<Taylor2<>> x(k, store_.coordinates(i));
    Lambda<Taylor2<>> lambda(k, row, m);
    detail::Buffer<Taylor2<>> y(m);
    x.view.t = Taylor2<>(k.t, 1.0, 0.0);
    for (int j = 0; j < x.count(); ++j) {
      const double bias = detail::coordinate_bias(k, x.ref(j));
      x.q(j).first = x.v(j).value, x.q(j).second = bias, x.v(j).first = bias;
    }
    store_[i].h(x.view, lambda.data(), y.data());
    for (int r = 0; r < m; ++r) out[r] = tr.written == Level::value ? y[r].second : y[r].first;
  }
  /// d(ydot)/dq at fixed v.
  void turning(const Kinematics& k, int i, int row, double* out) const {
    if (!store_.of_joints()) return turning_of_moving(k, i, row, out);
    const int m = rows(i), moving = store_.moving_count(i);
    detail::CoordinateMap map(k, store_.coordinates(i), moving, store_.column_count(k, i));
    detail::Buffer<double> P(m * moving);
    turning_of_moving(k, i, row, P.data());
    map.add(P.data(), m, out);
    by_moving(k, i, row, position_seeds, P.data());
    map.add_turning(P.data(), m, out);
  }
  /// The same by the coordinates that are not ground: the motion in the inner dual.
  void turning_of_moving(const Kinematics& k, int i, int row, double* out) const {
    using S = Dual<detail::dual_pass, Dual<1>>;
    const int m = rows(i), columns = store_.moving_count(i);
    detail::CoordinateValues<S> x(k, store_.coordinates(i));
    Lambda<S> lambda(k, row, m);
    detail::Buffer<S> y(m);
    x.view.t.value.d[0] = 1.0;
    for (int j = 0; j < x.count(); ++j) x.q(j).value.d[0] = x.v(j).value.value;
    for (int next = 0, first = 0; first < columns; first += detail::dual_pass) {
      int moved[detail::dual_pass], count = 0;
      for (; next < x.count() && count < detail::dual_pass; ++next)
        if (x.ref(next).kind != CoordinateKind::none) x.q(next).d[count] = Dual<1>(1.0), moved[count++] = next;
      store_[i].h(x.view, lambda.data(), y.data());
      for (int r = 0; r < m; ++r)
        for (int c = 0; c < count; ++c) out[r * columns + first + c] = y[r].d[c].d[0];
      for (int c = 0; c < count; ++c) x.q(moved[c]).d = {};
    }
  }
  /// out (rows x columns) = dh/dxi; of rows written at rate those by position hold the turning of the rates.
  void by_coordinates(const Kinematics& k, int i, int row, const Seeds& seeds, double* out) const {
    if (!store_.of_joints()) return by_moving(k, i, row, seeds, out);
    const int m = rows(i), moving = store_.moving_count(i), columns = store_.column_count(k, i);
    detail::CoordinateMap map(k, store_.coordinates(i), moving, columns);
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
    detail::differentiate(k, store_.coordinates(i), seeds, rows(i), store_.moving_count(i), [&](const auto& view, auto* y) {
      using S = std::remove_pointer_t<decltype(y)>;
      Lambda<S> lambda(k, row, rows(i));
      store_[i].h(view, lambda.data(), y);
    }, out);
  }
  /// put(r, c, d f_r / d lambda_c) for f(view, lambda, results).
  template <class F, class Put>
  void by_lambda(const Kinematics& k, int i, int row, int results, F f, Put put) const {
    using D = Dual<detail::dual_pass>;
    const int m = rows(i);
    const detail::CoordinateValues<D> x(k, store_.coordinates(i));
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
    const auto refs = store_.coordinates(i);
    if (store_.of_joints()) {
      const int moving = store_.moving_count(i);
      detail::CoordinateMap map(k, refs, moving, columns);
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
    const auto refs = store_.coordinates(i);
    detail::Buffer<int> column(static_cast<int>(refs.size()));
    for (int j = 0, next = 0; j < static_cast<int>(refs.size()); ++j) column[j] = refs[j].kind == CoordinateKind::none ? -1 : next++;
    by_lambda(k, i, row, static_cast<int>(refs.size()), [&](const auto& view, const auto* lambda, auto* g) { store_[i].g(view, lambda, g); },
              [&](int r, int c, double x) {
                if (column[r] >= 0) B[column[r] * m + c] = x;
              });
  }
  /// d(H^T lambda)/dxi at fixed lambda, columns x columns: the outer direction in the inner dual.
  void reaction_stiffness(const Kinematics& k, int i, int row, const Seeds& seeds, double* block) const {
    using S = Dual<detail::dual_pass, Dual<1>>;
    const int m = rows(i), columns = store_.moving_count(i);
    detail::CoordinateValues<S> x(k, store_.coordinates(i));
    Lambda<S> lambda(k, row, m);
    detail::Buffer<S> y(m);
    detail::Buffer<int> moving(columns);
    for (int j = 0, next = 0; j < x.count(); ++j)
      if (x.ref(j).kind != CoordinateKind::none) moving[next++] = j;
    for (int outer = 0; outer < columns; ++outer) {
      const int o = moving[outer], kind = static_cast<int>(x.ref(o).kind);
      x.q(o).value.d[0] = seeds.value[kind], x.v(o).value.d[0] = seeds.rate[kind];
      for (int first = 0; first < columns; first += detail::dual_pass) {
        const int count = std::min(detail::dual_pass, columns - first);
        const auto seed = [&](double size) {
          for (int c = 0; c < count; ++c) {
            S& entry = tr.written == Level::rate ? x.v(moving[first + c]) : x.q(moving[first + c]);
            entry.d[c] = Dual<1>(size);
          }
        };
        seed(1.0);
        store_[i].h(x.view, lambda.data(), y.data());
        seed(0.0);
        for (int c = 0; c < count; ++c) {
          double sum = 0.0;
          for (int r = 0; r < m; ++r) sum += y[r].d[c].d[0] * (k.lambda ? k.lambda[row + r] : 0.0);
          block[(first + c) * columns + outer] = sum;
        }
      }
      x.q(o).value.d[0] = 0.0, x.v(o).value.d[0] = 0.0;
    }
  }

  RelationTraits traits_ = tr;  // of the items that there are
  detail::DynamicStore<R> store_;
  std::vector<LawRef> laws_;
};

}  // namespace saltus
