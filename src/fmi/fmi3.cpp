// The C functions of FMI 3.0.2 for co-simulation; names, arguments and their order are those of the standard (section 2 and 4).
#include <cstdint>

#include "instance.hpp"

using namespace saltus::fmi;

namespace {

using Text = const char*;
using LogMessage = void (*)(void* environment, int status, Text category, Text message);

}  // namespace

SALTUS_FMI Text fmi3GetVersion() { return "3.0"; }

SALTUS_FMI void* fmi3InstantiateCoSimulation(Text name, Text token, Text resources, bool, bool, bool event_mode, bool, const Reference*, std::size_t intermediate,
                                             void* environment, LogMessage message, void*) {
  const std::string who = name ? name : "unit";
  const Log log = [=](Status status, const char* category, const std::string& text) {
    if (message) message(environment, status, category, (who + ": " + text).c_str());
  };
  if (event_mode || intermediate) {
    log(error, "logStatusError", "events and values within a step are not offered: see modelDescription.xml");
    return nullptr;
  }
  return made(resources ? resources : "", token ? token : "", log);
}
SALTUS_FMI void* fmi3InstantiateModelExchange(Text name, Text, Text, bool, bool, void* environment, LogMessage message) {
  if (message) message(environment, error, "logStatusError", (std::string(name ? name : "unit") + ": is for co-simulation only").c_str());
  return nullptr;
}
SALTUS_FMI void* fmi3InstantiateScheduledExecution(Text name, Text, Text, bool, bool, void* environment, LogMessage message, void*, void*, void*) {
  if (message) message(environment, error, "logStatusError", (std::string(name ? name : "unit") + ": is for co-simulation only").c_str());
  return nullptr;
}
SALTUS_FMI void fmi3FreeInstance(void* instance) { delete static_cast<Instance*>(instance); }
SALTUS_FMI int fmi3SetDebugLogging(void* instance, bool, std::size_t, const Text*) {
  return guarded(instance, [](Instance&) {});
}

SALTUS_FMI int fmi3EnterInitializationMode(void* instance, bool has_tolerance, double tolerance, double start, bool, double) {
  return initialize(instance, has_tolerance, tolerance, start);
}
SALTUS_FMI int fmi3ExitInitializationMode(void* instance) { return initialized(instance); }
SALTUS_FMI int fmi3Terminate(void* instance) { return terminate(instance); }
SALTUS_FMI int fmi3Reset(void* instance) { return reset(instance); }

SALTUS_FMI int fmi3DoStep(void* instance, double t, double h, bool, bool* event, bool* end, bool* early, double* reached) {
  const int status = step(instance, t, h);
  *event = *end = *early = false;
  if (instance) *reached = static_cast<Instance*>(instance)->unit->time();
  return status;
}

SALTUS_FMI int fmi3GetFloat64(void* instance, const Reference* references, std::size_t n, double* values, std::size_t) { return get_numbers(instance, references, n, values); }
SALTUS_FMI int fmi3SetFloat64(void* instance, const Reference* references, std::size_t n, const double* values, std::size_t) { return set_numbers(instance, references, n, values); }
SALTUS_FMI int fmi3GetFMUState(void* instance, void** state) { return get_state(instance, state); }
SALTUS_FMI int fmi3SetFMUState(void* instance, void* state) { return set_state(instance, state); }
SALTUS_FMI int fmi3FreeFMUState(void* instance, void** state) { return free_state(instance, state); }
SALTUS_FMI int fmi3SerializedFMUStateSize(void* instance, void* state, std::size_t* size) { return state_size(instance, state, size); }
SALTUS_FMI int fmi3SerializeFMUState(void* instance, void* state, char* bytes, std::size_t size) { return state_bytes(instance, state, bytes, size); }
SALTUS_FMI int fmi3DeserializeFMUState(void* instance, const char* bytes, std::size_t size, void** state) { return state_from(instance, bytes, size, state); }
SALTUS_FMI int fmi3GetDirectionalDerivative(void* instance, const Reference* unknowns, std::size_t n_unknowns, const Reference* knowns, std::size_t n_knowns, const double* seed,
                                            std::size_t, double* out, std::size_t) {
  return derivatives(instance, unknowns, n_unknowns, knowns, n_knowns, seed, out);
}

