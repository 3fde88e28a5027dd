# Headers come from PyPI packages in the same environment (cmeel-eigen, nlohmann-json), else from the system,
# else from FetchContent when SALTUS_FETCH_DEPS=ON.
find_package(Threads REQUIRED)
if(SALTUS_TESTS)
  enable_testing()
  include(CTest)
  find_package(GTest REQUIRED)
endif()

find_package(Python QUIET COMPONENTS Interpreter)
if(Python_Interpreter_FOUND)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -c "import sys; print(';'.join(p for p in sys.path if p.endswith('-packages')))"
    OUTPUT_VARIABLE saltus_sites OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  foreach(saltus_site IN LISTS saltus_sites)
    list(APPEND CMAKE_PREFIX_PATH "${saltus_site}/cmeel.prefix")
    list(APPEND saltus_json_hints "${saltus_site}" "${saltus_site}/../../../include"
         "${saltus_site}/nlohmann_json/include")
  endforeach()
endif()
find_package(Eigen3 3.4 QUIET NO_MODULE)
find_path(SALTUS_JSON_INCLUDE nlohmann/json.hpp HINTS ${saltus_json_hints})
if(SALTUS_FETCH_DEPS AND NOT TARGET Eigen3::Eigen)
  include(FetchContent)
  FetchContent_Declare(Eigen3 GIT_REPOSITORY https://gitlab.com/libeigen/eigen.git GIT_TAG 3.4.1)
  FetchContent_MakeAvailable(Eigen3)
endif()
if(NOT TARGET Eigen3::Eigen)
  message(FATAL_ERROR "Eigen 3.4 is not there: `pip install cmeel-eigen` into the environment that builds, or install "
                      "the system's libeigen3-dev, or configure with -DSALTUS_FETCH_DEPS=ON")
endif()
