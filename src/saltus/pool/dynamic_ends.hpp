// The ends of items of run-time size: frames, points and coordinates; their values on any scalar, their unknowns.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/math/taylor.hpp"
#include "saltus/pool/item_ends.hpp"

namespace saltus {

/// What a kernel of run-time size sees: the time, its frames, its coordinates and their rates (0 where a coordinate has none), the data of the
/// state, what the item remembers (null: nothing yet).
template <class S>
struct CoordinateView {
  S t{};
  int n = 0;
  const S* q = nullptr;
  const S* v = nullptr;
  int frames = 0;
  const Frame<S>* frame = nullptr;
  const double* data = nullptr;
  const double* history = nullptr;

  /// Directions in which the ends move: six a frame (its tangent), then one a coordinate.
  int tangent() const { return 6 * frames + n; }
};

namespace detail {

inline constexpr int dual_pass = 4;  // directions differentiated in one pass

/// A square of two frames and a coordinate.
using Block = Buffer<double, 13 * 13>;

/// A frame of an item, or the point at its origin where the item takes no more of it.
struct FrameEnd {
  Endpoint at;
  bool is_point = false;

  /// Directions that move.
  int rows() const { return is_point ? PointPort::tangent : FramePort::tangent; }
  int columns(const Kinematics& k, int* out) const { return is_point ? PointPort::columns(k, &at, out) : FramePort::columns(k, &at, out); }
  /// Its columns are its directions, one by one.
  bool is_plain(const Kinematics& k) const {
    return is_point ? at.in_y() : k.base[at.marker] == at.marker && std::ssize(k.moves[at.marker]) == FramePort::tangent;
  }
  /// A point's axes are those of the world.
  Frame<double> frame(const Kinematics& k) const {
    if (!is_point) return FramePort::gather(k, &at);
    const auto x = PointPort::gather(k, &at);
    return {x.p, identity<double, 3>(), x.v, {}};
  }
  Vec6<double> bias(const Kinematics& k) const {
    if (!is_point) return FramePort::bias(k, &at);
    const Vec3<double> b = PointPort::bias(k, &at);
    return {{b[0], b[1], b[2], 0.0, 0.0, 0.0}};
  }
  void jacobian(const Kinematics& k, double* J, int n, int offset) const {
    if (is_point) PointPort::jacobian(k, &at, {}, J, n, offset);
    else FramePort::jacobian(k, &at, {}, J, n, offset);
  }
  bool rate_jacobian(const Kinematics& k, double* V, int n, int offset) const {
    return is_point ? PointPort::rate_jacobian(k, &at, {}, V, n, offset) : FramePort::rate_jacobian(k, &at, {}, V, n, offset);
  }
  void geometric(const Kinematics& k, const double* f, double* G, int n, int offset) const {
    if (is_point) PointPort::geometric(k, &at, {}, f, G, n, offset);
    else FramePort::geometric(k, &at, {}, f, G, n, offset);
  }
  void scatter(const Kinematics& k, const double* f, const ForceSink& sink) const {
    if (is_point) PointPort::scatter(k, &at, {}, f, sink);
    else FramePort::scatter(k, &at, {}, f, sink);
  }
  void place(FrameUse& use) {
    if (is_point) PointPort::place(&at, use);
    else FramePort::place(&at, use);
  }
};

/// The ends of an item: frames, then coordinates. Each frame has six directions; those that turn a point are not moved.
struct Ends {
  std::span<const FrameEnd> frames;
  std::span<const CoordinateRef> coordinates;

