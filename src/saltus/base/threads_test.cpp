#include "saltus/base/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>

namespace saltus {
namespace {

TEST(Threads, RunEachTaskOnceOverManyRounds) {
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    std::vector<int> done(200, 0);
    for (int round = 0; round < 3000; ++round)
      threads.each(round % 200, [&](int i) { ++done[i]; });
    for (int i = 0; i < 200; ++i) EXPECT_EQ(done[i], 15 * (199 - i)) << count;
  }
}

TEST(Threads, RunEachTaskOnceFromBothEnds) {
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    std::vector<int> done(200, 0);
    for (int round = 0; round < 3000; ++round) {
      const auto task = [&](int i) { ++done[i]; };
      if (round % 3 == 0) threads.each(round % 200, task);
      else threads.spread(round % 200, task);
    }
    for (int i = 0; i < 200; ++i) EXPECT_EQ(done[i], 15 * (199 - i)) << count;
  }
}

// Workers that are between two looks when the end comes must see it; a hang here is one that slept through it.
TEST(Threads, EndAtAnyMoment) {
  for (int round = 0; round < 3000; ++round) {
    Threads threads(2 + round % 6);
    if (round % 2 == 0) threads.each(round % 5, [](int) {});
  }
}

TEST(Threads, SlicesCoverTheRangeInOrder) {
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    for (const int n : {0, 1, 2, 5, 1000}) {
      std::vector<int> touched(n, 0);
      threads.run(n, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) ++touched[i];
      });
      EXPECT_EQ(std::accumulate(touched.begin(), touched.end(), 0), n);
      EXPECT_EQ(std::count(touched.begin(), touched.end(), 1), n);
    }
  }
}

TEST(Threads, RethrowTheErrorOfTheLowestTaskAfterAllAreDone) {
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> done{0};
      std::string said;
      try {
        threads.each(40, [&](int i) {
          ++done;
          if (i == 11 || i == 30) throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error& error) {
        said = error.what();
      }
      EXPECT_EQ(said, "11");
      if (count > 1) { EXPECT_EQ(done, 40); }
    }
  }
}

}  // namespace
}  // namespace saltus
