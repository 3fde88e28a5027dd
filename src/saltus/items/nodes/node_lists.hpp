// Initial values of nodes of run-time size: a list of the node's length, or none for zeros.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "saltus/base/index.hpp"

namespace saltus {

inline void write_initial(const std::vector<double>& values, int count, double* out) {
  std::fill(out, out + count, 0.0);
  std::copy_n(values.begin(), std::min<std::size_t>(values.size(), count), out);
}
/// What is wrong with a list that should be empty or of length count; empty if nothing.
inline std::string wrong_length(const char* field, const std::vector<double>& values, int count) {
  if (values.empty() || count_of(values) == count) return {};
  return std::string(field) + " has " + std::to_string(values.size()) + " entries, the node has count = " + std::to_string(count);
}

}  // namespace saltus
