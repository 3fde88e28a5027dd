#include "saltus/items/sized_item.hpp"

#include <deque>

#include "saltus/base/index.hpp"

namespace saltus::detail {

InputCounts::InputCounts(int frames, int coordinates, const Object& fields) : frames(frames), coordinates(coordinates) {
  if (const Value* value = fields.find("rows"); value && value->integer()) rows = static_cast<int>(std::clamp<std::int64_t>(*value->integer(), 1, 1 << 20));
  if (const Value* value = fields.find("memory"); value && value->list()) memory = count_of(*value->list());
}

std::string expanded_inputs(std::string_view inputs, const InputCounts& counts) {
  std::string out;
  const auto put = [&](const std::string& name) { out += (out.empty() ? "" : "|") + name; };
  while (!inputs.empty()) {
    const std::size_t end = std::min(inputs.find('|'), inputs.size());
    const std::string_view word = inputs.substr(0, end);
    inputs.remove_prefix(std::min(end + 1, inputs.size()));
    const bool many = word.ends_with('*');
    const std::string stem(word.substr(0, word.size() - (many ? 1 : 0)));
    if (!many) {
      put(stem);
    } else if (stem == "pose" || stem == "frame") {
      for (int i = 0; i < std::min(counts.frames, most_frames); ++i) {
        const std::string frame(1, static_cast<char>('A' + i));
        for (const char* part : {"_x", "_y", "_z", "_R00", "_R01", "_R02", "_R10", "_R11", "_R12", "_R20", "_R21", "_R22"}) put(frame + part);
        if (stem == "frame")
          for (const char* part : {"_vx", "_vy", "_vz", "_wx", "_wy", "_wz"}) put(frame + part);
      }
    } else {
      const int count = stem == "lambda" ? counts.rows : stem == "m" ? counts.memory : counts.coordinates;
      for (int i = 0; i < count; ++i) put(stem + std::to_string(i));
    }
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

void read_with_functions(const FieldSource& source, std::vector<FieldSlot> slots, std::span<const PortInfo> ports, const InputCounts& counts,
                         const FieldContext& context, Faults& faults) {
  std::deque<std::string> inputs;  // outlives the reading
  for (FieldSlot& slot : slots)
    if (slot.kind == FieldKind::function) slot.range.inputs = inputs.emplace_back(expanded_inputs(slot.range.inputs, counts));
  read_slots(source, slots, ports, context, faults);
}

}  // namespace saltus::detail
