#include "saltus/integrate/moreau_model.hpp"

#include <algorithm>

namespace saltus {

MoreauModel::MoreauModel(const MoreauPlan& of) : plan(of), system(*of.system), assembly(system, of.options.threads), laws(system) {
  const auto all = [](const auto& pools, auto property) { return std::all_of(pools.begin(), pools.end(), property); };
  constant_mass = all(system.objects, [](const auto& p) { return p->constant_mass(); });
  constant_matrix = all(system.objects, [](const auto& p) { return p->constant_matrix(); }) && all(system.forces, [](const auto& p) { return p->constant_matrix(); });
  varies_in_time = !all(system.relations, [](const auto& p) { return !p->traits().uses_time; });
  affine = constant_mass && AffineSystem::can(system) && system.contacts.empty() && plan.drift != Drift::ggl;
  by_position = !affine && constant_mass && AffineSystem::can(system, true) && system.contacts.empty();
  for (const RelationEntry& e : system.relation_entries) direction.push_back(assembly.direction(e));
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const MoreauEntry& p = plan.entries[i];
    block_begin.push_back(block_size);
    block_size += p.columns * system.relation_entries[i].rows;
    value_rows |= p.level == Level::value || !p.value_row;
  }
  if (constant_mass) assembly.update(0.0, system.initial_y.data(), nullptr, system.initial_data.data());
  if (affine) affine_system.build(system, assembly, 0.0, system.initial_data.data());
}

void MoreauModel::spread_direction(std::size_t i, double* out) const {
  const RelationEntry& e = system.relation_entries[i];
  const MoreauEntry& p = plan.entries[i];
  out += block_begin[i];
  std::fill(out, out + e.rows * p.columns, 0.0);
  const double* H = direction[i];
  for (int r = 0; r < e.rows; ++r)
    for (int c = 0; c < e.columns; ++c) out[r * p.columns + plan.place[p.place_begin + c]] += H[r * e.columns + c];
}

void MoreauModel::values(double t, const double* y, const double* data, double* out) {
  if (affine) return affine_system.rows(y, out);
  assembly.update(t, y, nullptr, data);
  RowSink sink;
  sink.y = out;
  assembly.relations(sink);
}

}  // namespace saltus
