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
  /// One line below 1 kB: each part is shortened, and control characters in it are written as escapes.
  std::string text() const;
};

/// Collects all faults of a check before it throws. Keeps the first `limit` errors and as many warnings; counts all.
class Faults {
 public:
  explicit Faults(int limit = 50) : limit_(limit) {}
  void add(Fault fault);
  void error(Place place, std::string path, std::string message, std::string remedy = {});
  void warn(Place place, std::string path, std::string message, std::string remedy = {});
  bool has_errors() const { return errors_ > 0; }
  int errors() const { return errors_; }
  int warnings() const { return warnings_; }
  /// True when a further error is only counted: a remedy that costs time to find need not be looked for.
  bool full() const { return errors_ >= limit_; }
  const std::vector<Fault>& list() const { return list_; }
  /// Throws ModelError if one of the faults is an error; its last fault says how many are not listed.
  void raise() const;

 private:
  std::vector<Fault> list_;
  int limit_;
  int errors_ = 0;
  int warnings_ = 0;
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
