#include "saltus/system/assembly.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

Assembly::Assembly(const System& system, int threads) : system_(system), threads_(threads) {
  const std::size_t markers = system.markers.size();
  node_frames_.resize(system.node_of_frame.size());
  node_bias_.resize(system.node_of_frame.size());
  node_J_.resize(6 * static_cast<std::size_t>(system.frame_column_begin.back()));
  frames_.resize(markers);
  bias_.resize(markers);
  wrench_.resize(markers);
  J_.resize(6 * static_cast<std::size_t>(system.marker_column_begin.back()));
  for (const MarkerEntry& m : system.markers) {
    arms_.push_back(m.p_NM);
    node_of_marker_.push_back(m.node_frame);
    const Mat3<double> turn = m.R_NM - identity<double>();
    at_node_.push_back(dot(m.p_NM, m.p_NM) == 0.0 && std::all_of(turn.data(), turn.data() + 9, [](double x) { return x == 0.0; }));
  }
  // Nodes whose unknowns are v and w themselves: the constant part of their markers' Jacobians is written here, once.
  std::vector<double> J(36);
  for (std::size_t m = 0; m < markers; ++m) {
    six_.push_back(false);
    const int n = system.marker_column_begin[m + 1] - system.marker_column_begin[m], f = system.markers[m].node_frame;
    if (f < 0 || n != 6) continue;
    const NodeEntry& node = system.nodes[static_cast<std::size_t>(system.node_of_frame[static_cast<std::size_t>(f)])];
    std::vector<double> q(static_cast<std::size_t>(node.place.sizes.q)), v(6, 0.0);
    const NodePool& pool = *system.node_pools[static_cast<std::size_t>(node.pool)];
    pool.reference(node.item, q.data());
    pool.frame(node.item, q.data(), v.data(), frames_[m], bias_[m], J.data());
    bool one = true;
    for (int i = 0; i < 36; ++i) one &= J[static_cast<std::size_t>(i)] == (i % 7 == 0 ? 1.0 : 0.0);
    six_.back() = one;
    double* JM = J_.data() + 6 * system.marker_column_begin[m];
    const Mat3<double>& R_NM = system.markers[m].R_NM;
    for (int i = 0; i < 3; ++i) {
      JM[7 * i] = 1.0;
      for (int j = 0; j < 3; ++j) JM[6 * (3 + i) + 3 + j] = R_NM(j, i);
    }
  }
  H_.resize(static_cast<std::size_t>(system.value_count));
  rate_H_.resize(static_cast<std::size_t>(system.value_count));
  B_.resize(static_cast<std::size_t>(system.value_count));
  for (const auto& pool : system.relations) own_inputs_ |= pool->traits().has_input;
  k_.gravity = system.gravity;
  k_.frames = frames_.data();
  k_.bias = bias_.data();
  k_.column_begin = system.marker_column_begin.data();
  k_.columns = system.marker_columns.data();
  k_.jacobian = J_.data();
  k_.arm_in_node = arms_.data();
  k_.node_of_marker = node_of_marker_.data();
  k_.node_frames = node_frames_.data();
}

