#include "saltus/items/entry.hpp"

namespace saltus {

const ItemEntry* find_entry(std::string_view name) {
  for (const ItemEntry* entry : catalogue())
    if (entry->name == name) return entry;
  return nullptr;
}

}  // namespace saltus
