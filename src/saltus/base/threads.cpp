#include "saltus/base/threads.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

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

struct Threads::Crew {
  explicit Crew(int count);
  ~Crew();
  void start(int n, bool both_ends, const void* data, Task task);
  bool take_one(bool from_end);
  void work(bool from_end);

  bool awake;  // who waits does so awake, for a while
  std::vector<std::thread> workers;
  // Round, whether both ends are open, end and begin of the tasks left in one word: who changes it owns that task, and the round
  // cannot end before it is done.
  std::atomic<std::uint64_t> ticket{0};
  std::atomic<int> left{0};
  std::atomic<bool> stop{false};
  const void* data = nullptr;
  Task task = nullptr;
  std::mutex mutex;  // of the error
  std::exception_ptr error;
  int error_of = 0;
};

Threads::Threads(int count) : count_(count < 1 ? 1 : count) {
  if (count_ > 1) crew_ = std::make_unique<Crew>(count_);
}
Threads::~Threads() = default;

void Threads::start(int n, bool both_ends, const void* data, Task task) {
  if (count_ == 1 || n < 2) {
    for (int i = 0; i < n; ++i) task(data, i);
    return;
  }
  crew_->start(n, both_ends, data, task);
}

// Threads without a core of their own would keep it from those that work.
Threads::Crew::Crew(int count) : awake(count <= static_cast<int>(std::thread::hardware_concurrency())) {
  for (int i = 1; i < count; ++i) workers.emplace_back([this, i] { work(i % 2 == 1); });
}

Threads::Crew::~Crew() {
  stop = true;
  ticket += next_round;
  ticket.notify_all();
  for (std::thread& worker : workers) worker.join();
}

void Threads::Crew::start(int n, bool both_ends, const void* its_data, Task its_task) {
  data = its_data;
  task = its_task;
  error = nullptr;
  left.store(n, std::memory_order_relaxed);
  const std::uint64_t round = ticket.load(std::memory_order_relaxed) / next_round + 1;
  ticket.store(round * next_round | (both_ends ? both_ends_bit : 0) | static_cast<std::uint64_t>(n) << task_bits, std::memory_order_release);
  ticket.notify_all();
  while (take_one(false)) {}
  for (int now = left.load(std::memory_order_acquire); now > 0; now = left.load(std::memory_order_acquire)) wait_while(left, now, awake);
  if (error) std::rethrow_exception(error);
}

bool Threads::Crew::take_one(bool from_end) {
  std::uint64_t now = ticket.load(std::memory_order_acquire);
  bool last = false;
  do {
    if (next_of(now) >= tasks_of(now)) return false;
    last = from_end && (now & both_ends_bit) != 0;
  } while (!ticket.compare_exchange_weak(now, last ? now - (std::uint64_t{1} << task_bits) : now + 1, std::memory_order_acquire));
  const int i = static_cast<int>(last ? tasks_of(now) - 1 : next_of(now));
  try {
    task(data, i);
  } catch (...) {
    std::lock_guard lock(mutex);
    if (!error || i < error_of) error = std::current_exception(), error_of = i;
  }
  if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) left.notify_one();
  return true;
}

void Threads::Crew::work(bool from_end) {
  // The ticket is read before stop: one that is read after the last change would be waited on for ever.
  for (std::uint64_t now = ticket.load(std::memory_order_acquire); !stop; now = ticket.load(std::memory_order_acquire)) {
    if (next_of(now) < tasks_of(now)) take_one(from_end);
    else wait_while(ticket, now, awake);
  }
}

}  // namespace saltus
