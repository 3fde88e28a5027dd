#include "saltus/solver/friction/colouring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "saltus/base/index.hpp"

namespace saltus::friction {
namespace {

/// Each contact once; the places of two chunks of a colour share no item of `touched`.
void check(const Colouring& found, const Lists& touched, int items) {
  std::vector<int> order = found.order;
  std::sort(order.begin(), order.end());
  ASSERT_EQ(count_of(order), touched.count());
  for (int c = 0; c < touched.count(); ++c) ASSERT_EQ(order[c], c);
  ASSERT_EQ(found.chunk.back(), touched.count());
  for (std::size_t colour = 0; colour + 1 < found.colour.size(); ++colour) {
    std::vector<int> owner(items, -1);
    for (int k = found.colour[colour]; k < found.colour[colour + 1]; ++k) {
      EXPECT_LE(found.chunk[k + 1] - found.chunk[k], chunk_size);
      for (int place = found.chunk[k]; place < found.chunk[k + 1]; ++place)
        for (int item : touched[found.order[place]]) {
          EXPECT_TRUE(owner[item] < 0 || owner[item] == k) << "colour " << colour;
          owner[item] = k;
        }
    }
  }
}

Lists random_pairs(int contacts, int bodies, unsigned seed, int near) {
  std::mt19937 random(seed);
  Lists lists;
  for (int c = 0; c < contacts; ++c) {
    const int a = static_cast<int>(random() % bodies), b = (a + 1 + static_cast<int>(random() % near)) % bodies;
    lists.items.push_back(a);
    if (c % 3 != 0) lists.items.push_back(b);
    lists.close();
  }
  return lists;
}

TEST(Colouring, ChunksOfAColourShareNoBody) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Lists bodies = random_pairs(3000, 1000, seed, 5);
    const Colouring found = coloured(bodies, 1000);
    check(found, bodies, 1000);
    EXPECT_LE(found.colour.size(), 12u);  // a chain: few colours
    EXPECT_LE(found.chunk.size(), 3000u / chunk_size * 3);
  }
}

TEST(Colouring, OneBodyUnderAllLeavesOneChunkAColour) {
  Lists bodies;
  for (int c = 0; c < 5000; ++c) bodies.items.push_back(0), bodies.close();
  const Colouring found = coloured(bodies, 1);
  check(found, bodies, 1);
  EXPECT_EQ(found.colour.size(), found.chunk.size());
}

TEST(Colouring, ContactsThatFeelEachOtherAreNotSweptAtOnce) {
  const Lists bodies = random_pairs(2000, 700, 9, 4);
  Lists neighbours, feels;  // through common bodies
  std::vector<std::vector<int>> on(700);
  for (int c = 0; c < 2000; ++c)
    for (int body : bodies[c]) on[body].push_back(c);
  for (int c = 0; c < 2000; ++c) {
    for (int body : bodies[c])
      for (int d : on[body])
        if (d != c) neighbours.items.push_back(d);
    neighbours.close();
  }
  check(coloured(neighbours), bodies, 700);
}

}  // namespace
}  // namespace saltus::friction
