#include "saltus/items/make_dynamic_entry.hpp"

#include <algorithm>
#include <deque>

namespace saltus::detail {

std::string expanded_inputs(std::string_view inputs, int coordinates, int rows) {
  std::string out;
  while (!inputs.empty()) {
    const std::size_t end = std::min(inputs.find('|'), inputs.size());
    const std::string_view word = inputs.substr(0, end);
    inputs.remove_prefix(std::min(end + 1, inputs.size()));
    const bool many = word.ends_with('*');
    const std::string stem(word.substr(0, word.size() - (many ? 1 : 0)));
    const int count = !many ? 1 : stem == "lambda" ? rows : coordinates;
    for (int i = 0; i < count; ++i) out += (out.empty() ? "" : "|") + stem + (many ? std::to_string(i) : "");
  }
  return out;
}

void check_without_functions(const FieldSource& source, std::vector<FieldSlot> slots, std::span<const PortInfo> ports,
                             const FieldContext& context, Faults& faults) {
  Object fields = source.fields;
  for (FieldSlot& slot : slots)
    if (slot.kind == FieldKind::function && fields.remove(slot.name)) slot.range.required = false;
  read_slots(FieldSource(fields, source.path, source.file, source.mark), slots, ports, context, faults);
}

void read_with_functions(const FieldSource& source, std::vector<FieldSlot> slots, std::span<const PortInfo> ports, int n,
                         const FieldContext& context, Faults& faults) {
  int rows = 1;
  if (const Value* value = source.fields.find("rows"); value && value->integer())
    rows = static_cast<int>(std::clamp<std::int64_t>(*value->integer(), 1, 1 << 20));
  std::deque<std::string> inputs;  // outlives the reading
  for (FieldSlot& slot : slots)
    if (slot.kind == FieldKind::function) slot.range.inputs = inputs.emplace_back(expanded_inputs(slot.range.inputs, n, rows));
  read_slots(source, slots, ports, context, faults);
}

}  // namespace saltus::detail
