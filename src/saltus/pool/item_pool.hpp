// The pools of items written as kernels: gather, call, scatter; derivatives from dual numbers.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "saltus/pool/pool.hpp"

namespace saltus {

/// What a kernel gets beside its view: time, gravity, multipliers (relations), history.
template <class S, int Rows = 0>
struct Context {
  S t{};
  Vec3<double> gravity{};
  Vec<S, (Rows > 0 ? Rows : 1)> lambda{};
};

namespace detail {
template <class T> struct is_tuple : std::false_type {};
template <class... T> struct is_tuple<std::tuple<T...>> : std::true_type {};

/// kernel(view..., context): a composite port's views are spread.
template <class F, class V, class C>
auto call(F&& kernel, const V& view, const C& context) {
  if constexpr (is_tuple<V>::value)
    return std::apply([&](const auto&... views) { return kernel(views..., context); }, view);
  else
    return kernel(view, context);
}
template <class S>
Vec<S, 1> as_vec(const S& x) { return {{x}}; }
template <class S, int N>
const Vec<S, N>& as_vec(const Vec<S, N>& x) { return x; }

inline constexpr int item_block = 64;      // items a serial loop keeps in cache
inline constexpr int parallel_from = 256;  // fewer items are not worth waking threads

template <class Item>
concept HasParallel = requires(const Item& item) { { item.parallel() } -> std::same_as<bool>; };

/// Items with the endpoints of each, and the columns under an item.
template <class Item>
struct ItemStore {
  using P = typename Item::port;
  std::vector<Item> items;
  std::vector<Endpoint> endpoints;  // P::endpoints an item

  const Endpoint* ends(int i) const { return endpoints.data() + static_cast<std::size_t>(i) * P::endpoints; }
  int size() const { return static_cast<int>(items.size()); }
  bool parallel() const {
    if constexpr (HasParallel<Item>)
      return std::all_of(items.begin(), items.end(), [](const Item& item) { return item.parallel(); });
    return true;
  }
  void add(Item item, std::span<const Endpoint> e) {
    items.push_back(std::move(item));
    endpoints.insert(endpoints.end(), e.begin(), e.end());
  }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const {
    const std::size_t begin = out.size();
    out.resize(begin + static_cast<std::size_t>(P::columns(k, ends(i), nullptr)));
    P::columns(k, ends(i), out.data() + begin);
  }
};

/// block (n x n) += factor J^T K V, K T x T, J and V T x n; zeros cost nothing.
template <int T>
void add_product_block(const double* J, const double* K, const double* V, int n, double factor, double* block) {
  with_columns(n, [&](auto columns) {
    double KV[max_columns];
    for (int i = 0; i < T; ++i) {
      bool zero = true;
      std::fill_n(KV, static_cast<int>(columns), 0.0);
      for (int j = 0; j < T; ++j)
        if (K[i * T + j] != 0.0) add_row(factor * K[i * T + j], V + j * columns, columns, KV), zero = false;
      if (zero) continue;
      for (int r = 0; r < columns; ++r)
        if (J[i * columns + r] != 0.0) add_row(J[i * columns + r], KV, columns, block + r * columns);
    }
  });
}
template <int T>
void add_congruent_block(const double* K, const double* J, int n, double factor, double* block) {
  add_product_block<T>(J, K, J, n, factor, block);
}
}  // namespace detail

/// Sign with which a kernel's result enters F: `lhs` of connectors and objects is on the left, `rhs` of loads on the right.
template <class Item>
concept HasLhs = requires { typename Item::port; } && !requires { Item::is_load; };

/// Connectors (`lhs`) and loads (`rhs`); base of the objects.
template <class Item, class Base = ForcePool>
class ItemForcePool : public Base {
 public:
  using P = typename Item::port;
  static constexpr int T = P::tangent;
  static constexpr double sign = HasLhs<Item> ? -1.0 : 1.0;

