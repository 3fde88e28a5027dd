// Kinematic trees against the same bodies on joints in redundant coordinates, closed forms and invariants.
#include <gtest/gtest.h>

#include <random>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/joints/fixed.hpp"
#include "saltus/items/joints/prismatic.hpp"
#include "saltus/items/nodes/node_1d.hpp"
#include "saltus/items/nodes/node_pose.hpp"
#include "saltus/pool/tree_pool.hpp"

namespace saltus {
namespace {
using namespace testing_items;
using Vector = std::vector<double>;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low = -1.0, double high = 1.0) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3<double> vector(double size = 1.0) { return {{(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}}; }
  Vec3<double> direction() {
    const Vec3<double> x = vector();
    return norm(x) > 0.1 ? x * (1.0 / norm(x)) : direction();
  }
  Mat3<double> inertia() {
    const Mat3<double> R = rotation_exp(vector(2.0));
    Mat3<double> J;
    const double a = (*this)(0.2, 1.0), b = (*this)(0.2, 1.0), c = (*this)(0.2, 1.0);
    J(0, 0) = a + b, J(1, 1) = b + c, J(2, 2) = a + c;
    return R * J * transposed(R);
  }

 private:
  std::mt19937 engine_;
};

struct OneLink {
  LinkOfTree link;  // parent: among those of the plot
  double q = 0.0, v = 0.0;
  NodePose pose{};  // of a ball and a free joint

