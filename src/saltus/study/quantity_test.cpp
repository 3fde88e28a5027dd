// What items offer to be read: of their kind, and of their own.
#include "saltus/study/quantity.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "saltus/items/bodies/mass_1d.hpp"
#include "saltus/items/nodes/node_1d.hpp"
#include "saltus/pool/coordinate_ports.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

/// A spring that no other file knows, with what it alone has to tell.
struct Gauge {
  double stiffness = 3.0;
  using port = CoordPair;
  static constexpr std::string_view name = "gauge";
  static constexpr auto fields() { return std::tuple{field("stiffness", &Gauge::stiffness, "N/m", "k")}; }
  static constexpr std::array quantities{ItemQuantity{"reading", "V", "volts a metre", ""}, ItemQuantity{"both", "m", "stretch and its square", "stretch|square"}};
  template <class S>
  S lhs(const CoordPair::View<S>& pair, const Context<S>&) const { return stiffness * pair.q; }
  Vec3<double> quantity(int which, const CoordPair::View<double>& pair) const { return which == 0 ? Vec3<double>{{5.0 * pair.q}} : Vec3<double>{{pair.q, pair.q * pair.q}}; }
};

/// A node that tells more than its coordinates.
struct Rail : Node1D {
  static constexpr std::string_view name = "rail";
  static constexpr std::array quantities{ItemQuantity{"braking", "J/kg", "v^2 / 2", ""}};
  Vec3<double> quantity(int, const double*, const double* v, const double*, const double*) const { return {{0.5 * v[0] * v[0]}}; }
};

TEST(Quantity, OfANodesOwnNeedsNoLineOutsideItsFile) {
  SystemBuilder b;
  Rail rail;
  rail.velocity = 3.0;
  const int node = b.node("rail", rail);
  b.object("cart", Mass1D{.mass_value = 2.0}, {b.coordinate(node, 0)});
  const std::shared_ptr<const System> s = b.finish();
  Assembly assembly(*s);
  const Sample sample{0.0, s->initial_y.data(), nullptr, nullptr, s->initial_data.data()};
  double out = 0.0;
  Quantity(s, "rail.braking").evaluate(assembly, sample, &out);
  EXPECT_DOUBLE_EQ(out, 4.5);
  Quantity(s, "= 2 * rail.braking + cart.kinetic_energy").evaluate(assembly, sample, &out);
  EXPECT_DOUBLE_EQ(out, 18.0);
}

TEST(Quantity, OfAnItemsOwnNeedsNoLineOutsideItsFile) {
  SystemBuilder b;
  const int first = b.node("first", Node1D{.displacement = 0.25}), second = b.node("second", Node1D{.displacement = 1.0});
  b.object("one", Mass1D{.mass_value = 1.0}, {b.coordinate(first, 0)});
  b.object("two", Mass1D{.mass_value = 1.0}, {b.coordinate(second, 0)});
  b.force("gauge", Gauge{}, {b.coordinate(first, 0), b.coordinate(second, 0)});
  const std::shared_ptr<const System> s = b.finish();
  const std::vector<std::string> names = quantities_of(*s, "gauge");
  EXPECT_EQ(names, (std::vector<std::string>{"reading", "both", "potential_energy", "power", "force"}));
  Assembly assembly(*s);
  const Sample sample{0.0, s->initial_y.data(), nullptr, nullptr, s->initial_data.data()};
  double out[2];
  const Quantity reading(s, "gauge.reading"), both(s, "gauge.both"), square(s, "gauge.both.square");
  EXPECT_EQ(reading.unit(), "V");
  EXPECT_EQ(reading.components(), 1);
  reading.evaluate(assembly, sample, out);
  EXPECT_DOUBLE_EQ(out[0], 3.75);
  EXPECT_EQ(both.component_names(), (std::vector<std::string>{"stretch", "square"}));
  both.evaluate(assembly, sample, out);
  EXPECT_DOUBLE_EQ(out[0], 0.75);
  EXPECT_DOUBLE_EQ(out[1], 0.5625);
  square.evaluate(assembly, sample, out);
  EXPECT_DOUBLE_EQ(out[0], 0.5625);
}

}  // namespace
}  // namespace saltus
