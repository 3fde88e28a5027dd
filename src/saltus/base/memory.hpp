// What memory there is, and the words of an error where it does not suffice.
#pragma once

#include <new>
#include <string>

namespace saltus {

/// Bytes that this process may still take: the machine's free memory, bounded by the limits of the process and of its group.
/// Infinite where the system says nothing.
double available_memory();

/// `1.5 GB`, `3 kB`: of bytes.
std::string bytes_text(double bytes);

/// Memory that something needs and that is not there. `what` says how much for what, and what to do.
class MemoryError : public std::bad_alloc {
 public:
  explicit MemoryError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Of an allocation that failed: its own words where it has some.
std::string out_of_memory(const std::bad_alloc& error);

}  // namespace saltus
