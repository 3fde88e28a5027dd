// Properties of every item of the catalogue, from its entry alone: a new item is covered without a change here.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/base/index.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/markers/beam_point.hpp"
#include "saltus/items/nodes/node_1d.hpp"
#include "saltus/items/nodes/node_ode1.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/model/json_text.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

using Vector = std::vector<double>;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low = -1.0, double high = 1.0) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  Vec3<double> vector(double size = 1.0) { return {{(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}}; }
  double in(const Range& r) {
    const double low = std::isfinite(r.low) ? r.low : (std::isfinite(r.high) ? r.high - 2.0 : -1.0);
    const double high = std::isfinite(r.high) ? r.high : low + 2.0;
    return low + (high - low) * (*this)(0.1, 0.9);
  }

 private:
  std::mt19937 engine_;
};

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('|'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// A smooth formula that couples its inputs.
std::string formula(const std::vector<std::string>& inputs, Random& random) {
  std::string text = number_text(random());
  std::string product = "0.3";
  for (const std::string& input : inputs) {
    text += " + " + number_text(random(0.2, 1.0)) + "*sin(" + number_text(random(0.5, 1.5)) + "*" + input + ")";
    product += "*(1.1 + 0.2*" + input + ")";
  }
  return text + " + " + product;
}

/// Of an n x n matrix that passes as an inertia or a stiffness: trace(S) I - S for n = 3, S else, S = B B^T.
List matrix(int n, Random& random) {
  Vector B(n * n), S(B.size());
  for (double& x : B) x = random();
  double trace = 0.0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) S[i * n + j] += B[i * n + k] * B[j * n + k];
      if (i == j) trace += S[i * n + j];
    }
  List rows;
  for (int i = 0; i < n; ++i) {
    List row;
    for (int j = 0; j < n; ++j) {
      const double s = S[i * n + j];
      row.emplace_back(n == 3 ? (i == j ? trace : 0.0) - s : s);
    }
    rows.emplace_back(std::move(row));
  }
  return rows;
}

/// Contacts: rows that slide stand on the frame of the instant, their Jacobian is not that of a value.
bool frozen_tangents(const ItemEntry& e) { return e.sliding > 0; }

Object random_fields(const ItemEntry& e, Random& random) {
  Object o;
  if (!e.sample.empty()) {
    Faults faults;
    const std::string text = std::string(e.sample);
    o = *parse_json(text, "sample", faults).object();
    EXPECT_EQ(faults.errors(), 0) << e.name;
    return o;
  }
  for (const FieldInfo& f : e.fields) switch (f.kind) {
    case FieldKind::number: o.set(f.name, random.in(f.range)); break;
    case FieldKind::integer: o.set(f.name, static_cast<int>(std::isfinite(f.range.low) ? f.range.low : 0.0) + random.below(3)); break;
    case FieldKind::boolean: o.set(f.name, random.below(2) == 1); break;
    case FieldKind::text: {
      const auto choices = words(f.range.choices);
      if (!choices.empty()) o.set(f.name, choices[random.below(count_of(choices))]);
      break;
    }
    case FieldKind::vector3: {
      List x;
      for (int i = 0; i < 3; ++i) x.emplace_back(e.planar && i == 2 ? 0.0 : random.in(f.range));
      o.set(f.name, std::move(x));
      break;
    }
    case FieldKind::matrix3: o.set(f.name, matrix(3, random)); break;
    case FieldKind::matrix: if (f.range.size > 0) o.set(f.name, matrix(f.range.size, random)); break;
    case FieldKind::numbers: break;  // of the item's run-time size: left at its default
    case FieldKind::function: {
      List results;
      for (int i = 0; i < std::max(1, f.range.size); ++i) results.emplace_back(formula(words(f.range.inputs), random));
      o.set(f.name, results.size() == 1 ? results[0] : Value(results));
      break;
    }
  }
  return o;
}

struct World {
  std::shared_ptr<const System> system;
  Vector y, lambda;
  double t = 0.3;
};

/// An item type on coordinates and frames of nodes, on coordinates of joints, or on frames of sources.
struct Tested {
  const ItemEntry* entry;
  bool on_joints = false, on_sources = false;
};

