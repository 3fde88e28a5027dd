#include "saltus/base/errors.hpp"

#include <gtest/gtest.h>

namespace saltus {

TEST(Fault, ReadsAsPlacePathMessageRemedy) {
  const Fault fault{{"rig.json", 14, 31}, "connectors/strut/stiffness", "is -40 N/m, must be at least 0", "use `preload`"};
  EXPECT_EQ(fault.text(), "rig.json:14:31 connectors/strut/stiffness: is -40 N/m, must be at least 0; use `preload`");
}

TEST(Fault, IsOneLineBelowOneKilobyteWhateverItsTextIs) {
  const std::string hostile(100000, '\n');
  const Fault fault{{hostile, 1, 1}, hostile, hostile, hostile};
  EXPECT_LT(fault.text().size(), 1000u);
  EXPECT_EQ(fault.text().find('\n'), std::string::npos);
}

TEST(Faults, ListTheFirstOnesAndCountAll) {
  Faults faults;
  for (int i = 0; i < 300000; ++i) faults.error({}, "bodies/b", "has no mass");
  EXPECT_EQ(faults.list().size(), 50u);
  EXPECT_EQ(faults.errors(), 300000);
  EXPECT_TRUE(faults.full());
  try {
    faults.raise();
    FAIL() << "did not throw";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.faults().back().message, "and 299950 further errors, 300000 in all");
  }
}

TEST(Faults, DoNotThrowForWarnings) {
  Faults faults;
  faults.warn({}, "joints/pin/axis", "is not a unit vector");
  EXPECT_NO_THROW(faults.raise());
  EXPECT_FALSE(faults.has_errors());
  faults.error({}, "gravity", "is a number");
  EXPECT_THROW(faults.raise(), ModelError);
}

}  // namespace saltus
