#include "saltus/integrate/inertia.hpp"

#include <algorithm>

#include "saltus/math/long_vectors.hpp"

namespace saltus {

Inertia::Inertia(const System& system, Assembly& assembly, Masses which) : system_(system), which_(which) {
  const std::size_t slots = system.pattern.nonzeros();
  const int dynamic = system.layout.nv + system.layout.nx;
  const auto counts = [&](std::size_t pool) { return which == Masses::every || !system.own_mass[pool]; };
  constant_ = true;
  for (std::size_t p = 0; p < system.objects.size(); ++p) constant_ = constant_ && (!counts(p) || system.objects[p]->constant_mass());
  assembly.update(0.0, system.initial_y.data(), nullptr, system.initial_data.data());
  system_values_.resize(slots);
  evaluate(assembly);
  std::vector<char> used(slots, 0);
  for (int i = 0; i < dynamic; ++i) used[system.diagonal_slot[i]] = 1;
  for (std::size_t p = 0; p < system.objects.size(); ++p)
    for (const int slot : system.object_slots[p].slots)  // an entry of a constant matrix that is zero stays zero
      if (counts(p) && slot >= 0 && !(constant_ && system_values_[slot] == 0.0)) used[slot] = 1;
  pattern_ = {dynamic, dynamic, {0}, {}};
  for (int i = 0; i < dynamic; ++i) {
    for (int slot = system.pattern.begin[i]; slot < system.pattern.begin[i + 1]; ++slot)
      if (used[slot] && system.pattern.column[slot] < dynamic) {
        pattern_.column.push_back(system.pattern.column[slot]);
        source_.push_back(slot);
      }
    pattern_.begin.push_back(pattern_.nonzeros());
  }
  diagonal_ = pattern_.nonzeros() == dynamic;  // which all have
  for (const int slot : source_) values_.push_back(system_values_[slot]);
}

void Inertia::evaluate(Assembly& assembly) {
  assembly.mass(1.0, 1.0, which_, system_values_.data());
  if (which_ == Masses::shared)
    for (const int i : system_.own_mass_unknowns) system_values_[system_.diagonal_slot[i]] = 1.0;
}

void Inertia::update(Assembly& assembly) {
  if (constant_) return;
  evaluate(assembly);
  for (std::size_t i = 0; i < source_.size(); ++i) values_[i] = system_values_[source_[i]];
}

void Inertia::multiply(const double* x, double* y) const {
  if (diagonal_) {
    (void)multiply_each(pattern_.rows, values_.data(), x, y);
    return;
  }
  std::fill_n(y, pattern_.rows, 0.0);
  multiply_add(x, y);
}

void Inertia::scatter(double* out) const {
  std::fill_n(out, system_.pattern.nonzeros(), 0.0);
  for (std::size_t i = 0; i < source_.size(); ++i) out[source_[i]] = values_[i];
}

}  // namespace saltus