/// A frame on a point of a beam from `start` to the node `end`.
Endpoint on_a_beam(SystemBuilder& b, const Endpoint& start, int end, Random& random) {
  const Endpoint point = b.source(BeamPoint{.xi = random(0.2, 0.8)}, {start, b.marker(end)});
  return b.arm(point, random.vector(0.3), rotation_exp(random.vector(0.2)));
}

/// `count` items of the type with random values on random moving frames and coordinates of their own.
World world_of(const Tested& tested, int count, unsigned seed, bool first_order = false) {
  const ItemEntry& e = *tested.entry;
  const bool on_joints = tested.on_joints;
  Random random(seed);
  SystemBuilder b;
  first_order |= e.coordinates == CoordinateKind::ode1;
  const int per_item = e.dynamic ? e.sample_frames + e.sample_coordinates : count_of(e.endpoints);
  std::vector<int> nodes, beam_ends;
  std::size_t beam = 0;
  const auto kind = [&](int i) { return e.dynamic ? (i < e.sample_frames ? EndpointKind::frame : EndpointKind::coordinate) : e.endpoints[i]; };
  Vec3<double> position{};
  for (int item = 0; item < count; ++item)
    for (int i = 0; i < per_item; ++i) {
      const std::string name = "n" + std::to_string(item * per_item + i);
      const bool state = !e.coordinate_kinds.empty() && e.coordinate_kinds[i] == CoordinateKind::ode1;
      if (!state && (on_joints || kind(i) == EndpointKind::frame)) {
        // Relative rotations stay below a third of a turn: joints' rows are regular there.
        // The ends of an object lie along x of the first.
        const Vec3<double> place = e.family == Family::object && i > 0 ? position + Vec3<double>{{1.5, 0.0, 0.0}} + random.vector(0.2) : random.vector();
        nodes.push_back(b.node(name, NodeRigid{.position = place, .rotation = random.vector(0.4), .velocity = random.vector(), .angular_velocity = random.vector()}));
        position = place;
        // Coordinates are named when all nodes are there.
        if (tested.on_sources) beam_ends.push_back(b.node("end" + name, NodeRigid{.position = random.vector(), .rotation = random.vector(0.4), .velocity = random.vector(), .angular_velocity = random.vector()}));
      } else if (first_order || state) {
        nodes.push_back(b.node(name, NodeOde1{.count = 1, .initial_values = {random()}}));
      } else {
        nodes.push_back(b.node(name, Node1D{.coordinate = random(), .velocity = random()}));
      }
    }
  // Joints between a body common to all, and one of their own.
  const int base = on_joints ? b.node("base", NodeRigid{.rotation = random.vector(0.4), .velocity = random.vector(), .angular_velocity = random.vector()}) : -1;
  const ParameterTable parameters;
  for (int item = 0; item < count; ++item) {
    std::vector<Endpoint> ends;
    for (int i = 0; i < per_item; ++i) {
      const int node = nodes[item * per_item + i];
      if (on_joints && !(e.dynamic && kind(i) == EndpointKind::frame) && (e.coordinate_kinds.empty() || e.coordinate_kinds[i] == CoordinateKind::ode2)) {
        const Endpoint A = b.marker(node, random.vector(0.3), rotation_exp(random.vector(0.2)));
        const JointMotion& motion = e.motion ? *e.motion : (item + i) % 3 == 0 ? motion_of<Twist>() : (item + i) % 3 == 1 ? motion_of<Slide>() : motion_of<Length>();
        ends.push_back(e.motion && i + 1 < per_item ? b.ground_coordinate() : b.joint_coordinate(motion, A, b.marker(base, random.vector(0.3))));
      } else if (kind(i) == EndpointKind::coordinate) ends.push_back(b.coordinate(node));
      else if (tested.on_sources) {  // the second on a source that stands on the first
        const Endpoint start = i > 0 ? ends.back() : b.marker(node, random.vector(0.3), rotation_exp(random.vector(0.2)));
        ends.push_back(on_a_beam(b, start, beam_ends[beam++], random));
      } else if (e.family == Family::object) ends.push_back(b.marker(node));
      else ends.push_back(b.marker(node, random.vector(0.3), rotation_exp(random.vector(0.2))));
    }
    const Object fields = random_fields(e, random);
    const FieldSource source(fields, std::string(e.name), "", {});
    Faults faults;
    System& s = b.system();
    const std::string type(e.name);
    if (e.family == Family::object) {
      e.add_object(*s.objects[b.object_pool(type, e.make_object_pool)], source, {parameters}, ends, faults);
    } else if (e.family == Family::force) {
      e.add_force(*s.forces[b.force_pool(type, e.make_force_pool)], source, {parameters}, ends, faults);
    } else {
      e.add_relation(*s.relations[b.relation_pool(type, e.make_relation_pool)], source, {parameters}, ends, {&equality_law()}, faults);
    }
    EXPECT_EQ(faults.errors(), 0) << e.name << ": " << (faults.list().empty() ? "" : faults.list()[0].path + " " + faults.list()[0].message);
  }
  b.system().gravity = {{0.3, -0.2, -9.81}};
  World w;
  w.system = b.finish();
  w.y = w.system->initial_y;
  for (int i = 0; i < w.system->layout.rows; ++i) w.lambda.push_back(random());
  return w;
}