  int frame_count() const { return count_of(frames); }
  int tangent() const { return 6 * frame_count() + count_of(coordinates); }
  CoordinateKind kind(int direction) const {
    if (direction >= 6 * frame_count()) return coordinates[direction - 6 * frame_count()].kind;
    return frames[direction / 6].is_point && direction % 6 >= 3 ? CoordinateKind::none : CoordinateKind::ode2;
  }
};

/// Whether an item takes the axes and the turning of a frame, and not its origin alone.
template <class Item>
bool takes_axes([[maybe_unused]] const Item& item, [[maybe_unused]] int frame) {
  if constexpr (requires { item.takes_axes(frame); }) return item.takes_axes(frame);
  return true;
}

/// Items with any number of ends each.
template <class Item>
class DynamicStore {
 public:
  void add(Item item, std::span<const Endpoint> ends) {
    endpoints_.insert(endpoints_.end(), ends.begin(), ends.end());
    for (const Endpoint& e : ends)
      if (e.kind == EndpointKind::frame) frames_.push_back({e, !takes_axes(item, count_of(frames_) - begin_.back().frame)}), mapped_ = true;
      else coordinates_.push_back(e.coordinate), mapped_ = mapped_ || e.coordinate.is_of_joint();
    const int frames = count_of(frames_);
    int memory = 0;
    if constexpr (requires { item.memory_size(); }) memory = item.memory_size();
    begin_.push_back({count_of(endpoints_), frames, count_of(coordinates_), count_of(moved_), begin_.back().memory + memory});
    items_.push_back(std::move(item));
    const Ends own = this->ends(size() - 1);
    for (int d = 0; d < own.tangent(); ++d)
      if (own.kind(d) != CoordinateKind::none) moved_.push_back(d);
    begin_.back().direction = count_of(moved_);
  }
  int size() const { return count_of(items_); }
  const Item& operator[](int i) const { return items_[i]; }
  Ends ends(int i) const {
    return {{frames_.data() + begin_[i].frame, frames_.data() + begin_[i + 1].frame}, {coordinates_.data() + begin_[i].coordinate, coordinates_.data() + begin_[i + 1].coordinate}};
  }
  std::span<const Endpoint> endpoints_of(int i) const { return {endpoints_.data() + begin_[i].end, endpoints_.data() + begin_[i + 1].end}; }
  std::span<const ItemQuantity> quantities() const {
    if constexpr (requires { Item::quantities; }) return Item::quantities;
    return {};
  }
  Vec3<double> quantity([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i, [[maybe_unused]] int which) const {
    if constexpr (requires { Item::quantities; }) return items_[i].quantity(which, EndValues<double>(k, ends(i)).view);
    return {};
  }
  bool parallel() const {
    return std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.parallel(); });
  }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const {
    const auto put = [&](const auto& columns_of) {
      const std::size_t begin = out.size();
      out.resize(begin + columns_of(nullptr));
      columns_of(out.data() + begin);
    };
    const Ends e = ends(i);
    for (const FrameEnd& frame : e.frames) put([&](int* to) { return frame.columns(k, to); });
    for (const CoordinateRef& c : e.coordinates) put([&](int* to) { return coordinate_columns(k, c, to); });
  }
  /// Where the directions of item i begin among those of all items, and what it remembers among what all do.
  std::ptrdiff_t begin(int i) const { return begin_[i].direction; }
  int history_begin(int i) const { return begin_[i].memory; }
  static constexpr bool remembers = requires(const Item& item) { item.memory_size(); };
  bool remembers_turns_only() const { return begin_.back().memory == 0; }
  /// What its items say of themselves.
  bool constant_matrix() const {
    if constexpr (requires(const Item& item) { item.linear(); }) return std::none_of(items_.begin(), items_.end(), [](const Item& item) { return item.varies(); });
    return false;
  }
  bool constant_mass() const {
    return std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.constant_mass(); });
  }
  /// Directions of item i that move, not those of ground: their numbers among all.
  std::span<const int> moved(int i) const { return {moved_.data() + begin_[i].direction, moved_.data() + begin_[i + 1].direction}; }
  int moving_count(int i) const { return begin_[i + 1].direction - begin_[i].direction; }
  int column_count(const Kinematics& k, int i) const {
    if (!mapped_) return moving_count(i);
    int n = 0;
    const Ends e = ends(i);
    for (const FrameEnd& frame : e.frames) n += frame.columns(k, nullptr);
    for (const CoordinateRef& c : e.coordinates) n += coordinate_columns(k, c, nullptr);
    return n;
  }
  /// Whether what is linear in the ends is so in the unknowns: none is a frame, or a coordinate of a joint.
  bool linear_in_unknowns() const { return !mapped_; }
  /// The unknowns of item i are other than the directions that move.
  bool mapped(const Kinematics& k, int i) const {
    if (!mapped_) return false;
    const Ends e = ends(i);
    return !std::all_of(e.frames.begin(), e.frames.end(), [&](const FrameEnd& frame) { return frame.is_plain(k); }) ||
           std::any_of(e.coordinates.begin(), e.coordinates.end(), [](const CoordinateRef& c) { return c.is_of_joint(); });
  }
  /// Adds the forces of the items [begin, end), by their directions.
  void scatter(const Kinematics& k, int begin, int end, const double* f, const ForceSink& sink) const {
    for (int i = begin; i < end; ++i) f = scatter(k, ends(i), f, sink);
  }
  static const double* scatter(const Kinematics& k, const Ends& ends, const double* f, const ForceSink& sink) {
    for (const FrameEnd& e : ends.frames) e.scatter(k, f, sink), f += e.rows();
    for (const CoordinateRef& c : ends.coordinates)
      if (c.kind != CoordinateKind::none) add_coordinate_force(k, c, *f++, sink);
    return f;
  }
  static std::string trouble(const Kinematics&, int) { return {}; }
  std::string refusal([[maybe_unused]] int i, [[maybe_unused]] const double* kept) const {
    if constexpr (requires(const Item& item) { item.refusal(kept); }) return items_[i].refusal(kept);
    return {};
  }
  static bool biased(const FrameUse&) { return false; }
  void place(FrameUse& use) {
    for (CoordinateRef& c : coordinates_) place_coordinate(c, use);
    for (FrameEnd& e : frames_) e.place(use);
  }

 private:
  struct Begin {
    int end = 0, frame = 0, coordinate = 0, direction = 0, memory = 0;
  };
  std::vector<Item> items_;
  std::vector<FrameEnd> frames_;
  std::vector<CoordinateRef> coordinates_;
  std::vector<Endpoint> endpoints_;  // as they were given: frames first
  std::vector<int> moved_;
  std::vector<Begin> begin_{{}};
  bool mapped_ = false;
};

