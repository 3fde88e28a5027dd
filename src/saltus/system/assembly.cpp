#include "saltus/system/assembly.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/pool/frame_source.hpp"

namespace saltus {

namespace {
constexpr int parallel_from = 1024;  // frames; fewer are not worth waking threads
}  // namespace

Assembly::Assembly(const System& system, int threads, Frames frames)
    : system_(system), plan_(frames == Frames::every ? system.every_frame : system.needed_frames), threads_(threads) {
  const std::size_t markers = system.markers.size();
  frames_.resize(markers);
  bias_.resize(markers);
  wrench_.resize(markers);
  J_.resize(6 * at(system.marker_column_begin.back()));
  for (std::size_t m = 0; m < markers; ++m) {
    const MarkerEntry& marker = system.markers[m];
    of_marker_.arm.push_back(marker.p_NM);
    of_marker_.base.push_back(marker.base < 0 ? -1 : system.bases[marker.base].marker);
    of_marker_.source.push_back(marker.base < 0 ? SourceRef{} : system.source(system.bases[marker.base]));
    if (marker.base < 0) frames_[m] = {marker.p_NM, marker.R_NM, {}, {}};  // fixed in the world
  }
  for (const NodeEntry& node : system.nodes)
    if (node.place.frame >= 0) {
      const int begin = system.marker_column_begin[system.bases[node.place.frame].marker];
      const std::span<const int> moves = system.node_pools[node.pool]->moves();
      for (std::size_t c = 0; c < moves.size(); ++c) J_[6 * at(begin) + at(moves[c]) * moves.size() + c] = 1.0;
    }
  // Arms on nodes with J_N = 1: the constant part of J_M is written here, once.
  for (std::size_t m = 0; m < markers; ++m) {
    of_marker_.whole_node.push_back(false);
    of_marker_.moves.emplace_back();
    const int node = system.markers[m].base < 0 ? -1 : system.bases[system.markers[m].base].node;
    if (node < 0) continue;
    const std::span<const int> moves = of_marker_.moves.back() = system.node_pools[system.nodes[node].pool]->moves();
    if (moves.size() != 6 || !std::is_sorted(moves.begin(), moves.end()) || moves.front() != 0 || moves.back() != 5) continue;
    of_marker_.whole_node.back() = true;
    double* JM = J_.data() + 6 * at(system.marker_column_begin[m]);
    const Mat3<double>& R_NM = system.markers[m].R_NM;
    for (int i = 0; i < 3; ++i) {
      JM[7 * i] = 1.0;
      for (int j = 0; j < 3; ++j) JM[6 * (3 + i) + 3 + j] = R_NM(j, i);
    }
  }
  H_.resize(system.value_count);
  rate_H_.resize(system.value_count);
  B_.resize(system.value_count);
  biased_forces_ = std::any_of(system.objects.begin(), system.objects.end(), [](const auto& pool) { return pool->reads_bias(); });
  const int joints = system.joint_coordinates.size();
  y_.resize(system.layout.y_size() + 2 * joints);
  joint_gradient_.resize(system.joint_coordinates.gradients());
  joint_bias_.resize(joints);
  lambda_.resize(system.layout.rows);
  data_.resize(system.layout.nd);
  k_.gravity = system.gravity;
  k_.y = y_.data();
  k_.frames = frames_.data();
  k_.bias = bias_.data();
  k_.column_begin = system.marker_column_begin.data();
  k_.columns = system.marker_columns.data();
  k_.jacobian = J_.data();
  k_.arm = of_marker_.arm.data();
  k_.base = of_marker_.base.data();
  k_.source = of_marker_.source.data();
  k_.moves = of_marker_.moves.data();
  k_.joints = &system.joint_coordinates;
  k_.joint_gradient = joint_gradient_.data();
  k_.joint_bias = joint_bias_.data();
}

void Assembly::update(double t, const double* y, const double* lambda, const double* data) {
  k_.t = t;
  std::copy_n(y, system_.layout.y_size(), y_.data());
  set_multipliers(lambda);
  if (data) std::copy_n(data, data_.size(), data_.data());
  k_.data = data ? data_.data() : nullptr;
  k_.history = nullptr;
  if (data && system_.history >= 0)
    if (const double* block = data_.data() + system_.history; !std::isnan(block[HistoryBlock::time])) k_.history = block, k_.since = t - block[HistoryBlock::time];
  y = y_.data();
  jacobians_old_ = biases_old_ = blocks_old_ = true;
  const double* v = y + system_.layout.v_begin();
  for (std::size_t p = 0; p < plan_.nodes.size(); ++p) {
    const std::span<const FrameTask> tasks = plan_.nodes[p];
    const auto frames = [&](int begin, int end) {
      system_.node_pools[p]->frames(tasks.subspan(at(begin), at(end - begin)), y, v, frames_.data(), bias_.data(), J_.data());
    };
    const int n = count_of(tasks);
    if (n >= parallel_from) threads_.run(n, frames);
    else if (n > 0) frames(0, n);
  }
  each_arm([&](const ArmTask& arm) { move_arm(arm); });
  each_source([&](const SourceTask& task) { frames_[task.marker] = task.source.pool->frame(k_, task.source.item); }, [&](const ArmTask& arm) { move_arm(arm); });
  joint_coordinates();
}

inline void Assembly::move_arm(const ArmTask& arm) {
  const MarkerEntry& marker = system_.markers[arm.marker];
  const Frame<double>& N = frames_[arm.base];
  Frame<double>& M = frames_[arm.marker];
  M.p = N.p + N.R * marker.p_NM;
  M.v = N.v + N.R * cross(N.w, marker.p_NM);
  if (!arm.whole) return;
  M.R = arm.turned ? N.R * marker.R_NM : N.R;
  M.w = arm.turned ? transposed_times(marker.R_NM, N.w) : N.w;
}

void Assembly::joint_coordinates() {
  const int n = system_.joint_coordinates.read_count();
  const auto body = [&](int begin, int end) { system_.joint_coordinates.evaluate(k_, begin, end, y_.data() + system_.layout.y_size(), joint_gradient_.data()); };
  if (n >= parallel_from) threads_.run(n, body);
  else if (n > 0) body(0, n);
}

void Assembly::set_multipliers(const double* lambda) {
  if (lambda) std::copy_n(lambda, lambda_.size(), lambda_.data());
  k_.lambda = lambda ? lambda_.data() : nullptr;
}

template <class F>
void Assembly::each_arm(const F& one) {
  const auto body = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) one(plan_.arms[i]);
  };
  const int n = count_of(plan_.arms);
  if (n >= parallel_from) threads_.run(n, body);
  else body(0, n);
}

