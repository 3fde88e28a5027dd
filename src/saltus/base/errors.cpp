#include "saltus/base/errors.hpp"

#include <algorithm>

namespace saltus {

std::string Fault::text() const {
  std::string out;
  if (!place.file.empty()) {
    out += place.file;
    if (place.line > 0) out += ":" + std::to_string(place.line);
    if (place.line > 0 && place.column > 0) out += ":" + std::to_string(place.column);
    out += " ";
  }
  if (!path.empty()) out += path + ": ";
  out += message;
  if (!remedy.empty()) out += "; " + remedy;
  return out;
}

void Faults::error(Place place, std::string path, std::string message, std::string remedy) {
  list_.push_back({std::move(place), std::move(path), std::move(message), std::move(remedy), Severity::error});
}

void Faults::warn(Place place, std::string path, std::string message, std::string remedy) {
  list_.push_back({std::move(place), std::move(path), std::move(message), std::move(remedy), Severity::warning});
}

bool Faults::has_errors() const {
  return std::any_of(list_.begin(), list_.end(), [](const Fault& f) { return f.severity == Severity::error; });
}

void Faults::raise() const {
  if (has_errors()) throw ModelError(list_);
}

namespace {
std::string joined(const std::vector<Fault>& faults) {
  std::string out;
  for (const Fault& fault : faults) {
    if (!out.empty()) out += "\n";
    out += (fault.severity == Severity::warning ? "warning: " : "") + fault.text();
  }
  return out;
}
}  // namespace

ModelError::ModelError(std::vector<Fault> faults) : std::runtime_error(joined(faults)), faults_(std::move(faults)) {}

ModelError::ModelError(std::string path, std::string message, std::string remedy)
    : ModelError({Fault{{}, std::move(path), std::move(message), std::move(remedy)}}) {}

}  // namespace saltus