/// directions x columns of an item: d(direction)/d(unknown), or, `turning`, d(rate)/dq at fixed v. Where the unknowns are the directions themselves it is no
/// matrix at all. An end moves along its own unknowns alone.
class EndColumns {
 public:
  EndColumns(const Kinematics& k, const Ends& ends, bool mapped, int moving, int columns, bool turning)
      : any_(!turning), mapped_(mapped), moving_(moving), columns_(columns), J_(mapped ? moving * columns : 0), parts_(mapped ? ends.frame_count() + count_of(ends.coordinates) : 0) {
    if (!mapped) return;
    int row = 0, offset = 0;
    for (const FrameEnd& e : ends.frames) {
      double* to = J_.data() + row * columns;
      const Part part = put({row, e.rows(), offset, e.columns(k, nullptr)});
      if (!turning) e.jacobian(k, to, columns, offset);
      else any_ |= e.rate_jacobian(k, to, columns, offset);
      row += part.rows, offset += part.columns;
    }
    for (const CoordinateRef& c : ends.coordinates) {
      if (c.kind == CoordinateKind::none) continue;
      double* to = J_.data() + row * columns;
      const Part part = put({row, 1, offset, coordinate_columns(k, c, nullptr)});
      if (!turning) add_coordinate_jacobian(k, c, 1.0, to, offset);
      else any_ |= add_coordinate_rate_jacobian(k, c, 1.0, to, offset);
      ++row, offset += part.columns;
    }
  }
  explicit operator bool() const { return any_; }
  /// out (rows x columns) += P this, for P rows x directions.
  void add(const double* P, int rows, double* out) const {
    if (!mapped_) {
      for (int i = 0; i < rows * columns_; ++i) out[i] += P[i];
      return;
    }
    for (const Part& e : std::span(parts_.data(), part_count_))
      for (int r = 0; r < rows; ++r)
        for (int i = e.row; i < e.row + e.rows; ++i)
          if (const double p = P[r * moving_ + i]; p != 0.0) add_row(p, J_.data() + i * columns_ + e.offset, e.columns, out + r * columns_ + e.offset);
  }
  /// block (columns x columns) += factor this^T K V.
  void add_product(const double* K, const EndColumns& V, double factor, double* block) const {
    if (!mapped_) {
      for (int i = 0; i < columns_ * columns_; ++i) block[i] += factor * K[i];
      return;
    }
    Block KV(moving_ * columns_);
    V.add(K, moving_, KV.data());
    for (const Part& e : std::span(parts_.data(), part_count_))
      for (int i = e.row; i < e.row + e.rows; ++i)
        for (int r = e.offset; r < e.offset + e.columns; ++r)
          if (const double j = factor * J_[i * columns_ + r]; j != 0.0) add_row(j, KV.data() + i * columns_, columns_, block + r * columns_);
  }