/// Sources in the order in which they stand on each other, each with the arms on it.
template <class Source, class Arm>
void Assembly::each_source(const Source& source, const Arm& arm) {
  for (const SourceTask& task : plan_.sources) {
    source(task);
    for (int i = task.first_arm; i < task.last_arm; ++i) arm(plan_.source_arms[i]);
  }
}

void Assembly::biases() {
  if (!biases_old_) return;
  biases_old_ = false;
  each_arm([&](const ArmTask& arm) { bias_arm(arm); });
  each_source([&](const SourceTask& task) { bias_[task.marker] = task.source.pool->bias(k_, task.source.item); }, [&](const ArmTask& arm) { bias_arm(arm); });
  system_.joint_coordinates.biases(k_, joint_bias_.data());
}

inline void Assembly::bias_arm(const ArmTask& arm) {
  const MarkerEntry& marker = system_.markers[arm.marker];
  const Frame<double>& N = frames_[arm.base];
  const Vec6<double>& b = bias_[arm.base];
  const Vec3<double> a{{b[0], b[1], b[2]}}, alpha{{b[3], b[4], b[5]}};
  const Vec3<double> a_M = a + N.R * (cross(alpha, marker.p_NM) + cross(N.w, cross(N.w, marker.p_NM)));
  const Vec3<double> alpha_M = transposed_times(marker.R_NM, alpha);
  bias_[arm.marker] = {{a_M[0], a_M[1], a_M[2], alpha_M[0], alpha_M[1], alpha_M[2]}};
}

