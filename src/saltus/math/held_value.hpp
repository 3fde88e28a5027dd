// A function whose value is kept in the state: what a sampled controller gave last.
#pragma once

#include "saltus/math/function.hpp"

namespace saltus {

/// The history variables that held functions read on this thread until the scope ends; scopes nest. Each evaluation of an
/// Assembly opens one with the data of its own state, so systems stay immutable and may be shared by threads.
class HeldValues {
 public:
  explicit HeldValues(const double* data);
  ~HeldValues();
  HeldValues(const HeldValues&) = delete;
  HeldValues& operator=(const HeldValues&) = delete;

 private:
  const double* before_;
};

/// `base` with its results from `component` on (-1: from the first, all `count` of them) replaced by data[first ...]; constant in
/// all inputs but those of `base`. Runs on the thread that evaluates, beside no other. Zero outside of any scope.
Function held_function(const Function& base, int component, int first, int count);

}  // namespace saltus