  int node(SystemBuilder& b, const std::string& name) const {
    if (link.joint.type == TreeJoint::ball) return b.node(name, NodeRotation{pose.rotation, pose.angular_velocity});
    if (link.joint.type == TreeJoint::free) return b.node(name, pose);
    return b.node(name, Node1D{.coordinate = q, .velocity = v});
  }
};

struct Plot {  // of a tree
  std::vector<OneLink> links;
  std::optional<NodeRigid> base;  // else the ground
  Vec3<double> arm{}, turn{};     // of the tree's base on that body
  RigidBody body{.mass_value = 1.3, .inertia = identity<double>() * 0.8, .center_of_mass = {{0.1, -0.2, 0.3}}};
  Vec3<double> gravity{{0.3, -0.2, -9.81}};
};

TreeJoint joint_of_link(int i) {
  if (i % 4 == 2) return TreeJoint::ball;
  if (i % 9 == 4) return TreeJoint::free;
  return i % 5 == 3 ? TreeJoint::prismatic : i % 7 == 5 ? TreeJoint::fixed : TreeJoint::revolute;
}

/// Joints of all types with skew axes; each link on one of the last few.
Plot random_tree(int n, unsigned seed, bool branches, bool free) {
  Random random(seed);
  Plot plot;
  for (int i = 0; i < n; ++i) {
    OneLink one;
    const TreeJoint type = joint_of_link(i);
    one.link.parent = branches && i > 2 ? i - 1 - static_cast<int>(random(0.0, 2.99)) : i - 1;
    one.link.joint = {type, {random.vector(0.6), rotation_exp(random.vector())}, random.direction()};
    one.link.mass = random(0.3, 2.0), one.link.inertia = random.inertia(), one.link.center = random.vector(0.3);
    if (one.link.joint.has_coordinate()) one.q = random(), one.v = random();
    one.pose = {random.vector(), random.vector(), random.vector(), random.vector()};
    plot.links.push_back(one);
  }
  if (free) plot.base = NodeRigid{.position = random.vector(), .rotation = random.vector(), .velocity = random.vector(), .angular_velocity = random.vector()};
  return plot;
}

struct Built {
  std::shared_ptr<const System> system;
  std::vector<int> markers;  // of links
  int base = 0;
};

/// into: a builder that goes on.
Built tree_of(const Plot& plot, const std::function<void(SystemBuilder&, const std::vector<Endpoint>&)>& more = {}) {
  SystemBuilder b;
  Built out;
  Tree tree;
  int node = -1;
  if (plot.base) node = b.node("base", *plot.base);
  std::vector<int> nodes;
  for (std::size_t i = 0; i < plot.links.size(); ++i)
    nodes.push_back(plot.links[i].link.joint.type == TreeJoint::fixed ? -1 : plot.links[i].node(b, "q" + std::to_string(i)));
  if (plot.base) b.object("body", plot.body, {b.marker(node)});
  const Endpoint base = plot.base ? b.marker(node, plot.arm, rotation_exp(plot.turn)) : b.ground();
  std::vector<Endpoint> coordinates, frames;
  std::vector<int> numbers;  // in the tree
  for (std::size_t i = 0; i < plot.links.size(); ++i) {
    LinkOfTree link = plot.links[i].link;
    const std::vector<Endpoint> own = nodes[i] < 0 ? std::vector<Endpoint>{} : b.velocities(nodes[i]);
    frames.push_back(b.link(link, link.parent < 0 ? base : frames[link.parent], own));
    out.markers.push_back(frames.back().marker);
    if (link.parent >= 0) link.parent = numbers[link.parent];
    numbers.push_back(tree.add(link));
    coordinates.insert(coordinates.end(), own.begin(), own.end());
  }
  b.tree("tree", tree, base, coordinates);
  out.base = base.marker;
  b.system().gravity = plot.gravity;
  if (more) more(b, frames);
  out.system = b.finish();
  return out;
}

/// A rigid body for each link where its frame is, and a joint to its parent.
std::shared_ptr<const System> redundant_of(const Plot& plot, const Built& built, const std::function<void(SystemBuilder&, const std::vector<Endpoint>&)>& more = {}) {
  Assembly a(*built.system);
  a.update(0.0, built.system->initial_y.data());
  const Kinematics& k = a.kinematics();
  SystemBuilder b;
  const int base = plot.base ? b.node("base", *plot.base) : -1;
  if (plot.base) b.object("body", plot.body, {b.marker(base)});
  std::vector<int> nodes;
  for (std::size_t i = 0; i < plot.links.size(); ++i) {
    const Frame<double>& f = k.frames[built.markers[i]];
    nodes.push_back(b.node("link" + std::to_string(i), NodeRigid{.position = f.p, .rotation = quaternion_log(quaternion_of(f.R)), .velocity = f.v, .angular_velocity = f.R * f.w}));
  }
  std::vector<Endpoint> frames;
  for (std::size_t i = 0; i < plot.links.size(); ++i) {
    const LinkOfTree& link = plot.links[i].link;
    b.object("body" + std::to_string(i), RigidBody{.mass_value = link.mass, .inertia = link.inertia, .center_of_mass = link.center}, {b.marker(nodes[i])});
    frames.push_back(b.marker(nodes[i]));
    const Endpoint of = link.parent >= 0 ? b.marker(nodes[link.parent]) : plot.base ? b.marker(base, plot.arm, rotation_exp(plot.turn)) : b.ground();
    if (link.joint.type == TreeJoint::free) continue;
    const Mat3<double> Z = link.joint.type == TreeJoint::fixed ? identity<double>() : basis_with_z(link.joint.axis);
    const Endpoint A = b.arm(of, link.joint.at.p, link.joint.at.R * Z), B = b.marker(nodes[i], {}, Z);
    const std::string name = "joint" + std::to_string(i);
    if (link.joint.type == TreeJoint::ball) b.relation(name, Ball{}, {A, B}, equality());
    else if (link.joint.turns()) b.relation(name, Revolute{}, {A, B}, equality());
    else if (link.joint.slides()) b.relation(name, Prismatic{}, {A, B}, equality());
    else b.relation(name, Fixed{}, {A, B}, equality());
  }
  b.system().gravity = plot.gravity;
  if (more) more(b, frames);
  return b.finish();
}

Vector accelerations(const System& s, const Vector* at = nullptr) {
  Accelerations solver(s);
  Vector y = at ? *at : s.initial_y, lambda(s.layout.rows), rates(static_cast<std::size_t>(s.layout.unknowns()) + 1);
  const LinearOutcome out = solver.solve(0.0, y.data(), s.initial_data.data(), lambda.data(), rates.data());
  EXPECT_TRUE(out.ok) << out.cause;
  return rates;
}

/// Of a marker, with its bias: (a in W, alpha in the frame).
Vec6<double> of_marker(const System& s, int m, const Vector& a) {
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data());
  const Kinematics& k = assembly.kinematics();
  Vec6<double> out = k.bias[m];
  const int begin = k.column_begin[m], n = k.column_begin[m + 1] - begin;
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < n; ++c) out[r] += k.jacobian[6 * begin + r * n + c] * a[k.columns[begin + c]];
  return out;
}