// Values of other kinds: none. What follows the number of references is not read.
#define SALTUS_NO_VALUES(name) \
  SALTUS_FMI int name(void* instance, const Reference* references, std::size_t n) { return no_values(instance, references, n); }
SALTUS_NO_VALUES(fmi3GetFloat32)
SALTUS_NO_VALUES(fmi3GetInt8)
SALTUS_NO_VALUES(fmi3GetUInt8)
SALTUS_NO_VALUES(fmi3GetInt16)
SALTUS_NO_VALUES(fmi3GetUInt16)
SALTUS_NO_VALUES(fmi3GetInt32)
SALTUS_NO_VALUES(fmi3GetUInt32)
SALTUS_NO_VALUES(fmi3GetInt64)
SALTUS_NO_VALUES(fmi3GetUInt64)
SALTUS_NO_VALUES(fmi3GetBoolean)
SALTUS_NO_VALUES(fmi3GetString)
SALTUS_NO_VALUES(fmi3GetBinary)
SALTUS_NO_VALUES(fmi3GetClock)
SALTUS_NO_VALUES(fmi3SetFloat32)
SALTUS_NO_VALUES(fmi3SetInt8)
SALTUS_NO_VALUES(fmi3SetUInt8)
SALTUS_NO_VALUES(fmi3SetInt16)
SALTUS_NO_VALUES(fmi3SetUInt16)
SALTUS_NO_VALUES(fmi3SetInt32)
SALTUS_NO_VALUES(fmi3SetUInt32)
SALTUS_NO_VALUES(fmi3SetInt64)
SALTUS_NO_VALUES(fmi3SetUInt64)
SALTUS_NO_VALUES(fmi3SetBoolean)
SALTUS_NO_VALUES(fmi3SetString)
SALTUS_NO_VALUES(fmi3SetBinary)
SALTUS_NO_VALUES(fmi3SetClock)
SALTUS_NO_VALUES(fmi3GetIntervalDecimal)
SALTUS_NO_VALUES(fmi3GetIntervalFraction)
SALTUS_NO_VALUES(fmi3GetShiftDecimal)
SALTUS_NO_VALUES(fmi3GetShiftFraction)
SALTUS_NO_VALUES(fmi3SetIntervalDecimal)
SALTUS_NO_VALUES(fmi3SetIntervalFraction)
SALTUS_NO_VALUES(fmi3SetShiftDecimal)
SALTUS_NO_VALUES(fmi3SetShiftFraction)
SALTUS_NO_VALUES(fmi3GetOutputDerivatives)

// What modelDescription.xml says is not offered. Arguments behind the instance are not read.
#define SALTUS_REFUSED(name) \
  SALTUS_FMI int name(void* instance) { return refused(instance, #name); }
SALTUS_REFUSED(fmi3EnterConfigurationMode)
SALTUS_REFUSED(fmi3ExitConfigurationMode)
SALTUS_REFUSED(fmi3EnterEventMode)
SALTUS_REFUSED(fmi3EnterStepMode)
SALTUS_REFUSED(fmi3EnterContinuousTimeMode)
SALTUS_REFUSED(fmi3CompletedIntegratorStep)
SALTUS_REFUSED(fmi3EvaluateDiscreteStates)
SALTUS_REFUSED(fmi3UpdateDiscreteStates)
SALTUS_REFUSED(fmi3SetTime)
SALTUS_REFUSED(fmi3SetContinuousStates)
SALTUS_REFUSED(fmi3GetContinuousStateDerivatives)
SALTUS_REFUSED(fmi3GetEventIndicators)
SALTUS_REFUSED(fmi3GetContinuousStates)
SALTUS_REFUSED(fmi3GetNominalsOfContinuousStates)
SALTUS_REFUSED(fmi3GetNumberOfEventIndicators)
SALTUS_REFUSED(fmi3GetNumberOfContinuousStates)
SALTUS_REFUSED(fmi3ActivateModelPartition)
SALTUS_REFUSED(fmi3GetAdjointDerivative)
SALTUS_REFUSED(fmi3GetNumberOfVariableDependencies)
SALTUS_REFUSED(fmi3GetVariableDependencies)
