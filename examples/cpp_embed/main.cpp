// Collects mistakes as the engine does and prints them: what a program that embeds Saltus meets first.
#include <cstdio>
#include <saltus/base/errors.hpp>

int main() {
  saltus::Faults faults;
  faults.error({"rig.json", 14, 31}, "connectors/strut/stiffness", "is -40 N/m, must be at least 0");
  faults.warn({}, "joints/pin", "is redundant about z");
  try {
    faults.raise();
  } catch (const saltus::ModelError& error) {
    std::puts(error.what());
    return error.faults().size() == 2 ? 0 : 1;
  }
  return 1;
}