/// Accelerations of all links in both models.
void expect_equal(const Plot& plot, double tolerance, const std::function<void(SystemBuilder&, const std::vector<Endpoint>&)>& more = {}) {
  const Built built = tree_of(plot, more);
  const auto redundant = redundant_of(plot, built, more);
  const Vector a = accelerations(*built.system), b = accelerations(*redundant);
  for (std::size_t i = 0; i < plot.links.size(); ++i) {
    const Vec6<double> here = of_marker(*built.system, built.markers[i], a);
    const int first = redundant->nodes[i + (plot.base ? 1 : 0)].place.v;
    for (int r = 0; r < 6; ++r) EXPECT_NEAR(here[r], b[first + r], tolerance * (1.0 + std::abs(b[first + r]))) << "link " << i << " direction " << r;
  }
}

TEST(KinematicTree, MovesAsItsBodiesOnJoints) {
  for (const bool branches : {false, true})
    for (unsigned seed = 1; seed < 4; ++seed) expect_equal(random_tree(9, seed, branches, false), 1e-9);
}

TEST(KinematicTree, MovesAsItsBodiesOnJointsOnABaseThatIsFree) {
  for (const bool branches : {false, true})
    for (unsigned seed = 11; seed < 14; ++seed) {
      Plot plot = random_tree(9, seed, branches, true);
      expect_equal(plot, 1e-9);
      plot.arm = {{0.3, -0.2, 0.5}}, plot.turn = {{0.4, 1.0, -0.2}};
      expect_equal(plot, 1e-9);
    }
}

/// A loop of a tree is closed by a joint between two of its links; a load, and a point that is held.
TEST(KinematicTree, ItsLinksTakeLoadsAndJoints) {
  const auto more = [](SystemBuilder& b, const std::vector<Endpoint>& links) {
    b.force("spring", SpringDamper{.stiffness = 40.0, .damping = 3.0}, {b.ground(), b.arm(links[7], {{0.1, 0.2, 0.3}})});
  };
  Plot plot = random_tree(9, 3, true, false);
  expect_equal(plot, 1e-9, more);
  plot.base = NodeRigid{.angular_velocity = {{0.3, 0.2, -0.4}}};
  expect_equal(plot, 1e-9, more);
  const auto closed = [](SystemBuilder& b, const std::vector<Endpoint>& links) { b.relation("closed", Ball{}, {b.arm(links[2], {{0.1, 0.0, 0.2}}), links[8]}, equality()); };
  expect_equal(plot, 1e-9, closed);
  plot.base.reset();
  expect_equal(plot, 1e-9, closed);
}

Vector dense(const System& s, const Vector& values) {
  const std::size_t n = s.layout.nv;
  Vector M(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (const int slot = s.pattern.slot(static_cast<int>(i), static_cast<int>(j)); slot >= 0) M[i * n + j] = values[slot];
  return M;
}

TEST(KinematicTree, CompositeBodiesGiveTheColumnsOfInverseDynamics) {
  const Built built = tree_of(random_tree(12, 5, true, false));
  const System& s = *built.system;
  Assembly a(s);
  a.update(0.0, s.initial_y.data());
  Vector values(s.pattern.nonzeros());
  a.mass(1.0, 1.0, values.data());
  const Vector M = dense(s, values);
  const auto& pool = static_cast<const TreePool&>(*s.objects[0]);
  const std::size_t n = s.layout.nv;
  Vector at_rest(n), unit(n), column(n);
  pool.inverse_dynamics(a.kinematics(), 0, unit.data(), at_rest.data());
  int shared = 0;
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[j] = 1.0;
    pool.inverse_dynamics(a.kinematics(), 0, unit.data(), column.data());
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(M[i * n + j], column[i] - at_rest[i], 1e-12 * 100.0), shared += s.pattern.slot(static_cast<int>(i), static_cast<int>(j)) >= 0;
  }
  EXPECT_LT(shared, static_cast<int>(n * n));  // nothing between branches
}