 private:
  struct Part {
    int row = 0, rows = 0, offset = 0, columns = 0;
  };
  Part put(const Part& part) { return parts_[static_cast<int>(part_count_++)] = part; }
  bool any_, mapped_;
  int moving_, columns_;
  Block J_;
  Buffer<Part, 8> parts_;
  std::size_t part_count_ = 0;
};

/// Values at the ends on any scalar. `view` points into it.
template <class S>
class EndValues {
 public:
  EndValues(const Kinematics& k, const Ends& ends, const double* history = nullptr) : EndValues(ends.frame_count(), count_of(ends.coordinates)) {
    for (int i = 0; i < view.frames; ++i) frame(i) = FramePort::constant<S>(ends.frames[i].frame(k));
    for (int i = 0; i < view.n; ++i) q(i) = S(k.y[ends.coordinates[i].value]), v(i) = S(k.y[ends.coordinates[i].rate]);
    view.t = S(k.t), view.data = k.data, view.history = history;
  }
  /// The same on a scalar with another derivative.
  template <class T>
  explicit EndValues(const CoordinateView<T>& x) : EndValues(x.frames, x.n) {
    for (int i = 0; i < view.frames; ++i) frame(i) = lifted(x.frame[i]);
    for (int i = 0; i < view.n; ++i) q(i) = S(x.q[i]), v(i) = S(x.v[i]);
    view.t = S(x.t), view.data = x.data, view.history = x.history;
  }
  int count() const { return view.n; }
  Frame<S>& frame(int i) { return frames_[i]; }
  S& q(int i) { return values_[i]; }
  S& v(int i) { return values_[view.n + i]; }

  /// Moves on along a direction, in derivative `slot`: by `value` in place, by `rate` in velocity. Rotations follow what they are turned by already.
  template <class T>
  void move(int direction, int slot, const T& value, const T& rate) {
    if (direction >= 6 * view.frames) {
      q(direction - 6 * view.frames).d[slot] += value, v(direction - 6 * view.frames).d[slot] += rate;
      return;
    }
    Frame<S>& f = frame(direction / 6);
    const int a = direction % 6, k = a % 3, i = (k + 1) % 3, j = (k + 2) % 3;
    if (a < 3) {
      f.p[k].d[slot] += value, f.v[k].d[slot] += rate;
      return;
    }
    for (int r = 0; r < 3; ++r) f.R(r, i).d[slot] += value * f.R(r, j).value, f.R(r, j).d[slot] -= value * f.R(r, i).value;
    f.w[k].d[slot] += rate;
  }
  /// Takes back what moved at the end of a direction in derivative `slot`.
  void stop(int direction, int slot) {
    if (direction >= 6 * view.frames) {
      q(direction - 6 * view.frames).d[slot] = {}, v(direction - 6 * view.frames).d[slot] = {};
      return;
    }
    Frame<S>& f = frame(direction / 6);
    for (int r = 0; r < 3; ++r) f.p[r].d[slot] = {}, f.v[r].d[slot] = {}, f.w[r].d[slot] = {};
    for (S& entry : f.R.a) entry.d[slot] = {};
  }

