#include "saltus/system/system.hpp"

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

void System::plan_frames() {
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  const std::vector<char> no(markers.size(), 0);
  FrameUse use{std::vector<CoordinateRef>(markers.size()), no, no, no, {layout.ground_value(), layout.ground_value(), layout.trash(), CoordinateKind::none}, layout.y_size()};
  for (std::size_t m = 1; m < markers.size(); ++m) {
    const MarkerEntry& marker = markers[m];
    if (marker.node_frame < 0) continue;
    const NodeEntry& node = nodes[at(node_of_frame[at(marker.node_frame)])];
    const bool arm = dot(marker.p_NM, marker.p_NM) > 0.0;
    use.biased[m] = arm || node_pools[at(node.pool)]->moves().empty();
    if (arm) continue;
    if (node_pools[at(node.pool)]->origin_in_q())
      use.point[m] = {node.place.q, layout.v_begin() + node.place.v, node.place.v, CoordinateKind::ode2};
  }
  const auto place = [&](const auto& pools) {
    for (const auto& pool : pools) pool->place(use);
  };
  place(objects), place(forces), place(relations);
  joint_coordinates.place(use);
  for (std::size_t m = 1; m < markers.size(); ++m)
    if ((use.whole[m] || use.origin[m]) && markers[m].node_frame >= 0) use.whole[at(marker_of_frame[at(markers[m].node_frame)])] = 1;
  const auto plan = [&](bool all) {
    FramePlan out;
    out.nodes.resize(node_pools.size());
    for (std::size_t f = 0; f < node_of_frame.size(); ++f) {
      const int m = marker_of_frame[f];
      if (!all && !use.whole[at(m)]) continue;
      const NodeEntry& node = nodes[at(node_of_frame[f])];
      out.nodes[at(node.pool)].push_back({node.item, node.place.q, node.place.v, m, marker_column_begin[at(m)]});
      out.wrenches.push_back(m);
    }
    for (std::size_t m = 1; m < markers.size(); ++m) {
      const MarkerEntry& marker = markers[m];
      const int own = marker.node_frame < 0 ? 0 : marker_of_frame[at(marker.node_frame)];
      if (marker.node_frame < 0 || own == static_cast<int>(m) || !(all || use.whole[m] || use.origin[m])) continue;
      bool turned = false;
      for (int i = 0; i < 9; ++i) turned |= marker.R_NM.a[at(i)] != (i % 4 == 0 ? 1.0 : 0.0);
      out.arms.push_back({static_cast<int>(m), own, turned, all || use.whole[m]});
      out.wrenches.push_back(static_cast<int>(m));
    }
    return out;
  };
  every_frame = plan(true);
  needed_frames = plan(false);
}

void System::finish() {
  Kinematics k;  // columns need topology only
  marker_column_begin.assign(1, 0);
  marker_columns.clear();
  for (const MarkerEntry& marker : markers) {
    if (marker.node_frame >= 0) {
      const NodePlace& place = nodes[static_cast<std::size_t>(node_of_frame[static_cast<std::size_t>(marker.node_frame)])].place;
      for (int i = 0; i < place.sizes.v; ++i) marker_columns.push_back(place.v + i);
    }
    marker_column_begin.push_back(static_cast<int>(marker_columns.size()));
  }
  plan_frames();
  k.column_begin = marker_column_begin.data();
  k.columns = marker_columns.data();
  k.joints = &joint_coordinates;

  const int n = layout.unknowns();
  CsrBuilder builder(n, n);
  const int diagonal = builder.add_diagonal(0, n);
  struct Range { PoolSlots* slots; int first_block, items; };
  std::vector<Range> ranges;
  const auto collect = [&](const auto& pools, std::vector<PoolSlots>& out) {
    out.assign(pools.size(), {});
    for (std::size_t p = 0; p < pools.size(); ++p) {
      Range range{&out[p], -1, pools[p]->size()};
      for (int i = 0; i < pools[p]->size(); ++i) {
        std::vector<int> columns;
        pools[p]->columns(k, i, columns);
        const int block = builder.add_block(columns, columns);
        if (i == 0) range.first_block = block;
      }
      ranges.push_back(range);
    }
  };
  collect(objects, object_slots);
  collect(forces, force_slots);

  relation_entry_begin.assign(1, 0);
  layout.rows = 0;
  row_begin.assign(relations.size(), {});
  value_begin.assign(relations.size(), {});
  square_begin.assign(relations.size(), {});
  for (std::size_t p = 0; p < relations.size(); ++p) {
    for (int i = 0; i < relations[p]->size(); ++i) {
      RelationEntry e;
      e.pool = static_cast<int>(p);
      e.item = i;
      e.rows = relations[p]->rows(i);
      e.row = layout.rows;
      e.law = for_rows(relations[p]->law(i), e.rows);
      e.column_begin = static_cast<int>(relation_columns.size());
      relations[p]->columns(k, i, relation_columns);
      e.columns = static_cast<int>(relation_columns.size()) - e.column_begin;
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
    relation_entry_begin.push_back(static_cast<int>(relation_entries.size()));
  }
  collect(relations, relation_slots);

  CsrLayout built = builder.build();
  for (const Range& range : ranges) {
    range.slots->begin.assign(1, 0);
    for (int i = 0; i < range.items; ++i) {
      const auto slots = built.slots(range.first_block + i);
      range.slots->slots.insert(range.slots->slots.end(), slots.begin(), slots.end());
      range.slots->begin.push_back(static_cast<int>(range.slots->slots.size()));
    }
  }
  const auto slots = built.slots(diagonal);
  diagonal_slot.assign(slots.begin(), slots.end());
  pattern = std::move(built.pattern);
}

}  // namespace saltus
