// Nonsmooth Gauss-Seidel: contact after contact, each solved exactly with the others held.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/solver/friction/scaled.hpp"

namespace saltus::friction {

/// Sweeps over the contacts in their order, colours by threads, so that the result is the same on every machine and in every
/// run. In body form
/// the velocities of the bodies are kept and W' is never assembled (Jourdan, Alart, Jean 1998).
class GaussSeidel {
 public:
  /// Starts at `x` (3 contacts, in the cone).
  GaussSeidel(const Scaled& problem, const std::vector<double>& x);

  /// One pass over all contacts; `relaxation` in (0, 2).
  void sweep(double relaxation = 1.0);
  /// One pass in the order of the problem's rows, by one thread: in a flow it needs fewer passes than one by colours.
  void sweep_in_order();

  const std::vector<double>& impulses() const { return x_; }
  void restart(const std::vector<double>& x);
  std::int64_t sweep_flops() const;

 private:
  void sweep_bodies(int first, int last, double relaxation);
  void sweep_blocks(int first, int last, double relaxation);

  const Scaled& problem_;
  std::vector<Square> inverse_;
  std::vector<double> x_;
  std::vector<int> order_;  // contacts by their rows
  std::vector<double> v_;  // body form: J^T x
};

}  // namespace saltus::friction
