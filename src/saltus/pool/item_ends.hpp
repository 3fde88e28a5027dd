// The ends of items whose sizes the compiler knows, on a port (ports.hpp): what a kernel sees on any scalar, derivatives in one pass of duals on the
// stack, and the way back to unknowns. dynamic_ends.hpp offers the same for any number of ends; the pools are written once on both.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "saltus/base/index.hpp"
#include "saltus/base/room.hpp"
#include "saltus/pool/pool.hpp"

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
  bool of_joints = false;           // some coordinate is one of a joint

  const Item& operator[](int i) const { return items[i]; }
  Item& operator[](int i) { return items[i]; }
  const Endpoint* ends(int i) const { return endpoints.data() + static_cast<std::size_t>(i) * P::endpoints; }
  std::span<const Endpoint> endpoints_of(int i) const { return {ends(i), static_cast<std::size_t>(P::endpoints)}; }
  /// Where the directions of item i begin among those of all items, and what it remembers among what all do.
  static std::ptrdiff_t begin(int i) { return static_cast<std::ptrdiff_t>(i) * P::tangent; }
  static int history_begin(int i) { return i * history_of<Item>(); }
  static constexpr bool remembers = history_of<Item>() > 0;
  static bool remembers_turns_only() { return !remembers || saltus::remembers_turns_only<Item>(); }
  int size() const { return count_of(items); }
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
    out.resize(begin + P::columns(k, ends(i), nullptr));
    P::columns(k, ends(i), out.data() + begin);
  }
  /// Whether what is linear in the ends is so in the unknowns.
  bool linear_in_unknowns() const { return !of_joints; }
  /// What its items say of themselves.
  bool constant_matrix() const {
    if constexpr (requires { Item::linear; }) return true;
    if constexpr (requires(const Item& item) { item.constant_matrix(); })
      return std::all_of(items.begin(), items.end(), [](const Item& item) { return item.constant_matrix(); });
    return false;
  }
  bool constant_mass() const {
    if constexpr (requires(const Item& item) { item.constant_mass(); }) return std::all_of(items.begin(), items.end(), [](const Item& item) { return item.constant_mass(); });
    return true;
  }
  /// Adds the forces of the items [begin, end), by their directions.
  void scatter(const Kinematics& k, int begin, int end, const double* f, const ForceSink& sink) const { scatter_all<P>(k, ends(begin), end - begin, f, of_joints, sink); }
  std::string trouble([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) const {
    if constexpr (requires(const Item& item) { item.trouble(P::gather(k, ends(i))); }) return items[i].trouble(P::gather(k, ends(i)));
    return {};
  }
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
  /// Once placed: whether some end accelerates at vdot = 0.
  bool biased(const FrameUse& use) const {
    return of_joints || std::any_of(endpoints.begin(), endpoints.end(), [&](const Endpoint& e) { return use.biased[e.marker] != 0; });
  }
};
}  // namespace detail

/// The store of items of a type, and one of them at its ends.
template <class Item>
struct EndsOf;

/// An item at its ends in a configuration. What differs from DynamicEnds is how derivatives are taken and what an item may know of its own.
template <class Item>
class FixedEnds {
  static constexpr int rows_or_none() {
    if constexpr (requires { Item::rows; }) return Item::rows;
    else return 0;
  }

 public:
  using P = typename Item::port;
  static constexpr int T = P::tangent, m = rows_or_none(), some_rows = m > 0 ? m : 1;
  static constexpr bool fixed = true;
  /// Sign with which a kernel's result enters F: `lhs` of connectors and objects is on the left, `rhs` of loads on the right.
  static constexpr double sign = requires { Item::is_load; } ? 1.0 : -1.0;
  static constexpr int lambda_pass = some_rows;  // multipliers differentiated at once
  template <class S> using View = typename P::template View<S>;
  using Slopes = Mat<double, some_rows, T>;      // rows x directions
  using Vector = Room<double, T>;                // by direction
  using Square = Room<double, T * T>;            // directions x directions

  [[gnu::always_inline]] FixedEnds(const detail::ItemStore<Item>& store, const Kinematics& k, int i, const double* history, int row)
      : item(store.items[i]), k_(k), e_(store.ends(i)), history_(history), row_(row), view(P::gather(k, e_)) {}

  static int rows_of([[maybe_unused]] const Item& item) {
    if constexpr (requires { item.row_count(); }) return item.row_count();
    else return m;
  }
  int rows() const { return rows_of(item); }
  static constexpr int directions() { return T; }
  /// Among all directions that a kernel writes.
  static constexpr int direction(int t) { return t; }
  int columns() const { return P::columns(k_, e_, nullptr); }
  Slopes slopes_room() const { return {}; }
  Vector vector() const { return {}; }
  Square square() const { return {}; }
  /// Of mechanical coordinates: what bends is on these alone.
  static double seed(const double (&by_kind)[4], int /*direction*/) { return by_kind[0]; }

