#include "saltus/base/memory.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace saltus {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// The number of a file that holds one; infinite where it holds a word, or is not there.
double number_in(const char* path) {
  std::ifstream file(path);
  double value = 0.0;
  return file >> value ? value : unknown;
}

/// MemAvailable, of pages that can be taken without swapping.
double free_of_machine() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    double kilobytes = 0.0;
    if (key == "MemAvailable:" && file >> kilobytes) return 1024.0 * kilobytes;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) return static_cast<double>(pages) * static_cast<double>(size);
#endif
  return unknown;
}

double free_of_process() {
#if defined(__unix__) || defined(__APPLE__)
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  const double pages = number_in("/proc/self/statm");
  const double taken = pages < unknown ? pages * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0.0;
  return static_cast<double>(limit.rlim_cur) - taken;
#else
  return unknown;
#endif
}

/// Of the control group that a container or a batch system sets.
double free_of_group() {
  const double most = number_in("/sys/fs/cgroup/memory.max"), taken = number_in("/sys/fs/cgroup/memory.current");
  return most < unknown && taken < unknown ? most - taken : unknown;
}

}  // namespace

double available_memory() { return std::max(0.0, std::min({free_of_machine(), free_of_process(), free_of_group()})); }

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  while (bytes >= 1000.0 && unit < 6) bytes /= 1000.0, ++unit;
  char text[40];
  std::snprintf(text, sizeof text, bytes < 1e4 ? "%.3g %s" : "%.2e %s", bytes, units[unit]);
  return text;
}

std::string out_of_memory(const std::bad_alloc& error) {
  if (const auto* known = dynamic_cast<const MemoryError*>(&error)) return known->what();
  return "the memory ran out, " + bytes_text(available_memory()) + " are free; take a smaller model, record less, or free memory";
}

}  // namespace saltus
