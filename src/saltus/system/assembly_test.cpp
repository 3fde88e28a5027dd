#include "saltus/system/assembly.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <type_traits>

#include "saltus/items/bodies/point_mass.hpp"
#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/connectors/spring_damper.hpp"
#include "saltus/items/joints/distance.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/nodes/node_point.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/items/nodes/node_rigid_2d.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

struct World {
  std::shared_ptr<const System> system;
  std::vector<double> y, lambda;
};

/// Two bodies with offset centres of mass, a spring with damping between off-centre points, a revolute joint between them,
/// in a random, not assembled configuration with velocities.
World tangled() {
  SystemBuilder b;
  const int n1 = b.node("n1", NodeRigid{.position = {{0.1, 0.2, 0.3}}, .rotation = {{0.4, -0.2, 0.9}}, .velocity = {{0.5, -1.0, 0.2}}, .angular_velocity = {{1.0, 2.0, -0.7}}});
  const int n2 = b.node("n2", NodeRigid{.position = {{1.1, -0.3, 0.4}}, .rotation = {{-0.6, 0.8, 0.1}}, .velocity = {{-0.4, 0.3, 1.1}}, .angular_velocity = {{-0.3, 0.6, 1.4}}});
  const int n3 = b.node("n3", NodePoint{.position = {{0.3, 0.9, -0.5}}, .velocity = {{0.1, 0.4, -0.9}}});
  const Mat3<double> J{{0.3, 0.02, 0.01, 0.02, 0.25, -0.03, 0.01, -0.03, 0.4}};
  b.object("b1", RigidBody{.mass_value = 2.0, .inertia = J, .center_of_mass = {{0.1, -0.2, 0.05}}}, {b.marker(n1)});
  b.object("b2", RigidBody{.mass_value = 1.5, .inertia = J}, {b.marker(n2)});
  b.force("s", SpringDamper{.stiffness = 50.0, .damping = 3.0, .rest_length = 0.4}, {b.marker(n1, {{0.2, 0.1, 0.0}}), b.marker(n2, {{-0.1, 0.3, 0.2}})});
  b.force("t", SpringDamper{.stiffness = 20.0, .rest_length = 0.1}, {b.marker(n3), b.marker(n1, {{0.0, 0.1, 0.3}})});
  b.force("u", SpringDamper{.stiffness = 30.0, .damping = 2.0, .rest_length = 0.3}, {b.marker(n3), b.marker(n2)});  // both ends lie in y
  b.object("b3", PointMass{.mass_value = 0.7}, {b.marker(n3)});
  b.relation("pin", Revolute{}, {b.marker(n1, {{0.5, 0.0, 0.1}}, rotation_exp(Vec3<double>{{0.1, 0.2, 0.3}})),
                                 b.marker(n2, {{-0.2, 0.3, 0.0}}, rotation_exp(Vec3<double>{{0.5, -0.2, 0.3}}))}, {&equality_law()});
  b.system().gravity = {{0.0, 0.0, -9.81}};
  World w;
  w.system = b.finish();
  w.y = w.system->initial_y;
  w.lambda = {3.0, -2.0, 1.5, 0.7, -0.4};
  return w;
}

double entry(const System& s, const std::vector<double>& values, int i, int j) {
  const int slot = s.pattern.slot(i, j);
  return slot < 0 ? 0.0 : values[slot];
}

TEST(Assembly, RelationRowsMoveByHTimesV) {
  const World w = tangled();
  const System& s = *w.system;
  Assembly a(s);
  a.update(0.0, w.y.data());
  a.input_blocks();
  const RelationEntry& e = s.relation_entries[0];
  std::vector<double> rate(5, 0.0), curvature(5);
  const double* v = w.y.data() + s.layout.v_begin();
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < e.columns; ++c) rate[r] += a.H()[r * e.columns + c] * v[s.relation_columns[c]];
  RowSink sink;
  sink.curvature = curvature.data();
  a.relations(sink);
  // Along the motion with constant v: q(h) = q (+) h v; body rates constant, so vdot = 0.
  std::vector<std::vector<double>> rows;
  const double h = 1e-4;
  for (double t : {-h, 0.0, h}) {
    std::vector<double> y = w.y, step(v, v + s.layout.nv), values(5);
    for (double& x : step) x *= t;
    s.map.retract(y.data(), step.data());
    a.update(0.0, y.data());
    RowSink only;
    only.y = values.data();
    a.relations(only);
    rows.push_back(values);
  }
  for (int r = 0; r < 5; ++r) {
    EXPECT_NEAR(rate[r], (rows[2][r] - rows[0][r]) / (2 * h), 1e-6);
    EXPECT_NEAR(curvature[r], (rows[2][r] - 2 * rows[1][r] + rows[0][r]) / (h * h), 1e-5);
  }
}

