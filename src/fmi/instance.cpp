#include "instance.hpp"

namespace saltus::fmi {

namespace {

/// Whether this processor has the instructions that the library was built with.
bool processor_fits() {
#if defined(__AVX2__) && (defined(__GNUC__) || defined(__clang__))
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

}  // namespace

Instance* made(const std::filesystem::path& resources, const std::string& token, Log log) {
  try {
    if (!processor_fits()) throw Refused("the library was built for processors with AVX2 and FMA: export the unit with a package from pip, which needs neither");
    auto instance = std::make_unique<Instance>();
    instance->unit = std::make_unique<Unit>(resources, token);
    instance->log = log;
    return instance.release();
  } catch (const std::exception& e) {
    log(error, "logStatusError", e.what());
  } catch (...) {
    log(error, "logStatusError", "the unit cannot be made");
  }
  return nullptr;
}

}  // namespace saltus::fmi
