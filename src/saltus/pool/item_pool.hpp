// The pools of connectors, loads and objects, written as kernels: gather, call, scatter; derivatives from dual numbers.
#pragma once

#include <tuple>
#include <type_traits>

#include "saltus/math/function.hpp"
#include "saltus/pool/stored_pool.hpp"

namespace saltus {

/// Connectors and loads; base of the objects.
template <class Item, class Base = ForcePool>
class ItemForcePool : public StoredPool<Item, Base> {
 public:
  using Stored = StoredPool<Item, Base>;
  using typename Stored::At;
  using Stored::size, Stored::parallel;

  void add(Item item, std::span<const Endpoint> endpoints) { store_.add(std::move(item), endpoints); }
  std::span<const Endpoint> endpoints(int i) const override { return store_.endpoints_of(i); }
  std::string refer([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) override {
    if constexpr (requires(Item& item, const At& at) { item.refer(at.view); }) return store_[i].refer(this->at(k, i).view);
    return {};
  }
  static constexpr bool has_doubt = requires(const Item& item, const At& at) { item.doubt(at.view); };
  bool doubts() const override { return has_doubt && size() > 0; }
  std::string doubt([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) const override {
    if constexpr (has_doubt) return store_[i].doubt(this->at(k, i).view);
    return {};
  }

  void add_item_force(const Kinematics& k, int i, const ForceSink& sink) const override {
    if constexpr (At::has_force) {
      const At at = this->at(k, i);
      auto f = at.vector();
      force(at, f.data());
      at.scatter(f.data(), sink);
    }
  }

  bool lets_go([[maybe_unused]] int i) const override {
    if constexpr (!At::has_force) return false;
    else if constexpr (requires { Item::lets_go; }) return Item::lets_go;
    else if constexpr (requires { Item::fields(); }) return std::apply([&](const auto&... field) { return (branches(store_[i].*field.member) || ...); }, Item::fields());
    else return false;
  }

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    if constexpr (At::has_force)
      in_item_order(size(), parallel(), scratch, threads, [&](int i) { return store_.begin(i); },
                    [&](int begin, int end, double* out) {
                      for (int i = begin; i < end; ++i) {
                        const At at = this->at(k, i);
                        force(at, out);
                        out += at.directions();
                      }
                    },
                    [&](int begin, int end, const double* f) { store_.scatter(k, begin, end, f, sink); });
  }

  void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    if constexpr (At::has_force)
      blocks_in_item_order(size(), parallel(), scratch, threads, to, 1.0, [&](int begin, int end, double* out) {
        for (int i = begin; i < end; ++i) out = block(this->at(k, i), seeds, out);
      });
  }

  bool constant_matrix() const override { return store_.linear_in_unknowns() && store_.constant_matrix(); }
  double item_potential_energy(const Kinematics& k, int i) const override { return this->at(k, i).potential_energy(); }

 protected:
  using Stored::store_;

 private:
  template <class Value>
  static bool branches(const Value& value) {
    if constexpr (std::is_same_v<Value, Function>) return value.branches();
    else return false;
  }
  /// By direction.
  [[gnu::always_inline]] static void force(const At& at, double* out) {
    const auto f = at.force(at.template constant<double>(), at.template context<double>());
    for (int t = 0; t < at.directions(); ++t) out[t] = At::sign * f[at.direction(t)];
  }
  /// The force and its derivative by the seeds, directions x directions: by hand where the item knows it. f: null where it is not wanted.
  static void differentiate(const At& at, const Seeds& seeds, double* f, double* K) {
    if constexpr (At::knows_stiffness) {
      if (f) force(at, f);
      if (at.known_stiffness(seeds, K)) return;
    }
    const int n = at.directions();
    at.differentiate(seeds, [&](const auto& view, const auto& c) { return at.force(view, c); }, [&](const auto& y, int first, auto count) {
      for (int r = 0; r < n; ++r) {
        if (f) f[r] = At::sign * y[at.direction(r)].value;
        for (int c = 0; c < count; ++c) K[r * n + first + c] = At::sign * y[at.direction(r)].d[c];
      }
    });
  }
  /// -dF/dxi, columns x columns; returns where it ends.
  static double* block(const At& at, const Seeds& seeds, double* out) {
    const int n = at.columns();
    auto K = at.square();
    auto f = at.vector();
    const bool moves = seeds.value[0] != 0.0 && at.mapped();
    differentiate(at, seeds, At::fixed || moves ? f.data() : nullptr, K.data());
    at.congruent(K.data(), f.data(), -1.0, seeds.value[0], n, out);
    if (moves)  // the rates of the ends turn with the configuration
      if (auto V = at.turning(n)) {
        differentiate(at, {{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, nullptr, K.data());
        auto J = at.jacobian(n);
        at.add_product(J, K.data(), V, n, -seeds.value[0], out);
      }
    return out + n * n;
  }
};

/// Objects: `mass` on the directions, `lhs` all but the acceleration term (none: nothing else).
template <class Item>
class ItemObjectPool final : public ItemForcePool<Item, ObjectPool> {
 public:
  using Base = ItemForcePool<Item, ObjectPool>;
  using typename Base::At;

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override {
    Base::add_forces(k, scratch, threads, sink);
    if constexpr (At::has_bias) {  // inertia of the frame's own acceleration at vdot = 0
      if (!biased_) return;
      for (int i = 0; i < this->size(); ++i) {
        const At at = this->at(k, i);
        const auto& bias = at.bias();
        if (dot(bias, bias) == 0.0) continue;
        const auto inertia = -(at.mass() * bias);
        at.scatter(inertia.data(), sink);
      }
    }
  }
  void place(FrameUse& use) override {
    Base::place(use);
    biased_ = At::has_bias && this->store_.biased(use);
  }
  bool reads_bias() const override { return biased_; }
  void add_mass(const Kinematics& k, double scale, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const override {
    blocks_in_item_order(this->size(), this->parallel(), scratch, threads, to, scale, [&](int begin, int end, double* out) {
      for (int i = begin; i < end; ++i) {
        const At at = this->at(k, i);
        const int n = at.columns();
        const auto M = at.mass();
        at.congruent(M.data(), nullptr, 1.0, 0.0, n, out);
        out += n * n;
      }
    });
  }
  double item_kinetic_energy(const Kinematics& k, int i) const override {
    const At at = this->at(k, i);
    const auto rate = at.rate();
    auto p = momentum(at);
    double energy = 0.0;
    for (int t = 0; t < at.directions(); ++t) energy += 0.5 * rate[t] * p.data()[t];
    return energy;
  }
  void add_item_momentum(const Kinematics& k, int i, const ForceSink& sink) const override {
    const At at = this->at(k, i);
    auto p = momentum(at);
    at.scatter(p.data(), sink);
  }
  bool constant_mass() const override { return !biased_ && this->store_.constant_mass(); }  // J of a frame on an arm, of a source or of a joint's coordinate varies
  bool mass_of_user() const override { return !At::fixed && !constant_mass(); }
  std::string wrong_mass([[maybe_unused]] const Kinematics& k, [[maybe_unused]] int i) const override {
    if constexpr (!At::fixed) return this->at(k, i).wrong_mass();
    return {};
  }

 private:
  static auto momentum(const At& at) {
    const auto M = at.mass();
    const auto rate = at.rate();
    auto p = at.vector();
    const int n = at.directions();
    for (int r = 0; r < n; ++r) {
      double sum = 0.0;
      for (int c = 0; c < n; ++c) sum += M.data()[r * n + c] * rate[c];
      p.data()[r] = sum;
    }
    return p;
  }
  bool biased_ = false;
};

}  // namespace saltus
