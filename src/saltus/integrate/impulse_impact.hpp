// Impacts that are followed along their impulse (Liu, Zhao, Brogliato 2008), for whatever scheme meets one.
#pragma once

#include <span>
#include <vector>

#include "saltus/pool/law.hpp"
#include "saltus/problem/problem.hpp"

namespace saltus {

/// A contact of an impact: its row in the problem, its rate before, what it gets.
struct FollowedContact {
  int row = 0;
  double rate = 0.0;
  ImpulseContact law;
  double percussion = 0.0;
};

/// All contacts of one impact together, with no way between them: each stores work E = K x^(n+1) / (n+1) and pushes with K x^n, where x goes with -w while it loads and with
/// -w / e^2 while it unloads, so that it gives back e^2 of its work; with e = 0 the work is lost where x turns round. Dividing by the push of one contact gives the law of its authors: impulses in the proportion
/// (K_i / K_j)^(1/(n+1)) (E_i / E_j)^(n/(n+1)). Only ratios of the stiffnesses matter.
class ImpulseImpact {
 public:
  /// M dv = H^T r with the equalities of the problem held; other rows do not act. False: the impact does not end.
  bool follow(const Problem& problem, std::span<FollowedContact> contacts);

 private:
  bool couple_by_masses(const Problem& problem, std::span<const FollowedContact> contacts);
  bool couple(const Problem& problem, std::span<const FollowedContact> contacts);
  bool scales(std::span<const FollowedContact> contacts);
  bool loaded() const;
  bool gather(std::span<const FollowedContact> contacts);
  void find_touched();
  void rates(const std::vector<double>& at, std::vector<double>& out) const;
  double try_step(double h);
  double until_closing(double h) const;
  double until_turning(double h) const;
  void take_step();

  SparseRows W_, H_;                   // rates of the contacts over their impulses; their rows by the roots of the inverse masses
  std::vector<double> inverse_;
  std::vector<double> state_;          // rates w, ways x, impulses
  std::vector<double> way_, impulse_;  // of each contact alone, struck by the fastest
  std::vector<int> pushing_, touched_;  // contacts that push or close; these and those that they reach within a step, rising: a shock runs through a chain
  std::vector<int> place_;             // of each contact among the touched, -1: it is none
  /// Of the touched alone, in their order.
  struct Touched {
    std::vector<int> begin, column;
    std::vector<double> coupling;      // rows of W
    std::vector<double> stiffness, exponent, unloading, way, impulse;  // unloading: 1 / e^2, 0 where e is
    std::vector<char> open;            // at the beginning of a step
    std::vector<double> state, next, stage, slope[7];
    bool hertz = false;                // all exponents are 1.5
  } touch_;
  double fastest_ = 0.0, quickest_ = 0.0;  // approach; time of the shortest contact
};

}  // namespace saltus
