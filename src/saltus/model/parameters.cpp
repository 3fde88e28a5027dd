#include "saltus/model/parameters.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "saltus/base/suggest.hpp"
#include "saltus/base/text.hpp"
#include "saltus/math/expression.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

/// The number that the whole text is, if it is one.
std::optional<double> literal(std::string_view text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return x;
}

constexpr std::array<std::string_view, 5> reserved = {"pi", "e", "and", "or", "not"};
bool is_reserved(std::string_view name) { return std::find(reserved.begin(), reserved.end(), name) != reserved.end(); }

/// What a parameter is computed from; of one that a run may change, nothing: what it begins with is no other's input.
const Value& written(const Value& value) {
  static const Value none;
  return value.object() ? none : value;
}
int place_of_run(const Object& parameters, std::string_view name) {
  int place = 0;
  for (const Member& member : parameters) {
    if (member.key == name) break;
    if (member.value.object()) ++place;
  }
  return place;
}

/// Name of a parameter must be one that an expression can use.
std::string parameter_name_fault(std::string_view name) {
  if (name.empty() || !begins_name(name[0]) || !std::all_of(name.begin(), name.end(), in_name))
    return "is not a name of letters, digits and _";
  if (name.size() > 64) return "is a name longer than 64 letters";
  if (is_reserved(name)) return "is a word of expressions";
  return {};
}

Place at(const std::string& file, Mark mark) { return {file, static_cast<int>(mark.line), static_cast<int>(mark.column)}; }

}  // namespace

std::vector<std::string_view> variables_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '.') {
      // A number; the sign of its exponent parts nothing that could be a name.
      while (i < text.size() && (in_name(text[i]) || text[i] == '.')) ++i;
    } else if (begins_name(text[i])) {
      const std::size_t start = i;
      while (i < text.size() && in_name(text[i])) ++i;
      const std::string_view name = text.substr(start, i - start);
      const std::size_t next = text.find_first_not_of(" \t", i);
      const bool called = next != std::string_view::npos && text[next] == '(';
      if (!called && !is_reserved(name) && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    } else {
      ++i;
    }
  }
  return out;
}

ParameterTable::ParameterTable(const Object& parameters, const std::string& file, Faults& faults) {
  // Kahn's order: a parameter is evaluated once all that it needs have been.
  struct Entry {
    const Member* member;
    std::vector<Entry*> users;
    int needs = 0;
  };
  std::deque<Entry> entries;
  std::unordered_map<std::string_view, Entry*> by_name;
  for (const Member& member : parameters) {
    if (std::string fault = parameter_name_fault(member.key); !fault.empty()) {
      faults.error(at(file, member.mark), "parameters/" + member.key, std::move(fault), "choose another name");
      continue;
    }
    values_.emplace(member.key, Known{});
    by_name.emplace(member.key, &entries.emplace_back(Entry{&member, {}, 0}));
  }
  std::vector<Entry*> ready;
  for (Entry& entry : entries) {
    if (const std::string* text = written(entry.member->value).text())
      for (const std::string_view name : variables_of(*text))
        if (const auto found = by_name.find(name); found != by_name.end()) {
          found->second->users.push_back(&entry);
          ++entry.needs;
        }
    if (entry.needs == 0) ready.push_back(&entry);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const Member& member = *ready[i]->member;
    Known& known = values_.find(member.key)->second;
    if (member.value.object()) known.place = place_of_run(parameters, member.key);
    else known.value = constant(member.value, at(file, member.value.mark), "parameters/" + member.key, faults);
    for (Entry* user : ready[i]->users)
      if (--user->needs == 0) ready.push_back(user);
  }
  for (const Member& member : parameters)
    if (member.value.object() && values_.count(member.key)) read_of_run(member, file, faults);
  for (const Entry& entry : entries)
    if (entry.needs > 0)
      faults.error(at(file, entry.member->value.mark), "parameters/" + entry.member->key, "depends on itself",
                   "break the circle of " + shown(*written(entry.member->value).text()));
}

