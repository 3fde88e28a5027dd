// Pools of items whose sizes are known at run time: generic systems, linear and users' relations on any number of scalar
// coordinates. They fill the same blocks and rows as the static pools; derivatives by passes of a few duals.
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/math/matrix.hpp"
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

/// Numbers on the stack; on the heap only where an item is larger than usual.
template <class T, int small = 32>
class Buffer {
 public:
  explicit Buffer(int size) : size_(size), large_(size > small ? static_cast<std::size_t>(size) : 0), data_(size > small ? large_.data() : small_) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() { return data_; }
  T& operator[](int i) { return data_[i]; }
  int size() const { return size_; }

 private:
  int size_;
  T small_[small]{};
  std::vector<T> large_;
  T* data_;
};

/// The ends of an item: frames, then coordinates.
struct Ends {
  std::span<const Endpoint> frames;
  std::span<const CoordinateRef> coordinates;

  int frame_count() const { return static_cast<int>(frames.size()); }
  int tangent() const { return 6 * frame_count() + static_cast<int>(coordinates.size()); }
  CoordinateKind kind(int direction) const { return direction < 6 * frame_count() ? CoordinateKind::ode2 : coordinates[direction - 6 * frame_count()].kind; }
};

/// Items with any number of ends each.
template <class Item>
class DynamicStore {
 public:
  void add(Item item, std::span<const Endpoint> ends) {
    items_.push_back(std::move(item));
    endpoints_.insert(endpoints_.end(), ends.begin(), ends.end());
    int frames = 0;
    for (const Endpoint& e : ends)
      if (e.kind == EndpointKind::frame) ++frames, mapped_ = true;
      else coordinates_.push_back(e.coordinate), mapped_ = mapped_ || e.coordinate.is_of_joint();
    begin_.push_back({static_cast<int>(endpoints_.size()), static_cast<int>(coordinates_.size()), begin_.back().tangent + 6 * frames + static_cast<int>(ends.size()) - frames});
    frames_.push_back(frames);
  }
  int size() const { return static_cast<int>(items_.size()); }
  const Item& operator[](int i) const { return items_[i]; }
  Ends ends(int i) const {
    return {{endpoints_.data() + begin_[i].end, static_cast<std::size_t>(frames_[i])}, {coordinates_.data() + begin_[i].coordinate, coordinates_.data() + begin_[i + 1].coordinate}};
  }
  std::span<const Endpoint> endpoints(int i) const { return {endpoints_.data() + begin_[i].end, endpoints_.data() + begin_[i + 1].end}; }
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
    for (const Endpoint& frame : e.frames) put([&](int* to) { return FramePort::columns(k, &frame, to); });
    for (const CoordinateRef& c : e.coordinates) put([&](int* to) { return coordinate_columns(k, c, to); });
  }
  /// Where the tangent of item i begins among those of all items.
  int begin(int i) const { return begin_[i].tangent; }
  /// Directions of item i that are not ground.
  int moving_count(int i) const {
    const Ends e = ends(i);
    return 6 * e.frame_count() + static_cast<int>(std::count_if(e.coordinates.begin(), e.coordinates.end(), [](const CoordinateRef& c) { return c.kind != CoordinateKind::none; }));
  }
  int column_count(const Kinematics& k, int i) const {
    if (!mapped_) return moving_count(i);
    int n = 0;
    const Ends e = ends(i);
    for (const Endpoint& frame : e.frames) n += FramePort::columns(k, &frame, nullptr);
    for (const CoordinateRef& c : e.coordinates) n += coordinate_columns(k, c, nullptr);
    return n;
  }
  /// Some end is a frame, or a coordinate of a joint: the unknowns are other than the directions.
  bool mapped() const { return mapped_; }
  void place(FrameUse& use) {
    for (CoordinateRef& c : coordinates_) place_coordinate(c, use);
    for (const Endpoint& e : endpoints_)
      if (e.kind == EndpointKind::frame) place_frames(&e, 1, use);
  }

 private:
  struct Begin {
    int end = 0, coordinate = 0, tangent = 0;
  };
  std::vector<Item> items_;
  std::vector<CoordinateRef> coordinates_;
  std::vector<Endpoint> endpoints_;  // as they were given: frames first
  std::vector<Begin> begin_{{}};
  std::vector<int> frames_;          // of each item
  bool mapped_ = false;
};