/// y moved by `amount` along unknown j: value (q, x) or rate (v).
Vector moved(const System& s, Vector y, int j, double amount, bool rate) {
  const Layout& l = s.layout;
  if (rate) {
    y[l.v_begin() + j] += amount;
  } else if (j < l.nv) {
    Vector step(l.nv);
    step[j] = amount;
    s.map.retract(y.data(), step.data());
  } else {
    y[l.x_begin() + j - l.nv] += amount;
  }
  return y;
}
/// y and t moved along the motion with constant v.
Vector along(const World& w, double dt) {
  const Layout& l = w.system->layout;
  Vector y = w.y, step(w.y.begin() + l.v_begin(), w.y.begin() + l.x_begin());
  for (double& x : step) x *= dt;
  w.system->map.retract(y.data(), step.data());
  return y;
}

/// Forces of the items on the unknowns: of connectors, loads, objects, or the inputs of relations at lambda.
Vector forces(const World& w, Assembly& a, const Vector& y, double t) {
  Vector F(w.system->layout.unknowns() + 1);
  a.update(t, y.data(), w.lambda.data());
  if (w.system->relations.empty()) {
    a.forces(F.data());
  } else {
    a.input_blocks();
    a.add_inputs(w.lambda.data(), 1.0, F.data());
  }
  F.pop_back();
  return F;
}

bool coordinates_only(const ItemEntry& e) {
  return std::all_of(e.endpoints.begin(), e.endpoints.end(), [](EndpointKind k) { return k == EndpointKind::coordinate; });
}

std::vector<Tested> tested() {
  std::vector<Tested> out;
  for (const ItemEntry* e : catalogue()) {
    const bool connects = e->family == Family::force || e->family == Family::relation;
    if (!connects && (e->family != Family::object || !e->add_object)) continue;  // a tree is made of several records: kinematic_tree_test.cpp
    if (!e->motion) out.push_back({e});
    if (connects && (e->sample_frames > 0 || (e->coordinate_kinds.empty() && std::any_of(  // states would be addressed before the last node is there
        e->endpoints.begin(), e->endpoints.end(), [](EndpointKind k) { return k == EndpointKind::frame; })))) out.push_back({.entry = e, .on_sources = true});
    if (connects && coordinates_only(*e) && e->coordinates != CoordinateKind::ode1 && e->coordinates != CoordinateKind::algebraic && e->section != "circuits") out.push_back({.entry = e, .on_joints = true});
  }
  return out;
}

class Item : public testing::TestWithParam<Tested> {};

