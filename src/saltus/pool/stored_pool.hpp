// What a pool hands on to its store alone, whatever ends its items have.
#pragma once

#include "saltus/pool/pool.hpp"

namespace saltus {

/// Base: ObjectPool, ForcePool, RelationPool. Store: detail::ItemStore of ends known at compile time, detail::DynamicStore of any.
template <class Store, class Base>
class StoredPool : public Base {
 public:
  const Store& store() const { return store_; }
  int size() const final { return store_.size(); }
  bool parallel() const final { return store_.parallel(); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const final { store_.columns(k, i, out); }
  void place(FrameUse& use) override { store_.place(use); }
  std::span<const ItemQuantity> quantities() const final { return store_.quantities(); }
  Vec3<double> quantity(const Kinematics& k, int i, int which) const final { return store_.quantity(k, i, which); }

 protected:
  Store store_;
};

/// A relation keeps the law of each item.
template <class Store>
class StoredRelations : public StoredPool<Store, RelationPool> {
 public:
  LawRef law(int i) const final { return laws_[i]; }

 protected:
  std::vector<LawRef> laws_;
};

}  // namespace saltus