/// J of an item: its directions that are not ground, by its columns; and V, d(rate)/dq at fixed v.
class EndMap {
 public:
  EndMap(const Kinematics& k, const Ends& ends, int moving, int columns)
      : k_(k), ends_(ends), columns_(columns), J_(moving * columns), V_(moving * columns) {
    each([&](const Endpoint& e, int row, int offset) {
      const Frame<double>& f = FramePort::gather(k, &e);
      FramePort::jacobian(k, &e, f, J_.data() + row * columns, columns, offset);
      turns_ |= FramePort::rate_jacobian(k, &e, f, V_.data() + row * columns, columns, offset);
    }, [&](const CoordinateRef& c, int row, int offset) {
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
    each([&](const Endpoint& e, int row, int offset) {
      double scaled[6];
      for (int i = 0; i < 6; ++i) scaled[i] = factor * f[row + i];
      FramePort::geometric(k_, &e, FramePort::gather(k_, &e), scaled, block, columns_, offset);
    }, [&](const CoordinateRef& c, int row, int offset) { add_coordinate_geometric(k_, c, factor * f[row], block, columns_, offset); });
  }
  double* J() { return J_.data(); }

 private:
  template <class F, class C>
  void each(F frame, C coordinate) const {
    int row = 0, offset = 0;
    for (const Endpoint& e : ends_.frames) frame(e, row, offset), row += 6, offset += FramePort::columns(k_, &e, nullptr);
    for (const CoordinateRef& c : ends_.coordinates)
      if (c.kind != CoordinateKind::none) coordinate(c, row++, offset), offset += coordinate_columns(k_, c, nullptr);
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
  Ends ends_;
  int columns_;
  Buffer<double> J_, V_;
  bool turns_ = false;
};

/// Values at the ends on any scalar. `view` points into it.
template <class S>
class EndValues {
 public:
  EndValues(const Kinematics& k, const Ends& ends) : EndValues(ends.frame_count(), static_cast<int>(ends.coordinates.size())) {
    for (int i = 0; i < view.frames; ++i) frame(i) = FramePort::constant<S>(FramePort::gather(k, &ends.frames[i]));
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

/// What an item declares to be read: `quantities`, `quantity(which, view)`.
template <class Item>
std::span<const ItemQuantity> quantities_of() {
  if constexpr (requires { Item::quantities; }) return Item::quantities;
  return {};
}
template <class Item>
Vec3<double> quantity_of([[maybe_unused]] const Item& item, [[maybe_unused]] int which, [[maybe_unused]] const Kinematics& k, [[maybe_unused]] const Ends& ends) {
  if constexpr (requires { Item::quantities; }) return item.quantity(which, EndValues<double>(k, ends).view);
  return {};
}

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
/// writes what follows an accepted step, or, where nothing is remembered yet, what it begins with.
template <class Item, class Base = ForcePool>
class DynamicForcePool : public Base {
 public:
  void add(Item item, std::span<const Endpoint> endpoints) {
    memory_begin_.push_back(memory_begin_.back() + memory_size(item));
    store_.add(std::move(item), endpoints);
  }
  int size() const override { return store_.size(); }
  bool parallel() const override { return store_.parallel(); }
  void place(FrameUse& use) override { store_.place(use); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const override { store_.columns(k, i, out); }
  std::span<const Endpoint> endpoints(int i) const override { return store_.endpoints(i); }
  std::span<const ItemQuantity> quantities() const override { return detail::quantities_of<Item>(); }
  Vec3<double> quantity(const Kinematics& k, int i, int which) const override { return detail::quantity_of(store_[i], which, k, store_.ends(i)); }
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
        if (!store_.mapped()) add_by_directions(k, seeds, i, out);
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
  detail::DynamicStore<Item> store_;

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
    for (const Endpoint& e : ends.frames) {
      double force[6];
      for (double& x : force) x = Item::sign * *f++;
      FramePort::scatter(k, &e, FramePort::gather(k, &e), force, sink);
    }
    for (const CoordinateRef& c : ends.coordinates) detail::add_coordinate_force(k, c, Item::sign * *f++, sink);
  }
  /// out (moving x moving) += d(rest)/dxi by the seeds, of the directions that are not ground.
  void add_by_directions(const Kinematics& k, const Seeds& seeds, int i, double* out) const {
    const detail::Ends ends = store_.ends(i);
    const int n = ends.tangent(), moving = store_.moving_count(i);
    bool varies = true;
    if constexpr (has_linear) varies = store_[i].varies();
    if (varies) {
      detail::Buffer<double> all(n * moving);
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
  /// The same by the unknowns of the ends, with what the forces do as the ends turn.
  void add_by_columns(const Kinematics& k, const Seeds& seeds, int i, int columns, double* out) const {
    const detail::Ends ends = store_.ends(i);
    const int n = ends.tangent(), moving = store_.moving_count(i);
    detail::EndMap map(k, ends, moving, columns);
    detail::Buffer<double> K(moving * moving);
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
class DynamicRelationPool final : public RelationPool {
 public:
  static constexpr RelationTraits tr = traits_of<R>();

  void add(R item, std::span<const Endpoint> endpoints, LawRef law) {
    if constexpr (requires { item.varies_in_time(); }) traits_.uses_time = (size() > 0 && traits_.uses_time) || item.varies_in_time();
    store_.add(std::move(item), endpoints);
    laws_.push_back(law);
    traits_.linear = tr.linear && !store_.mapped();
  }
  int size() const override { return store_.size(); }
  bool parallel() const override { return store_.parallel(); }
  void place(FrameUse& use) override { store_.place(use); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const override { store_.columns(k, i, out); }
  RelationTraits traits() const override { return traits_; }
  int rows(int i) const override { return store_[i].rows(); }
  LawRef law(int i) const override { return laws_[i]; }
  std::span<const ItemQuantity> quantities() const override { return detail::quantities_of<R>(); }
  Vec3<double> quantity(const Kinematics& k, int i, int which) const override { return detail::quantity_of(store_[i], which, k, store_.ends(i)); }

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
  static constexpr Seeds position_seeds{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  static constexpr Seeds rate_seeds{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

  /// d(input)/dxi of item i, columns x columns, at `block`; returns where it ends.
  double* input_stiffness(const Kinematics& k, const Seeds& seeds, int i, int row, double* block) const {
    if (!store_.mapped()) return coordinate_stiffness(k, seeds, i, row, block);
    const int moving = store_.moving_count(i), columns = store_.column_count(k, i);
    detail::EndMap map(k, store_.ends(i), moving, columns);
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
    for (int f = 0; f < ends.frame_count(); ++f) x.frame(f) = detail::frame_along(FramePort::gather(k, &ends.frames[f]), FramePort::bias(k, &ends.frames[f]));
    for (int j = 0; j < x.count(); ++j) {
      const double bias = detail::coordinate_bias(k, ends.coordinates[j]);
      x.q(j).first = x.v(j).value, x.q(j).second = bias, x.v(j).first = bias;
    }
    store_[i].h(x.view, lambda.data(), y.data());
    for (int r = 0; r < m; ++r) out[r] = tr.written == Level::value ? y[r].second : y[r].first;
  }
  /// d(ydot)/dq at fixed v.
  void turning(const Kinematics& k, int i, int row, double* out) const {
    if (!store_.mapped()) return turning_of_moving(k, i, row, out);
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
    return FramePort::rate(FramePort::gather(k, &ends.frames[direction / 6]))[direction % 6];
  }
  /// out (rows x columns) = dh/dxi; of rows written at rate those by position hold the turning of the rates.
  void by_coordinates(const Kinematics& k, int i, int row, const Seeds& seeds, double* out) const {
    if (!store_.mapped()) return by_moving(k, i, row, seeds, out);
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
    detail::differentiate(k, store_.ends(i), nullptr, seeds, rows(i), store_.moving_count(i), [&](const auto& view, auto* y) {
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
    if (store_.mapped()) {
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
  detail::DynamicStore<R> store_;
  std::vector<LawRef> laws_;
};

}  // namespace saltus
