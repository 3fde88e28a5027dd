// The pools of items written as kernels: gather, call, scatter; derivatives from dual numbers.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "saltus/pool/stored_pool.hpp"

namespace saltus {

/// What a kernel gets beside its view: time, gravity, multipliers (relations), what the item remembers (null: nothing) and since when, the data
/// of the state, which functions of users read.
template <class S, int Rows = 0>
struct Context {
  S t{};
  Vec3<double> gravity{};
  Vec<S, (Rows > 0 ? Rows : 1)> lambda{};
  const double* history = nullptr;
  double since = 0.0;
  const double* data = nullptr;
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

template <class Item>
concept HasParallel = requires(const Item& item) { { item.parallel() } -> std::same_as<bool>; };

/// Items with the endpoints of each, and the columns under an item.
template <class Item>
struct ItemStore {
  using P = typename Item::port;
  std::vector<Item> items;
  std::vector<Endpoint> endpoints;  // P::endpoints an item
  bool of_joints = false;           // some coordinate is one of a joint: what is linear in it is not in the unknowns

  const Endpoint* ends(int i) const { return endpoints.data() + static_cast<std::size_t>(i) * P::endpoints; }
  int size() const { return static_cast<int>(items.size()); }
  bool parallel() const {
    if constexpr (HasParallel<Item>)
      return std::all_of(items.begin(), items.end(), [](const Item& item) { return item.parallel(); });
    return true;
  }
  void add(Item item, std::span<const Endpoint> e) {
    items.push_back(std::move(item));
    of_joints = of_joints || acts_on_joints<P>(e.data());
    endpoints.insert(endpoints.end(), e.begin(), e.end());
  }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const {
    const std::size_t begin = out.size();
    out.resize(begin + static_cast<std::size_t>(P::columns(k, ends(i), nullptr)));
    P::columns(k, ends(i), out.data() + begin);
  }
  std::string trouble([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) const {
    if constexpr (requires(const Item& item) { item.trouble(P::gather(k, ends(i))); }) return items[i].trouble(P::gather(k, ends(i)));
    return {};
  }
  std::span<const Endpoint> all_ends(int i) const { return {ends(i), static_cast<std::size_t>(P::endpoints)}; }
  std::span<const ItemQuantity> quantities() const {
    if constexpr (requires { Item::quantities; }) return Item::quantities;
    return {};
  }
  Vec3<double> quantity([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i, [[maybe_unused]] int which) const {
    if constexpr (requires { Item::quantities; }) return items[i].quantity(which, P::gather(k, ends(i)));
    return {};
  }
  void place(FrameUse& use) {
    for (int i = 0; i < size(); ++i) P::place(endpoints.data() + static_cast<std::size_t>(i) * P::endpoints, use);
  }
};
}  // namespace detail

/// Sign with which a kernel's result enters F: `lhs` of connectors and objects is on the left, `rhs` of loads on the right.
template <class Item>
concept HasLhs = requires { typename Item::port; } && !requires { Item::is_load; };

/// Connectors (`lhs`) and loads (`rhs`); base of the objects.
template <class Item, class Base = ForcePool>
class ItemForcePool : public StoredPool<detail::ItemStore<Item>, Base> {
 public:
  using P = typename Item::port;
  static constexpr int T = P::tangent;
  static constexpr double sign = HasLhs<Item> ? -1.0 : 1.0;

