#include "saltus/model/read_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/base/text.hpp"

namespace saltus {

namespace {

/// Reads one slot: `value` to its target.
class SlotReader {
 public:
  SlotReader(const FieldSource& source, const FieldSlot& slot, const FieldContext& context, Faults& faults)
      : source_(source), slot_(slot), context_(context), faults_(faults), path_(source.path + "/" + std::string(slot.name)) {}

  void read(const Value& value);

 private:
  template <class T>
  T& target() { return *static_cast<T*>(slot_.target); }
  void fault(const Value& at, std::string message, std::string remedy = {}, const std::string& below = {});
  bool number(const Value& value, double& x, const std::string& below = {});
  void integer(const Value& value);
  void text(const Value& value);
  /// Entries of a list to x. False and a fault if there are not `size` of them (any number if 0).
  bool numbers(const Value& value, std::size_t size, std::vector<double>& x, const std::string& below = {});
  void vector3(const Value& value);
  void list(const Value& value);
  bool scale_to_length_one(const Value& value, std::span<double> x);
  /// Rows to x, row-major; every row has the same length.
  bool rows(const Value& value, Matrix& x);
  static bool is_diagonal(const Value& value, int n);
  bool diagonal(const Value& value, int n, Matrix& x);
  void matrix3(const Value& value);
  void function(const Value& value);
  /// What stands in the place of each result, and where below the field; false and a fault if it is no matrix where one is asked for.
  bool results(const Value& value, std::vector<std::pair<const Value*, std::string>>& out);

