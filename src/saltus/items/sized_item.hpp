// The fields of an item of run-time size (pool/dynamic_ends.hpp): its functions have as many inputs as it has ends. What it declares beside name, section,
// doc and fields(): `ports()` (frames first), `coordinates` (the kind it needs), `sample`, `sample_coordinates`, `invalid(n)` for n
// coordinates, where it is on frames too `sample_frames` and `invalid(frames, n)`; an object mass_matrix(view, M), another force `rest`, a
// relation rows() and `h`; know_ends(frames, n) for what follows from its ends. In the inputs of its functions a name with a star stands for as many as there are: q* for q0, q1, ...; lambda* by
// rows; m* by its `memory`; pose* for A_x, A_y, A_z, A_R00, ..., A_R22, B_x, ... of its frames A, B, ...; frame* with A_vx, ..., A_wz behind those
// of each frame.
#pragma once

#include <algorithm>

#include "saltus/items/entry.hpp"

namespace saltus::detail {

/// How many there are of what an input with a star stands for.
struct InputCounts {
  int frames = 0, coordinates = 0, rows = 1, memory = 0;

  InputCounts(int frames, int coordinates, const Object& fields);
};
inline constexpr int most_frames = 26;  // A to Z
/// "t|q*" -> "t|q0|q1" for two coordinates.
std::string expanded_inputs(std::string_view inputs, const InputCounts& counts);
/// The record without its functions, whose inputs are not known yet, and their slots.
void check_without_functions(const FieldSource& source, std::vector<FieldSlot> slots, std::span<const PortInfo> ports,
                             const FieldContext& context, Faults& faults);
/// Fills the slots for an item on so many frames and coordinates.
void read_with_functions(const FieldSource& source, std::vector<FieldSlot> slots, std::span<const PortInfo> ports, const InputCounts& counts,
                         const FieldContext& context, Faults& faults);
/// What is wrong with the item on these ends, empty if nothing.
template <class Item>
std::string invalid(const Item& item, const InputCounts& counts) {
  if constexpr (requires { Item::sample_frames; }) return counts.frames > most_frames ? "is on more than 26 frames" : item.invalid(counts.frames, counts.coordinates);
  else return item.invalid(counts.coordinates);
}

template <class Item>
constexpr int sample_frames_of() {
  if constexpr (requires { Item::sample_frames; }) return Item::sample_frames;
  else return 0;
}
template <class Item>
std::vector<FieldSlot> slot_list(Item& item) {
  const auto slots = field_slots(item);
  return {slots.begin(), slots.end()};
}
template <class Item>
Item read_sized_item(const FieldSource& source, std::span<const PortInfo> ports, const FieldContext& context, int frames, int coordinates, Faults& faults) {
  Item item;
  const int before = faults.errors();
  const InputCounts counts(frames, coordinates, source.fields);
  read_with_functions(source, slot_list(item), ports, counts, context, faults);
  if (faults.errors() == before)
    if (const std::string message = invalid(item, counts); !message.empty()) faults.error(source.place(source.mark), source.path, message);
  if constexpr (requires { item.know_ends(frames, coordinates); }) item.know_ends(frames, coordinates);
  return item;
}

}  // namespace saltus::detail
