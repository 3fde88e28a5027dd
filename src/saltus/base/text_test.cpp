#include "saltus/base/text.hpp"

#include <gtest/gtest.h>

namespace saltus {

TEST(ShownText, HasNoCharacterThatCouldImitateALineOfALog) {
  EXPECT_EQ(shown("x\nERROR fake"), "x\\nERROR fake");
  EXPECT_EQ(shown(std::string_view("a\0b\x1b[31m", 8)), "a\\u0000b\\u001b[31m");
  EXPECT_EQ(shown("b1\xE2\x80\x8B"), "b1\\u200b");
  EXPECT_EQ(shown("\xE2\x80\xAE""evil"), "\\u202eevil");
}

TEST(ShownText, KeepsVisibleTextOfAnyScript) { EXPECT_EQ(shown("Körper-\xE4\xBD\x93"), "Körper-\xE4\xBD\x93"); }

TEST(ShownText, StaysWithinItsLimitWhateverIsInIt) {
  for (const char* piece : {"a", "ö", "\xE2\x80\x8B", "\xFF"}) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += piece;
    EXPECT_LE(shown(text, 60).size(), 63u);
    EXPECT_TRUE(shown(text, 60).ends_with("..."));
  }
  EXPECT_EQ(shown("abc", 3), "abc");
}

TEST(ShownText, MarksBytesThatAreNotUtf8) {
  EXPECT_EQ(shown("a\xC3"), "a\\ufffd");
  EXPECT_EQ(shown("\xC0\xAF"), "\\ufffd\\ufffd");
}

TEST(Counted, TakesTheRightForm) {
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(3, "entry", "entries"), "3 entries");
  EXPECT_EQ(counted(0, "fault"), "0 faults");
}

}  // namespace saltus