  const FieldSource& source_;
  const FieldSlot& slot_;
  const FieldContext& context_;
  Faults& faults_;
  std::string path_;
};

std::string with_unit(double x, std::string_view unit) {
  std::string out = number_text(x);
  if (!unit.empty()) out.append(" ").append(unit);
  return out;
}

bool inside(double x, const Range& range) {
  return (range.low_open ? x > range.low : x >= range.low) && (range.high_open ? x < range.high : x <= range.high);
}

void SlotReader::fault(const Value& at, std::string message, std::string remedy, const std::string& below) {
  if (remedy.empty()) remedy = slot_.range.remedy;
  faults_.error(source_.place(at.mark), path_ + below, std::move(message), std::move(remedy));
}

void SlotReader::read(const Value& value) {
  switch (slot_.kind) {
    case FieldKind::number: {
      double x;
      if (number(value, x)) target<double>() = x;
      return;
    }
    case FieldKind::integer: return integer(value);
    case FieldKind::boolean:
      if (!value.boolean()) return fault(value, "expected true or false, got " + kind_text(value));
      target<bool>() = *value.boolean();
      return;
    case FieldKind::text: return text(value);
    case FieldKind::vector3: return vector3(value);
    case FieldKind::matrix3: return matrix3(value);
    case FieldKind::numbers: return list(value);
    case FieldKind::matrix: {
      Matrix x;
      if (slot_.range.size > 0 && is_diagonal(value, slot_.range.size) ? diagonal(value, slot_.range.size, x) : rows(value, x)) target<Matrix>() = std::move(x);
      return;
    }
    case FieldKind::function: return function(value);
  }
}

bool SlotReader::number(const Value& value, double& x, const std::string& below) {
  const std::optional<double> found =
      context_.parameters.constant(value, source_.place(value.mark), path_ + below, faults_);
  if (!found) return false;
  if (!inside(*found, slot_.range)) {
    fault(value, "is " + with_unit(*found, slot_.unit) + ", must be " + range_text(slot_.range), {}, below);
    return false;
  }
  x = *found;
  return true;
}

void SlotReader::integer(const Value& value) {
  double x;
  if (!number(value, x)) return;
  if (x != std::floor(x)) return fault(value, "is " + number_text(x) + ", must be a whole number");
  if (std::abs(x) > std::numeric_limits<int>::max())
    return fault(value, "is " + number_text(x) + ", outside the range of whole numbers, at most " +
                            std::to_string(std::numeric_limits<int>::max()) + " in size");
  target<int>() = static_cast<int>(x);
}

void SlotReader::text(const Value& value) {
  if (!value.text()) return fault(value, "expected text, got " + kind_text(value));
  const std::vector<std::string_view> choices = words(slot_.range.choices);
  if (!choices.empty() && std::find(choices.begin(), choices.end(), *value.text()) == choices.end())
    return fault(value, "is " + in_quotes(*value.text()) + ", must be " + range_text(slot_.range),
                 did_you_mean(*value.text(), choices));
  target<std::string>() = *value.text();
}

bool SlotReader::numbers(const Value& value, std::size_t size, std::vector<double>& x, const std::string& below) {
  const List* list = value.list();
  if (!list) {
    fault(value, "expected a list of " + (size ? counted(size, "number") : "numbers") + ", got " + kind_text(value), {}, below);
    return false;
  }
  if (size && list->size() != size) {
    fault(value, "expected " + counted(size, "number") + ", got " + std::to_string(list->size()), size == 3 ? "write [x, y, z]" : "", below);
    return false;
  }
  x.resize(list->size());
  bool good = true;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Value& entry = (*list)[i];
    if (entry.is_number() && std::isfinite(entry.number()) && inside(entry.number(), slot_.range)) x[i] = entry.number();  // long lists: no path for each
    else good = number(entry, x[i], below + "/" + std::to_string(i)) && good;
  }
  return good;
}

bool SlotReader::scale_to_length_one(const Value& value, std::span<double> x) {
  double length = 0;
  for (const double entry : x) length = std::hypot(length, entry);
  if (!(length > 0) || !std::isfinite(length)) {
    fault(value, length > 0 ? "is too long to have a direction" : "has length 0, so it gives no direction");
    return false;
  }
  if (std::abs(length - 1) > 1e-6)
    faults_.warn(source_.place(value.mark), path_, "has length " + number_text(length) + ", is scaled to 1");
  for (double& entry : x) entry /= length;
  return true;
}

void SlotReader::vector3(const Value& value) {
  Vec3<double> x;
  const std::string* word = value.text();
  if (word && slot_.range.direction) {
    const bool minus = word->starts_with('-');
    const std::size_t axis = word->size() == (minus ? 2u : 1u) ? std::string_view("xyz").find(word->back()) : 3;
    if (axis > 2) return fault(value, "is " + in_quotes(*word) + ", must be x, y, z, -x, -y, -z or 3 numbers");
    x[static_cast<int>(axis)] = minus ? -1.0 : 1.0;
    target<Vec3<double>>() = x;
    return;
  }
  std::vector<double> entries;
  if (!numbers(value, 3, entries)) return;
  if (slot_.range.direction && !scale_to_length_one(value, entries)) return;
  std::copy(entries.begin(), entries.end(), x.data());
  target<Vec3<double>>() = x;
}

void SlotReader::list(const Value& value) {
  std::vector<double> x;
  if (!numbers(value, slot_.range.size, x)) return;
  if (slot_.range.direction && !scale_to_length_one(value, x)) return;
  target<std::vector<double>>() = std::move(x);
}

bool SlotReader::rows(const Value& value, Matrix& x) {
  const List* list = value.list();
  if (!list) {
    fault(value, "expected a list of rows, got " + kind_text(value));
    return false;
  }
  bool good = true;
  std::vector<double> row;
  for (std::size_t i = 0; i < list->size() && good; ++i) {
    good = numbers((*list)[i], x.cols, row, "/" + std::to_string(i));
    if (good && i == 0) x.cols = count_of(row);
    if (good && x.cols == 0) {
      fault((*list)[i], "expected numbers, got an empty row", {}, "/" + std::to_string(i));
      good = false;
    }
    if (good) x.values.insert(x.values.end(), row.begin(), row.end());
  }
  x.rows = count_of(*list);
  return good;
}

/// n numbers instead of n rows.
bool SlotReader::is_diagonal(const Value& value, int n) {
  const List* list = value.list();
  return list && list->size() == static_cast<std::size_t>(n) && !list->front().list();
}
bool SlotReader::diagonal(const Value& value, int n, Matrix& x) {
  std::vector<double> entries;
  if (!numbers(value, n, entries)) return false;
  x = {n, n, std::vector<double>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n))};
  for (int i = 0; i < n; ++i) x(i, i) = entries[i];
  return true;
}

/// Three rows of three, or the three numbers of a diagonal.
void SlotReader::matrix3(const Value& value) {
  const List* list = value.list();
  if (!list || (!list->empty() && !list->front().list() && list->size() != 3))
    return fault(value, "expected 3 numbers or 3 rows of 3 numbers, got " + kind_text(value), "3 numbers alone are the diagonal");
  Matrix all;
  if (!(is_diagonal(value, 3) ? diagonal(value, 3, all) : rows(value, all))) return;
  if (all.rows != 3 || all.cols != 3)
    return fault(value, "expected 3 rows of 3 numbers, got " + std::to_string(all.rows) + " of " + std::to_string(all.cols),
                 "3 numbers alone are the diagonal");
  std::copy(all.values.begin(), all.values.end(), target<Mat3<double>>().data());
}