  void add(Item item, std::span<const Endpoint> endpoints) { store_.add(std::move(item), endpoints); }
  const detail::ItemStore<Item>& store() const { return store_; }
  int size() const override { return store_.size(); }
  bool parallel() const override { return store_.parallel(); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const override { store_.columns(k, i, out); }
  std::span<const Endpoint> endpoints(int i) const override { return {store_.ends(i), static_cast<std::size_t>(P::endpoints)}; }

  void add_item_force(const Kinematics& k, int i, const ForceSink& sink) const override {
    const auto view = P::gather(k, store_.ends(i));
    auto f = kernel(i, view, Context<double>{k.t, k.gravity, {}});
    for (int j = 0; j < T; ++j) f[j] *= sign;
    P::scatter(k, store_.ends(i), view, f.data(), sink);
  }

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    const Context<double> context{k.t, k.gravity, {}};
    const auto evaluate = [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i, out += T) {
        const auto f = kernel(i, P::gather(k, store_.ends(i)), context);
        for (int j = 0; j < T; ++j) out[j] = sign * f[j];
      }
    };
    const auto scatter = [&](int begin, int end, const double* f) {
      for (int i = begin; i < end; ++i, f += T) P::scatter(k, store_.ends(i), P::gather(k, store_.ends(i)), f, sink);
    };
    const int n = size();
    if (threads.count() > 1 && n >= detail::parallel_from && parallel()) {
      scratch.port.resize(std::max(scratch.port.size(), static_cast<std::size_t>(n) * T));
      threads.run(n, [&](int begin, int end) { evaluate(begin, end, scratch.port.data() + static_cast<std::size_t>(begin) * T); });
      scatter(0, n, scratch.port.data());  // in item order: the same sums for any number of threads
    } else {
      double buffer[detail::item_block * T];
      for (int begin = 0; begin < n; begin += detail::item_block) {
        const int end = std::min(n, begin + detail::item_block);
        evaluate(begin, end, buffer);
        scatter(begin, end, buffer);
      }
    }
  }

