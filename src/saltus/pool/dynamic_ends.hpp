// The ends of items of run-time size: frames, points and coordinates; their values on any scalar, their unknowns.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "saltus/base/room.hpp"
#include "saltus/math/taylor.hpp"
#include "saltus/pool/relation_pool.hpp"

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

/// Numbers on the stack, 0 at first; on the heap only where an item is larger than usual.
template <class T, int small = 32>
class Buffer {
 public:
  explicit Buffer(int size) : size_(size), large_(size > small ? static_cast<std::size_t>(size) : 0), data_(size > small ? large_.data() : small_.data()) {
    if (size <= small) std::uninitialized_value_construct_n(data_, size);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() { return data_; }
  T& operator[](int i) { return data_[i]; }
  int size() const { return size_; }

 private:
  int size_;
  Room<T, small> small_;
  std::vector<T> large_;
  T* data_;
};
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

  int frame_count() const { return static_cast<int>(frames.size()); }
  int tangent() const { return 6 * frame_count() + static_cast<int>(coordinates.size()); }
  CoordinateKind kind(int direction) const {
    if (direction >= 6 * frame_count()) return coordinates[direction - 6 * frame_count()].kind;
    return frames[direction / 6].is_point && direction % 6 >= 3 ? CoordinateKind::none : CoordinateKind::ode2;
  }
  /// The directions that move, in their order, into `to`; their number.
  int moved(int* to) const {
    int count = 0;
    for (int d = 0; d < tangent(); ++d)
      if (kind(d) != CoordinateKind::none) to[count++] = d;
    return count;
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
      if (e.kind == EndpointKind::frame) frames_.push_back({e, !takes_axes(item, static_cast<int>(frames_.size()) - begin_.back().frame)}), mapped_ = true;
      else coordinates_.push_back(e.coordinate), mapped_ = mapped_ || e.coordinate.is_of_joint();
    const int frames = static_cast<int>(frames_.size()), added = frames - begin_.back().frame;
    begin_.push_back({static_cast<int>(endpoints_.size()), frames, static_cast<int>(coordinates_.size()), begin_.back().tangent + static_cast<int>(ends.size()) + 5 * added});
    items_.push_back(std::move(item));
  }
  int size() const { return static_cast<int>(items_.size()); }
  const Item& operator[](int i) const { return items_[i]; }
  Ends ends(int i) const {
    return {{frames_.data() + begin_[i].frame, frames_.data() + begin_[i + 1].frame}, {coordinates_.data() + begin_[i].coordinate, coordinates_.data() + begin_[i + 1].coordinate}};
  }
  std::span<const Endpoint> endpoints(int i) const { return {endpoints_.data() + begin_[i].end, endpoints_.data() + begin_[i + 1].end}; }
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
      out.resize(begin + static_cast<std::size_t>(columns_of(nullptr)));
      columns_of(out.data() + begin);
    };
    const Ends e = ends(i);
    for (const FrameEnd& frame : e.frames) put([&](int* to) { return frame.columns(k, to); });
    for (const CoordinateRef& c : e.coordinates) put([&](int* to) { return coordinate_columns(k, c, to); });
  }
  /// Where the tangent of item i begins among those of all items.
  int begin(int i) const { return begin_[i].tangent; }
  /// Directions of item i that move: not those of ground.
  int moving_count(int i) const {
    const Ends e = ends(i);
    int n = 0;
    for (const FrameEnd& frame : e.frames) n += frame.rows();
    return n + static_cast<int>(std::count_if(e.coordinates.begin(), e.coordinates.end(), [](const CoordinateRef& c) { return c.kind != CoordinateKind::none; }));
  }
  int column_count(const Kinematics& k, int i) const {
    if (!mapped_) return moving_count(i);
    int n = 0;
    const Ends e = ends(i);
    for (const FrameEnd& frame : e.frames) n += frame.columns(k, nullptr);
    for (const CoordinateRef& c : e.coordinates) n += coordinate_columns(k, c, nullptr);
    return n;
  }
  /// Some end is a frame, or a coordinate of a joint.
  bool mapped() const { return mapped_; }
  /// The unknowns of item i are other than the directions that move.
  bool mapped(const Kinematics& k, int i) const {
    if (!mapped_) return false;
    const Ends e = ends(i);
    return !std::all_of(e.frames.begin(), e.frames.end(), [&](const FrameEnd& frame) { return frame.is_plain(k); }) ||
           std::any_of(e.coordinates.begin(), e.coordinates.end(), [](const CoordinateRef& c) { return c.is_of_joint(); });
  }
  void place(FrameUse& use) {
    for (CoordinateRef& c : coordinates_) place_coordinate(c, use);
    for (FrameEnd& e : frames_) e.place(use);
  }

 private:
  struct Begin {
    int end = 0, frame = 0, coordinate = 0, tangent = 0;
  };
  std::vector<Item> items_;
  std::vector<FrameEnd> frames_;
  std::vector<CoordinateRef> coordinates_;
  std::vector<Endpoint> endpoints_;  // as they were given: frames first
  std::vector<Begin> begin_{{}};
  bool mapped_ = false;
};

