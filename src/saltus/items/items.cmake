# saltus_item(FOLDER FILE TYPE): registers the item TYPE of FOLDER/FILE.hpp: its entry and its line in the generated catalogue.
# Entries of a folder share translation units, `saltus_batch` each: half of an entry's time is that of the headers.
set(saltus_batch 12)
set(SALTUS_ITEM_SOURCES "")
set(SALTUS_ITEM_NAMES "")
set(saltus_folders "")
macro(saltus_item folder file type)
  if(NOT "${folder}" IN_LIST saltus_folders)
    list(APPEND saltus_folders ${folder})
    set(saltus_entries_${folder} "")
  endif()
  list(APPEND saltus_entries_${folder} "${file}:${type}")
  list(APPEND SALTUS_ITEM_NAMES ${file})
endmacro()

# Writes the entries, and catalogue.cpp: the list of all.
macro(saltus_catalogue)
  foreach(folder IN LISTS saltus_folders)
    list(LENGTH saltus_entries_${folder} saltus_count)
    math(EXPR saltus_last "${saltus_count} - 1")
    foreach(first RANGE 0 ${saltus_last} ${saltus_batch})
      list(SUBLIST saltus_entries_${folder} ${first} ${saltus_batch} saltus_part)
      saltus_entries_file("${CMAKE_CURRENT_BINARY_DIR}/generated/${folder}_from_${first}.cpp" ${folder} "${saltus_part}")
    endforeach()
  endforeach()
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

# One translation unit with the given entries, file:type each.
macro(saltus_entries_file cpp folder entries)
  set(saltus_includes "#include \"saltus/items/make_entry.hpp\"\n")
  set(saltus_functions "")
  foreach(saltus_one IN ITEMS ${entries})
    string(REPLACE ":" ";" saltus_one "${saltus_one}")
    list(GET saltus_one 0 saltus_file)
    list(GET saltus_one 1 saltus_type)
    string(APPEND saltus_includes "#include \"saltus/items/${folder}/${saltus_file}.hpp\"\n")
    string(APPEND saltus_functions
      "const ItemEntry& ${saltus_file}_entry() { static const ItemEntry entry = make_entry<${saltus_type}>(); return entry; }\n")
  endforeach()
  file(GENERATE OUTPUT "${cpp}" CONTENT "${saltus_includes}namespace saltus {\n${saltus_functions}}\n")
  list(APPEND SALTUS_ITEM_SOURCES "${cpp}")
endmacro()