TEST_P(Item, MatrixIsTheDerivativeOfItsForces) {
  for (unsigned seed : {1u, 2u}) {
    const Tested& tested = GetParam();
  const ItemEntry& e = *tested.entry;
    if (seed == 2u && coordinates_only(e) && (e.coordinates != CoordinateKind::none || !e.coordinate_kinds.empty()) && !tested.on_joints) continue;
    const World w = world_of(tested, 2, seed, seed == 2u && coordinates_only(e) && !tested.on_joints);
    const System& s = *w.system;
    Assembly a(s);
    for (bool rate : {false, true}) {
      Seeds seeds;
      for (int k = 0; k < 3; ++k) seeds.value[k] = rate ? 0.0 : 1.0;
      seeds.rate[0] = rate ? 1.0 : 0.0;
      Vector values(s.pattern.nonzeros());
      const Vector& y = w.y;
      a.update(w.t, y.data(), w.lambda.data());
      a.input_blocks();
      if (s.relations.empty()) a.add_force_matrix(seeds, values.data());
      else a.add_input_matrix(seeds, 1.0, values.data());
      const double eps = 1e-5;
      for (int j = 0; j < (rate ? s.layout.nv : s.layout.unknowns()); ++j) {
        const Vector plus = forces(w, a, moved(s, y, j, eps, rate), w.t), minus = forces(w, a, moved(s, y, j, -eps, rate), w.t);
        for (int i = 0; i < s.layout.unknowns(); ++i) {
          const int slot = s.pattern.slot(i, j);
          const double entry = slot < 0 ? 0.0 : values[slot];
          const double difference = -(plus[i] - minus[i]) / (2 * eps);
          EXPECT_NEAR(entry, difference, 1e-7 * (1.0 + std::abs(difference))) << "d F" << i << " / d " << j << (rate ? " rate" : " value");
        }
      }
    }
  }
}

