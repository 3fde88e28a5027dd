// Mixed complementarity with bounds, free variables included, by pivoting.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "saltus/math/dense.hpp"
#include "saltus/solver/lemke.hpp"

namespace saltus {

/// Find z in [low, high] with w = A z + q: w = 0 inside, w >= 0 at low, w <= 0 at high. A is n x n row-major.
/// Infinite bounds on both sides make a free variable and an equation.
struct MixedLcp {
  int n = 0;
  std::vector<double> A, q, low, high;
};

enum class MlcpStatus { solved, ray, infeasible, limit };

struct MlcpOptions {
  int max_pivots = 0;          // of one path; 0: 20 n + 100
  int covers = 6;              // paths tried, each with another covering vector
  int enumerate_below = 11;    // pairs up to which all bases are tried where the paths fail; 0: never
  int contradict_below = 120;  // unknowns up to which multipliers of the rows are sought that prove infeasibility
  double tolerance = 1e-10;    // of the natural map of the equilibrated problem
};

/// Free variables are pivoted into the basis. Where the free block is singular (a floating potential) a complementary pair
/// closes it: the law, not an inverse, makes the whole regular; what no pair closes is split into positive and negative
/// part. The rest is Lemke's path; its basis is then solved again from the given matrix. Allocates only while it grows.
class MlcpSolver {
 public:
  /// warm: an earlier z, or empty. z (n) receives the solution (or, if not solved, the last point).
  MlcpStatus solve(const MixedLcp& problem, std::span<const double> warm, std::span<double> z, const MlcpOptions& options = {});

  int pivots() const { return pivots_; }
  bool rank_deficient() const { return found_.rank_deficient; }  // the basis matrix of the solution is singular
  bool not_unique() const { return found_.not_unique; }          // z may move without leaving its law
  /// Row multipliers that prove that the problem has no feasible point; empty if not proven this way.
  std::span<const double> infeasibility_proof() const { return proof_; }

  /// All basic solutions (vertices of the solution set), for small problems; `complete` false if there are too many bases.
  struct Solutions {
    std::vector<std::vector<double>> z;
    bool unbounded = false;  // the set holds a ray
    bool complete = false;
  };
  Solutions all_solutions(const MixedLcp& problem, int max_pairs = 14);

 private:
  enum class Role : char { plain, swapped, plus, minus };
  struct Pair {  // of the standard problem: basic variable of its row, variable of its column, both of the dictionary
    int row;
    int column;
    int z;         // unknown that the pair belongs to
    int equation;  // and its row of the given problem
    Role role;
  };
  void scale(const MixedLcp& problem);
  void choose_references(std::span<const double> warm);
  void fill_dictionary();
  void eliminate_free(bool close_by_laws);
  bool close_by_a_law(std::vector<int>& rows, std::vector<int>& columns);
  void swap_warm(std::span<const double> warm);
  void pivot(int row, int column);
  void standardize(std::span<const int> open_rows, std::span<const int> open_columns);
  void prepare(const MixedLcp& problem, std::span<const double> warm, bool close_by_laws);
  void recover(std::span<const double> x, std::span<const double> y, std::span<double> z) const;
  bool follow_paths(const MlcpOptions& options);
  bool improve(std::span<double> z, int steps);
  bool basis_point(std::span<double> z);
  void test_uniqueness(std::span<const double> z);
  double residual(std::span<const double> z);
  bool proves_infeasible();
  bool contradictory();
  bool proof_holds();
  void slack(std::span<const double> z);
  int row_of(int variable) const { return dictionary_.place[variable]; }
  int column_of(int variable) const { return -1 - dictionary_.place[variable]; }
  double* row(int i) { return dictionary_.table.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n_ + 1); }
  const double* row(int i) const { return dictionary_.table.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n_ + 1); }

  int n_ = 0, pivots_ = 0;
  struct Found {
    bool rank_deficient = false, not_unique = false, infeasible = false;
  } found_;
  /// The equilibrated problem.
  struct Scaled {
    std::vector<double> A, q, low, high, row_scale, col_scale;
  } scaled_;
  std::vector<double> reference_, sign_;  // z = reference + sign x, y = sign w
  std::vector<char> free_, fixed_;
  struct Dictionary {
    std::vector<double> table;            // n rows of value and n coefficients
    std::vector<int> basic, column;       // variable of row and of column: z_i is i, w_i is n + i
    std::vector<int> place;               // of a variable: row, or -1 - column
  } dictionary_;
  std::vector<Pair> pairs_;
  StandardLcp standard_;
  Lemke lemke_;
  /// A point of the path, the best one until now.
  struct Try {
    std::vector<double> cover, point, best, w, y;
    double best_residual = 0;
  } try_;
  std::vector<double> proof_;
  std::vector<char> inside_;
  std::vector<int> index_, rows_, columns_;
  /// The solution from its basis alone.
  struct Basis {
    Eigen::MatrixXd matrix;
    Eigen::VectorXd vector, solution, correction;
    dense::Lu lu;
  } basis_;
};

}  // namespace saltus