  void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch&, Threads&, const BlockSlots& out) const override {
    double J[T * detail::max_columns], V[T * detail::max_columns], block[detail::max_columns * detail::max_columns];
    for (int i = 0; i < size(); ++i) {
      const Endpoint* e = store_.ends(i);
      const int n = P::columns(k, e, nullptr);
      if (n == 0) continue;
      const auto view = P::gather(k, e);
      double force[T], K[T * T];
      differentiate(i, k, e, view, seeds, force, K);
      std::fill(J, J + T * n, 0.0);
      std::fill(block, block + n * n, 0.0);
      P::jacobian(k, e, view, J, n, 0);
      P::geometric(k, e, view, force, block, n, 0);
      for (int c = 0; c < n * n; ++c) block[c] *= -seeds.value[0];
      detail::add_congruent_block<T>(K, J, n, -1.0, block);
      if (seeds.value[0] != 0.0) {  // the port's rate turns with the configuration
        std::fill(V, V + T * n, 0.0);
        if (P::rate_jacobian(k, e, view, V, n, 0)) {
          differentiate(i, k, e, view, {{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, force, K);
          detail::add_product_block<T>(J, K, V, n, -seeds.value[0], block);
        }
      }
      out.add(i, block, n * n);
    }
  }

  double potential_energy(const Kinematics& k) const override {
    double energy = 0.0;
    if constexpr (requires(const Item& item) { item.potential_energy(P::gather(k, nullptr), Context<double>{}); })
      for (int i = 0; i < size(); ++i)
        energy += store_.items[i].potential_energy(P::gather(k, store_.ends(i)), Context<double>{k.t, k.gravity, {}});
    return energy;
  }

 protected:
  /// The force on the port and its derivative by the seeds, T x T: by hand where the item has `jacobian`.
  void differentiate(int i, const Kinematics& k, const Endpoint* e, const typename P::template View<double>& view, const Seeds& seeds,
                     double* force, double* K) const {
    const Item& item = store_.items[static_cast<std::size_t>(i)];
    const Context<double> plain{k.t, k.gravity, {}};
    if constexpr (requires { item.jacobian(view, plain, seeds); }) {
      const auto f = kernel(i, view, plain);
      const Mat<double, T, T> by_hand = item.jacobian(view, plain, seeds);
      for (int r = 0; r < T; ++r) force[r] = sign * f[r];
      for (int c = 0; c < T * T; ++c) K[c] = sign * by_hand.a[static_cast<std::size_t>(c)];
    } else {
      const auto f = kernel(i, P::template seeded<T>(view, e, 0, seeds), Context<Dual<T>>{Dual<T>(k.t), k.gravity, {}});
      for (int r = 0; r < T; ++r) {
        force[r] = sign * f[r].value;
        for (int c = 0; c < T; ++c) K[r * T + c] = sign * f[r].d[c];
      }
    }
  }
  template <class V, class C>
  auto kernel(int i, const V& view, const C& context) const {
    const Item& item = store_.items[static_cast<std::size_t>(i)];
    if constexpr (HasLhs<Item>)
      return detail::as_vec(detail::call([&](const auto&... a) { return item.lhs(a...); }, view, context));
    else
      return detail::as_vec(detail::call([&](const auto&... a) { return item.rhs(a...); }, view, context));
  }
  detail::ItemStore<Item> store_;
};

/// Objects: `mass(view)` T x T on the port, `lhs` all but the acceleration term.
template <class Item>
class ItemObjectPool : public ItemForcePool<Item, ObjectPool> {
 public:
  using Base = ItemForcePool<Item, ObjectPool>;
  using P = typename Item::port;
  static constexpr int T = P::tangent;

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    Base::add_forces(k, scratch, threads, sink);
    if constexpr (std::is_same_v<P, FramePort>)  // inertia of the frame's own acceleration at vdot = 0
      for (int i = 0; i < this->size(); ++i) {
        const Endpoint* e = this->store_.ends(i);
        const Vec6<double>& bias = k.bias[e[0].marker];
        if (dot(bias, bias) == 0.0) continue;
        const Frame<double>& f = k.frames[e[0].marker];
        const Vec6<double> inertia = -(this->store_.items[i].mass(f) * bias);
        P::scatter(k, e, f, inertia.data(), sink);
      }
  }
  void add_mass(const Kinematics& k, double scale, const BlockSlots& out) const override {
    double J[T * detail::max_columns], block[detail::max_columns * detail::max_columns];
    for (int i = 0; i < this->size(); ++i) {
      const Endpoint* e = this->store_.ends(i);
      const int n = P::columns(k, e, nullptr);
      const auto view = P::gather(k, e);
      const Mat<double, T, T> M = this->store_.items[i].mass(view);
      std::fill(J, J + T * n, 0.0);
      std::fill(block, block + n * n, 0.0);
      P::jacobian(k, e, view, J, n, 0);
      detail::add_congruent_block<T>(M.data(), J, n, scale, block);
      out.add(i, block, n * n);
    }
  }
  double kinetic_energy(const Kinematics& k) const override {
    double energy = 0.0;
    for (int i = 0; i < this->size(); ++i) {
      const auto view = P::gather(k, this->store_.ends(i));
      Vec<double, T> rate;
      if constexpr (std::is_same_v<P, FramePort>)
        rate = {{view.v[0], view.v[1], view.v[2], view.w[0], view.w[1], view.w[2]}};
      else
        rate = view.v;
      energy += 0.5 * dot(rate, this->store_.items[i].mass(view) * rate);
    }
    return energy;
  }
  bool constant_mass() const override {
    if constexpr (requires(const Item& item) { item.constant_mass(); })
      return std::all_of(this->store_.items.begin(), this->store_.items.end(), [](const Item& m) { return m.constant_mass(); });
    return true;
  }
};

}  // namespace saltus
