// The C functions of FMI 2.0.4 for co-simulation; names, arguments and their order are those of the standard (sections 2.1 and 4.2).
#include <cctype>
#include <cstdlib>

#include "instance.hpp"

using namespace saltus::fmi;

namespace {

using Text = const char*;
struct Callbacks {
  void (*log)(void* environment, Text name, int status, Text category, Text message, ...);
  void* (*allocate)(std::size_t, std::size_t);
  void (*free)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};

/// The path of "file:///a%20folder/resources".
std::filesystem::path path_of(Text uri) {
  std::string text = uri ? uri : "", out;
  for (Text scheme : {"file://localhost/", "file:///", "file:/"})
    if (text.rfind(scheme, 0) == 0) {
      text = "/" + text.substr(std::char_traits<char>::length(scheme));
      break;
    }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) && std::isxdigit(static_cast<unsigned char>(text[i + 2]));
    out += escape ? static_cast<char>(std::strtol(text.substr(i + 1, 2).c_str(), nullptr, 16)) : text[i];
    if (escape) i += 2;
  }
#if defined(_WIN32)
  if (out.size() > 2 && out[0] == '/' && out[2] == ':') out.erase(0, 1);  // /C:/folder
#endif
  return out;
}

constexpr int co_simulation = 1;

}  // namespace

SALTUS_FMI Text fmi2GetTypesPlatform() { return "default"; }
SALTUS_FMI Text fmi2GetVersion() { return "2.0"; }

SALTUS_FMI void* fmi2Instantiate(Text name, int kind, Text guid, Text resources, const Callbacks* callbacks, int, int) {
  const std::string who = name ? name : "unit";
  const Callbacks calls = callbacks ? *callbacks : Callbacks{};
  const Log log = [=](Status status, const char* category, const std::string& text) {
    if (calls.log) calls.log(calls.environment, who.c_str(), status, category, "%s", text.c_str());
  };
  if (kind != co_simulation) {
    log(error, "logStatusError", "is for co-simulation only");
    return nullptr;
  }
  return made(path_of(resources), guid ? guid : "", log);
}
SALTUS_FMI void fmi2FreeInstance(void* instance) { delete static_cast<Instance*>(instance); }
SALTUS_FMI int fmi2SetDebugLogging(void* instance, int, std::size_t, const Text*) {
  return guarded(instance, [](Instance&) {});
}

SALTUS_FMI int fmi2SetupExperiment(void* instance, int has_tolerance, double tolerance, double start, int, double) { return initialize(instance, has_tolerance, tolerance, start); }
SALTUS_FMI int fmi2EnterInitializationMode(void* instance) {
  return guarded(instance, [](Instance&) {});
}
SALTUS_FMI int fmi2ExitInitializationMode(void* instance) { return initialized(instance); }
SALTUS_FMI int fmi2Terminate(void* instance) { return terminate(instance); }
SALTUS_FMI int fmi2Reset(void* instance) { return reset(instance); }
SALTUS_FMI int fmi2DoStep(void* instance, double t, double h, int) { return step(instance, t, h); }
SALTUS_FMI int fmi2CancelStep(void* instance) { return refused(instance, "fmi2CancelStep"); }

SALTUS_FMI int fmi2GetReal(void* instance, const Reference* references, std::size_t n, double* values) { return get_numbers(instance, references, n, values); }
SALTUS_FMI int fmi2SetReal(void* instance, const Reference* references, std::size_t n, const double* values) { return set_numbers(instance, references, n, values); }
SALTUS_FMI int fmi2GetInteger(void* instance, const Reference* references, std::size_t n, int*) { return no_values(instance, references, n); }
SALTUS_FMI int fmi2GetBoolean(void* instance, const Reference* references, std::size_t n, int*) { return no_values(instance, references, n); }
SALTUS_FMI int fmi2GetString(void* instance, const Reference* references, std::size_t n, Text*) { return no_values(instance, references, n); }
SALTUS_FMI int fmi2SetInteger(void* instance, const Reference* references, std::size_t n, const int*) { return no_values(instance, references, n); }
SALTUS_FMI int fmi2SetBoolean(void* instance, const Reference* references, std::size_t n, const int*) { return no_values(instance, references, n); }
SALTUS_FMI int fmi2SetString(void* instance, const Reference* references, std::size_t n, const Text*) { return no_values(instance, references, n); }
SALTUS_FMI int fmi2SetRealInputDerivatives(void* instance, const Reference*, std::size_t, const int*, const double*) { return refused(instance, "fmi2SetRealInputDerivatives"); }
SALTUS_FMI int fmi2GetRealOutputDerivatives(void* instance, const Reference*, std::size_t, const int*, double*) { return refused(instance, "fmi2GetRealOutputDerivatives"); }

SALTUS_FMI int fmi2GetFMUstate(void* instance, void** state) { return get_state(instance, state); }
SALTUS_FMI int fmi2SetFMUstate(void* instance, void* state) { return set_state(instance, state); }
SALTUS_FMI int fmi2FreeFMUstate(void* instance, void** state) { return free_state(instance, state); }
SALTUS_FMI int fmi2SerializedFMUstateSize(void* instance, void* state, std::size_t* size) { return state_size(instance, state, size); }
SALTUS_FMI int fmi2SerializeFMUstate(void* instance, void* state, char* bytes, std::size_t size) { return state_bytes(instance, state, bytes, size); }
SALTUS_FMI int fmi2DeSerializeFMUstate(void* instance, const char* bytes, std::size_t size, void** state) { return state_from(instance, bytes, size, state); }
SALTUS_FMI int fmi2GetDirectionalDerivative(void* instance, const Reference* unknowns, std::size_t n_unknowns, const Reference* knowns, std::size_t n_knowns, const double* seed,
                                            double* out) {
  return derivatives(instance, unknowns, n_unknowns, knowns, n_knowns, seed, out);
}

// Asked for after a step that did not end: the unit has reached this time.
SALTUS_FMI int fmi2GetRealStatus(void* instance, int, double* value) {
  return guarded(instance, [&](Instance& i) { *value = i.unit->time(); });
}
SALTUS_FMI int fmi2GetBooleanStatus(void* instance, int, int* value) {
  return guarded(instance, [&](Instance& i) { *value = i.ended; });
}
SALTUS_FMI int fmi2GetStatus(void* instance, int, int*) { return refused(instance, "fmi2GetStatus"); }
SALTUS_FMI int fmi2GetIntegerStatus(void* instance, int, int*) { return refused(instance, "fmi2GetIntegerStatus"); }
SALTUS_FMI int fmi2GetStringStatus(void* instance, int, Text*) { return refused(instance, "fmi2GetStringStatus"); }

// Model exchange is not offered. Arguments behind the instance are not read.
#define SALTUS_REFUSED(name) \
  SALTUS_FMI int name(void* instance) { return refused(instance, #name); }
SALTUS_REFUSED(fmi2EnterEventMode)
SALTUS_REFUSED(fmi2NewDiscreteStates)
SALTUS_REFUSED(fmi2EnterContinuousTimeMode)
SALTUS_REFUSED(fmi2CompletedIntegratorStep)
SALTUS_REFUSED(fmi2SetTime)
SALTUS_REFUSED(fmi2SetContinuousStates)
SALTUS_REFUSED(fmi2GetDerivatives)
SALTUS_REFUSED(fmi2GetEventIndicators)
SALTUS_REFUSED(fmi2GetContinuousStates)
SALTUS_REFUSED(fmi2GetNominalsOfContinuousStates)
