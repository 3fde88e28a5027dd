#include "saltus/items/entry.hpp"

namespace saltus {

const Catalogue& item_catalogue() {
  static const Catalogue all = [] {
    Catalogue c;
    for (const ItemEntry* entry : catalogue()) c.add(*entry);
    return c;
  }();
  return all;
}

const ItemEntry* find_entry(std::string_view section, std::string_view name) {
  return static_cast<const ItemEntry*>(item_catalogue().find(section, name));
}

}  // namespace saltus