/// J of an item: its directions that are not ground, by its columns; and V, d(rate)/dq at fixed v.
class EndMap {
 public:
  EndMap(const Kinematics& k, const Ends& ends, int moving, int columns)
      : k_(k), ends_(ends), columns_(columns), J_(moving * columns), V_(moving * columns), parts_(ends.frame_count() + static_cast<int>(ends.coordinates.size())) {
    each([&](const FrameEnd& e, int row, int offset) {
      parts_[part_count_++] = {row, e.rows(), offset, e.columns(k, nullptr)};
      e.jacobian(k, J_.data() + row * columns, columns, offset);
      turns_ |= e.rate_jacobian(k, V_.data() + row * columns, columns, offset);
    }, [&](const CoordinateRef& c, int row, int offset) {
      parts_[part_count_++] = {row, 1, offset, coordinate_columns(k, c, nullptr)};
      add_coordinate_jacobian(k, c, 1.0, J_.data() + row * columns, offset);
      turns_ |= add_coordinate_rate_jacobian(k, c, 1.0, V_.data() + row * columns, offset);
    });
  }
  /// out (rows x columns) += factor P J, or P V, for P rows x moving.
  void add(const double* P, int rows, double* out) { add_product(P, rows, J_.data(), out); }
  void add_turning(const double* P, int rows, double* out) {
    if (turns_) add_product(P, rows, V_.data(), out);
  }
  bool turns() const { return turns_; }
  /// block (columns x columns) += J^T K J, or factor J^T K V.
  void add_congruent(const double* K, double* block) { add_square(K, J_.data(), 1.0, block); }
  void add_congruent_turning(const double* K, double factor, double* block) {
    if (turns_) add_square(K, V_.data(), factor, block);
  }
  /// block += factor d(J^T f)/dq, f by the directions that are not ground.
  void add_geometric(const double* f, double factor, double* block) {
    each([&](const FrameEnd& e, int row, int offset) {
      double scaled[6];
      for (int i = 0; i < e.rows(); ++i) scaled[i] = factor * f[row + i];
      e.geometric(k_, scaled, block, columns_, offset);
    }, [&](const CoordinateRef& c, int row, int offset) { add_coordinate_geometric(k_, c, factor * f[row], block, columns_, offset); });
  }
  double* J() { return J_.data(); }

 private:
  template <class F, class C>
  void each(F frame, C coordinate) const {
    int row = 0, offset = 0;
    for (const FrameEnd& e : ends_.frames) frame(e, row, offset), row += e.rows(), offset += e.columns(k_, nullptr);
    for (const CoordinateRef& c : ends_.coordinates)
      if (c.kind != CoordinateKind::none) coordinate(c, row++, offset), offset += coordinate_columns(k_, c, nullptr);
  }
  /// An end moves along its own unknowns alone.
  struct Part {
    int row = 0, rows = 0, offset = 0, columns = 0;
  };
  int moving() const { return columns_ ? static_cast<int>(J_.size()) / columns_ : 0; }
  void add_product(const double* P, int rows, const double* J, double* out) {
    for (int part = 0; part < part_count_; ++part) {
      const Part& e = parts_[part];
      for (int r = 0; r < rows; ++r)
        for (int i = e.row; i < e.row + e.rows; ++i)
          if (const double p = P[r * moving() + i]; p != 0.0) add_row(p, J + i * columns_ + e.offset, e.columns, out + r * columns_ + e.offset);
    }
  }
  void add_square(const double* K, const double* right, double factor, double* block) {
    Block KR(moving() * columns_);
    add_product(K, moving(), right, KR.data());
    for (int part = 0; part < part_count_; ++part) {
      const Part& e = parts_[part];
      for (int i = e.row; i < e.row + e.rows; ++i)
        for (int r = e.offset; r < e.offset + e.columns; ++r)
          if (const double j = factor * J_[i * columns_ + r]; j != 0.0) add_row(j, KR.data() + i * columns_, columns_, block + r * columns_);
    }
  }
  const Kinematics& k_;
  Ends ends_;
  int columns_;
  Block J_, V_;
  Buffer<Part, 8> parts_;
  int part_count_ = 0;
  bool turns_ = false;
};

/// Values at the ends on any scalar. `view` points into it.
template <class S>
class EndValues {
 public:
  EndValues(const Kinematics& k, const Ends& ends) : EndValues(ends.frame_count(), static_cast<int>(ends.coordinates.size())) {
    for (int i = 0; i < view.frames; ++i) frame(i) = FramePort::constant<S>(ends.frames[i].frame(k));
    for (int i = 0; i < view.n; ++i) q(i) = S(k.y[ends.coordinates[i].value]), v(i) = S(k.y[ends.coordinates[i].rate]);
    view.t = S(k.t), view.data = k.data;
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

/// Passes over the directions that are not ground, a few at once: pass(first, directions of the pass, their number).
template <class Pass>
void each_pass(const Ends& ends, const Pass& pass) {
  int next = 0, first = 0;
  while (next < ends.tangent()) {
    int moved[dual_pass], count = 0;
    for (; next < ends.tangent() && count < dual_pass; ++next)
      if (ends.kind(next) != CoordinateKind::none) moved[count++] = next;
    if (count > 0) pass(first, moved, count);
    first += count;
  }
}

}  // namespace detail
}  // namespace saltus