void Assembly::jacobians() {
  if (!jacobians_old_) return;
  jacobians_old_ = false;
  each_arm([&](const ArmTask& arm) { jacobian_arm(arm); });
  each_source([&](const SourceTask& task) { task.source.pool->jacobian(k_, task.source.item, J_.data() + 6 * at(task.columns)); },
              [&](const ArmTask& arm) { jacobian_arm(arm); });
}

/// J_M = [I, -R_N [r]x; 0, R_NM^T] J_N.
inline void Assembly::jacobian_arm(const ArmTask& arm) {
  const MarkerEntry& marker = system_.markers[arm.marker];
  const int begin = system_.marker_column_begin[arm.marker], n = system_.marker_column_begin[arm.marker + 1] - begin;
  const Mat3<double>& R_N = frames_[arm.base].R;
  const double* JN = J_.data() + 6 * at(system_.marker_column_begin[arm.base]);
  double* JM = J_.data() + 6 * at(begin);
  if (of_marker_.whole_node[arm.marker]) {
    const Vec3<double>& r = marker.p_NM;
    for (int i = 0; i < 3; ++i) {
      double* row = JM + 6 * i + 3;
      row[0] = R_N(i, 2) * r[1] - R_N(i, 1) * r[2];
      row[1] = R_N(i, 0) * r[2] - R_N(i, 2) * r[0];
      row[2] = R_N(i, 1) * r[0] - R_N(i, 0) * r[1];
    }
    return;
  }
  for (int c = 0; c < n; ++c) {
    const Vec3<double> theta{{JN[3 * n + c], JN[4 * n + c], JN[5 * n + c]}};
    const Vec3<double> swing_c = R_N * cross(theta, marker.p_NM), turn = transposed_times(marker.R_NM, theta);
    for (int i = 0; i < 3; ++i) JM[i * n + c] = JN[i * n + c] + swing_c[i], JM[(3 + i) * n + c] = turn[i];
  }
}

void Assembly::clear_wrenches() {
  for (const int m : plan_.wrenches) wrench_[m] = {};
}

/// To the base's frame: (f, R_NM tau + r x R_N^T f).
inline void Assembly::wrench_to_base(const ArmTask& arm) {
  const MarkerEntry& marker = system_.markers[arm.marker];
  const Vec6<double>& w = wrench_[arm.marker];
  const Vec3<double> force{{w[0], w[1], w[2]}}, torque{{w[3], w[4], w[5]}};
  const Vec3<double> moment = cross(marker.p_NM, transposed_times(frames_[arm.base].R, force));
  detail::add_wrench(wrench_[arm.base], force, moment + (arm.turned ? marker.R_NM * torque : torque));
}

void Assembly::wrenches_to(double* F) {
  for (auto task = plan_.sources.rbegin(); task != plan_.sources.rend(); ++task) {  // those that stand on others first
    for (int i = task->first_arm; i < task->last_arm; ++i) wrench_to_base(plan_.source_arms[i]);
    const Vec6<double>& w = wrench_[task->marker];
    if (dot(w, w) != 0.0) task->source.pool->scatter(k_, task->source.item, w, {wrench_.data(), F, true});
  }
  for (const ArmTask& arm : plan_.arms) wrench_to_base(arm);
  for (std::size_t p = 0; p < plan_.nodes.size(); ++p) {
    const std::span<const int> moves = system_.node_pools[p]->moves();
    for (const FrameTask& task : plan_.nodes[p]) {
      const Vec6<double>& w = wrench_[task.marker];
      if (of_marker_.whole_node[task.marker]) {
        for (int c = 0; c < 6; ++c) F[task.v + c] += w[c];
        continue;
      }
      if (!moves.empty()) {
        for (std::size_t c = 0; c < moves.size(); ++c) F[task.v + c] += w[moves[c]];
        continue;
      }
      const int n = system_.marker_column_begin[task.marker + 1] - task.columns;
      const double* J = J_.data() + 6 * at(task.columns);
      for (int c = 0; c < n; ++c) {
        double s = 0.0;
        for (int i = 0; i < 6; ++i) s += J[i * n + c] * w[i];
        F[system_.marker_columns[task.columns + c]] += s;
      }
    }
  }
}

