#include "saltus/problem/validate.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "saltus/problem/graph.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {

/// Of a block; written only where something is wrong with it.
struct Path {
  std::size_t block;
  std::string operator()() const { return "blocks/" + std::to_string(block); }
};

std::string shape(Eigen::Index rows, Eigen::Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

void check_finite(std::span<const double> x, const std::string& name, Faults& faults) {
  std::size_t bad = 0, first = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) && bad++ == 0) first = i;
  if (bad > 0)
    faults.error({}, name, "entry " + std::to_string(first) + " is " + std::to_string(x[first]) +
                               (bad > 1 ? " (and " + std::to_string(bad - 1) + " more)" : ""), "give finite numbers");
}

void check_matrix(const SparseRows& A, int rows, int cols, bool may_be_empty, const std::string& name, Faults& faults) {
  if (may_be_empty && A.size() == 0) return;
  if (A.rows() != rows || A.cols() != cols) {
    faults.error({}, name, "is " + shape(A.rows(), A.cols()) + ", must be " + shape(rows, cols));
    return;
  }
  if (A.isCompressed()) {
    check_finite({A.valuePtr(), static_cast<std::size_t>(A.nonZeros())}, name, faults);
    return;
  }
  for (int i = 0; i < A.outerSize(); ++i)
    for (SparseRows::InnerIterator entry(A, i); entry; ++entry)
      if (!std::isfinite(entry.value())) {
        faults.error({}, name, "entry (" + std::to_string(i) + ", " + std::to_string(entry.col()) + ") is not finite");
        return;
      }
}

void check_polyhedron(const Block& block, const Path& path, Faults& faults) {
  const int count = parameters_needed(*block.set, block.dim, block.parameters);
  if (count < 1 || !std::all_of(block.parameters, block.parameters + count, [](double x) { return std::isfinite(x); })) {
    faults.error({}, path(), "has a facet that is not finite, or no number of facets", "give the number of facets, A and a");
    return;
  }
  std::vector<double> c(block.dim, 0.0), x(c.size());
  std::vector<int> active;
  if (!nearest_point(*facets_of(block), block.dim, block.set_scale, c.data(), x.data(), active))
    faults.error({}, path(), "no point lies within all facets", "A r <= a must have a solution");
}

void check_graph(const Block& block, const Path& path, Faults& faults) {
  const int count = parameters_needed(*block.set, block.dim, block.parameters);
  const std::string wrong = count < 1 ? "has no number of corners" : wrong_corners((count - 1) / 2, block.parameters + 1);
  if (!wrong.empty()) faults.error({}, path(), wrong, "give the number of corners, then w and r of each");
}

void check_parameters(const Block& block, const Path& path, Faults& faults) {
  if (block.set == &box_set) {
    for (int i = 0; i < block.dim; ++i) {
      const double low = block.parameters[i], high = block.parameters[block.dim + i];
      if (!(low <= high))
        faults.error({}, path(), "row " + std::to_string(i) + " has bounds [" + std::to_string(low) + ", " +
                                   std::to_string(high) + "]", "the lower bound must not exceed the upper");
    }
    return;
  }
  if (block.set == &polyhedron_set) return check_polyhedron(block, path, faults);
  if (block.set == &graph_set) return check_graph(block, path, faults);
  const bool positive = block.set == &orthotropic_set || block.set == &contensou_set;
  for (int i = 0; i < parameters_needed(*block.set, block.dim, block.parameters); ++i) {
    const double friction = block.parameters[i];
    if (!std::isfinite(friction) || friction < 0.0 || (positive && friction == 0.0))
      faults.error({}, path(), "friction is " + std::to_string(friction) + ", must be finite and " +
                                 (positive ? "above 0" : "at least 0"));
  }
}

void check_block(const Block& block, int rows, std::size_t number, std::vector<char>& covered, Faults& faults) {
  const Path path{number};
  if (!block.set) {
    faults.error({}, path(), "has no set");
    return;
  }
  if (block.dim < 1) {
    faults.error({}, path(), "has " + std::to_string(block.dim) + " rows, must have at least 1");
    return;
  }
  if (block.set->dim != 0 && block.dim != block.set->dim)
    faults.error({}, path(), "has " + std::to_string(block.dim) + " rows, " + std::string(block.set->name) + " needs " +
                               std::to_string(block.set->dim));
  if (block.begin < 0 || block.dim > rows - block.begin) {
    faults.error({}, path(), "rows " + std::to_string(block.begin) + " to " +
                               std::to_string(static_cast<long long>(block.begin) + block.dim - 1) +
                               " are outside the problem's " + std::to_string(rows) + " rows");
    return;
  }
  for (int i = block.begin; i < block.begin + block.dim; ++i)
    if (covered[i]++) {
      faults.error({}, path(), "row " + std::to_string(i) + " belongs to another block as well");
      break;
    }
  if (!std::isfinite(block.set_scale) || block.set_scale < 0.0)
    faults.error({}, path(), "set_scale is " + std::to_string(block.set_scale) + ", must be finite and at least 0");
  if (block.set == &polyhedron_set || block.set == &graph_set || parameters_needed(*block.set, block.dim, block.parameters) > 0) {
    if (!block.parameters) faults.error({}, path(), "has no parameters");
    else check_parameters(block, path, faults);
  }
}

}  // namespace

void validate(const Problem& problem, Faults& faults) {
  const int n = problem.unknowns(), m = problem.rows();
  check_finite(problem.p0, "p0", faults);
  check_finite(problem.b, "b", faults);
  if (n > 0) {
    check_matrix(problem.M, n, n, false, "M", faults);
    check_matrix(problem.H, m, n, false, "H", faults);
    check_matrix(problem.G, n, m, true, "G", faults);
    check_matrix(problem.D, m, m, true, "D", faults);
  } else {
    check_matrix(problem.D, m, m, m == 0, "D", faults);
    if (problem.M.nonZeros() > 0) faults.error({}, "M", "is given without p0", "p0 has one entry a row of M");
    if (problem.H.nonZeros() > 0) faults.error({}, "H", "is given without p0", "p0 has one entry a row of M");
  }
  std::vector<char> covered(m, 0);
  for (std::size_t k = 0; k < problem.blocks.size(); ++k)
    check_block(problem.blocks[k], m, k, covered, faults);
  for (int i = 0; i < m; ++i)
    if (!covered[i]) {
      faults.error({}, "blocks", "row " + std::to_string(i) + " has no law", "put each row into one block");
      break;
    }
}

void validate(const Problem& problem) {
  Faults faults;
  validate(problem, faults);
  faults.raise();
}

}  // namespace saltus