  CoordinateView<S> view;

 private:
  EndValues(int frames, int n) : frames_(frames), values_(2 * n) {
    view.n = n, view.frames = frames;
    view.q = values_.data(), view.v = values_.data() + n, view.frame = frames_.data();
  }
  template <class T>
  static Frame<S> lifted(const Frame<T>& f) {
    Frame<S> r;
    for (int i = 0; i < 3; ++i) r.p[i] = S(f.p[i]), r.v[i] = S(f.v[i]), r.w[i] = S(f.w[i]);
    for (int i = 0; i < 9; ++i) r.R.a[i] = S(f.R.a[i]);
    return r;
  }
  Buffer<Frame<S>, 2> frames_;
  Buffer<S> values_;
};

/// The same as it moves: the motion at vdot = 0.
struct EndsAlong : EndValues<Taylor2<>> {
  EndsAlong(const Kinematics& k, const Ends& ends, const double* history) : EndValues(k, ends, history) {
    for (int f = 0; f < ends.frame_count(); ++f) frame(f) = frame_along(ends.frames[f].frame(k), ends.frames[f].bias(k));
    for (int j = 0; j < count(); ++j) {
      const double bias = coordinate_bias(k, ends.coordinates[j]);
      q(j).first = v(j).value, q(j).second = bias, v(j).first = bias;
    }
  }
};

}  // namespace detail

/// An item at any number of ends: FixedEnds, with its derivatives in passes of a few directions. Its kernels write by all directions, six a frame; those that
/// move count. Relations: rows() and `h(view, lambda, y)`, with `has_input` also `g(view, lambda, out)`. Forces: `sign` (-1: on the left, 1: on the right) and
/// `rest(view, out)`; on coordinates of nodes also linear(), linear_rate(), matrices (n x n or empty) of q and v, `varies()`: whether the rest depends on q or v:
/// F = sign (A q + B v + rest). They may have potential_energy(view), and remember memory_size() numbers: remember(view, kept) writes what follows an accepted
/// step, or, where nothing is remembered yet, what it begins with. Objects: mass_matrix(view, M), n x n, constant_mass(), wrong_mass(view).
template <class Item>
class DynamicEnds {
  template <class S> using Values = detail::EndValues<S>;
  using View = CoordinateView<double>;

 public:
  static constexpr bool fixed = false;
  static constexpr int lambda_pass = detail::dual_pass;
  static constexpr double sign = [] {
    if constexpr (requires { Item::sign; }) return Item::sign;
    else return 0.0;
  }();
  static constexpr bool has_force = true, has_bias = false;
  using Vector = detail::Buffer<double>;
  using Square = detail::Block;
  class Slopes {
   public:
    Slopes(int rows, int columns) : columns_(columns), all_(rows * columns) {}
    double& operator()(int r, int c) { return all_[r * columns_ + c]; }
    double operator()(int r, int c) const { return all_[r * columns_ + c]; }
    const double* data() const { return all_.data(); }

   private:
    int columns_;
    detail::Buffer<double> all_;
  };
  using Columns = detail::EndColumns;
  template <class S>
  struct Context {
    Context(const Kinematics& k, int row, int rows) : t(k.t), lambda(rows) {
      if (k.lambda)
        for (int r = 0; r < rows; ++r) lambda[r] = S(k.lambda[row + r]);
    }
    S t;
    detail::Buffer<S> lambda;
  };

  DynamicEnds(const detail::DynamicStore<Item>& store, const Kinematics& k, int i, const double* history, int row)
      : item(store[i]), store_(store), k_(k), ends_(store.ends(i)), moved_(store.moved(i)), i_(i), history_(history), row_(row) {}

