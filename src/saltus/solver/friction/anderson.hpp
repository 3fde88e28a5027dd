// Anderson acceleration (type II) of a fixed-point map, safeguarded.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/solver/friction/contact_loops.hpp"

namespace saltus::friction {

/// Remembers the last ten differences of a map T, in single precision: rounding them changes the step by 1e-7 of what it adds to T(t).
/// Falls back to the best point and plain steps, doubled each time, when
/// |T(t) - t| doubles. Source: Walker, Ni 2011.
class Anderson {
 public:
  explicit Anderson(std::size_t size);

  /// Replaces t by the accelerated next point, given T(t), arrays of three a contact of `loops`. `image` is used up.
  void advance(std::vector<double>& t, std::vector<double>& image, const ContactLoops& loops);
  /// Drops the memory: the map has changed.
  void forget();
  std::int64_t flops() const { return flops_; }

 private:
  static constexpr int memory = 10;
  std::vector<double> last_image_, last_change_, best_;
  std::vector<float> differences_, images_;  // memory columns of dF and dT
  double gram_[memory][memory] = {};
  int columns_ = 0, head_ = 0, plain_ = 0, penalty_ = 0, good_ = 0;
  bool have_last_ = false;
  double best_size_;
  std::int64_t flops_ = 0;
};

}  // namespace saltus::friction
