// Loops over contacts that threads share. What each computes, and the order of every sum, is the same for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "saltus/base/threads.hpp"

namespace saltus::friction {

class ContactLoops {
 public:
  /// `chunk`, `colour` as in Colouring; empty: contacts in colours go one after the other.
  void lay_out(int contacts, std::vector<int> chunk, std::vector<int> colour) {
    contacts_ = contacts, chunk_ = std::move(chunk), colour_ = std::move(colour);
    piece_ = std::max(512, (contacts + most_pieces - 1) / most_pieces);
    pieces_ = std::max(1, (contacts + piece_ - 1) / piece_);
  }
  void use(Threads& threads) { threads_ = threads.count() > 1 && pieces_ > 1 ? &threads : nullptr; }
  /// Null where one thread does all.
  Threads* threads() const { return threads_; }

  /// f(first, last) for ranges that cover all contacts; those at work at the same time have no body in common, and the colours
  /// follow each other: as one loop from the first contact to the last.
  template <class F>
  void in_colours(const F& f) const {
    if (!threads_ || colour_.empty()) return f(0, contacts_);
    for (std::size_t k = 0; k + 1 < colour_.size(); ++k) {
      const int first = colour_[k], chunks = colour_[k + 1] - first, tasks = std::min(chunks, 4 * threads_->count());
      threads_->each(tasks, [&](int i) { f(chunk_[first + chunks * i / tasks], chunk_[first + chunks * (i + 1) / tasks]); });
    }
  }

  /// f(first, last) for ranges that cover all contacts; each writes to its own contacts only.
  template <class F>
  void all(const F& f) const {
    if (!threads_) return f(0, contacts_);
    threads_->each(pieces_, [&](int i) { f(begin(i), begin(i + 1)); });
  }

  /// Sums over fixed ranges, which f(first, last, out) writes to out[N].
  template <int N, class F>
  std::array<double, N> sums(const F& f) const {
    std::array<std::array<double, N>, most_pieces> parts{};
    const auto piece = [&](int i) { f(begin(i), begin(i + 1), parts[static_cast<std::size_t>(i)].data()); };
    if (threads_) threads_->each(pieces_, piece);
    else
      for (int i = 0; i < pieces_; ++i) piece(i);
    std::array<double, N> total = parts[0];
    for (int i = 1; i < pieces_; ++i)
      for (int k = 0; k < N; ++k) total[static_cast<std::size_t>(k)] += parts[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
    return total;
  }

  /// Least of f(first, last).
  template <class F>
  double least(const F& f) const {
    std::array<double, most_pieces> parts;
    parts.fill(std::numeric_limits<double>::infinity());
    const auto piece = [&](int i) { parts[static_cast<std::size_t>(i)] = f(begin(i), begin(i + 1)); };
    if (threads_) threads_->each(pieces_, piece);
    else
      for (int i = 0; i < pieces_; ++i) piece(i);
    return *std::min_element(parts.begin(), parts.begin() + pieces_);
  }

 private:
  static constexpr int most_pieces = 64;
  int begin(int i) const { return std::min(i * piece_, contacts_); }
  int contacts_ = 0, piece_ = 512, pieces_ = 1;
  std::vector<int> chunk_, colour_;
  Threads* threads_ = nullptr;
};

}  // namespace saltus::friction