bool SlotReader::results(const Value& value, std::vector<std::pair<const Value*, std::string>>& out) {
  const List* list = value.list();
  if (!list && !slot_.range.square) {
    out.emplace_back(&value, "");
    return true;
  }
  if (!list) {
    fault(value, "expected a list of rows, got " + kind_text(value), "write [[a, b], [b, c]]");
    return false;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string below = "/" + std::to_string(i);
    const Value& entry = (*list)[i];
    if (!slot_.range.square) {
      out.emplace_back(&entry, below);
      continue;
    }
    const List* row = entry.list();
    if (!row || row->size() != list->size()) {
      fault(entry, "expected a row of " + counted(list->size(), "number or expression", "numbers or expressions") + ", got " + (row ? std::to_string(row->size()) : kind_text(entry)),
            "the matrix is square: as many rows as numbers in a row", below);
      return false;
    }
    for (std::size_t j = 0; j < row->size(); ++j) out.emplace_back(&(*row)[j], below + "/" + std::to_string(j));
  }
  return true;
}

void SlotReader::function(const Value& value) {
  const std::vector<std::string_view> inputs = words(slot_.range.inputs);
  const std::size_t results = slot_.range.size;  // 0: any
  if (const Handle* handle = value.handle()) {
    if (handle->index >= context_.functions.size()) return fault(value, "is a function that the program did not give");
    const Function& given = context_.functions[handle->index];
    const bool constant = given.is_constant() && !given.is_external();
    if ((results && given.outputs() != static_cast<int>(results)) ||
        (!constant && given.inputs() != count_of(inputs)))
      return fault(value, "expected a function of " + counted(inputs.size(), "input") + " with " +
                              counted(results, "result") + ", got one of " + std::to_string(given.inputs()) + " and " +
                              std::to_string(given.outputs()));
    target<Function>() = given;
    return;
  }
  std::vector<std::pair<const Value*, std::string>> entries;
  if (!this->results(value, entries)) return;
  if (results && entries.size() != results)
    return fault(value, "expected " + counted(results, "number or expression", "numbers or expressions") + ", got " +
                            std::to_string(entries.size()));
  std::vector<double> constants;
  std::vector<std::string> sources;
  Parameters parameters;
  for (const auto& [at, below] : entries) {
    const Value& entry = *at;
    if (const std::string* text = entry.text()) {
      Faults unknown;
      auto used = context_.parameters.used_by(*text, inputs, source_.place(entry.mark), path_ + below, unknown);
      for (const Fault& f : unknown.list())
        faults_.error(f.place, f.path, f.message, f.remedy + (slot_.range.remedy.empty() ? "" : "; " + std::string(slot_.range.remedy)));
      if (!used) return;
      parameters.add(*used);
      sources.push_back(*text);
    } else {
      double x;
      if (!number(entry, x, below)) return;
      constants.push_back(x);
      sources.push_back(number_text(x));
    }
  }
  if (constants.size() == sources.size()) {
    target<Function>() = Function(std::move(constants));
    return;
  }
  const int errors = faults_.errors();
  Function parsed = Function::parse(sources, {inputs.begin(), inputs.end()}, parameters, source_.place(value.mark), path_, faults_);
  if (faults_.errors() == errors) target<Function>() = std::move(parsed);
}

void check_keys(const FieldSource& source, std::span<const FieldSlot> slots, std::span<const PortInfo> ports, Faults& faults) {
  for (const Member& member : source.fields) {
    const auto is_key = [&](const auto& entry) { return entry.name == member.key; };
    if (member.key == "type" || std::any_of(slots.begin(), slots.end(), is_key) || std::any_of(ports.begin(), ports.end(), is_key))
      continue;
    std::vector<std::string_view> known;
    for (const PortInfo& port : ports) known.push_back(port.name);
    for (const FieldSlot& slot : slots) known.push_back(slot.name);
    std::string remedy = did_you_mean(member.key, known);
    if (remedy.empty()) remedy = known.empty() ? "it takes no keys" : "its keys are " + listed(known, 20);
    faults.error(source.place(member.mark), source.path + "/" + shown(member.key), "unknown key " + in_quotes(member.key),
                 std::move(remedy));
  }
}

}  // namespace

