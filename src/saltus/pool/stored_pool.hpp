// What pools of items of one type share, whatever ends the items have.
#pragma once

#include "saltus/pool/item_ends.hpp"

namespace saltus {

/// Base: ObjectPool, ForcePool, RelationPool. An Item with a `port` stands on FixedEnds, another on DynamicEnds (dynamic_ends.hpp).
template <class Item, class Base>
class StoredPool : public Base {
 public:
  using Store = typename EndsOf<Item>::Store;
  using At = typename EndsOf<Item>::At;

  const Store& store() const { return store_; }
  int size() const final { return store_.size(); }
  bool parallel() const final { return store_.parallel(); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const final { store_.columns(k, i, out); }
  void place(FrameUse& use) override { store_.place(use); }
  std::span<const ItemQuantity> quantities() const final { return store_.quantities(); }
  Vec3<double> quantity(const Kinematics& k, int i, int which) const final { return store_.quantity(k, i, which); }
  std::string trouble(const Kinematics& k, int i) const final { return store_.trouble(k, i); }
  bool remembers_turns_only() const final { return store_.remembers_turns_only(); }
  Remembered remember([[maybe_unused]] const Kinematics& k, [[maybe_unused]] const int* row_begin, [[maybe_unused]] double* block) const final {
    Remembered worst;
    if constexpr (Store::remembers)
      for (int i = 0; i < size(); ++i)
        if (this->history_size(i) > 0) worst.add(at(k, i, row_begin ? row_begin[i] : 0).remember(block + this->history_first(i)), i);
    return worst;
  }
  std::string refusal([[maybe_unused]] int i, [[maybe_unused]] const double* block) const final {
    if constexpr (requires { store_.refusal(i, block); }) return this->history_size(i) > 0 ? store_.refusal(i, block + this->history_first(i)) : std::string();
    return {};
  }

 protected:
  /// row: its first, of a relation.
  [[gnu::always_inline]] At at(const Kinematics& k, int i, int row = 0) const {
    const double* history = nullptr;
    if constexpr (Store::remembers)
      if (k.history) history = k.history + this->history_first_ + store_.history_begin(i);
    return At(store_, k, i, history, row);
  }
  int history_begin(int item) const final { return store_.history_begin(item); }

  Store store_;
};

}  // namespace saltus