void ParameterTable::read_of_run(const Member& member, const std::string& file, Faults& faults) {
  const std::string path = "parameters/" + member.key;
  const auto error = [&](const std::string& below, Mark mark, std::string message, std::string remedy) { faults.error(at(file, mark.line ? mark : member.mark), path + below, std::move(message), std::move(remedy)); };
  RunParameter made{member.key, 0.0, {}};
  const Object& fields = *member.value.object();
  for (const Member& field : fields)
    if (field.key != "value" && field.key != "schedule") error("/" + shown(field.key), field.mark, "unknown key " + in_quotes(field.key), "its keys are value, schedule");
  const auto number = [&](const Value& value, const std::string& below, double& out) {
    const auto x = constant(value, at(file, value.mark), path + below, faults);
    if (x) out = *x;
    return x.has_value();
  };
  if (const Value* value = fields.find("value")) number(*value, "/value", made.value);
  else error("/value", member.mark, "is missing", "it is what a run begins with");
  if (const Value* schedule = fields.find("schedule")) {
    const List* list = schedule->list();
    if (!list) error("/schedule", schedule->mark, "expected a list of times and values, got " + kind_text(*schedule), "write [[0.5, 120], [1, 80]]");
    for (std::size_t i = 0; list && i < list->size(); ++i) {
      const std::string below = "/schedule/" + std::to_string(i);
      const List* pair = (*list)[i].list();
      double t = 0.0, x = 0.0;
      if (!pair || pair->size() != 2) error(below, (*list)[i].mark, "expected a time and a value, got " + kind_text((*list)[i]), "write [0.5, 120]");
      else if (number((*pair)[0], below, t) && number((*pair)[1], below, x)) {
        if (!made.schedule.empty() && !(t > made.schedule.back().first)) error(below, (*list)[i].mark, "is at " + number_text(t) + " s, not behind the one before", "order the times");
        else if (t < 0.0) error(below, (*list)[i].mark, "is at " + number_text(t) + " s, before a run begins", "give its first value as `value`");
        made.schedule.emplace_back(t, x);
      }
    }
  }
  values_.find(member.key)->second.value = made.value;
  of_run_.push_back(std::move(made));
}

