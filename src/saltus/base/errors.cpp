#include "saltus/base/errors.hpp"

#include "saltus/base/text.hpp"

namespace saltus {

std::string Fault::text() const {
  std::string out;
  if (!place.file.empty()) {
    out += shown(place.file, 120);
    if (place.line > 0) out += ":" + std::to_string(place.line);
    if (place.line > 0 && place.column > 0) out += ":" + std::to_string(place.column);
    out += " ";
  }
  if (!path.empty()) out += shown(path, 160) + ": ";
  out += shown(message, 320);
  if (!remedy.empty()) out += "; " + shown(remedy, 240);
  return out;
}

void Faults::add(Fault fault) {
  int& count = fault.severity == Severity::error ? errors_ : warnings_;
  if (count++ < limit_) list_.push_back(std::move(fault));
}

void Faults::error(Place place, std::string path, std::string message, std::string remedy) {
  add({std::move(place), std::move(path), std::move(message), std::move(remedy), Severity::error});
}

void Faults::warn(Place place, std::string path, std::string message, std::string remedy) {
  add({std::move(place), std::move(path), std::move(message), std::move(remedy), Severity::warning});
}

void Faults::raise() const {
  if (!has_errors()) return;
  std::vector<Fault> faults = list_;
  if (errors_ > limit_)
    faults.push_back({{}, {}, "and " + counted(static_cast<std::size_t>(errors_ - limit_), "further error") + ", " +
                                  std::to_string(errors_) + " in all", {}});
  throw ModelError(std::move(faults));
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
