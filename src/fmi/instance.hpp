// What both versions of the interface share: an instance with its log, and calls that let no exception out.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "unit.hpp"

#if defined(_WIN32)
#define SALTUS_FMI extern "C" __declspec(dllexport)
#else
#define SALTUS_FMI extern "C" __attribute__((visibility("default")))
#endif

namespace saltus::fmi {

/// The same numbers in both versions.
enum Status : int { ok = 0, warning = 1, error = 3 };

using Log = std::function<void(Status, const char* category, const std::string& message)>;

struct Instance {
  std::unique_ptr<Unit> unit;
  Log log;
  bool stepping = false;  // initialization is over
  bool ended = false;
};

/// Null, and a line in the log, where the unit cannot be made: its files, its token, or a processor that it was not built for.
Instance* made(const std::filesystem::path& resources, const std::string& token, Log log);

/// Runs `work` on the instance; its warnings and what it throws go to the log.
template <class Work>
int guarded(void* pointer, Work&& work) {
  auto* instance = static_cast<Instance*>(pointer);
  if (!instance) return error;
  try {
    work(*instance);
    int status = ok;
    for (const std::string& text : instance->unit->new_warnings()) {
      instance->log(warning, "logStatusWarning", text);
      status = warning;
    }
    return status;
  } catch (const std::exception& e) {
    instance->log(error, "logStatusError", e.what());
  } catch (...) {
    instance->log(error, "logStatusError", "failed for a reason that is not known");
  }
  return error;
}

inline int get_numbers(void* instance, const Reference* references, std::size_t n, double* values) {
  return guarded(instance, [&](Instance& i) {
    for (std::size_t k = 0; k < n; ++k) values[k] = i.unit->get(references[k]);
  });
}

inline int set_numbers(void* instance, const Reference* references, std::size_t n, const double* values) {
  return guarded(instance, [&](Instance& i) {
    if (i.ended) throw Refused("the unit has ended: reset it first");
    for (std::size_t k = 0; k < n; ++k) i.unit->set(references[k], values[k]);
  });
}

/// Of a kind of variables that the unit has none of.
inline int no_values(void* instance, const Reference*, std::size_t n) {
  return guarded(instance, [&](Instance&) {
    if (n) throw Refused("all variables of the unit are real numbers of 64 bits");
  });
}

inline int refused(void* instance, const char* what) {
  return guarded(instance, [&](Instance&) { throw Refused(std::string(what) + " is not offered: the unit is for co-simulation without events"); });
}

inline int derivatives(void* instance, const Reference* unknowns, std::size_t n_unknowns, const Reference* knowns, std::size_t n_knowns, const double* seed, double* out) {
  return guarded(instance, [&](Instance& i) {
    const std::vector<double> d = i.unit->derivative({unknowns, n_unknowns}, {knowns, n_knowns}, {seed, n_knowns});
    std::copy(d.begin(), d.end(), out);
  });
}

inline int initialize(void* instance, bool has_tolerance, double tolerance, double start) {
  return guarded(instance, [&](Instance& i) { i.unit->prepare(start, has_tolerance ? std::optional<double>(tolerance) : std::nullopt); });
}
inline int initialized(void* instance) {
  return guarded(instance, [](Instance& i) {
    i.unit->begin();
    i.stepping = true;
  });
}
inline int step(void* instance, double t, double h) {
  return guarded(instance, [&](Instance& i) {
    if (!i.stepping || i.ended) throw Refused(i.ended ? "the unit has ended: reset it first" : "a step before the initialization has ended");
    i.unit->step(t, h);
  });
}
inline int terminate(void* instance) {
  return guarded(instance, [](Instance& i) { i.ended = true; });
}
inline int reset(void* instance) {
  return guarded(instance, [](Instance& i) {
    i.unit->reset();
    i.stepping = i.ended = false;
  });
}

// States that the master keeps.
/// Into the state that the master has, or a new one.
inline void hand_out(Kept kept, void** state) {
  if (*state) *static_cast<Kept*>(*state) = std::move(kept);
  else *state = new Kept(std::move(kept));
}
inline int get_state(void* instance, void** state) {
  return guarded(instance, [&](Instance& i) { hand_out(i.unit->keep(), state); });
}
inline int set_state(void* instance, void* state) {
  return guarded(instance, [&](Instance& i) {
    if (!state) throw Refused("there is no state");
    i.unit->restore(*static_cast<Kept*>(state));
  });
}
inline int free_state(void* instance, void** state) {
  return guarded(instance, [&](Instance&) {
    if (!state) return;
    delete static_cast<Kept*>(*state);
    *state = nullptr;
  });
}
inline int state_size(void* instance, void* state, std::size_t* size) {
  return guarded(instance, [&](Instance& i) { *size = i.unit->serialized(*static_cast<Kept*>(state)).size(); });
}
inline int state_bytes(void* instance, void* state, char* bytes, std::size_t size) {
  return guarded(instance, [&](Instance& i) {
    const std::vector<char> all = i.unit->serialized(*static_cast<Kept*>(state));
    if (all.size() > size) throw Refused("the state needs " + std::to_string(all.size()) + " bytes");
    std::copy(all.begin(), all.end(), bytes);
  });
}
inline int state_from(void* instance, const char* bytes, std::size_t size, void** state) {
  return guarded(instance, [&](Instance& i) { hand_out(i.unit->deserialized({bytes, size}), state); });
}

}  // namespace saltus::fmi
