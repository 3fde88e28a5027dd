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
  bool couple(const Problem& problem, std::span<const FollowedContact> contacts);
  void rates(std::span<const FollowedContact> contacts, const std::vector<double>& at, std::vector<double>& out) const;
  bool scales(std::span<const FollowedContact> contacts);
  bool loaded() const;
  double try_step(std::span<const FollowedContact> contacts, double h);
  double until_closing(double h) const;
  double until_turning(std::span<const FollowedContact> contacts, double h) const;
  void take_step(std::span<const FollowedContact> contacts);
  void find_touched();

  SparseRows W_;                // rates of the contacts over their impulses
  std::vector<double> state_;   // rates w, ways x, impulses
  std::vector<double> next_, stage_, slope_[7];
  std::vector<double> way_, impulse_;  // of each contact alone, struck by the fastest
  std::vector<char> open_, marked_;    // by contact, at the beginning of a step; it is among the touched
  std::vector<int> touched_;           // contacts that push or close, and those that they reach within a step: a shock runs through a chain
  double fastest_ = 0.0, quickest_ = 0.0;  // approach; time of the shortest contact
};

}  // namespace saltus