  static int rows_of([[maybe_unused]] const Item& item) {
    if constexpr (requires { item.rows(); }) return item.rows();
    else return 0;
  }
  int rows() const { return rows_of(item); }
  int directions() const { return count_of(moved_); }
  int direction(int t) const { return moved_[t]; }
  int columns() const { return store_.column_count(k_, i_); }
  Slopes slopes_room() const { return Slopes(rows(), directions()); }
  Vector vector() const { return Vector(directions()); }
  Square square() const { return Square(directions() * directions()); }
  double seed(const double (&by_kind)[4], int t) const { return by_kind[kind(t)]; }

  template <class S>
  Context<S> context() const { return Context<S>(k_, row_, rows()); }
  double lambda(int r) const { return k_.lambda ? k_.lambda[row_ + r] : 0.0; }
  template <class S>
  Values<S> constant() const { return Values<S>(k_, ends_, history_); }
  detail::EndsAlong along() const { return detail::EndsAlong(k_, ends_, history_); }

  template <class S>
  detail::Buffer<S> h(const Values<S>& x, const Context<S>& c) const {
    detail::Buffer<S> y(rows());
    item.h(at_time(x, c), c.lambda.data(), y.data());
    return y;
  }
  template <class S>
  detail::Buffer<S> g(const Values<S>& x, const Context<S>& c) const {
    detail::Buffer<S> y(x.view.tangent());
    item.g(at_time(x, c), c.lambda.data(), y.data());
    return y;
  }
  template <class S>
  detail::Buffer<S> force(const Values<S>& x, const Context<S>&) const {
    detail::Buffer<S> f(x.view.tangent());
    item.rest(x.view, f.data());
    if constexpr (has_linear) {
      add_product(item.linear(), x.view.q, f.data());
      add_product(item.linear_rate(), x.view.v, f.data());
    }
    return f;
  }

  template <class F, class Put>
  void differentiate(const Seeds& seeds, F f, Put put) const {
    using D = Dual<detail::dual_pass>;
    Values<D> x(k_, ends_, history_);
    const auto c = context<D>();
    each_pass([&](int first, int count) {
      for (int t = 0; t < count; ++t) x.move(direction(first + t), t, seed(seeds.value, first + t), seed(seeds.rate, first + t));
      put(f(x, c), first, count);
      for (int t = 0; t < count; ++t) x.stop(direction(first + t), t);
    });
  }
  template <class F, class Put>
  void turn(F f, Put put) const {
    Values<Displaced> base(k_, ends_, history_);
    auto c = context<Moved>();
    c.t.d[0] = Displaced(1.0);
    each_pass([&](int first, int count) {
      for (int t = 0; t < count; ++t) base.move(direction(first + t), t, 1.0, 0.0);
      Values<Moved> x(base.view);
      for (int d = 0; d < ends_.tangent(); ++d) x.move(d, 0, Displaced(rate_of(d)), Displaced(0.0));
      const auto y = f(x, c);
      for (int t = 0; t < count; ++t) put(first + t, [&](int r) { return y[r].d[0].d[t]; });
      for (int t = 0; t < count; ++t) base.stop(direction(first + t), t);
    });
  }
  template <bool of_rates, class F, class Put>
  void bend(bool by_speed, F f, Put put) const {
    Values<Displaced> base(k_, ends_, history_);
    const auto c = context<Moved>();
    const Displaced by_value(of_rates ? 0.0 : 1.0), by_rate(of_rates ? 1.0 : 0.0);
    each_pass([&](int first, int count) {
      for (int j = 0; j < count; ++j) base.move(direction(first + j), j, by_speed ? 0.0 : 1.0, by_speed ? 1.0 : 0.0);
      Values<Moved> x(base.view);
      for (int t = 0; t < directions(); ++t) {
        x.move(direction(t), 0, by_value, by_rate);
        const auto y = f(x, c);
        x.stop(direction(t), 0);
        for (int j = 0; j < count; ++j) put(t, first + j, [&](int r) { return y[r].d[0].d[j]; });
      }
      for (int j = 0; j < count; ++j) base.stop(direction(first + j), j);
    });
  }

