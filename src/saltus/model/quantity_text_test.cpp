// Which items and paths a text of an output names.
#include "saltus/model/quantity_text.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

std::vector<std::string> inner(const std::string& text) {
  std::vector<std::string> out;
  for (const QuantityOperand& o : operands_of(text)) out.push_back(o.inner + (o.component.empty() ? "" : "|" + o.component));
  return out;
}
std::vector<std::string> names(const std::string& text) {
  std::vector<std::string> out;
  for (const NameSpan& n : names_in(text)) out.push_back(text.substr(n.begin, n.length));
  return out;
}

TEST(QuantityText, FindsPathsBesideNumbersFunctionsAndBraces) {
  EXPECT_EQ(inner("= 2.5e-3*a.velocity.x + sin(b.angle) - {rod 1-2.force}"), (std::vector<std::string>{"a.velocity.x", "b.angle", "rod 1-2.force"}));
  EXPECT_EQ(inner("= (a.position - b.position).norm / t"), (std::vector<std::string>{"=a.position - b.position|norm"}));
  EXPECT_EQ(inner("= max(a.x.0, 1) * (2 + b.angle)"), (std::vector<std::string>{"a.x.0", "b.angle"}));
  EXPECT_EQ(inner("= relative(a, b).distance + group(a, b).momentum.x"), (std::vector<std::string>{"relative(a, b).distance", "group(a, b).momentum.x"}));
  EXPECT_TRUE(inner("= {a.x + (b.y").empty() || inner("= {a.x + (b.y").size() == 1);
  EXPECT_FALSE(is_formula("a.position"));
}

TEST(QuantityText, FindsNamesWhereTheyStand) {
  EXPECT_EQ(names("cart.position.x"), (std::vector<std::string>{"cart"}));
  EXPECT_EQ(names("relative(the cart, b).distance"), (std::vector<std::string>{"the cart", "b"}));
  EXPECT_EQ(names("= a.v.x * {the cart.position.x} + (c.p - relative(d,e).position).norm"), (std::vector<std::string>{"a", "the cart", "c", "d", "e"}));
  EXPECT_TRUE(names("group().momentum").empty());
}

}  // namespace
}  // namespace saltus