void Assembly::update(double t, const double* y, const double* lambda, const double* data) {
  k_.t = t;
  k_.y = y;
  k_.lambda = lambda;
  k_.data = data;
  const double* v = y + system_.layout.v_begin();
  for (std::size_t f = 0; f < node_frames_.size(); ++f) {
    const NodeEntry& node = system_.nodes[static_cast<std::size_t>(system_.node_of_frame[f])];
    system_.node_pools[static_cast<std::size_t>(node.pool)]->frame(node.item, y + node.place.q, v + node.place.v, node_frames_[f],
                                                                  node_bias_[f], node_J_.data() + 6 * system_.frame_column_begin[f]);
  }
  for (std::size_t m = 1; m < frames_.size(); ++m) {
    const MarkerEntry& marker = system_.markers[m];
    if (marker.node_frame < 0) {  // a frame fixed in the world
      frames_[m] = {marker.p_NM, marker.R_NM, {}, {}};
      continue;
    }
    const std::size_t f = static_cast<std::size_t>(marker.node_frame);
    const Frame<double>& N = node_frames_[f];
    if (at_node_[m]) {
      frames_[m] = N;
      bias_[m] = node_bias_[f];
      if (six_[m]) continue;
      const double* first = node_J_.data() + 6 * system_.frame_column_begin[f];
      std::copy(first, first + 6 * (system_.marker_column_begin[m + 1] - system_.marker_column_begin[m]), J_.data() + 6 * system_.marker_column_begin[m]);
      continue;
    }
    const Vec6<double>& b = node_bias_[f];
    const Vec3<double> arm_W = N.R * marker.p_NM, swing = cross(N.w, marker.p_NM);
    frames_[m] = {N.p + arm_W, N.R * marker.R_NM, N.v + N.R * swing, transposed_times(marker.R_NM, N.w)};
    const Vec3<double> a{{b[0], b[1], b[2]}}, alpha{{b[3], b[4], b[5]}};
    const Vec3<double> a_M = a + N.R * (cross(alpha, marker.p_NM) + cross(N.w, swing));
    const Vec3<double> alpha_M = transposed_times(marker.R_NM, alpha);
    bias_[m] = {{a_M[0], a_M[1], a_M[2], alpha_M[0], alpha_M[1], alpha_M[2]}};
    // J_M = [I, -R_N [r]x; 0, R_NM^T] J_N
    if (six_[m]) {
      double* JM = J_.data() + 6 * system_.marker_column_begin[m];
      const Vec3<double>& r = marker.p_NM;
      for (int i = 0; i < 3; ++i) {
        double* row = JM + 6 * i + 3;
        row[0] = N.R(i, 2) * r[1] - N.R(i, 1) * r[2];
        row[1] = N.R(i, 0) * r[2] - N.R(i, 2) * r[0];
        row[2] = N.R(i, 1) * r[0] - N.R(i, 0) * r[1];
      }
      continue;
    }
    const int n = system_.marker_column_begin[m + 1] - system_.marker_column_begin[m];
    const double* JN = node_J_.data() + 6 * system_.frame_column_begin[f];
    double* JM = J_.data() + 6 * system_.marker_column_begin[m];
    for (int c = 0; c < n; ++c) {
      const Vec3<double> theta{{JN[3 * n + c], JN[4 * n + c], JN[5 * n + c]}};
      if (theta[0] == 0.0 && theta[1] == 0.0 && theta[2] == 0.0) {  // a translation
        for (int i = 0; i < 3; ++i) JM[i * n + c] = JN[i * n + c], JM[(3 + i) * n + c] = 0.0;
        continue;
      }
      const Vec3<double> swing_c = N.R * cross(theta, marker.p_NM), turn = transposed_times(marker.R_NM, theta);
      for (int i = 0; i < 3; ++i) JM[i * n + c] = JN[i * n + c] + swing_c[i], JM[(3 + i) * n + c] = turn[i];
    }
  }
}

void Assembly::clear_wrenches() { std::fill(wrench_.begin(), wrench_.end(), Vec6<double>{}); }

void Assembly::wrenches_to(double* F) {
  for (std::size_t m = 1; m < wrench_.size(); ++m) {
    const int begin = system_.marker_column_begin[m], n = system_.marker_column_begin[m + 1] - begin;
    const double* J = J_.data() + 6 * begin;
    const Vec6<double>& w = wrench_[m];
    if (std::all_of(w.data(), w.data() + 6, [](double x) { return x == 0.0; })) continue;  // joints' markers
    if (six_[m] && at_node_[m]) {
      double* f = F + system_.marker_columns[static_cast<std::size_t>(begin)];
      for (int i = 0; i < 6; ++i) f[i] += w[i];
      continue;
    }
    for (int c = 0; c < n; ++c) {
      double s = 0.0;
      for (int i = 0; i < 6; ++i) s += J[i * n + c] * w[i];
      F[system_.marker_columns[static_cast<std::size_t>(begin + c)]] += s;
    }
  }
}

void Assembly::forces(double* F) {
  std::fill(F, F + system_.layout.unknowns() + 1, 0.0);
  clear_wrenches();
  const ForceSink sink{wrench_.data(), F};
  for (const auto& pool : system_.objects) pool->add_forces(k_, scratch_, threads_, sink);
  for (const auto& pool : system_.forces) pool->add_forces(k_, scratch_, threads_, sink);
  wrenches_to(F);
}

namespace {
BlockSlots blocks(const PoolSlots& s, double* values) { return {s.begin.data(), s.slots.data(), values}; }
}  // namespace

void Assembly::mass(double scale, double first_scale, double* values) {
  std::fill(values, values + system_.pattern.nonzeros(), 0.0);
  for (std::size_t p = 0; p < system_.objects.size(); ++p) system_.objects[p]->add_mass(k_, scale, blocks(system_.object_slots[p], values));
  const Layout& l = system_.layout;
  for (int i = l.nv; i < l.nv + l.nx; ++i) values[system_.diagonal_slot[static_cast<std::size_t>(i)]] += first_scale;
}

void Assembly::add_force_matrix(const Seeds& seeds, double* values) {
  for (std::size_t p = 0; p < system_.objects.size(); ++p)
    system_.objects[p]->add_matrix(k_, seeds, scratch_, threads_, blocks(system_.object_slots[p], values));
  for (std::size_t p = 0; p < system_.forces.size(); ++p)
    system_.forces[p]->add_matrix(k_, seeds, scratch_, threads_, blocks(system_.force_slots[p], values));
}