  // What the item knows of its own, by all directions: slopes(view, H), turning(view, rate, T), reaction_stiffness(view, lambda, K) of relations on places;
  // derivatives(view, value, rate, K) of forces, each direction moved by its value in place and its rate in velocity. False where it cannot, and duals do.
  template <bool of_rates, class F>
  Slopes known_slopes([[maybe_unused]] bool by_rate, F otherwise) const {
    if constexpr (knows_places)
      if (!by_rate) {
        detail::Block H(rows() * ends_.tangent());
        if (item.slopes(constant<double>().view, H.data())) return of_moved(H.data());
      }
    return otherwise();
  }
  template <class F>
  Slopes known_turn(F otherwise) const {
    if constexpr (knows_places) {
      Vector rates(ends_.tangent());
      for (int d = 0; d < ends_.tangent(); ++d) rates[d] = rate_of(d);
      detail::Block turned(rows() * ends_.tangent());
      if (item.turning(constant<double>().view, rates.data(), turned.data())) return of_moved(turned.data());
    }
    return otherwise();
  }
  template <bool of_rates>
  bool known_reaction_stiffness([[maybe_unused]] double* K) const {
    if constexpr (knows_places) {
      detail::Block all(ends_.tangent() * ends_.tangent());
      const auto c = context<double>();
      if (!item.reaction_stiffness(constant<double>().view, c.lambda.data(), all.data())) return false;
      copy_moved(all.data(), 1.0, K);
      return true;
    }
    return false;
  }
  static constexpr bool has_linear = requires(const Item& item) { item.linear(); };
  static constexpr bool knows_derivatives = requires(const Item& item, const View& view, double* K) { item.derivatives(view, K, K, K); };
  static constexpr bool knows_stiffness = has_linear || knows_derivatives;
  bool known_stiffness([[maybe_unused]] const Seeds& seeds, [[maybe_unused]] double* K) const {
    if constexpr (has_linear)
      if (!item.varies()) {
        const Matrix &A = item.linear(), &B = item.linear_rate();
        for (int r = 0; r < directions(); ++r)
          for (int c = 0; c < directions(); ++c, ++K) {
            *K = 0.0;
            if (A.rows) *K += seed(seeds.value, c) * A(direction(r), direction(c));
            if (B.rows) *K += seed(seeds.rate, c) * B(direction(r), direction(c));
            *K *= sign;
          }
        return true;
      }
    if constexpr (knows_derivatives) {
      const int n = ends_.tangent();
      Vector by_value(n), by_rate(n);
      for (int c = 0; c < directions(); ++c) by_value[direction(c)] = seed(seeds.value, c), by_rate[direction(c)] = seed(seeds.rate, c);
      detail::Block all(n * n);
      if (!item.derivatives(constant<double>().view, by_value.data(), by_rate.data(), all.data())) return false;
      copy_moved(all.data(), sign, K);
      return true;
    }
    return false;
  }
  double potential_energy() const {
    double energy = 0.0;
    if constexpr (requires(const View& view) { item.potential_energy(view); }) {
      const auto x = constant<double>();
      energy = item.potential_energy(x.view);
    }
    return energy;
  }
  Square mass() const {
    Square M(directions() * directions());
    item.mass_matrix(constant<double>().view, M.data());
    return M;
  }
  std::string wrong_mass() const { return item.wrong_mass(constant<double>().view); }
  Vector rate() const {
    Vector v(directions());
    for (int t = 0; t < directions(); ++t) v[t] = rate_of(direction(t));
    return v;
  }
  double remember(double* kept) const {
    // The state is remembered already, or what is remembered is the reference position, before a run: no step was made.
    if (history_ && (k_.since == 0.0 || k_.t - k_.since < 0.0)) std::copy_n(history_, item.memory_size(), kept);
    else item.remember(constant<double>().view, kept);
    return std::all_of(kept, kept + item.memory_size(), [](double x) { return std::isfinite(x); }) ? 0.0 : std::numeric_limits<double>::infinity();
  }