void Assembly::forces(double* F) {
  std::fill(F, F + system_.layout.unknowns() + 1, 0.0);
  clear_wrenches();
  if (biased_forces_) biases();
  const ForceSink sink{wrench_.data(), F, true};
  for (const auto& pool : system_.objects) pool->add_forces(k_, scratch_, threads_, sink);
  for (const auto& pool : system_.forces) pool->add_forces(k_, scratch_, threads_, sink);
  wrenches_to(F);
  for (std::size_t i = 0; i < pushing_.size(); ++i) F[i] += pushing_[i];
  for (const BodyPresence& p : system_.presences)
    if (!p.is_there(k_.data))
      for (const int unknown : p.unknowns) F[unknown] = 0.0;
  for (const Sleeper& s : system_.sleepers)
    if (!s.awake(k_.data))
      for (const int unknown : s.unknowns) F[unknown] = 0.0;
}

namespace {
BlockSlots blocks(const PoolSlots& s, double* values) { return {s.begin.data(), s.slots.data(), values}; }
}  // namespace

void Assembly::mass(double scale, double first_scale, Masses which, double* values) {
  jacobians();
  std::fill(values, values + system_.pattern.nonzeros(), 0.0);
  for (std::size_t p = 0; p < system_.objects.size(); ++p)
    if (which == Masses::every || !system_.own_mass[p]) system_.objects[p]->add_mass(k_, scale, scratch_, threads_, blocks(system_.object_slots[p], values));
  const Layout& l = system_.layout;
  for (int i = l.nv; i < l.nv + l.nx; ++i) values[system_.diagonal_slot[i]] += first_scale;
}

int Assembly::solve_own_masses(const double* F, double* a) {
  for (std::size_t p = 0; p < system_.objects.size(); ++p)
    if (system_.own_mass[p])
      if (const int without = system_.objects[p]->solve_mass(k_, F, a); without >= 0) return without;
  return -1;
}

void Assembly::add_force_matrix(const Seeds& seeds, Matrices which, double* values) {
  jacobians();
  const auto add = [&](const auto& pools, const std::vector<PoolSlots>& slots) {
    for (std::size_t p = 0; p < pools.size(); ++p)
      if (which == Matrices::every || pools[p]->constant_matrix() == (which == Matrices::constant))
        pools[p]->add_matrix(k_, seeds, scratch_, threads_, blocks(slots[p], values));
  };
  add(system_.objects, system_.object_slots);
  add(system_.forces, system_.force_slots);
}

void Assembly::relations(RowSink wanted) {
  if (wanted.H || wanted.rate_H || wanted.B || wanted.turn) jacobians();
  if (wanted.curvature) biases();
  for (std::size_t p = 0; p < system_.relations.size(); ++p) evaluate(p, wanted);
}

void Assembly::evaluate(std::size_t p, RowSink wanted) {
  const RelationPool& pool = *system_.relations[p];
  wanted.row_begin = system_.row_begin[p].data();
  wanted.value_begin = system_.value_begin[p].data();
  wanted.square_begin = system_.square_begin[p].data();
  if (wanted.rate_H == rate_H_.data() && !pool.traits().uses_velocity) wanted.rate_H = nullptr;  // rate_H_ stays zero there
  const auto slice = [&](int begin, int end) { pool.evaluate(k_, wanted, begin, end); };
  if (pool.size() >= parallel_from / 4 && pool.parallel()) threads_.run(pool.size(), slice);
  else slice(0, pool.size());
}

