# saltus_item(FOLDER FILE TYPE): registers the item TYPE of FOLDER/FILE.hpp: its own translation unit and its line in the
# generated catalogue.
set(SALTUS_ITEM_SOURCES "")
set(SALTUS_ITEM_NAMES "")
macro(saltus_item folder file type)
  saltus_entry(${folder} ${file} ${type} make_entry)
endmacro()
# The same for an item of run-time size.
macro(saltus_dynamic_item folder file type)
  saltus_entry(${folder} ${file} ${type} make_dynamic_entry)
endmacro()
macro(saltus_entry folder file type make)
  set(saltus_item_cpp "${CMAKE_CURRENT_BINARY_DIR}/generated/${file}_entry.cpp")
  file(GENERATE OUTPUT "${saltus_item_cpp}" CONTENT
"#include \"saltus/items/${make}.hpp\"
#include \"saltus/items/${folder}/${file}.hpp\"
namespace saltus { const ItemEntry& ${file}_entry() { static const ItemEntry entry = ${make}<${type}>(); return entry; } }
")
  list(APPEND SALTUS_ITEM_SOURCES "${saltus_item_cpp}")
  list(APPEND SALTUS_ITEM_NAMES ${file})
endmacro()

# Writes catalogue.cpp: the list of all entries.
macro(saltus_catalogue)
  set(saltus_declarations "")
  set(saltus_list "")
  foreach(name IN LISTS SALTUS_ITEM_NAMES)
    string(APPEND saltus_declarations "const ItemEntry& ${name}_entry();\n")
    string(APPEND saltus_list "&${name}_entry(), ")
  endforeach()
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/generated/catalogue.cpp" CONTENT
"#include \"saltus/items/entry.hpp\"
namespace saltus {
${saltus_declarations}
std::span<const ItemEntry* const> catalogue() {
  static const ItemEntry* const entries[] = {${saltus_list}};
  return entries;
}
}
")
  list(APPEND SALTUS_ITEM_SOURCES "${CMAKE_CURRENT_BINARY_DIR}/generated/catalogue.cpp")
endmacro()
