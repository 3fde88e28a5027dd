// History: what an item remembers of accepted states, beside what is integrated. An item declares
//   static constexpr int history = n;                  numbers that it keeps
//   double remember(view, context, double* kept) const;  writes what it keeps of an accepted state. Returns how long the step before
//                                                        it was beside the longest that the item can follow: above 1 it is not taken
// Its kernels read the numbers in context.history and how long ago that state was in context.since. They stand in the data of the
// State: recorded, saved and restored with it. An Assembly remembers (Assembly::remember); who runs a scheme says when.
#pragma once

namespace saltus {

/// The block of all items in the data of a State: a head, then the numbers of each item, pool after pool.
struct HistoryBlock {
  static constexpr int time = 0;   // of the state that is remembered; not a number: nothing is
  static constexpr int speed = 1;  // largest angular speed of a frame since then [rad/s]
  static constexpr int head = 2;
};

/// Of all items of a pool or system: how long the step was beside the longest, and for which item.
struct Remembered {
  double share = 0.0;
  int item = -1;
  void add(double other, int whose) {
    if (!(other <= share)) share = other, item = whose;
  }
};

template <class Item>
constexpr int history_of() {
  if constexpr (requires { Item::history; }) return Item::history;
  else return 0;
}
/// Whether what the item remembers serves until something has turned: the count of whole turns of an angle.
template <class Item>
constexpr bool remembers_turns_only() {
  if constexpr (requires { Item::counts_turns; }) return Item::counts_turns;
  else return false;
}

}  // namespace saltus
