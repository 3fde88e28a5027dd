#include "saltus/system/system.hpp"

#include <algorithm>

#include "saltus/base/index.hpp"

namespace saltus {

LawRef System::for_rows(LawRef law, int rows) {
  if (!law.type->set_parameters) return law;
  law_parameters.push_back(std::make_unique<const std::vector<double>>(law.type->set_parameters(law.fields, rows)));
  law.parameters = law_parameters.back()->data();
  return law;
}

CoordinateKind System::kind_of(int unknown) const {
  if (unknown < layout.nv) return CoordinateKind::ode2;
  return unknown < layout.nv + layout.nx ? CoordinateKind::ode1 : CoordinateKind::algebraic;
}

bool System::python_free() const {
  for (const auto& pool : objects)
    if (!pool->parallel()) return false;
  for (const auto& pool : forces)
    if (!pool->parallel()) return false;
  for (const auto& pool : relations)
    if (!pool->parallel()) return false;
  return true;
}

/// What the markers are, before pools say which they read.
FrameUse System::frame_use() const {
  const std::vector<char> no(markers.size(), 0);
  FrameUse use{std::vector<CoordinateRef>(markers.size()), no, no, no, {layout.ground_value(), layout.ground_value(), layout.trash(), CoordinateKind::none}, layout.y_size()};
  for (std::size_t m = 1; m < markers.size(); ++m) {
    const MarkerEntry& marker = markers[m];
    if (marker.base < 0) continue;
    const bool arm = dot(marker.p_NM, marker.p_NM) > 0.0;
    const int n = bases[at(marker.base)].node;
    use.biased[m] = arm || n < 0 || node_pools[at(nodes[at(n)].pool)]->moves().empty();
    if (arm || n < 0) continue;
    const NodeEntry& node = nodes[at(n)];
    if (node_pools[at(node.pool)]->origin_in_q())
      use.point[m] = {node.place.q, layout.v_begin() + node.place.v, node.place.v, CoordinateKind::ode2};
  }
  return use;
}

/// Unknowns under each marker: those of its node, or of the ends of its source, which are older markers.
void System::place_columns() {
  FrameUse use = frame_use();
  marker_column_begin.assign(1, 0);
  marker_columns.clear();
  Kinematics k;
  for (const MarkerEntry& marker : markers) {
    const BaseFrame* base = marker.base < 0 ? nullptr : &bases[at(marker.base)];
    if (base && base->node >= 0) {
      const NodePlace& place = nodes[at(base->node)].place;
      for (int i = 0; i < place.sizes.v; ++i) marker_columns.push_back(place.v + i);
    } else if (base) {
      FrameSource& pool = *frame_sources[at(base->pool)];
      pool.place(base->item, use);
      k.column_begin = marker_column_begin.data(), k.columns = marker_columns.data();
      std::vector<int> columns(at(pool.columns(k, base->item, nullptr)));
      pool.columns(k, base->item, columns.data());
      marker_columns.insert(marker_columns.end(), columns.begin(), columns.end());
    }
    marker_column_begin.push_back(count_of(marker_columns));
  }
}

void System::plan_frames() {
  FrameUse use = frame_use();
  const auto place = [&](const auto& pools) {
    for (const auto& pool : pools) pool->place(use);
  };
  use.second_derivative_of.assign(at(joint_coordinates.size()), 0);
  place(objects), place(relations);
  use.second_derivatives = false;
  place(forces);
  use.second_derivatives = true;
  joint_coordinates.place(use);
  // What stands on a base reads it, and a source its ends; those on a source are newer than it, its ends older.
  for (std::size_t m = markers.size(); m-- > 1;) {
    if (!(use.whole[m] || use.origin[m]) || markers[m].base < 0) continue;
    const BaseFrame& base = bases[at(markers[m].base)];
    use.whole[at(base.marker)] = 1;
    if (base.node < 0 && base.marker == static_cast<int>(m)) frame_sources[at(base.pool)]->place(base.item, use);
  }
  joint_coordinates.read_twice(use.second_derivative_of);
  every_frame = plan(use, true);
  needed_frames = plan(use, false);
}

FramePlan System::plan(const FrameUse& use, bool all) const {
  FramePlan out;
  out.nodes.resize(node_pools.size());
  std::vector<std::vector<ArmTask>> on_source(bases.size());
  for (std::size_t m = 1; m < markers.size(); ++m) {
    const MarkerEntry& marker = markers[m];
    if (marker.base < 0 || !(all || use.whole[m] || use.origin[m])) continue;
    const BaseFrame& base = bases[at(marker.base)];
    if (base.marker == static_cast<int>(m)) continue;
    bool turned = false;
    for (int i = 0; i < 9; ++i) turned |= marker.R_NM.a[at(i)] != (i % 4 == 0 ? 1.0 : 0.0);
    (base.node < 0 ? on_source[at(marker.base)] : out.arms).push_back({static_cast<int>(m), base.marker, turned, all || use.whole[m]});
    out.wrenches.push_back(static_cast<int>(m));
  }
  for (std::size_t b = 0; b < bases.size(); ++b) {
    const BaseFrame& base = bases[b];
    if (!all && !use.whole[at(base.marker)]) continue;
    out.wrenches.push_back(base.marker);
    const int columns = marker_column_begin[at(base.marker)];
    if (base.node >= 0) {
      const NodeEntry& node = nodes[at(base.node)];
      out.nodes[at(node.pool)].push_back({node.item, node.place.q, node.place.v, base.marker, columns});
      continue;
    }
    const int first = count_of(out.source_arms);
    out.source_arms.insert(out.source_arms.end(), on_source[b].begin(), on_source[b].end());
    out.sources.push_back({base.marker, source(base), columns, first, count_of(out.source_arms)});
  }
  return out;
}

void System::find_own_masses(const Kinematics& k) {
  constexpr int nobody = -1, several = -2;
  std::vector<int> owner(at(layout.unknowns()), nobody);
  std::vector<std::vector<int>> of_pool(objects.size());
  for (int p = 0; p < count_of(objects); ++p) {
    for (int i = 0; i < objects[p]->size(); ++i) objects[p]->columns(k, i, of_pool[p]);
    for (const int c : of_pool[p])
      if (c >= 0 && c < layout.unknowns()) owner[at(c)] = owner[at(c)] == nobody || owner[at(c)] == p ? p : several;
  }
  own_mass.assign(objects.size(), 0);
  for (std::size_t p = 0; p < objects.size(); ++p) {
    if (!objects[p]->solves_mass(k) || std::any_of(of_pool[p].begin(), of_pool[p].end(), [&](int c) { return owner[at(c)] == several; })) continue;
    own_mass[p] = 1;
    own_mass_unknowns.insert(own_mass_unknowns.end(), of_pool[p].begin(), of_pool[p].end());
  }
}

void System::finish() {
  place_columns();
  plan_frames();
  Kinematics k;  // columns need topology only
  k.column_begin = marker_column_begin.data();
  k.columns = marker_columns.data();
  k.joints = &joint_coordinates;

  find_own_masses(k);
  const int n = layout.unknowns();
  CsrBuilder builder(n, n);
  const int diagonal = builder.add_diagonal(0, n);
  struct Range { PoolSlots* slots; std::vector<int> first_block; };  // one an item, and where the last ends
  std::vector<Range> ranges;
  const auto collect = [&](const auto& pools, std::vector<PoolSlots>& out) {
    out.assign(pools.size(), {});
    for (std::size_t p = 0; p < pools.size(); ++p) {
      Range range{&out[p], {builder.blocks()}};
      for (int i = 0; i < pools[p]->size(); ++i) {
        pools[p]->add_pattern(k, i, builder);
        range.first_block.push_back(builder.blocks());
      }
      ranges.push_back(std::move(range));
    }
  };
  collect(objects, object_slots);
  collect(forces, force_slots);

  relation_entry_begin.assign(1, 0);
  layout.rows = 0;
  row_begin.assign(relations.size(), {});
  value_begin.assign(relations.size(), {});
  square_begin.assign(relations.size(), {});
  for (int p = 0; p < count_of(relations); ++p) {
    for (int i = 0; i < relations[p]->size(); ++i) {
      RelationEntry e;
      e.pool = p;
      e.item = i;
      e.rows = relations[p]->rows(i);
      e.row = layout.rows;
      e.law = for_rows(relations[p]->law(i), e.rows);
      e.column_begin = count_of(relation_columns);
      relations[p]->columns(k, i, relation_columns);
      e.columns = count_of(relation_columns) - e.column_begin;
      e.value_begin = value_count;
      e.square_begin = square_count;
      value_count += e.rows * e.columns;
      square_count += e.rows * e.rows;
      layout.rows += e.rows;
      row_begin[p].push_back(e.row);
      value_begin[p].push_back(e.value_begin);
      square_begin[p].push_back(e.square_begin);
      relation_entries.push_back(std::move(e));
    }
    relation_entry_begin.push_back(count_of(relation_entries));
  }
  collect(relations, relation_slots);

  CsrLayout built = builder.build();
  for (const Range& range : ranges) {
    range.slots->begin.assign(1, 0);
    const int first = built.block_begin[range.first_block.front()];
    range.slots->slots.assign(built.slot_of.begin() + first, built.slot_of.begin() + built.block_begin[range.first_block.back()]);
    for (std::size_t i = 1; i < range.first_block.size(); ++i) range.slots->begin.push_back(built.block_begin[range.first_block[i]] - first);
  }
  const auto slots = built.slots(diagonal);
  diagonal_slot.assign(slots.begin(), slots.end());
  pattern = std::move(built.pattern);
}

}  // namespace saltus
