#include "saltus/base/memory.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace saltus {
namespace {

TEST(Memory, SaysBytesInUnitsOfAThousand) {
  EXPECT_EQ(bytes_text(0.0), "0 B");
  EXPECT_EQ(bytes_text(999.0), "999 B");
  EXPECT_EQ(bytes_text(1500.0), "1.5 kB");
  EXPECT_EQ(bytes_text(23e9), "23 GB");
  EXPECT_EQ(bytes_text(1e302), "1.00e+284 EB");
}

TEST(Memory, FindsSomeOfIt) { EXPECT_GT(available_memory(), 1e6); }

TEST(Memory, KeepsTheWordsOfAnErrorThatSaysWhatNeedsHowMuch) {
  EXPECT_EQ(out_of_memory(MemoryError("the factor needs 23 GB")), "the factor needs 23 GB");
  EXPECT_NE(out_of_memory(std::bad_alloc()).find("the memory ran out"), std::string::npos);
}

}  // namespace
}  // namespace saltus