TEST_P(Item, RowsMoveByTheirJacobiansAndCurvature) {
  const Tested& tested = GetParam();
  const ItemEntry& e = *tested.entry;
  if (e.family != Family::relation) return;
  const World w = world_of(tested, 2, 3);
  const System& s = *w.system;
  Assembly a(s);
  const std::size_t m = s.layout.rows;
  const bool rate_level = s.relations[0]->traits().written == Level::rate;
  const auto rows = [&](const Vector& y, double t, const Vector& lambda) {
    Vector h(m);
    a.update(t, y.data(), lambda.data());
    RowSink sink;
    sink.y = h.data();
    a.relations(sink);
    return h;
  };
  Vector y0(m), time_rate(m), curvature(m), H(s.value_count), rate_H(H), D(s.square_count);
  a.update(w.t, w.y.data(), w.lambda.data());
  RowSink sink;
  sink.y = y0.data(), sink.time_rate = time_rate.data(), sink.curvature = curvature.data(), sink.rate_H = rate_H.data(), sink.D = D.data();
  a.relations(sink);
  Vector turn(H);
  sink = {};
  sink.H = H.data(), sink.turn = turn.data();
  a.relations(sink);
  const auto rates = [&](const Vector& y) {  // ydot = H v + h_t
    Vector out(m), block(H);
    a.update(w.t, y.data(), w.lambda.data());
    RowSink both;
    both.time_rate = out.data(), both.H = block.data();
    a.relations(both);
    for (const RelationEntry& r : s.relation_entries)
      for (int i = 0; i < r.rows; ++i)
        for (int c = 0; c < r.columns; ++c) {
          const int j = s.relation_columns[r.column_begin + c];
          if (j < s.layout.nv) out[r.row + i] += block[r.value_begin + i * r.columns + c] * y[s.layout.v_begin() + j];
        }
    return out;
  };

  const double eps = 1e-5;
  // A body under several ends has its columns several times.
  const auto entry = [&](const Vector& block, const RelationEntry& r, int i, int j) {
    double sum = 0.0;
    for (int c = 0; c < r.columns; ++c)
      if (s.relation_columns[r.column_begin + c] == j) sum += block[r.value_begin + i * r.columns + c];
    return sum;
  };
  for (const RelationEntry& r : s.relation_entries)
    for (int c = 0; c < r.columns; ++c) {
      const int j = s.relation_columns[r.column_begin + c];
      for (bool rate : {false, true}) {
        const Vector& y = w.y;
        const Vector plus = rows(moved(s, y, j, eps, rate), w.t, w.lambda), minus = rows(moved(s, y, j, -eps, rate), w.t, w.lambda);
        for (int i = 0; i < (frozen_tangents(e) ? 1 : r.rows); ++i)
          EXPECT_NEAR(entry(rate ? rate_H : H, r, i, j), (plus[r.row + i] - minus[r.row + i]) / (2 * eps), 1e-8)
              << "row " << i << " column " << c << (rate ? " rate" : " value");
      }
      if (rate_level) continue;
      const Vector plus = rates(moved(s, w.y, j, eps, false)), minus = rates(moved(s, w.y, j, -eps, false));
      for (int i = 0; i < (frozen_tangents(e) ? 1 : r.rows); ++i)
        EXPECT_NEAR(entry(turn, r, i, j), (plus[r.row + i] - minus[r.row + i]) / (2 * eps), 1e-7)
            << "rate of row " << i << " column " << c;
    }
  for (const RelationEntry& r : s.relation_entries)
    for (int c = 0; c < r.rows; ++c) {
      Vector plus = w.lambda, minus = w.lambda;
      plus[r.row + c] += eps, minus[r.row + c] -= eps;
      const Vector p = rows(w.y, w.t, plus), q = rows(w.y, w.t, minus);
      for (int i = 0; i < r.rows; ++i)
        EXPECT_NEAR(D[r.square_begin + i * r.rows + c], (p[r.row + i] - q[r.row + i]) / (2 * eps), 1e-8);
    }
  // h_t, and the first (rate level) or second derivative along the motion with constant v.
  const double h = 1e-3;
  const Vector p = rows(w.y, w.t + eps, w.lambda), q = rows(w.y, w.t - eps, w.lambda);
  const Vector f2 = rows(along(w, 2 * h), w.t + 2 * h, w.lambda), f1 = rows(along(w, h), w.t + h, w.lambda), b1 = rows(along(w, -h), w.t - h, w.lambda), b2 = rows(along(w, -2 * h), w.t - 2 * h, w.lambda);
  for (std::size_t i = 0; i < m; ++i) {
    EXPECT_NEAR(time_rate[i], (p[i] - q[i]) / (2 * eps), 1e-8) << "row " << i;
    const double first = (8 * (f1[i] - b1[i]) - (f2[i] - b2[i])) / (12 * h);
    const double second = (16 * (f1[i] + b1[i]) - (f2[i] + b2[i]) - 30 * y0[i]) / (12 * h * h);
    if (i > 0 && frozen_tangents(e)) continue;
    EXPECT_NEAR(curvature[i], rate_level ? first : second, 1e-7) << "row " << i;  // O(h^4) and eps / h^2
  }
}

/// Solvers keep what a pool calls constant: at another state and time it must have the same bits.
TEST_P(Item, CallsConstantOnlyWhatIsConstant) {
  const Tested& tested = GetParam();
  const World here = world_of(tested, 2, 5);
  World there = here;
  Random random(6);
  Vector step(here.system->layout.nv);
  for (double& x : step) x = random();
  there.system->map.retract(there.y.data(), step.data());
  for (std::size_t i = here.system->layout.v_begin(); i < there.y.size(); ++i) there.y[i] += random();
  for (double& x : there.lambda) x += random();
  there.t += 0.7;
  struct Blocks {
    Vector matrix, mass, H, rate_H, D, B;
  };
  const auto blocks_at = [](const World& w) {  // an assembly of its own: none of its values is kept
    const System& s = *w.system;
    Assembly a(s);
    Blocks out;
    out.matrix.resize(s.pattern.nonzeros());
    out.mass = out.matrix;
    a.update(w.t, w.y.data(), w.lambda.data());
    a.input_blocks();
    a.add_force_matrix({{1.0, 1.0, 1.0, 0.0}, {0.5, 0.0, 0.0, 0.0}}, out.matrix.data());
    a.mass(1.0, 1.0, out.mass.data());
    out.H = a.H(), out.B = a.B(), out.rate_H.resize(s.value_count), out.D.resize(s.square_count);
    RowSink sink;
    sink.rate_H = out.rate_H.data(), sink.D = out.D.data();
    if (!s.relations.empty()) a.relations(sink);
    return out;
  };
  const Blocks a = blocks_at(here), b = blocks_at(there);
  const System& s = *here.system;
  const auto all = [](const auto& pools, auto says) { return std::all_of(pools.begin(), pools.end(), says); };
  if (all(s.forces, [](const auto& p) { return p->constant_matrix(); }) && all(s.objects, [](const auto& p) { return p->constant_matrix(); })) { EXPECT_EQ(a.matrix, b.matrix); }
  if (all(s.objects, [](const auto& p) { return p->constant_mass(); })) { EXPECT_EQ(a.mass, b.mass); }
  if (s.relations.empty() || !s.relations[0]->traits().linear) return;
  EXPECT_EQ(a.H, b.H);
  EXPECT_EQ(a.rate_H, b.rate_H);
  EXPECT_EQ(a.D, b.D);
  EXPECT_EQ(a.B, b.B);
}