TEST(Assembly, MatricesAreTheDerivativesOfForcesAndReactions) {
  const World w = tangled();
  const System& s = *w.system;
  Assembly a(s);
  const int n = s.layout.unknowns();
  const auto total = [&](const std::vector<double>& y, bool reactions) {
    std::vector<double> F(n + 1);
    a.update(0.0, y.data(), w.lambda.data());
    if (reactions) {
      a.input_blocks();
      a.add_inputs(w.lambda.data(), 1.0, F.data());
    } else {
      a.forces(F.data());
    }
    return F;
  };
  for (bool reactions : {false, true})
    for (bool by_velocity : {false, true}) {
      Seeds seeds;
      seeds.value[0] = by_velocity ? 0.0 : 1.0;
      seeds.rate[0] = by_velocity ? 1.0 : 0.0;
      std::vector<double> values(s.pattern.nonzeros());
      // Bodies without inertia at vdot = 0 keep the comparison exact: frames at rest for position derivatives.
      std::vector<double> y0 = w.y;
      if (!by_velocity && !reactions) std::fill(y0.begin() + s.layout.v_begin(), y0.begin() + s.layout.x_begin(), 0.0);
      a.update(0.0, y0.data(), w.lambda.data());
      if (reactions) a.add_input_matrix(seeds, 1.0, values.data());
      else a.add_force_matrix(seeds, values.data());
      const double eps = 1e-6;
      for (int j = 0; j < s.layout.nv; ++j) {
        std::vector<double> plus = y0, minus = y0, step(s.layout.nv, 0.0);
        if (by_velocity) {
          plus[s.layout.v_begin() + j] += eps, minus[s.layout.v_begin() + j] -= eps;
        } else {
          step[j] = eps, s.map.retract(plus.data(), step.data());
          step[j] = -eps, s.map.retract(minus.data(), step.data());
        }
        const auto Fp = total(plus, reactions), Fm = total(minus, reactions);
        for (int i = 0; i < n; ++i)
          EXPECT_NEAR(entry(s, values, i, j), -(Fp[i] - Fm[i]) / (2 * eps), 2e-6) << i << "," << j << " reactions " << reactions << " rate " << by_velocity;
      }
    }
}

TEST(Assembly, KineticEnergyIsHalfVMV) {
  const World w = tangled();
  const System& s = *w.system;
  Assembly a(s);
  a.update(0.0, w.y.data());
  std::vector<double> M(s.pattern.nonzeros());
  a.mass(1.0, 1.0, M.data());
  double twice = 0.0;
  const double* v = w.y.data() + s.layout.v_begin();
  for (int i = 0; i < s.layout.nv; ++i)
    for (int j = 0; j < s.layout.nv; ++j) twice += v[i] * entry(s, M, i, j) * v[j];
  EXPECT_NEAR(a.kinetic_energy(), 0.5 * twice, 1e-12);
}

TEST(Assembly, ReadsPointsFromYAsFromTheirFrames) {
  // A zero arm lies in y, an arm of 1e-300 m does not: its force goes by wrench and Jacobian. Same motion, same numbers.
  const auto evaluated = [](double arm, std::vector<double>& F, std::vector<double>& dense) {
    SystemBuilder b;
    const int body = b.node("body", NodeRigid{.position = {{0.1, 0.2, 0.3}}, .rotation = {{0.4, -0.2, 0.9}}, .velocity = {{0.5, -1.0, 0.2}}, .angular_velocity = {{1.0, 2.0, -0.7}}});
    const int point = b.node("point", NodePoint{.position = {{0.9, -0.3, 0.4}}, .velocity = {{-0.4, 0.3, 1.1}}});
    const Vec3<double> r{{arm, 0.0, 0.0}};
    b.object("m", PointMass{.mass_value = 0.7}, {b.marker(body, r)});
    b.object("p", PointMass{.mass_value = 0.4}, {b.marker(point, r)});
    b.force("s", SpringDamper{.stiffness = 30.0, .damping = 2.0, .rest_length = 0.3}, {b.marker(point, r), b.marker(body, r)});
    b.force("g", SpringDamper{.stiffness = 10.0, .damping = 1.0, .rest_length = 0.2}, {b.ground(), b.marker(point, r)});
    b.system().gravity = {{1.0, 2.0, -9.81}};
    const auto system = b.finish();
    Assembly a(*system, 1, Frames::needed);
    const int n = system->layout.unknowns();
    F.assign(n + 1, 0.0);
    a.update(0.0, system->initial_y.data());
    a.forces(F.data());
    std::vector<double> values(system->pattern.nonzeros());
    a.mass(0.8, 1.0, values.data());
    Seeds seeds;
    seeds.value[0] = 0.3, seeds.rate[0] = 0.6;
    a.add_force_matrix(seeds, values.data());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) dense.push_back(entry(*system, values, i, j));
  };
  std::vector<double> F_y, F_frames, K_y, K_frames;
  evaluated(0.0, F_y, K_y);
  evaluated(1e-300, F_frames, K_frames);
  for (std::size_t i = 0; i < F_y.size(); ++i) EXPECT_NEAR(F_y[i], F_frames[i], 1e-13);
  for (std::size_t i = 0; i < K_y.size(); ++i) EXPECT_NEAR(K_y[i], K_frames[i], 1e-13);
}