TEST(KinematicTree, InverseDynamicsUndoesForwardDynamics) {
  for (const int n : {7, 40}) {
    const Built built = tree_of(random_tree(n, 6, true, false));
    const System& s = *built.system;
    Assembly a(s);
    a.update(0.0, s.initial_y.data());
    const auto& pool = static_cast<const TreePool&>(*s.objects[0]);
    Random random(9);
    Vector force(s.layout.nv), rest(force), back(force), acceleration(force), zero(force);
    for (double& x : force) x = random(-10.0, 10.0);
    pool.inverse_dynamics(a.kinematics(), 0, zero.data(), rest.data());
    Vector right(force);
    for (std::size_t i = 0; i < right.size(); ++i) right[i] -= rest[i];
    EXPECT_EQ(pool.solve_mass(a.kinematics(), right.data(), acceleration.data()), -1);
    pool.inverse_dynamics(a.kinematics(), 0, acceleration.data(), back.data());
    double size = 0.0;
    for (const double x : rest) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < force.size(); ++i) EXPECT_NEAR(back[i], force[i], 1e-12 * size);
  }
}

TEST(KinematicTree, MatrixIsTheDerivativeOfItsForces) {
  Plot on_arm = random_tree(8, 8, true, true);
  on_arm.arm = {{0.3, -0.2, 0.5}}, on_arm.turn = {{0.4, 1.0, -0.2}};
  on_arm.base->velocity = {}, on_arm.base->angular_velocity = {};  // the acceleration of an arm at vdot = 0 is not derived, as with all objects
  for (const Plot& plot : {random_tree(8, 7, true, false), random_tree(8, 7, true, true), on_arm}) {
    const Built built = tree_of(plot);
    const System& s = *built.system;
    Assembly a(s);
    const auto forces = [&](int j, double by, bool rate) {
      Vector y = s.initial_y, F(static_cast<std::size_t>(s.layout.unknowns()) + 1), step(s.layout.nv);
      if (rate) y[s.layout.v_begin() + j] += by;
      else step[j] = by, s.map.retract(y.data(), step.data());
      a.update(0.0, y.data());
      a.forces(F.data());
      return F;
    };
    const double h = 1e-5;
    for (const bool rate : {false, true}) {
      if (rate && plot.arm[0] != 0.0) continue;
      Vector values(s.pattern.nonzeros());
      a.update(0.0, s.initial_y.data());
      a.add_force_matrix(rate ? Seeds{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}} : Seeds{}, values.data());
      for (int j = 0; j < s.layout.nv; ++j) {
        const Vector plus = forces(j, h, rate), minus = forces(j, -h, rate);
        for (int i = 0; i < s.layout.nv; ++i) {
          const int slot = s.pattern.slot(i, j);
          const double difference = -(plus[i] - minus[i]) / (2 * h);
          EXPECT_NEAR(slot < 0 ? 0.0 : values[slot], difference, 1e-7 * (1.0 + std::abs(difference))) << i << " by " << j << (rate ? " rate" : "");
        }
      }
    }
  }
}

/// Forces by M a = F keep the energy: its power is 0 at each moment.
TEST(KinematicTree, KeepsItsEnergy) {
  for (const bool free : {false, true}) {
    const Built built = tree_of(random_tree(10, 21, true, free));
    const System& s = *built.system;
    const Vector a = accelerations(s);
    Assembly assembly(s);
    const auto energy = [&](double h) {
      Vector y = s.initial_y, step(s.layout.nv);
      for (int i = 0; i < s.layout.nv; ++i) step[i] = h * y[s.layout.v_begin() + i], y[s.layout.v_begin() + i] += h * a[i];
      s.map.retract(y.data(), step.data());
      assembly.update(0.0, y.data());
      return assembly.kinetic_energy() + assembly.potential_energy();
    };
    const double h = 1e-5;
    EXPECT_NEAR((energy(h) - energy(-h)) / (2 * h), 0.0, 1e-6 * (1.0 + std::abs(energy(0.0))));
  }
}