  bool mapped() const { return store_.mapped(k_, i_); }
  Columns jacobian(int n) const { return Columns(k_, ends_, mapped(), directions(), n, false); }
  Columns turning(int n) const { return Columns(k_, ends_, mapped(), directions(), n, true); }
  static void project(const Slopes& port, const Columns& columns, int /*n*/, int rows, double* block) { columns.add(port.data(), rows, block); }
  static void add_product(const Columns& J, const double* K, const Columns& V, int /*n*/, double factor, double* block) { J.add_product(K, V, factor, block); }
  void congruent(const double* K, const double* f, double factor, double value, int n, double* block) const {
    if (!mapped()) {
      for (int i = 0; i < n * n; ++i) block[i] = factor * K[i];
      return;
    }
    std::fill_n(block, n * n, 0.0);
    const Columns J = jacobian(n);
    J.add_product(K, J, factor, block);
    if (!f || value == 0.0) return;
    double opposite[FramePort::tangent];
    int offset = 0;
    for (const detail::FrameEnd& e : ends_.frames) {
      for (int i = 0; i < e.rows(); ++i) opposite[i] = -value * *f++;
      e.geometric(k_, opposite, block, n, offset);
      offset += e.columns(k_, nullptr);
    }
    for (const CoordinateRef& c : ends_.coordinates)
      if (c.kind != CoordinateKind::none) detail::add_coordinate_geometric(k_, c, -value * *f++, block, n, offset), offset += detail::coordinate_columns(k_, c, nullptr);
  }
  void scatter(const double* f, const ForceSink& sink) const { store_.scatter(k_, ends_, f, sink); }

  const Item& item;

 private:
  using Displaced = Dual<detail::dual_pass>;
  using Moved = Dual<1, Displaced>;
  static constexpr bool knows_places = requires(const Item& item, const View& view, double* to) { item.reaction_stiffness(view, to, to); };

  int kind(int t) const { return static_cast<int>(ends_.kind(direction(t))); }
  template <class S>
  static CoordinateView<S> at_time(const Values<S>& x, const Context<S>& c) {
    CoordinateView<S> view = x.view;
    view.t = c.t;
    return view;
  }
  /// pass(first direction, how many), a few at once.
  template <class Pass>
  void each_pass(Pass pass) const {
    for (int first = 0; first < directions(); first += detail::dual_pass) pass(first, std::min(detail::dual_pass, directions() - first));
  }
  double rate_of(int d) const {
    if (const int j = d - 6 * ends_.frame_count(); j >= 0) return k_.y[ends_.coordinates[j].rate];
    return FramePort::rate(ends_.frames[d / 6].frame(k_))[d % 6];
  }
  template <class S>
  static void add_product(const Matrix& A, const S* x, S* out) {
    for (int r = 0; r < A.rows; ++r)
      for (int c = 0; c < A.cols; ++c) out[r] += A(r, c) * x[c];
  }
  Slopes of_moved(const double* all) const {
    Slopes H = slopes_room();
    for (int r = 0; r < rows(); ++r)
      for (int t = 0; t < directions(); ++t) H(r, t) = all[r * ends_.tangent() + direction(t)];
    return H;
  }
  void copy_moved(const double* all, double factor, double* K) const {
    for (int r = 0; r < directions(); ++r)
      for (int c = 0; c < directions(); ++c) *K++ = factor * all[direction(r) * ends_.tangent() + direction(c)];
  }

  const detail::DynamicStore<Item>& store_;
  const Kinematics& k_;
  detail::Ends ends_;
  std::span<const int> moved_;
  int i_;
  const double* history_;
  int row_;
};

template <class Item>
  requires(!requires { typename Item::port; })
struct EndsOf<Item> {
  using Store = detail::DynamicStore<Item>;
  using At = DynamicEnds<Item>;
};

}  // namespace saltus