  void add(Item item, std::span<const Endpoint> endpoints) { store_.add(std::move(item), endpoints); }
  using StoredPool<detail::ItemStore<Item>, Base>::size, StoredPool<detail::ItemStore<Item>, Base>::parallel;
  std::span<const Endpoint> endpoints(int i) const override { return store_.all_ends(i); }
  std::string refer([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) override {
    if constexpr (requires(Item& item) { item.refer(P::gather(k, store_.ends(i))); }) return store_.items[i].refer(P::gather(k, store_.ends(i)));
    return {};
  }
  static constexpr bool has_doubt = requires(const Item& item) { item.doubt(P::gather(Kinematics{}, nullptr)); };
  bool doubts() const override { return has_doubt && size() > 0; }
  std::string doubt([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) const override {
    if constexpr (has_doubt) return store_.items[i].doubt(P::gather(k, store_.ends(i)));
    return {};
  }
  std::string trouble(const Kinematics& k, int i) const override { return store_.trouble(k, i); }

  int history() const override { return history_of<Item>(); }
  bool remembers_turns_only() const override { return history_of<Item>() == 0 || saltus::remembers_turns_only<Item>(); }
  Remembered remember([[maybe_unused]] const Kinematics& k, const int*, [[maybe_unused]] double* block) const override {
    Remembered worst;
    if constexpr (history_of<Item>() > 0)
      for (int i = 0; i < size(); ++i)
        worst.add(store_.items[i].remember(P::gather(k, store_.ends(i)), context<double>(k, i), block + this->history_first(i)), i);
    return worst;
  }

  void add_item_force(const Kinematics& k, int i, const ForceSink& sink) const override {
    if constexpr (has_force) {
      double f[T];
      evaluate(k, i, i + 1, f);
      P::scatter(k, store_.ends(i), P::gather(k, store_.ends(i)), f, sink);
    }
  }

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    if constexpr (has_force)
      in_item_order(size(), parallel(), scratch, threads, [](int i) { return static_cast<std::ptrdiff_t>(i) * T; },
                    [&](int begin, int end, double* out) { evaluate(k, begin, end, out); },
                    [&](int begin, int end, const double* f) { scatter_all<P>(k, store_.ends(begin), end - begin, f, store_.of_joints, sink); });
  }

  void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    if constexpr (has_force)
      blocks_in_item_order(size(), parallel(), scratch, threads, to, 1.0,
                           [&](int begin, int end, double* out) { evaluate_blocks(k, seeds, begin, end, out); });
  }

  bool constant_matrix() const override {
    if (store_.of_joints) return false;
    if constexpr (requires { Item::linear; }) return true;
    if constexpr (requires(const Item& item) { item.constant_matrix(); })
      return std::all_of(store_.items.begin(), store_.items.end(), [](const Item& item) { return item.constant_matrix(); });
    return false;
  }