/// Point masses m on rods l: (m_1 + m_2) l_1 a_1 + m_2 l_2 a_2 cos d + m_2 l_2 w_2^2 sin d + (m_1 + m_2) g sin t_1 = 0, ...
TEST(KinematicTree, IsTheDoublePendulum) {
  const double m1 = 1.2, m2 = 0.7, l1 = 0.9, l2 = 0.6, g = 9.81, t1 = 0.8, t2 = -0.5, w1 = 1.3, w2 = -2.1;
  Plot plot;
  plot.gravity = {{0.0, -g, 0.0}};
  OneLink first, second;
  first.link.joint = {TreeJoint::revolute, {}, {{0.0, 0.0, 1.0}}}, first.link.mass = m1, first.link.center = {{0.0, -l1, 0.0}}, first.q = t1, first.v = w1;
  second.link.joint = {TreeJoint::revolute, {{{0.0, -l1, 0.0}}}, {{0.0, 0.0, 1.0}}}, second.link.mass = m2, second.link.center = {{0.0, -l2, 0.0}}, second.q = t2 - t1, second.v = w2 - w1;
  second.link.parent = 0;
  plot.links = {first, second};
  const Built built = tree_of(plot);
  const Vector a = accelerations(*built.system);
  const double a1 = a[0], a2 = a[0] + a[1], d = t1 - t2;
  EXPECT_NEAR((m1 + m2) * l1 * a1 + m2 * l2 * a2 * std::cos(d) + m2 * l2 * w2 * w2 * std::sin(d) + (m1 + m2) * g * std::sin(t1), 0.0, 1e-13);
  EXPECT_NEAR(l2 * a2 + l1 * a1 * std::cos(d) - l1 * w1 * w1 * std::sin(d) + g * std::sin(t2), 0.0, 1e-13);
}

/// Turned, moved far away, and after many turns of a joint.
TEST(KinematicTree, DoesNotSeeWhereItIs) {
  Plot plot = random_tree(9, 31, true, false);
  plot.gravity = {};
  const Vector here = accelerations(*tree_of(plot).system);
  OneLink& first = plot.links[0];
  first.link.joint = {TreeJoint::revolute, RigidMotion<double>{{{3e6, -2e6, 1e6}}, rotation_exp(Vec3<double>{{0.3, 2.0, -1.0}})} * first.link.joint.at, first.link.joint.axis};
  first.q += 1000.0 * 2.0 * 3.14159265358979323846;
  const Vector there = accelerations(*tree_of(plot).system);
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], there[i], 1e-10 * (1.0 + std::abs(here[i])));
}

State run(const std::shared_ptr<const System>& system, const char* name, double until, double step, bool fixed = true) {
  const Scheme& scheme = *find_scheme(name);
  SchemeOptions options;
  options.error_control = !fixed;
  if (!fixed) options.tolerance = 1e-11;
  const auto plan = scheme.bind(system, options);
  State state = plan->new_state();
  SimulateOptions control;
  control.until = until;
  if (fixed) control.step = step;
  const RunReport report = simulate(scheme, *plan, state, control, [](const State&, const StepReport&) { return true; });
  EXPECT_EQ(report.status, RunStatus::done) << name << ": " << report.cause;
  return state;
}
Vec3<double> place(const System& s, const State& state, int marker) {
  Assembly a(s);
  a.update(state.t(), state.y());
  return a.kinematics().frames[marker].p;
}

/// Each scheme tends to what Dormand and Prince find for the bodies on joints, with its own order.
TEST(KinematicTree, ItsMotionIsThatOfItsBodiesOnJoints) {
  for (const bool free : {false, true}) {
    Plot plot = random_tree(5, 42, true, free);
    const Built built = tree_of(plot);
    const auto redundant = redundant_of(plot, built);
    const double until = 0.4;
    const int last = redundant->bases[redundant->nodes.back().place.frame].marker;
    const Vec3<double> truth = place(*redundant, run(redundant, "dormand_prince", until, 0.0, false), last);
    const auto error = [&](const char* name, double step) { return norm(place(*built.system, run(built.system, name, until, step, step > 0.0), built.markers.back()) - truth); };
    EXPECT_LT(error("dormand_prince", 0.0), 1e-8);
    for (const auto& [name, order] : {std::pair{"runge_kutta_4", 4.0}, std::pair{"generalized_alpha", 2.0}, std::pair{"moreau_jean", 2.0}}) {
      const double step = order > 3.0 ? 0.02 : 0.002, coarse = error(name, step), fine = error(name, step / 2);
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.35) << name << ": " << coarse << ", " << fine;
    }
  }
}