void Assembly::input_blocks(RowSink also) {
  const bool blocks_only = !also.y && !also.time_rate && !also.curvature && !also.D && !also.turn;
  if (blocks_only && !blocks_old_) return;
  blocks_old_ = false;
  jacobians();
  if (also.curvature) biases();
  also.H = H_.data();
  also.rate_H = rate_H_.data();
  also.B = B_.data();
  for (std::size_t p = 0; p < system_.relations.size(); ++p)
    if (!(blocks_only && constant_blocks_ && system_.relations[p]->traits().linear)) evaluate(p, also);
  constant_blocks_ = true;
}

const double* Assembly::direction(const RelationEntry& e) const {
  const bool rate = system_.relations[e.pool]->traits().written == Level::rate;
  return (rate ? rate_H_ : H_).data() + e.value_begin;
}

void Assembly::add_inputs(const double* lambda, double weight, double* F) {
  set_multipliers(lambda);
  const auto own_input = [](const auto& pool) { return pool->traits().has_input; };
  const bool own = std::any_of(system_.relations.begin(), system_.relations.end(), own_input);
  if (own) clear_wrenches();
  for (std::size_t p = 0; p < system_.relations.size(); ++p)
    if (own_input(system_.relations[p]))
      system_.relations[p]->add_input(k_, system_.row_begin[p].data(), weight, {wrench_.data(), F, true});
    else
      add_blocks_times(p, lambda, weight, F);
  if (own) wrenches_to(F);
}

/// F += weight H^T lambda of a pool without input of its own, by its blocks.
void Assembly::add_blocks_times(std::size_t pool, const double* lambda, double weight, double* F) const {
  for (int i = system_.relation_entry_begin[pool]; i < system_.relation_entry_begin[pool + 1]; ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const double* H = direction(e);
    for (int r = 0; r < e.rows; ++r) {
      const double l = weight * lambda[e.row + r];
      if (l == 0.0) continue;
      for (int c = 0; c < e.columns; ++c) F[system_.relation_columns[e.column_begin + c]] += H[r * e.columns + c] * l;
    }
  }
}

void Assembly::residual(const double* lambda, double* y, double* F) {
  set_multipliers(lambda);
  clear_wrenches();
  const ForceSink sink{wrench_.data(), F, true};
  for (std::size_t p = 0; p < system_.relations.size(); ++p) {
    const RelationPool& pool = *system_.relations[p];
    if (pool.residual(k_, system_.row_begin[p].data(), scratch_, threads_, y, sink)) continue;
    RowSink rows;
    rows.y = y;
    const bool own = pool.traits().has_input;
    if (!own) rows.H = H_.data(), rows.rate_H = rate_H_.data();
    evaluate(p, rows);
    if (own) pool.add_input(k_, system_.row_begin[p].data(), 1.0, sink);
    else add_blocks_times(p, lambda, 1.0, F);
  }
  wrenches_to(F);
}

void Assembly::add_input_matrix(const Seeds& seeds, double weight, double* values) {
  jacobians();
  for (std::size_t p = 0; p < system_.relations.size(); ++p)
    system_.relations[p]->add_input_matrix(k_, seeds, system_.row_begin[p].data(), weight, scratch_, threads_, blocks(system_.relation_slots[p], values));
}