  double item_potential_energy([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) const override {
    if constexpr (requires(const Item& item) { item.potential_energy(P::gather(k, nullptr), Context<double>{}); })
      return store_.items[i].potential_energy(P::gather(k, store_.ends(i)), context<double>(k, i));
    return 0.0;
  }

 protected:
  /// False for an object whose equation is its acceleration term alone.
  using View = typename P::template View<double>;
  static constexpr bool has_force = detail::is_tuple<View>::value ||
                                    requires(const Item& item, const View& view, const Context<double>& c) { item.lhs(view, c); } ||
                                    requires(const Item& item, const View& view, const Context<double>& c) { item.rhs(view, c); };

  template <class S>
  Context<S> context(const Kinematics& k, int i) const {
    Context<S> c{S(k.t), k.gravity, {}};
    c.data = k.data;
    if constexpr (history_of<Item>() > 0)
      if (k.history) c.history = k.history + this->history_first_ + i * history_of<Item>(), c.since = k.since;
    return c;
  }
  template <class V, class C>
  auto kernel(int i, const V& view, const C& context) const {
    const Item& item = store_.items[i];
    if constexpr (HasLhs<Item>)
      return detail::as_vec(detail::call([&](const auto&... a) { return item.lhs(a...); }, view, context));
    else
      return detail::as_vec(detail::call([&](const auto&... a) { return item.rhs(a...); }, view, context));
  }
  /// Port forces of the items [begin, end), T each.
  void evaluate(const Kinematics& k, int begin, int end, double* out) const {
    for (int i = begin; i < end; ++i, out += T) {
      const auto f = kernel(i, P::gather(k, store_.ends(i)), context<double>(k, i));
      for (int j = 0; j < T; ++j) out[j] = sign * f[j];
    }
  }
  /// The force on the port and its derivative by the seeds, T x T: by hand where the item has `jacobian`.
  void differentiate(int i, const Kinematics& k, const Endpoint* e, const View& view, const Seeds& seeds,
                     double* force, double* K) const {
    const Item& item = store_.items[i];
    const Context<double> plain = context<double>(k, i);
    if constexpr (requires { item.jacobian(view, plain, seeds); }) {
      const auto f = kernel(i, view, plain);
      const Mat<double, T, T> by_hand = item.jacobian(view, plain, seeds);
      for (int r = 0; r < T; ++r) force[r] = sign * f[r];
      for (int c = 0; c < T * T; ++c) K[c] = sign * by_hand.a[c];
    } else {
      const auto f = kernel(i, P::template seeded<T>(view, e, 0, seeds), context<Dual<T>>(k, i));
      for (int r = 0; r < T; ++r) {
        force[r] = sign * f[r].value;
        for (int c = 0; c < T; ++c) K[r * T + c] = sign * f[r].d[c];
      }
    }
  }
  /// -dF/dxi of the items [begin, end), columns x columns each.
  void evaluate_blocks(const Kinematics& k, const Seeds& seeds, int begin, int end, double* out) const {
    for (int i = begin; i < end; ++i) {
      const Endpoint* e = store_.ends(i);
      const int n = P::columns(k, e, nullptr);
      const auto& view = P::gather(k, e);
      double force[T], K[T * T];
      differentiate(i, k, e, view, seeds, force, K);
      P::congruent(k, e, view, K, force, -1.0, seeds.value[0], n, out);
      if (seeds.value[0] != 0.0) {  // the port's rate turns with the configuration
        detail::RowBuffer<T> V(n);
        if (P::rate_jacobian(k, e, view, V, n, 0)) {
          differentiate(i, k, e, view, {{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, force, K);
          detail::RowBuffer<T> J(n);
          P::jacobian(k, e, view, J, n, 0);
          detail::add_product_block<T>(J, K, V, n, -seeds.value[0], out);
        }
      }
      out += n * n;
    }
  }
  using StoredPool<detail::ItemStore<Item>, Base>::store_;
};

/// Objects: `mass(view)` T x T on the port, `lhs` all but the acceleration term (none: nothing else).
template <class Item>
class ItemObjectPool : public ItemForcePool<Item, ObjectPool> {
 public:
  using Base = ItemForcePool<Item, ObjectPool>;
  using P = typename Item::port;
  static constexpr int T = P::tangent;
  static constexpr bool has_bias = requires(const Kinematics& k) { P::bias(k, nullptr); };

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    Base::add_forces(k, scratch, threads, sink);
    if constexpr (has_bias) {  // inertia of the frame's own acceleration at vdot = 0
      if (!biased_) return;
      for (int i = 0; i < this->size(); ++i) {
        const Endpoint* e = this->store_.ends(i);
        const auto& bias = P::bias(k, e);
        if (dot(bias, bias) == 0.0) continue;
        const auto& view = P::gather(k, e);
        const auto inertia = -(this->store_.items[i].mass(view) * bias);
        P::scatter(k, e, view, inertia.data(), sink);
      }
    }
  }
  void place(FrameUse& use) override {
    Base::place(use);
    if constexpr (has_bias)
      biased_ = this->store_.of_joints || std::any_of(this->store_.endpoints.begin(), this->store_.endpoints.end(),
                                                      [&](const Endpoint& e) { return use.biased[e.marker] != 0; });
  }
  bool reads_bias() const override { return biased_; }
  void add_mass(const Kinematics& k, double scale, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    blocks_in_item_order(this->size(), true, scratch, threads, to, scale, [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i) {
        const Endpoint* e = this->store_.ends(i);
        const int n = P::columns(k, e, nullptr);
        const auto& view = P::gather(k, e);
        const Mat<double, T, T> M = this->store_.items[i].mass(view);
        P::congruent(k, e, view, M.data(), nullptr, 1.0, 0.0, n, out);
        out += n * n;
      }
    });
  }
  double item_kinetic_energy(const Kinematics& k, int i) const override {
    const auto& view = P::gather(k, this->store_.ends(i));
    const auto rate = P::rate(view);
    return 0.5 * dot(rate, this->store_.items[i].mass(view) * rate);
  }
  void add_item_momentum(const Kinematics& k, int i, const ForceSink& sink) const override {
    const auto& view = P::gather(k, this->store_.ends(i));
    const auto momentum = this->store_.items[i].mass(view) * P::rate(view);
    P::scatter(k, this->store_.ends(i), view, momentum.data(), sink);
  }
  bool constant_mass() const override {
    if (biased_) return false;  // J of a frame on an arm, of a source or of a joint's coordinate varies
    if constexpr (requires(const Item& item) { item.constant_mass(); })
      return std::all_of(this->store_.items.begin(), this->store_.items.end(), [](const Item& m) { return m.constant_mass(); });
    return true;
  }

 private:
  bool biased_ = false;
};

}  // namespace saltus
