// The model as its author wrote it: named records of sections, parameters, options. Erased: no item type is known here.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/base/value.hpp"

namespace saltus {

/// Sections of a model in the order in which a file holds them.
inline constexpr std::array<std::string_view, 9> sections = {"nodes",     "bodies", "markers", "connectors", "joints",
                                                             "relations", "laws",   "loads",   "sensors"};

/// Name of the fixed frame and of 0 V; no record may have it.
inline constexpr std::string_view ground = "ground";

/// One item: `fields` are all its keys but `type`, as written. `place.file` is where the item was written.
struct Record {
  std::string section;
  std::string type;
  std::string name;
  Object fields;
  Place place;

  /// `connectors/strut`, or `connectors/strut/stiffness`.
  std::string path(std::string_view field = {}) const;
  /// Place of a value of this record; the record's own where the value has none.
  Place place_of(Mark mark) const;
};

/// What is wrong with a name, empty if nothing: it must not be empty, `ground`, longer than 200 bytes, or hold '.' or '/'
/// (they part the words of `cart.position.x` and of `joints/pin/axis`), a character of no width or spaces at an end.
std::string name_fault(std::string_view name);

/// Records keep their address and order; names are unique over the model.
class Model {
 public:
  Model() = default;
  Model(const Model& other);
  Model& operator=(const Model& other);
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;

  /// Adds a record; an empty name becomes `type_1`, `type_2`, ... Throws ModelError for an unknown section, a bad name
  /// or one that another record has.
  Record& add(std::string_view section, std::string_view type, std::string name, Object fields = {}, Place place = {});
  /// The same for a reader that collects faults; null if the record was refused.
  Record* add(Record record, Faults& faults);

  const Record* find(std::string_view name) const;
  Record* find(std::string_view name);
  const std::deque<Record>& records() const { return records_; }
  std::deque<Record>& records() { return records_; }
  std::vector<const Record*> in_section(std::string_view section) const;
  /// Names of records in these sections (all, if none is given), for suggestions.
  std::vector<std::string_view> names(std::span<const std::string_view> of_sections = {}) const;
  /// First free `type_n`.
  std::string free_name(std::string_view type) const;
  /// Changes the name of a record alone; references to it follow with rename() of references.hpp.
  void rename_record(std::string_view old_name, std::string name);

  std::string file;   // where the model was read from; empty for a program's
  std::string title;  // one line of the author
  Object parameters;  // name -> number or expression of other parameters
  Object tables;      // name -> {input, output, kind, outside, slopes}: what formulas call
  Value gravity;      // null: the default (0, 0, -9.81) m/s^2
  Object controllers; // name -> {period, function, inputs, outputs, initial, memory}: those written as formulas
  Object outputs;     // name -> `cart.position.x`
  Object simulation;  // options of a run, see run_options.hpp

 private:
  void index();

  std::deque<Record> records_;
  std::unordered_map<std::string_view, Record*> by_name_;  // views into the records' own names
  mutable std::unordered_map<std::string, int> last_number_;
};

}  // namespace saltus
