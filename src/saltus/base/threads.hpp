// Numbered tasks over a few threads. Who takes which task is open, what a task computes is not: results have the same bits.
#pragma once

#include <cstdint>
#include <memory>

namespace saltus {

class Threads {
 public:
  explicit Threads(int count = 1);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return count_; }
  /// Runs task(i) once for each i in [0, n), n < 2^20, on whichever thread is free, the caller's included; returns when all are
  /// done. An exception of a task is rethrown here, that of the lowest task. Nothing is allocated. Calls must not be nested.
  template <class F>
  void each(int n, const F& task) {
    start(n, false, &task, [](const void* of, int i) { (*static_cast<const F*>(of))(i); });
  }
  /// As `each`; every second thread takes its tasks from the other end, so that in a row of loops over the same things most stay with
  /// their thread and in its cache. No task may wait for another.
  template <class F>
  void spread(int n, const F& task) {
    start(n, true, &task, [](const void* of, int i) { (*static_cast<const F*>(of))(i); });
  }
  /// Runs body(begin, end) on `count` slices of [0, n).
  template <class F>
  void run(int n, const F& body) {
    if (count_ == 1 || n < 2) return body(0, n);
    each(count_, [&](int i) { body(slice(n, i), slice(n, i + 1)); });
  }

 private:
  using Task = void (*)(const void*, int);
  int slice(int n, int index) const { return static_cast<int>(static_cast<std::int64_t>(n) * index / count_); }
  void start(int n, bool both_ends, const void* data, Task task);
  int count_;
  struct Crew;  // the other threads, and what they share: its headers stay out of this one, which nearly every file reads
  std::unique_ptr<Crew> crew_;
};

}  // namespace saltus