/// Sum of forces and of moments about the world's origin, both in W, of the generalized forces on rigid nodes.
Vec6<double> resultant(const World& w, const Vector& F) {
  Vec6<double> sum;
  for (const NodeEntry& n : w.system->nodes) {
    const double *f = F.data() + n.place.v, *q = w.y.data() + n.place.q;
    const Vec3<double> force{{f[0], f[1], f[2]}};
    const Vec3<double> moment = cross(Vec3<double>{{q[0], q[1], q[2]}}, force) + rotation_matrix(Quaternion<double>{{q[3], q[4], q[5], q[6]}}) * Vec3<double>{{f[3], f[4], f[5]}};
    for (int i = 0; i < 3; ++i) sum[i] += force[i], sum[3 + i] += moment[i];
  }
  return sum;
}
/// Its forces act between frames alone; a load comes from outside.
bool between_frames(const Tested& tested) {
  const ItemEntry& e = *tested.entry;
  return (tested.on_joints && e.coordinate_kinds.empty() && e.sample_frames == 0) || (e.family != Family::object && e.section != "loads" && e.endpoints.size() == 2 && e.endpoints[0] == EndpointKind::frame && e.endpoints[1] == EndpointKind::frame);
}

TEST_P(Item, ActionIsReaction) {
  const Tested& tested = GetParam();
  const ItemEntry& e = *tested.entry;
  if (!between_frames(tested)) return;
  for (unsigned seed : {4u, 5u}) {
    const World w = world_of(tested, 1, seed);
    Assembly a(*w.system);
    const Vector F = forces(w, a, w.y, w.t);
    double size = 0.0;
    for (double x : F) size = std::max(size, std::abs(x));
    EXPECT_GT(size, 1e-3);
    const Vec6<double> sum = resultant(w, F);
    for (int i = 0; i < (e.world_axes ? 3 : 6); ++i) EXPECT_NEAR(sum[i], 0.0, 1e-12 * (1.0 + size)) << i;
  }
}