Remembered Assembly::remember(double* block) {
  Remembered worst;
  std::size_t pool = 0;
  const char* sections[2] = {};
  const auto visit = [&](const auto& pools, const std::vector<std::vector<int>>* rows, const char* first, const char* second) {
    for (std::size_t p = 0; p < pools.size(); ++p)
      if (pools[p]->remembered() > 0)
        if (const Remembered found = pools[p]->remember(k_, rows ? (*rows)[p].data() : nullptr, block); !(found.share <= worst.share))
          worst = found, pool = p, sections[0] = first, sections[1] = second;
  };
  visit(system_.objects, nullptr, "bodies", "bodies");
  visit(system_.forces, nullptr, "connectors", "loads");
  visit(system_.relations, &system_.row_begin, "joints", "relations");
  const Remembered joints = system_.joint_coordinates.remember(k_, block);
  double fastest = 0.0;
  for (const int i : system_.spins) fastest = std::max(fastest, std::abs(k_.y[system_.layout.v_begin() + i]));
  block[HistoryBlock::time] = k_.t;
  block[HistoryBlock::speed] = fastest;
  if (!(joints.share <= worst.share)) return {joints.share, joints.share <= 1.0 ? -1 : joints.item};
  if (worst.share <= 1.0) return {worst.share, -1};
  for (int i = 0; i < count_of(system_.items); ++i) {
    const ItemPlace& place = system_.items[i];
    if (place.pool == static_cast<int>(pool) && place.item == worst.item && (place.section == sections[0] || place.section == sections[1]))
      return {worst.share, i};
  }
  return worst;
}

void Assembly::remember_turns(double* block) {
  const auto visit = [&](const auto& pools, const std::vector<std::vector<int>>* rows) {
    for (std::size_t p = 0; p < pools.size(); ++p)
      if (pools[p]->remembered() > 0 && pools[p]->remembers_turns_only()) (void)pools[p]->remember(k_, rows ? (*rows)[p].data() : nullptr, block);
  };
  visit(system_.objects, nullptr), visit(system_.forces, nullptr), visit(system_.relations, &system_.row_begin);
  (void)system_.joint_coordinates.remember(k_, block);
}

Fault Assembly::wrong_mass() {
  for (const auto& pool : system_.objects)
    for (int i = 0; pool->mass_of_user() && i < pool->size(); ++i) {
      std::string message = pool->wrong_mass(k_, i);
      if (message.empty()) continue;
      const auto place = std::find_if(system_.items.begin(), system_.items.end(), [&](const ItemPlace& x) { return x.in == pool.get() && x.item == i; });
      return {{}, place == system_.items.end() ? "item " + std::to_string(i) : place->section + "/" + place->name, std::move(message)};
    }
  return {};
}

void Assembly::doubts(std::vector<int>& reported, std::vector<Fault>& out) {
  for (const auto& pool : system_.forces)
    for (int i = 0; pool->doubts() && i < pool->size(); ++i) {
      std::string message = pool->doubt(k_, i);
      if (message.empty()) continue;
      const auto place = std::find_if(system_.items.begin(), system_.items.end(), [&](const ItemPlace& x) { return x.in == pool.get() && x.item == i; });
      const int number = static_cast<int>(place - system_.items.begin());
      if (place == system_.items.end() || std::find(reported.begin(), reported.end(), number) != reported.end()) continue;
      reported.push_back(number);
      out.push_back({{}, place->section + "/" + place->name, std::move(message), {}, Severity::warning});
    }
}

std::string Assembly::not_finite() {
  std::vector<double> F(system_.layout.unknowns() + 1), y(system_.layout.rows);
  biases();
  const auto clear = [&] { std::fill(F.begin(), F.end(), 0.0), std::fill(wrench_.begin(), wrench_.end(), Vec6<double>{}); };
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
      if (!std::isfinite(y[e.row + r]))
        return path([](const std::string& s) { return s == "joints" || s == "relations"; }, static_cast<std::size_t>(e.pool), e.item);
  return {};
}

std::string Assembly::trouble() {
  for (const ItemPlace& place : system_.items)
    if (place.in)
      if (const std::string message = place.in->trouble(k_, place.item); !message.empty()) return place.section + "/" + place.name + ": " + message;
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
  for (const BodyPresence& p : system_.presences) {
    if (p.is_there(k_.data)) continue;
    for (const auto& [pool, item] : p.objects) e -= system_.objects[at(pool)]->item_potential_energy(k_, item);
    for (const auto& [pool, item] : p.forces) e -= system_.forces[at(pool)]->item_potential_energy(k_, item);
  }
  return e;
}

}  // namespace saltus
