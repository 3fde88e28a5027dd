# One CMake target a layer folder; headers, sources and unit tests stand side by side.
set(SALTUS_LAYERS base math problem solver model collision pool items system integrate study)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O2 vectorizes from gcc 12 on; NDEBUG only silences asserts in Release.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# gcc collects its garbage from 500 MB on, not from 128: 10 to 20 % of the time of a large file, for 15 % more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-expand=100 --param=ggc-min-heapsize=500000)
endif()

# ccache takes files with precompiled headers only with these; their contents are part of what it compares.
find_program(SALTUS_CCACHE ccache)
if(SALTUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${SALTUS_CCACHE})
endif()

add_library(saltus_options INTERFACE)
target_compile_features(saltus_options INTERFACE cxx_std_20)
target_include_directories(saltus_options INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/src>"
                                                    "$<INSTALL_INTERFACE:include>")
target_compile_options(saltus_options INTERFACE
  "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wno-missing-field-initializers>" -fno-math-errno -fno-trapping-math)
if(SALTUS_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(saltus_options INTERFACE -march=${SALTUS_ARCH})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT SALTUS_ARCH MATCHES "v3|v4|native")
  target_compile_options(saltus_options INTERFACE -Wno-psabi)  # vectors of four in inline functions, on machines without AVX
endif()

# Headers of the standard library that most files read, compiled once with those of each group of layers. A file names what it needs all the
# same: compilers other than gcc build without (that of the package ziglang cannot precompile), as for every wheel.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
set(SALTUS_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <span> <string> <string_view>
    <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>)

# saltus_precompile(TARGET HEADERS header... | OF other target).
function(saltus_precompile target)
  cmake_parse_arguments(arg "" "OF" "HEADERS" ${ARGN})
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  if(arg_OF)
    target_precompile_headers(${target} REUSE_FROM ${arg_OF})
  elseif(arg_HEADERS)
    target_precompile_headers(${target} PRIVATE ${SALTUS_STANDARD_HEADERS} ${arg_HEADERS})
  endif()
endfunction()

# saltus_layer(NAME LINKS layer... HEADERS header... | HEADERS_OF layer OPTIMIZED folder): static library of all sources of the folder, its tests as one
# gtest program. HEADERS are compiled once beside those of the standard library; HEADERS_OF takes those of another layer.
# Loops over a few rows unroll from -O3 on only: OPTIMIZED.
function(saltus_layer name)
  cmake_parse_arguments(arg "" "HEADERS_OF;OPTIMIZED" "LINKS;SOURCES;HEADERS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(arg_OPTIMIZED)
    set(optimized ${sources})
    list(FILTER optimized INCLUDE REGEX "/${arg_OPTIMIZED}/")
    list(FILTER sources EXCLUDE REGEX "/${arg_OPTIMIZED}/")
  endif()
  list(APPEND sources ${arg_SOURCES})
  if(sources)
    add_library(saltus_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(saltus_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  if(sources AND arg_HEADERS_OF)
    saltus_precompile(saltus_${name} OF saltus_${arg_HEADERS_OF})
  elseif(sources)
    saltus_precompile(saltus_${name} HEADERS ${arg_HEADERS})
  endif()
  target_link_libraries(saltus_${name} ${scope} saltus_options)
  foreach(link IN LISTS arg_LINKS)
    target_link_libraries(saltus_${name} ${scope} ${link})
  endforeach()
  if(arg_OPTIMIZED)
    add_library(saltus_${arg_OPTIMIZED} OBJECT ${optimized})
    target_compile_options(saltus_${arg_OPTIMIZED} PRIVATE -O3)
    target_link_libraries(saltus_${arg_OPTIMIZED} PRIVATE saltus_options ${arg_LINKS})
    saltus_precompile(saltus_${arg_OPTIMIZED} HEADERS <Eigen/SparseCore>)
    target_sources(saltus_${name} PRIVATE $<TARGET_OBJECTS:saltus_${arg_OPTIMIZED}>)
  endif()
  if(SALTUS_TESTS AND tests)
    add_executable(saltus_${name}_test ${tests})
    target_link_libraries(saltus_${name}_test PRIVATE saltus_${name} GTest::gtest_main)
    add_test(NAME ${name} COMMAND saltus_${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
  endif()
endfunction()