TEST_P(Item, DoesNotSeeARigidMotionOfTheWorld) {
  const Tested& tested = GetParam();
  const ItemEntry& e = *tested.entry;
  if (!between_frames(tested) || e.world_axes) return;
  World w = world_of(tested, 1, 6);
  const System& s = *w.system;
  Assembly a(s);
  const auto rows = [&] {
    Vector h(s.layout.rows);
    a.update(w.t, w.y.data(), w.lambda.data());
    RowSink sink;
    sink.y = h.data();
    a.relations(sink);
    return h;
  };
  const Vector before = forces(w, a, w.y, w.t), h = rows();
  // The world turns by Q, is shifted, and moves with a constant velocity and spin about its origin.
  const Vec3<double> turn{{0.7, -1.1, 0.4}}, shift{{0.3, 2.0, -1.0}}, speed{{1.0, -0.5, 0.2}}, spin{{0.6, 0.9, -0.8}};
  const Quaternion<double> Q = quaternion_exp(turn);
  const Mat3<double> R = rotation_matrix(Q);
  for (const NodeEntry& n : s.nodes) {
    double *q = w.y.data() + n.place.q, *v = w.y.data() + s.layout.v_begin() + n.place.v;
    const Vec3<double> arm = R * Vec3<double>{{q[0], q[1], q[2]}};
    const Quaternion<double> e_new = quaternion_product(Q, Quaternion<double>{{q[3], q[4], q[5], q[6]}});
    const Vec3<double> v_new = R * Vec3<double>{{v[0], v[1], v[2]}} + speed + cross(spin, arm);
    const Vec3<double> spin_body = transposed_times(rotation_matrix(e_new), spin);
    for (int i = 0; i < 3; ++i) q[i] = arm[i] + shift[i], v[i] = v_new[i], v[3 + i] += spin_body[i];
    for (int i = 0; i < 4; ++i) q[3 + i] = e_new[i];
  }
  const Vector after = forces(w, a, w.y, w.t), h_after = rows();
  for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(h[i], h_after[i], 1e-13) << "row " << i;
  for (const NodeEntry& n : s.nodes) {
    const double *f = before.data() + n.place.v, *g = after.data() + n.place.v;
    const Vec3<double> turned = R * Vec3<double>{{f[0], f[1], f[2]}};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(turned[i], g[i], 1e-12);
      EXPECT_NEAR(f[3 + i], g[3 + i], 1e-12);
    }
  }
}

TEST_P(Item, GivesNoEnergyWherePassive) {
  const Tested& tested = GetParam();
  const ItemEntry& e = *tested.entry;
  if (!e.passive) return;
  for (unsigned seed = 10; seed < 30; ++seed) {
    const World w = world_of(tested, 1, seed);
    const System& s = *w.system;
    Assembly a(s);
    const Vector F = forces(w, a, w.y, w.t);
    double power = 0.0;
    for (int i = 0; i < s.layout.nv; ++i) power += F[i] * w.y[s.layout.v_begin() + i];
    const double h = 1e-5;
    const auto energy = [&](double dt) {
      const Vector y = along(w, dt);
      a.update(w.t, y.data());
      return a.potential_energy();
    };
    EXPECT_LE(power + (energy(h) - energy(-h)) / (2 * h), 1e-8 * (1.0 + std::abs(power)));
    // At rest the forces are the gradient of the energy: all that a passive item has besides damping.
    Vector rest = w.y;
    std::fill(rest.begin() + s.layout.v_begin(), rest.begin() + s.layout.x_begin(), 0.0);
    const Vector static_force = forces(w, a, rest, w.t);
    for (int j = 0; j < s.layout.nv; ++j) {
      double V[2];
      for (int side : {0, 1}) {
        const Vector y = moved(s, rest, j, side ? h : -h, false);
        a.update(w.t, y.data());
        V[side] = a.potential_energy();
      }
      EXPECT_NEAR(static_force[j], -(V[1] - V[0]) / (2 * h), 1e-8 * (1.0 + std::abs(static_force[j])));
    }
  }
}

TEST_P(Item, GivesEqualBitsWithOneTwoAndSevenThreads) {
  const World w = world_of(GetParam(), 300, 7);
  const System& s = *w.system;
  Seeds seeds;
  seeds.value[0] = 0.3, seeds.rate[0] = 0.7, seeds.value[1] = 0.4;
  const auto all = [&](int threads) {
    Assembly a(s, threads);
    Vector numbers = forces(w, a, w.y, w.t), values(s.pattern.nonzeros());
    a.update(w.t, w.y.data(), w.lambda.data());
    a.input_blocks();
    a.mass(1.0, 1.0, values.data());
    a.add_force_matrix(seeds, values.data());
    a.add_input_matrix(seeds, 0.9, values.data());
    for (const Vector* more : {&std::as_const(values), &a.H(), &a.rate_H(), &a.B()}) numbers.insert(numbers.end(), more->begin(), more->end());
    return numbers;
  };
  const Vector one = all(1);
  for (int threads : {2, 7}) EXPECT_EQ(one, all(threads)) << threads;
}

/// Equal, 2 and 2.0 being the same.
bool same(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return a.number() == b.number();
  const List *x = a.list(), *y = b.list();
  if (x && y) return std::equal(x->begin(), x->end(), y->begin(), y->end(), same);
  return a == b;
}

