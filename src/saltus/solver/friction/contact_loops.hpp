// Loops over contacts that threads share. What each computes, and the order of every sum, is the same for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/base/threads.hpp"

namespace saltus::friction {

// Two copies of a loop, one inlined for one thread and one for tasks, may fuse products and sums differently: other bits.
#define SALTUS_ONE_COPY __attribute__((noinline))

class ContactLoops {
 public:
  /// `chunk`, `colour` as in Colouring; empty: contacts in colours go one after the other.
  void lay_out(int contacts, std::vector<int> chunk, std::vector<int> colour) {
    contacts_ = contacts, chunk_ = std::move(chunk), colour_ = std::move(colour);
    pieces_.clear();
    const int colours = colour_.empty() ? 0 : count_of(colour_) - 1, halves = 2 * colours <= most_pieces / 2 ? 2 : 0;
    const int size = std::max(512, contacts / (most_pieces - halves * colours) + 1);
    const auto cut = [&](int first, int last) {
      const std::int64_t length = last - first, parts = std::max<std::int64_t>(1, (length + size - 1) / size);
      const auto place = [&](std::int64_t i) { return aligned(first + static_cast<int>(length * i / parts)); };
      for (std::int64_t i = 0; i < parts; ++i) pieces_.push_back({place(i), place(i + 1)});
    };
    // The first halves of all colours, then the second: as loops by colours go to two threads.
    for (int half = 0; half < halves; ++half)
      for (int k = 0; k < colours; ++k) {
        const int first = colour_[k], chunks = colour_[k + 1] - first;
        cut(chunk_[first + half * chunks / 2], chunk_[first + (half + 1) * chunks / 2]);
      }
    if (colours == 0 || halves == 0) cut(0, contacts);
  }
  void use(Threads& threads) { threads_ = threads.count() > 1 && pieces_.size() > 1 ? &threads : nullptr; }
  /// Chunks and colours as they were laid out.
  std::pair<const std::vector<int>&, const std::vector<int>&> colouring() const { return {chunk_, colour_}; }
  /// Null where one thread does all.
  Threads* threads() const { return threads_; }

  /// f(first, last) for ranges that cover all contacts; those at work at the same time have no body in common, and the colours
  /// follow each other: as one loop from the first contact to the last.
  template <class F>
  void in_colours(const F& f) const {
    const auto work = [&](int first, int last) SALTUS_ONE_COPY { f(first, last); };
    if (!threads_ || colour_.empty()) return work(0, contacts_);
    for (std::size_t k = 0; k + 1 < colour_.size(); ++k) {
      const int first = colour_[k], chunks = colour_[k + 1] - first, tasks = std::min(chunks, 4 * threads_->count());
      threads_->spread(tasks, [&](int i) { work(chunk_[first + chunks * i / tasks], chunk_[first + chunks * (i + 1) / tasks]); });
    }
  }

  /// f(first, last) for ranges that cover all contacts; each writes to its own contacts only.
  template <class F>
  void all(const F& f) const {
    const auto work = [&](int i) SALTUS_ONE_COPY { f(piece(i).first, piece(i).last); };
    if (threads_) threads_->spread(count(), work);
    else
      for (int i = 0; i < count(); ++i) work(i);
  }

  /// Sums over fixed ranges, which f(first, last, out) writes to out[N].
  template <int N, class F>
  std::array<double, N> sums(const F& f) const {
    std::array<std::array<double, N>, most_pieces> parts{};
    const auto sum = [&](int i) SALTUS_ONE_COPY { f(piece(i).first, piece(i).last, parts[i].data()); };
    if (threads_) threads_->spread(count(), sum);
    else
      for (int i = 0; i < count(); ++i) sum(i);
    std::array<double, N> total = parts[0];
    for (int i = 1; i < count(); ++i)
      for (int k = 0; k < N; ++k) total[k] += parts[i][k];
    return total;
  }

  /// Least of f(first, last).
  template <class F>
  double least(const F& f) const {
    std::array<double, most_pieces> parts;
    parts.fill(std::numeric_limits<double>::infinity());
    const auto smallest = [&](int i) SALTUS_ONE_COPY { parts[i] = f(piece(i).first, piece(i).last); };
    if (threads_) threads_->spread(count(), smallest);
    else
      for (int i = 0; i < count(); ++i) smallest(i);
    return *std::min_element(parts.begin(), parts.begin() + count());
  }

 private:
  static constexpr int most_pieces = 64;
  // Whole vectors of contacts: what is left of a loop rounds as one contact at a time, not as a vector.
  int aligned(int contact) const { return contact == contacts_ ? contact : contact / 16 * 16; }
  struct Piece { int first, last; };  // contacts [first, last) of a loop over all
  const Piece& piece(int i) const { return pieces_[i]; }
  int count() const { return count_of(pieces_); }
  int contacts_ = 0;
  std::vector<Piece> pieces_{{0, 0}};
  std::vector<int> chunk_, colour_;
  Threads* threads_ = nullptr;
};

#undef SALTUS_ONE_COPY

}  // namespace saltus::friction