  /// Multipliers of rows that the item does not have are 0.
  template <class S>
  [[gnu::always_inline]] Context<S, m> context() const {
    Context<S, m> c;
    c.t = S(k_.t), c.gravity = k_.gravity, c.data = k_.data;
    if constexpr (m > 0)
      if (k_.lambda)
        for (int r = 0; r < rows(); ++r) c.lambda[r] = S(k_.lambda[row_ + r]);
    if constexpr (history_of<Item>() > 0)
      if (history_) c.history = history_, c.since = k_.since;
    return c;
  }
  double lambda(int r) const { return k_.lambda ? k_.lambda[row_ + r] : 0.0; }
  template <class S>
  [[gnu::always_inline]] decltype(auto) constant() const {
    if constexpr (std::is_same_v<S, double>) return (view);
    else return P::template constant<S>(view);
  }
  auto along() const { return P::along(k_, e_); }

  // The kernels.
  template <class V, class C>
  auto h(const V& x, const C& c) const {
    return detail::as_vec(detail::call([&](const auto&... a) { return item.h(a...); }, x, c));
  }
  template <class V, class C>
  auto g(const V& x, const C& c) const {
    return detail::as_vec(detail::call([&](const auto&... a) { return item.g(a...); }, x, c));
  }
  template <class V, class C>
  [[gnu::always_inline]] auto force(const V& x, const C& c) const {
    if constexpr (sign < 0.0) return detail::as_vec(detail::call([&](const auto&... a) { return item.lhs(a...); }, x, c));
    else return detail::as_vec(detail::call([&](const auto&... a) { return item.rhs(a...); }, x, c));
  }
  /// False for an object whose equation is its acceleration term alone.
  static constexpr bool has_force = detail::is_tuple<View<double>>::value || requires(const Item& item, const View<double>& x, const Context<double>& c) { item.lhs(x, c); } ||
                                    requires(const Item& item, const View<double>& x, const Context<double>& c) { item.rhs(x, c); };

  /// f(view, context) on duals that move along the directions by the seeds: put(results, first direction, how many).
  template <class F, class Put>
  void differentiate(const Seeds& seeds, F f, Put put) const {
    put(f(P::template seeded<T>(view, e_, 0, seeds), context<Dual<T>>()), 0, std::integral_constant<int, T>{});
  }
  /// d2 f_r / d(direction) dt at fixed rates, time included: put(direction, second), second(r). The motion in the inner dual, after the displacement.
  template <class F, class Put>
  void turn(F f, Put put) const {
    using Inner = Dual<1>;
    using S = Dual<T, Inner>;
    const Vec<double, T> rate = P::rate(view);
    Vec<S, T> displaced, along;
    for (int t = 0; t < T; ++t) displaced[t].d[t] = Inner(1.0), along[t].value.d[0] = rate[t];
    auto c = context<S>();
    c.t.value.d[0] = 1.0;
    const auto y = f(P::moved(P::moved(constant<S>(), displaced), along), c);
    for (int t = 0; t < T; ++t) put(t, [&](int r) { return y[r].d[t].d[0]; });
  }
  /// d2 f_r / d(direction t) d(direction j): put(t, j, second). Moved along j first, in its rate where `by_speed`, then along t, in its rate where `of_rates`.
  template <bool of_rates, class F, class Put>
  void bend(bool by_speed, F f, Put put) const {
    using Inner = Dual<1>;
    using S = Dual<T, Inner>;
    const auto c = context<S>();
    for (int j = 0; j < T; ++j) {
      Vec<S, T> outer, inner;
      outer[j].value.d[0] = 1.0;
      for (int t = 0; t < T; ++t) inner[t].d[t] = Inner(1.0);
      const View<S> base = constant<S>(), moved = by_speed ? P::with_rate(base, outer) : P::moved(base, outer);
      const auto y = f(of_rates ? P::with_rate(moved, inner) : P::moved(moved, inner), c);
      for (int t = 0; t < T; ++t) put(t, j, [&](int r) { return y[r].d[t].d[0]; });
    }
  }

