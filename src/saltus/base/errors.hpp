// Mistakes of the user are collected as faults and thrown together; numerical outcomes are values elsewhere.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace saltus {

enum class Severity { error, warning };

/// Where a piece of the model was written: a model file's line, or the Python line that made the item.
struct Place {
  std::string file;
  int line = 0;    // 1-based, 0 if unknown
  int column = 0;  // 1-based, 0 if unknown
};

/// One mistake: place, path of the item (`connectors/strut/stiffness`), what is wrong, what to do.
struct Fault {
  Place place;
  std::string path;
  std::string message;
  std::string remedy;
  Severity severity = Severity::error;

  /// `rig.json:14:31 connectors/strut/stiffness: is -40 N/m, must be at least 0; use ...`
  std::string text() const;
};

/// Collects all faults of a check before it throws.
class Faults {
 public:
  void add(Fault fault) { list_.push_back(std::move(fault)); }
  void error(Place place, std::string path, std::string message, std::string remedy = {});
  void warn(Place place, std::string path, std::string message, std::string remedy = {});
  bool has_errors() const;
  const std::vector<Fault>& list() const { return list_; }
  /// Throws ModelError if one of the faults is an error.
  void raise() const;

 private:
  std::vector<Fault> list_;
};

/// What the boundary throws for a mistake in a model file, Python call, option or mesh: all faults at once.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Fault> faults);
  ModelError(std::string path, std::string message, std::string remedy = {});
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
};

}  // namespace saltus