/// Momentum and moment of momentum about the world's origin, of a tree that floats.
Vec6<double> momentum(const Plot& plot, const Built& built, const State& state) {
  Assembly a(*built.system);
  a.update(state.t(), state.y());
  const Kinematics& k = a.kinematics();
  Vec6<double> sum;
  const auto add = [&](const Frame<double>& f, double m, const Mat3<double>& J, const Vec3<double>& c) {
    const Vec3<double> at = f.R * c, p = (f.v + f.R * cross(f.w, c)) * m, L = f.R * (J * f.w) + cross(f.p + at, p);
    for (int i = 0; i < 3; ++i) sum[i] += p[i], sum[3 + i] += L[i];
  };
  add(k.frames[built.system->bases[0].marker], plot.body.mass_value, plot.body.inertia, plot.body.center_of_mass);
  for (std::size_t i = 0; i < plot.links.size(); ++i) add(k.frames[built.markers[i]], plot.links[i].link.mass, plot.links[i].link.inertia, plot.links[i].link.center);
  return sum;
}

TEST(KinematicTree, FloatsWithItsMomentumAndEnergy) {
  Plot plot = random_tree(5, 51, true, true);
  plot.gravity = {};
  for (OneLink& one : plot.links)
    if (one.link.joint.slides() || one.link.joint.type == TreeJoint::free) one.link.joint = {TreeJoint::revolute, one.link.joint.at, one.link.joint.axis};  // nothing holds a slide: it would go far
  const Built built = tree_of(plot);
  const auto plan = find_scheme("runge_kutta_4")->bind(built.system, {});
  const State start = plan->new_state(), end = run(built.system, "runge_kutta_4", 100.0, 1e-3);  // 1e5 steps
  const Vec6<double> before = momentum(plot, built, start), after = momentum(plot, built, end);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(before[i], after[i], 1e-8 * norm(before));
  Assembly a(*built.system);
  a.update(0.0, start.y());
  const double energy = a.kinetic_energy();
  a.update(0.0, end.y());
  EXPECT_NEAR(a.kinetic_energy(), energy, 1e-8 * energy);
}

/// Without rows a tree on the ground solves with its own masses; a spring between its links changes nothing in this.
TEST(KinematicTree, ItsOwnSolutionIsThatOfTheMassMatrix) {
  const Built built = tree_of(random_tree(30, 61, true, false), [](SystemBuilder& b, const std::vector<Endpoint>& links) {
    b.force("spring", SpringDamper{.stiffness = 40.0, .damping = 3.0}, {links[4], b.arm(links[17], {{0.1, 0.2, 0.3}})});
  });
  const System& s = *built.system;
  ASSERT_EQ(s.own_mass_unknowns.size(), static_cast<std::size_t>(s.layout.nv));
  const Vector a = accelerations(s);
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data());
  Vector F(static_cast<std::size_t>(s.layout.nv) + 1), values(s.pattern.nonzeros());
  assembly.forces(F.data());
  assembly.mass(1.0, 1.0, values.data());
  multiply_add(s.pattern, values.data(), a.data(), F.data(), -1.0);
  Vector force(F.size());
  assembly.forces(force.data());
  const double size = std::abs(*std::max_element(force.begin(), force.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }));
  for (int i = 0; i < s.layout.nv; ++i) EXPECT_NEAR(F[i], 0.0, 1e-11 * size);
}

TEST(KinematicTree, SaysWhichJointHasNoInertia) {
  Plot plot = random_tree(3, 71, false, false);
  plot.links[2].link.joint = {TreeJoint::revolute, plot.links[2].link.joint.at, plot.links[2].link.joint.axis};
  plot.links[2].link.inertia = {}, plot.links[2].link.center = {};  // a point mass on the axis
  const Built built = tree_of(plot);
  Accelerations solver(*built.system);
  Vector y = built.system->initial_y, rates(4);
  const LinearOutcome out = solver.solve(0.0, y.data(), nullptr, nullptr, rates.data());
  EXPECT_FALSE(out.ok);
  EXPECT_NE(out.cause.find("node 'q2' has no mass"), std::string::npos) << out.cause;
}

}  // namespace
}  // namespace saltus