  // What the item knows of its own; else otherwise().
  template <class V, class C>
  static constexpr bool has_jacobian = requires(const Item& item, const V& x, const C& c) { item.jacobian(x, c); };
  template <bool of_rates, class F>
  Slopes known_slopes(bool by_rate, F otherwise) const {
    if constexpr (has_jacobian<View<double>, Context<double, m>>)
      if (by_rate == of_rates) return item.jacobian(view, context<double>());
    return otherwise();
  }
  template <class F>
  Slopes known_turn(F otherwise) const { return otherwise(); }
  /// K := d(H^T lambda)/d(direction).
  template <bool of_rates>
  bool known_reaction_stiffness(double* K) const {
    [[maybe_unused]] const auto c = context<double>();
    if constexpr (requires { item.stiffness(view, c); }) {
      const Mat<double, T, T> by_hand = item.stiffness(view, c);
      std::copy(by_hand.data(), by_hand.data() + T * T, K);
      return true;
    } else if constexpr (has_jacobian<View<Dual<T>>, Context<Dual<T>, m>> && !of_rates) {
      constexpr Seeds places{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
      const Mat<Dual<T>, m, T> dH = item.jacobian(P::template seeded<T>(view, e_, 0, places), context<Dual<T>>());
      for (int t = 0; t < T; ++t)
        for (int j = 0; j < T; ++j) {
          K[t * T + j] = 0.0;
          for (int r = 0; r < m; ++r) K[t * T + j] += dH(r, t).d[j] * c.lambda[r];
        }
      return true;
    }
    return false;
  }
  static constexpr bool knows_stiffness = requires(const Item& item, const View<double>& x, const Context<double, m>& c, const Seeds& seeds) { item.jacobian(x, c, seeds); };
  /// K := sign d(force)/d(direction) by the seeds.
  bool known_stiffness(const Seeds& seeds, double* K) const {
    const Mat<double, T, T> by_hand = item.jacobian(view, context<double>(), seeds);
    for (int c = 0; c < T * T; ++c) K[c] = sign * by_hand.a[c];
    return true;
  }
  double potential_energy() const {
    if constexpr (requires { item.potential_energy(view, context<double>()); }) return item.potential_energy(view, context<double>());
    return 0.0;
  }
  auto mass() const { return item.mass(view); }
  auto rate() const { return P::rate(view); }
  /// Writes what it remembers of the state; how long the step was beside the longest that it can follow.
  double remember(double* kept) const { return item.remember(view, context<double>(), kept); }

  // From directions to unknowns.
  static constexpr bool mapped() { return true; }
  /// directions x columns: d(direction)/d(unknown), or, `turning`, d(rate)/dq at fixed v.
  struct Columns {
    [[gnu::always_inline]] Columns(const FixedEnds& at, int n, bool turning) : J(n) {
      if (turning) any = P::rate_jacobian(at.k_, at.e_, at.view, J, n, 0);
      else P::jacobian(at.k_, at.e_, at.view, J, n, 0);
    }
    explicit operator bool() const { return any; }
    detail::RowBuffer<T> J;
    bool any = true;
  };
  [[gnu::always_inline]] Columns jacobian(int n) const { return Columns(*this, n, false); }
  [[gnu::always_inline]] Columns turning(int n) const { return Columns(*this, n, true); }
  /// block (rows x n) += port J; zeros of port cost nothing.
  static void project(const Slopes& port, Columns& columns, int n, int rows, double* block) {
    const double* J = columns.J;
    with_columns(n, [&](auto known) {
      for (int r = 0; r < rows; ++r)
        for (int t = 0; t < T; ++t)
          if (port(r, t) != 0.0) add_row(port(r, t), J + t * known, known, block + r * known);
    });
  }
  /// block (n x n) += factor J^T K V.
  static void add_product(Columns& J, const double* K, Columns& V, int n, double factor, double* block) { detail::add_product_block<T>(J.J, K, V.J, n, factor, block); }
  /// block := factor J^T K J - value d(J^T f)/dq; f may be null.
  void congruent(const double* K, const double* f, double factor, double value, int n, double* block) const { P::congruent(k_, e_, view, K, f, factor, value, n, block); }
  void scatter(const double* f, const ForceSink& sink) const { P::scatter(k_, e_, view, f, sink); }
  /// Acceleration of the ends at vdot = 0.
  static constexpr bool has_bias = requires(const Kinematics& k) { P::bias(k, nullptr); };
  decltype(auto) bias() const { return P::bias(k_, e_); }

  const Item& item;

 private:
  const Kinematics& k_;
  const Endpoint* e_;
  const double* history_;
  int row_;

 public:
  decltype(P::gather(std::declval<const Kinematics&>(), nullptr)) view;
};

template <class Item>
  requires requires { typename Item::port; }
struct EndsOf<Item> {
  using Store = detail::ItemStore<Item>;
  using At = FixedEnds<Item>;
};

}  // namespace saltus