TEST(Assembly, ReadsTheSameWithTheNeededFramesAlone) {
  const World w = tangled();
  const System& s = *w.system;
  std::vector<double> F[2], values[2], rows[2];
  for (const Frames frames : {Frames::every, Frames::needed}) {
    Assembly a(s, 1, frames);
    const auto k = static_cast<std::size_t>(frames);
    F[k].resize(s.layout.unknowns() + 1);
    values[k].resize(s.pattern.nonzeros());
    rows[k].resize(5);
    a.update(0.0, w.y.data(), w.lambda.data());
    RowSink curvature;
    curvature.curvature = rows[k].data();
    a.relations(curvature);
    a.forces(F[k].data());
    a.mass(1.0, 1.0, values[k].data());
    a.add_force_matrix({}, values[k].data());
    a.add_input_matrix({}, 1.0, values[k].data());
  }
  EXPECT_EQ(F[0], F[1]);
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(rows[0], rows[1]);
}

/// Everything that an assembly evaluates, after `between` has happened to what it was given.
std::vector<double> all_of(const System& s, const std::function<void(std::vector<double>& y, std::vector<double>& lambda)>& between) {
  const World w = tangled();
  std::vector<double> y = w.y, lambda = w.lambda;
  Assembly a(s);
  a.update(0.3, y.data(), lambda.data());
  between(y, lambda);
  std::vector<double> out(s.layout.unknowns() + 1), values(s.pattern.nonzeros()), rows(5), inputs(out.size());
  a.forces(out.data());
  a.mass(1.0, 1.0, values.data());
  a.add_force_matrix({}, values.data());
  RowSink sink;
  sink.y = rows.data();
  a.input_blocks(sink);
  a.add_inputs(w.lambda.data(), 1.0, inputs.data());
  a.add_input_matrix({}, 1.0, values.data());
  for (const auto* part : {&values, &rows, &inputs}) out.insert(out.end(), part->begin(), part->end());
  out.push_back(a.kinetic_energy());
  out.push_back(a.potential_energy());
  return out;
}

TEST(Assembly, EvaluatesTheConfigurationThatItTookOverWhateverBecomesOfTheCallers) {
  const auto system = tangled().system;
  const std::vector<double> expected = all_of(*system, [](auto&, auto&) {});
  EXPECT_EQ(all_of(*system, [](auto& y, auto& lambda) { std::fill(y.begin(), y.end(), 7.0), std::fill(lambda.begin(), lambda.end(), -3.0); }), expected);
  EXPECT_EQ(all_of(*system, [](auto& y, auto& lambda) { y = std::vector<double>(), lambda = std::vector<double>(); }), expected);  // freed
}

TEST(Assembly, TakesNoSystemThatIsGoneAndIsNotCopied) {
  static_assert(!std::is_constructible_v<Assembly, System&&>);
  static_assert(!std::is_copy_constructible_v<Assembly> && !std::is_copy_assignable_v<Assembly>);
}

TEST(Assembly, EvaluatesResidualsWithoutBlocksAsWithThem) {
  SystemBuilder b;
  b.node("n1", NodeRigid{.position = {{0.1, 0.2, 0.3}}, .rotation = {{0.4, -0.2, 0.9}}, .velocity = {{0.5, -1.0, 0.2}}, .angular_velocity = {{1.0, 2.0, -0.7}}});
  b.node("n2", NodeRigid2D{.position = {{1.1, -0.3, 0.4}}, .angle = 0.7, .velocity = {{-0.4, 0.3, 0.0}}, .angular_velocity = 1.4});
  const Mat3<double> turn = rotation_exp(Vec3<double>{{0.1, 0.2, 0.3}});
  const LawRef law{&equality_law()};
  b.relation("hinge", Revolute{}, {b.marker(0, {{0.5, 0.0, 0.1}}, turn), b.marker(1, {{-0.2, 0.3, 0.0}})}, law);
  b.relation("held", Revolute{}, {b.ground(), b.marker(1, {{0.1, 0.2, -0.3}}, turn)}, law);
  b.relation("rod", Distance{.length = 0.8}, {b.marker(0, {{0.0, 0.2, 0.1}}), b.marker(1)}, law);
  const auto system = b.finish();
  const int rows = system->layout.rows, n = system->layout.unknowns();
  ASSERT_EQ(rows, 11);
  std::vector<double> lambda, y(11), y_blocks(11), F(n + 1), F_blocks(F);
  for (int r = 0; r < rows; ++r) lambda.push_back(std::cos(r));
  Assembly a(*system);
  a.update(0.0, system->initial_y.data(), lambda.data());
  a.residual(lambda.data(), y.data(), F.data());
  RowSink sink;
  sink.y = y_blocks.data();
  a.input_blocks(sink);
  a.add_inputs(lambda.data(), 1.0, F_blocks.data());
  for (int r = 0; r < rows; ++r) EXPECT_NEAR(y[r], y_blocks[r], 1e-15);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(F[i], F_blocks[i], 1e-14);
}

}  // namespace
}  // namespace saltus