std::string_view to_text(FieldKind kind) {
  constexpr std::array<std::string_view, 9> names = {"number",  "integer", "boolean", "text",    "vector3",
                                                     "matrix3", "numbers", "matrix",  "function"};
  return names[static_cast<std::size_t>(kind)];
}

Place FieldSource::place(Mark at) const {
  if (at.line == 0) at = mark;
  return {file, static_cast<int>(at.line), static_cast<int>(at.column)};
}

std::string range_text(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (!range.choices.empty()) {
    const std::vector<std::string_view> choices = words(range.choices);
    std::string out;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (i > 0) out += i + 1 == choices.size() ? " or " : ", ";
      out += choices[i];
    }
    return out;
  }
  const std::string low_text = number_text(range.low), high_text = number_text(range.high);
  if (low && high && !range.low_open && !range.high_open) return "between " + low_text + " and " + high_text;
  std::string out;
  if (low) out = (range.low_open ? "above " : "at least ") + low_text;
  if (low && high) out += " and ";
  if (high) out += (range.high_open ? "below " : "at most ") + high_text;
  return out;
}

void read_slots(const FieldSource& source, std::span<const FieldSlot> slots, std::span<const PortInfo> ports,
                const FieldContext& context, Faults& faults) {
  check_keys(source, slots, ports, faults);
  for (const FieldSlot& slot : slots) {
    if (const Value* value = source.fields.find(slot.name)) {
      SlotReader(source, slot, context, faults).read(*value);
    } else if (slot.range.required) {
      std::string remedy = "it is the " + std::string(slot.doc);
      if (!slot.unit.empty()) remedy += " [" + std::string(slot.unit) + "]";
      faults.error(source.place({}), source.path + "/" + std::string(slot.name), "is missing", std::move(remedy));
    }
  }
}

/// n^2 entries as n rows.
static Value in_rows(List entries) {
  const std::size_t n = std::lround(std::sqrt(static_cast<double>(entries.size())));
  List out;
  for (auto first = entries.begin(); first != entries.end(); first += static_cast<std::ptrdiff_t>(n)) out.emplace_back(List(first, first + static_cast<std::ptrdiff_t>(n)));
  return out;
}

Value slot_value(const FieldSlot& slot) {
  const auto list = [](std::span<const double> x) { return Value(List(x.begin(), x.end())); };
  const auto rows = [&](const double* x, int rows, int cols) {
    List out;
    for (int i = 0; i < rows; ++i) out.push_back(list({x + i * cols, static_cast<std::size_t>(cols)}));
    return Value(std::move(out));
  };
  switch (slot.kind) {
    case FieldKind::number: return *static_cast<const double*>(slot.target);
    case FieldKind::integer: return *static_cast<const int*>(slot.target);
    case FieldKind::boolean: return *static_cast<const bool*>(slot.target);
    case FieldKind::text: return *static_cast<const std::string*>(slot.target);
    case FieldKind::vector3: return list(static_cast<const Vec3<double>*>(slot.target)->a);
    case FieldKind::matrix3: return rows(static_cast<const Mat3<double>*>(slot.target)->data(), 3, 3);
    case FieldKind::numbers: return list(*static_cast<const std::vector<double>*>(slot.target));
    case FieldKind::matrix: {
      const auto& m = *static_cast<const Matrix*>(slot.target);
      return rows(m.values.data(), m.rows, m.cols);
    }
    case FieldKind::function: {
      const auto& f = *static_cast<const Function*>(slot.target);
      List out;
      if (f.is_constant() && !f.is_external()) {
        std::vector<double> values(f.outputs());
        f(static_cast<const double*>(nullptr), values.data(), nullptr);
        out.assign(values.begin(), values.end());
      } else {
        for (const std::string& source : f.source()) out.emplace_back(source);
      }
      if (slot.range.square && !f.is_external()) return in_rows(std::move(out));
      return out.size() == 1 ? out.front() : Value(std::move(out));
    }
  }
  return {};
}

std::vector<FieldInfo> describe_slots(std::span<const FieldSlot> slots) {
  std::vector<FieldInfo> out;
  for (const FieldSlot& slot : slots)
    out.push_back({std::string(slot.name), slot.kind, std::string(slot.unit), std::string(slot.doc), slot_value(slot), slot.range});
  return out;
}

Object changed_slots(std::span<const FieldSlot> slots, std::span<const FieldSlot> defaults) {
  Object out;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Value value = slot_value(slots[i]);
    if (slots[i].range.required || !(value == slot_value(defaults[i]))) out.append(std::string(slots[i].name), std::move(value));
  }
  return out;
}

}  // namespace saltus
