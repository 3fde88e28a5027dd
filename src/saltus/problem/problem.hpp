// The one nonsmooth problem: linear dynamics, rows in blocks, each block with a set.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/problem/set.hpp"

namespace saltus {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

/// Rows [begin, begin + dim) obey `set`.
struct Block {
  int begin = 0;
  int dim = 0;
  const SetType* set = nullptr;
  const double* parameters = nullptr;  // lives as long as the problem
  double set_scale = 1.0;              // factor on force-bounded sets (the step if r is an impulse)
};

/// Find v, r with   M v = p0 + G r,   w = H v + D r + b,   each block of (r, w) in its law.
/// G empty: G = H^T. D empty: 0. M empty: the problem is given by W alone, w = W r + b (then W = D).
/// M may be unsymmetric and, where only the laws make the whole regular, singular.
struct Problem {
  SparseRows M;  // n x n
  SparseRows G;  // n x m, empty: H^T
  SparseRows H;  // m x n
  SparseRows D;  // m x m, empty: 0; W if M is empty
  std::vector<double> p0;  // n
  std::vector<double> b;   // m
  std::vector<Block> blocks;
  std::vector<double> sizes;  // n, or empty: least unit of each v, where more is known of it than the problem tells: the largest potential of a circuit
  std::vector<double> rest;   // m, or empty: 0. Loads that are not unique are shared as by equal springs that are relaxed at these r
  std::vector<double> springs;  // m, or empty: their compliances, those of the rows by masses alone, which do not depend on the step; empty: the diagonal of W
  bool symmetric = false;  // M symmetric positive definite and G = H^T

  int rows() const { return count_of(b); }
  int unknowns() const { return count_of(p0); }
};

}  // namespace saltus
