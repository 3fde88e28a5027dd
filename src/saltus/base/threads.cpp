#include "saltus/base/threads.hpp"

#include <chrono>

namespace saltus {
namespace {

constexpr std::uint64_t task_bits = 20, task_mask = (std::uint64_t{1} << task_bits) - 1;
constexpr std::uint64_t both_ends_bit = std::uint64_t{1} << 2 * task_bits, next_round = 2 * both_ends_bit;
std::uint64_t next_of(std::uint64_t ticket) { return ticket & task_mask; }
std::uint64_t tasks_of(std::uint64_t ticket) { return ticket >> task_bits & task_mask; }

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `atomic` is no longer `old`: some time awake, for the next loop is often near and waking takes longer than
/// most loops; then asleep.
template <class T>
void wait_while(const std::atomic<T>& atomic, T old, bool awake) {
  if (awake) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    do {
      for (int tries = 0; tries < 50; ++tries) {
        if (atomic.load(std::memory_order_acquire) != old) return;
        pause();
      }
    } while (std::chrono::steady_clock::now() < end);
  }
  atomic.wait(old, std::memory_order_acquire);
}

}  // namespace

Threads::Threads(int count) : count_(count < 1 ? 1 : count) {
  // Threads without a core of their own would keep it from those that work.
  awake_ = count_ <= static_cast<int>(std::thread::hardware_concurrency());
  for (int i = 1; i < count_; ++i) workers_.emplace_back([this, i] { work(i % 2 == 1); });
}

Threads::~Threads() {
  stop_ = true;
  ticket_ += next_round;
  ticket_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Threads::start(int n, bool both_ends, const void* data, Task task) {
  if (count_ == 1 || n < 2) {
    for (int i = 0; i < n; ++i) task(data, i);
    return;
  }
  data_ = data;
  task_ = task;
  error_ = nullptr;
  left_.store(n, std::memory_order_relaxed);
  const std::uint64_t round = ticket_.load(std::memory_order_relaxed) / next_round + 1;
  ticket_.store(round * next_round | (both_ends ? both_ends_bit : 0) | static_cast<std::uint64_t>(n) << task_bits, std::memory_order_release);
  ticket_.notify_all();
  while (take_one(false)) {}
  for (int left = left_.load(std::memory_order_acquire); left > 0; left = left_.load(std::memory_order_acquire)) wait_while(left_, left, awake_);
  if (error_) std::rethrow_exception(error_);
}

bool Threads::take_one(bool from_end) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  bool last = false;
  do {
    if (next_of(ticket) >= tasks_of(ticket)) return false;
    last = from_end && (ticket & both_ends_bit) != 0;
  } while (!ticket_.compare_exchange_weak(ticket, last ? ticket - (std::uint64_t{1} << task_bits) : ticket + 1, std::memory_order_acquire));
  const int i = static_cast<int>(last ? tasks_of(ticket) - 1 : next_of(ticket));
  try {
    task_(data_, i);
  } catch (...) {
    std::lock_guard lock(mutex_);
    if (!error_ || i < error_of_) error_ = std::current_exception(), error_of_ = i;
  }
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
  return true;
}

void Threads::work(bool from_end) {
  // The ticket is read before stop_: one that is read after the last change would be waited on for ever.
  for (std::uint64_t ticket = ticket_.load(std::memory_order_acquire); !stop_; ticket = ticket_.load(std::memory_order_acquire)) {
    if (next_of(ticket) < tasks_of(ticket)) take_one(from_end);
    else wait_while(ticket_, ticket, awake_);
  }
}

}  // namespace saltus