ParameterTable::ParameterTable(const Model& model, Faults& faults) : ParameterTable(model.parameters, model.file, faults) {
  if (model.tables.empty()) return;
  Tables tables;
  for (const Member& entry : model.tables) add_table(entry, model.file, tables, faults);
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

void ParameterTable::add_table(const Member& entry, const std::string& file, Tables& tables, Faults& faults) const {
  const std::string path = "tables/" + entry.key;
  std::string name_fault = parameter_name_fault(entry.key);
  if (name_fault.empty() && Expression::has_function(entry.key)) name_fault = "is a function of formulas";
  if (!name_fault.empty()) return faults.error(at(file, entry.mark), path, std::move(name_fault), "choose another name");
  const Object* fields = entry.value.object();
  if (!fields) return faults.error(at(file, entry.value.mark), path, "expected an object, got " + kind_text(entry.value), "write {\"input\": [0, 1], \"output\": [0, 5]}");
  const FieldSource source(*fields, path, file, entry.value.mark);
  const int before = faults.errors();
  const TableRecord record = read_fields<TableRecord>(source, {*this}, faults);
  if (faults.errors() > before) return;
  if (!record.slopes.empty() && record.slopes.size() != 2)
    return faults.error(source.place(entry.value.mark), path + "/slopes", "has " + std::to_string(record.slopes.size()) + " numbers, expected those of the two ends");
  const auto index = [](std::string_view word, std::string_view choices) {
    const std::vector<std::string_view> all = words(choices);
    return static_cast<int>(std::find(all.begin(), all.end(), word) - all.begin());
  };
  TableRows rows{.input = record.input, .output = record.output};
  rows.kind = static_cast<TableRows::Kind>(index(record.kind, "step|linear|spline|natural_spline|monotone"));
  rows.outside = static_cast<TableRows::Outside>(index(record.outside, "hold|linear|periodic|refuse"));
  if (!record.slopes.empty()) rows.slopes = {record.slopes[0], record.slopes[1]};
  std::optional<TableFault> fault;
  Table table = Table::of(entry.key, std::move(rows), fault);
  if (fault) return faults.error(source.place(entry.value.mark), path + (fault->row < 0 ? "" : "/input/" + std::to_string(fault->row)), fault->message, fault->remedy);
  tables.emplace(entry.key, std::move(table));
}

const double* ParameterTable::find(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() || !found->second.value ? nullptr : &*found->second.value;
}

std::vector<std::string_view> ParameterTable::names() const {
  std::vector<std::string_view> out;
  for (const auto& [name, value] : values_) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<Parameters> ParameterTable::used_by(std::string_view text, std::span<const std::string_view> inputs,
                                                  const Place& place, const std::string& path, Faults& faults) const {
  Parameters used{.tables = tables_};
  const std::vector<std::string_view> variables = variables_of(text);
  for (const std::string_view name : variables) {
    if (std::find(inputs.begin(), inputs.end(), name) != inputs.end()) continue;
    const auto found = values_.find(std::string(name));
    if (found == values_.end()) {
      // What is wrong with the formula itself, such as an unknown function, comes before its names.
      std::optional<ExpressionFault> fault;
      (void)Expression::parse(text, std::vector<std::string>(variables.begin(), variables.end()), used, fault);
      if (fault) {
        faults.error(place, path, in_quotes(text) + ": " + fault->message, fault->remedy);
        return {};
      }
      if (tables_ && tables_->contains(name)) {
        faults.error(place, path, "uses the table " + in_quotes(name) + " as a number", "call it with its input: `" + std::string(name) + "(" + std::string(inputs.empty() ? "t" : inputs[0]) + ")`");
        return {};
      }
      std::vector<std::string_view> known = names();
      known.insert(known.end(), inputs.begin(), inputs.end());
      std::string remedy = did_you_mean(name, known);
      if (remedy.empty()) remedy = known.empty() ? "define it in `parameters`" : "known names: " + listed(known);
      faults.error(place, path, "uses " + in_quotes(name) + ", which is not there", std::move(remedy));
      return {};
    }
    const Known& known = found->second;
    if (!known.value && known.place < 0) return {};  // reported where it is defined
    used.numbers.push_back({std::string(name), known.value.value_or(0.0), known.place});
  }
  return used;
}

std::optional<double> ParameterTable::constant(const Value& value, const Place& place, const std::string& path,
                                               Faults& faults) const {
  if (value.is_number()) {
    if (std::isfinite(value.number())) return value.number();
    faults.error(place, path, "is " + number_text(value.number()) + ", which is not finite", "look where it comes from: 0/0, or a value that was never set");
    return {};
  }
  const std::string* text = value.text();
  if (!text) {
    faults.error(place, path, "expected a number, got " + kind_text(value));
    return {};
  }
  if (literal(*text)) {
    faults.error(place, path, "expected a number, got text " + in_quotes(*text), "write it without quotes");
    return {};
  }
  const std::optional<Parameters> used = used_by(*text, {}, place, path, faults);
  if (!used) return {};
  for (const Parameter& p : used->numbers)
    if (p.place >= 0) {
      faults.error(place, path, "uses " + in_quotes(p.name) + ", which a run may change, and is read once, before it", "a field that takes a function may use it; else make " + in_quotes(p.name) + " a number");
      return {};
    }
  std::optional<ExpressionFault> fault;
  const Expression expression = Expression::parse(*text, {}, *used, fault);
  if (fault) {
    faults.error(place, path, in_quotes(*text) + (fault->message.starts_with("is ") ? " " : ": ") + fault->message, fault->remedy);
    return {};
  }
  const double x = expression(static_cast<const double*>(nullptr));
  if (std::isfinite(x)) return x;
  faults.error(place, path, in_quotes(*text) + " is " + number_text(x) + ", which is not finite");
  return {};
}

void override_parameter(Model& model, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw ModelError("--set " + shown(assignment), "is not of the form name=value");
  const std::string_view name = assignment.substr(0, equals), text = assignment.substr(equals + 1);
  Value* value = model.parameters.find(name);
  if (!value) {
    std::vector<std::string_view> known;
    for (const Member& member : std::as_const(model.parameters)) known.push_back(member.key);
    std::string remedy = did_you_mean(name, known);
    if (remedy.empty()) remedy = known.empty() ? "the model has no parameters" : "its parameters are " + listed(known);
    throw ModelError("parameters/" + std::string(name), "is not a parameter of the model", remedy);
  }
  if (Object* of_run = value->object()) {
    of_run->set("value", Value());
    value = of_run->find("value");
  }
  const std::optional<double> number = literal(text);
  *value = number ? Value(*number) : Value(text);
}

}  // namespace saltus
