#include "saltus/base/threads.hpp"

namespace saltus {

Threads::Threads(int count) : count_(count < 1 ? 1 : count), errors_(static_cast<std::size_t>(count_)) {
  for (int i = 1; i < count_; ++i) workers_.emplace_back([this, i] { work(i); });
}

Threads::~Threads() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

namespace {
int slice(int n, int count, int index) { return static_cast<int>(static_cast<std::int64_t>(n) * index / count); }
}  // namespace

void Threads::start(int n, const void* data, Body body) {
  if (count_ == 1 || n < 2) {
    body(data, 0, n);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    data_ = data;
    body_ = body;
    n_ = n;
    pending_ = count_ - 1;
    ++round_;
  }
  start_.notify_all();
  errors_[0] = nullptr;
  try {
    body(data, 0, slice(n, count_, 1));
  } catch (...) {
    errors_[0] = std::current_exception();
  }
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return pending_ == 0; });
  }
  for (const std::exception_ptr& error : errors_)
    if (error) std::rethrow_exception(error);
}

void Threads::work(int index) {
  std::uint64_t seen = 0;
  while (true) {
    int n;
    const void* data;
    Body body;
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
      n = n_;
      data = data_;
      body = body_;
    }
    auto& error = errors_[static_cast<std::size_t>(index)];
    error = nullptr;
    try {
      body(data, slice(n, count_, index), slice(n, count_, index + 1));
    } catch (...) {
      error = std::current_exception();
    }
    {
      std::lock_guard lock(mutex_);
      --pending_;
    }
    done_.notify_one();
  }
}

}  // namespace saltus