void Assembly::relations(RowSink wanted) {
  for (std::size_t p = 0; p < system_.relations.size(); ++p) {
    wanted.row_begin = system_.row_begin[p].data();
    wanted.value_begin = system_.value_begin[p].data();
    wanted.square_begin = system_.square_begin[p].data();
    system_.relations[p]->evaluate(k_, wanted);
  }
}

void Assembly::input_blocks(RowSink also) {
  also.H = H_.data();
  also.B = B_.data();
  for (std::size_t p = 0; p < system_.relations.size(); ++p) {
    also.row_begin = system_.row_begin[p].data();
    also.value_begin = system_.value_begin[p].data();
    also.square_begin = system_.square_begin[p].data();
    also.rate_H = system_.relations[p]->traits().uses_velocity ? rate_H_.data() : nullptr;  // else it stays zero
    system_.relations[p]->evaluate(k_, also);
  }
}

const double* Assembly::direction(const RelationEntry& e) const {
  const bool rate = system_.relations[static_cast<std::size_t>(e.pool)]->traits().written == Level::rate;
  return (rate ? rate_H_ : H_).data() + e.value_begin;
}

void Assembly::add_inputs(const double* lambda, double weight, double* F) {
  k_.lambda = lambda;
  if (own_inputs_) {
    clear_wrenches();
    for (std::size_t p = 0; p < system_.relations.size(); ++p)
      if (system_.relations[p]->traits().has_input)
        system_.relations[p]->add_input(k_, system_.row_begin[p].data(), weight, {wrench_.data(), F});
    wrenches_to(F);
  }
  for (const RelationEntry& e : system_.relation_entries) {
    if (system_.relations[static_cast<std::size_t>(e.pool)]->traits().has_input) continue;
    const double* H = direction(e);
    for (int r = 0; r < e.rows; ++r) {
      const double l = weight * lambda[e.row + r];
      if (l == 0.0) continue;
      for (int c = 0; c < e.columns; ++c) F[system_.relation_columns[static_cast<std::size_t>(e.column_begin + c)]] += H[r * e.columns + c] * l;
    }
  }
}

void Assembly::add_input_matrix(const Seeds& seeds, double weight, double* values) {
  for (std::size_t p = 0; p < system_.relations.size(); ++p)
    system_.relations[p]->add_input_matrix(k_, seeds, system_.row_begin[p].data(), weight, blocks(system_.relation_slots[p], values));
}

std::string Assembly::not_finite() {
  std::vector<double> F(static_cast<std::size_t>(system_.layout.unknowns()) + 1), y(static_cast<std::size_t>(system_.layout.rows));
  const auto clear = [&] { std::fill(F.begin(), F.end(), 0.0), clear_wrenches(); };
  const auto broken = [&] {
    const auto bad = [](double x) { return !std::isfinite(x); };
    return std::any_of(F.begin(), F.end(), bad) ||
           std::any_of(wrench_.begin(), wrench_.end(), [&](const Vec6<double>& w) { return std::any_of(w.data(), w.data() + 6, bad); });
  };
  const auto path = [&](bool (*in)(const std::string&), std::size_t pool, int item) -> std::string {
    for (const ItemPlace& place : system_.items)
      if (in(place.section) && place.pool == static_cast<int>(pool) && place.item == item) return place.section + "/" + place.name;
    return "item " + std::to_string(item);
  };
  const auto search = [&](const auto& pools, bool (*in)(const std::string&)) -> std::string {
    for (std::size_t p = 0; p < pools.size(); ++p) {
      clear();
      pools[p]->add_forces(k_, scratch_, threads_, {wrench_.data(), F.data()});
      if (!broken()) continue;
      for (int i = 0; i < pools[p]->size(); ++i) {
        clear();
        pools[p]->add_item_force(k_, i, {wrench_.data(), F.data()});
        if (broken()) return path(in, p, i);
      }
      return path(in, p, 0);
    }
    return {};
  };
  std::string found = search(system_.forces, [](const std::string& s) { return s == "connectors" || s == "loads"; });
  if (found.empty()) found = search(system_.objects, [](const std::string& s) { return s == "bodies"; });
  if (!found.empty()) return found;
  RowSink sink;
  sink.y = y.data();
  relations(sink);
  for (const RelationEntry& e : system_.relation_entries)
    for (int r = 0; r < e.rows; ++r)
      if (!std::isfinite(y[static_cast<std::size_t>(e.row + r)]))
        return path([](const std::string& s) { return s == "joints" || s == "relations"; }, static_cast<std::size_t>(e.pool), e.item);
  return {};
}

double Assembly::kinetic_energy() {
  double e = 0.0;
  for (const auto& pool : system_.objects) e += pool->kinetic_energy(k_);
  return e;
}

double Assembly::potential_energy() {
  double e = 0.0;
  for (const auto& pool : system_.objects) e += pool->potential_energy(k_);
  for (const auto& pool : system_.forces) e += pool->potential_energy(k_);
  return e;
}

}  // namespace saltus
