// A fixed partition over a few threads: the same items on the same slice, so that results have the same bits.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace saltus {

class Threads {
 public:
  explicit Threads(int count = 1);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return count_; }
  /// Runs body(begin, end) on `count` slices of [0, n), the caller's thread included; returns when all are done.
  /// An exception of a slice is rethrown here, the lowest slice's first. Nothing is allocated.
  template <class F>
  void run(int n, const F& body) {
    start(n, &body, [](const void* of, int begin, int end) { (*static_cast<const F*>(of))(begin, end); });
  }

 private:
  using Body = void (*)(const void*, int, int);
  void start(int n, const void* data, Body body);
  void work(int index);
  int count_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const void* data_ = nullptr;
  Body body_ = nullptr;
  std::vector<std::exception_ptr> errors_;
  int n_ = 0, pending_ = 0;
  std::uint64_t round_ = 0;
  bool stop_ = false;
};

}  // namespace saltus