TEST_P(Item, KeepsItsFieldsThroughARecord) {
  const Tested& tested = GetParam();
  const ItemEntry& e = *tested.entry;
  Random random(8);
  const Object fields = random_fields(e, random);
  const ParameterTable parameters;
  Faults faults;
  const Object once = e.round_trip(FieldSource(fields, "item", "", {}), {parameters}, faults);
  const Object twice = e.round_trip(FieldSource(once, "item", "", {}), {parameters}, faults);
  EXPECT_EQ(faults.errors(), 0);
  EXPECT_TRUE(once == twice);
  for (const Member& member : fields) {
    const Value* kept = once.find(member.key);
    const auto info = std::find_if(e.fields.begin(), e.fields.end(), [&](const FieldInfo& f) { return f.name == member.key; });
    ASSERT_NE(info, e.fields.end()) << member.key;
    EXPECT_TRUE(same(kept ? *kept : info->default_value, member.value)) << member.key;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Item, testing::ValuesIn(tested()),
                         [](const testing::TestParamInfo<Tested>& info) { return std::string(info.param.entry->name) + (info.param.on_joints && !info.param.entry->motion ? "_of_joints" : info.param.on_sources ? "_on_sources" : ""); });

class Node : public testing::TestWithParam<const ItemEntry*> {};

TEST_P(Node, MovesItsFrameByItsJacobian) {
  const ItemEntry& e = *GetParam();
  Random random(9);
  SystemBuilder b;
  const int p = b.node_pool(std::string(e.name), e.make_node_pool);
  NodePool& pool = *b.system().node_pools[p];
  const ParameterTable parameters;
  Faults faults;
  const Object fields = random_fields(e, random);
  e.add_node(pool, FieldSource(fields, "node", "", {}), {parameters}, faults);
  ASSERT_EQ(faults.errors(), 0) << faults.list()[0].message;
  const int node = b.register_node("node", std::string(e.name), pool, p);
  if (!pool.has_frame()) return;
  const int marker = b.marker(node, random.vector(0.5), rotation_exp(random.vector(0.5))).marker;
  World w;
  w.system = b.finish();
  w.y = w.system->initial_y;
  Assembly a(*w.system);
  const auto frame = [&](double dt) {
    const Vector y = along(w, dt);
    a.update(0.0, y.data());
    return a.kinematics().frames[marker];
  };
  const double h = 1e-5;
  const Frame<double> plus = frame(h), minus = frame(-h), f = frame(0.0);
  a.update(0.0, w.y.data());
  const Kinematics& k = a.kinematics();
  const Mat3<double> turned = transposed(f.R) * ((plus.R - minus.R) * (0.5 / h));
  const Vec3<double> w_difference{{turned(2, 1), turned(0, 2), turned(1, 0)}};
  const int n = k.column_begin[marker + 1] - k.column_begin[marker];
  for (int i = 0; i < 6; ++i) {
    double rate = 0.0;
    for (int c = 0; c < n; ++c)
      rate += k.jacobian[6 * k.column_begin[marker] + i * n + c] * w.y[w.system->layout.v_begin() + k.columns[k.column_begin[marker] + c]];
    const double given = i < 3 ? f.v[i] : f.w[i - 3];
    EXPECT_NEAR(rate, given, 1e-14);
    EXPECT_NEAR(given, i < 3 ? (plus.p[i] - minus.p[i]) / (2 * h) : w_difference[i - 3], 1e-9);
    EXPECT_NEAR(k.bias[marker][i], i < 3 ? (plus.v[i] - minus.v[i]) / (2 * h) : (plus.w[i - 3] - minus.w[i - 3]) / (2 * h), 1e-9);
  }
}

std::vector<const ItemEntry*> nodes() {
  std::vector<const ItemEntry*> out;
  for (const ItemEntry* e : catalogue())
    if (e->family == Family::node) out.push_back(e);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, Node, testing::ValuesIn(nodes()),
                         [](const testing::TestParamInfo<const ItemEntry*>& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace saltus
