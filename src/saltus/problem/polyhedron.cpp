#include "saltus/problem/polyhedron.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/math/dense.hpp"
#include "saltus/problem/convex_set.hpp"
#include "saltus/problem/graph.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

MatrixXd columns_of(const MatrixXd& E, const std::vector<int>& list) {
  MatrixXd out(E.rows(), static_cast<Index>(list.size()));
  for (std::size_t k = 0; k < list.size(); ++k) out.col(static_cast<Index>(k)) = E.col(list[k]);
  return out;
}

/// min |E u - f| over u >= 0; the columns with u > 0 end in `positive` (Lawson, Hanson 1974, algorithm NNLS).
VectorXd non_negative_least_squares(const MatrixXd& E, const VectorXd& f, std::vector<int>& positive) {
  const Index count = E.cols();
  VectorXd u = VectorXd::Zero(count);
  positive.clear();
  for (Index step = 0; step < 3 * count + 30; ++step) {
    const VectorXd gain = E.transpose() * (f - E * u);
    int next = -1;
    for (int j = 0; j < count; ++j)
      if (u[j] == 0.0 && gain[j] > 1e-13 && (next < 0 || gain[j] > gain[next]) &&
          std::find(positive.begin(), positive.end(), j) == positive.end())
        next = j;
    if (next < 0) break;
    positive.push_back(next);
    bool first = true;
    while (!positive.empty()) {
      const VectorXd s = dense::least_squares(columns_of(E, positive), f);
      if (first && s[s.size() - 1] <= 0.0) {  // round-off let it in: it cannot help
        positive.pop_back();
        return u;
      }
      first = false;
      double t = 1.0;
      for (std::size_t k = 0; k < positive.size(); ++k)
        if (const double now = u[positive[k]], then = s[static_cast<Index>(k)]; then <= 0.0) t = std::min(t, now / (now - then));
      for (std::size_t k = 0; k < positive.size(); ++k) u[positive[k]] += t * (s[static_cast<Index>(k)] - u[positive[k]]);
      if (t >= 1.0) break;
      std::erase_if(positive, [&u](int j) {
        if (u[j] > 1e-15) return false;
        u[j] = 0.0;
        return true;
      });
    }
  }
  return u;
}

/// Least distance from `start` as non-negative least squares: facets as columns of E, in units of the largest violation;
/// columns of zeros for facets that say nothing. `unit` <= 0: start is within all.
MatrixXd least_distance(const Facets& facets, int dim, double set_scale, const VectorXd& start, VectorXd& violation, double& unit) {
  const Eigen::Map<const RowMatrix> A(facets.A, facets.count, dim);
  const Eigen::Map<const VectorXd> a(facets.a, facets.count);
  // y = x - c in {-A y >= A c - a}, rows of length 1.
  violation = A * start - set_scale * a;
  MatrixXd E(dim + 1, facets.count);
  for (Index j = 0; j < facets.count; ++j) {
    const double length = A.row(j).norm();
    E.col(j).head(dim) = length > 0.0 ? VectorXd(-A.row(j).transpose() / length) : VectorXd::Zero(dim);
    if (length > 0.0) violation[j] /= length;
  }
  unit = facets.count > 0 ? violation.maxCoeff() : 0.0;
  if (unit > 0.0) E.row(dim) = violation.transpose() / unit;
  return E;
}

Facets facets_in(const double* parameters, int dim) {
  const int count = static_cast<int>(parameters[0]);
  return {count, parameters + 1, parameters + 1 + count * dim};
}

void prox(const double* parameters, int dim, const double* r, const double* w, double rho, double set_scale, double* result) {
  std::vector<double> c(dim);
  std::vector<int> active;
  for (int i = 0; i < dim; ++i) c[i] = r[i] - rho * w[i];
  nearest_point(facets_in(parameters, dim), dim, set_scale, c.data(), result, active);
}

/// The projection moves within the face of the active facets: I - A_a^+ A_a.
void prox_derivative(const double* parameters, int dim, const double* r, const double* w, double rho, double set_scale,
                     double* by_r, double* by_w) {
  const Facets facets = facets_in(parameters, dim);
  VectorXd c(dim), x(dim);
  std::vector<int> active;
  for (int i = 0; i < dim; ++i) c[i] = r[i] - rho * w[i];
  nearest_point(facets, dim, set_scale, c.data(), x.data(), active);
  const Eigen::Map<const RowMatrix> A(facets.A, facets.count, dim);
  RowMatrix face = RowMatrix::Identity(dim, dim);
  if (!active.empty()) {
    MatrixXd rows(static_cast<Index>(active.size()), dim);
    for (std::size_t k = 0; k < active.size(); ++k) rows.row(static_cast<Index>(k)) = A.row(active[k]);
    face -= dense::least_norm(rows, rows);
  }
  for (int i = 0; i < dim * dim; ++i) {
    by_r[i] = face.data()[i];
    by_w[i] = -rho * face.data()[i];
  }
}

}  // namespace

std::vector<double> contradiction(const Facets& facets, int dim) {
  VectorXd violation;
  double unit = 0.0;
  const MatrixXd E = least_distance(facets, dim, 1.0, VectorXd::Zero(dim), violation, unit);
  if (!(unit > 0.0) || !violation.allFinite()) return {};
  const VectorXd f = VectorXd::Unit(dim + 1, dim);
  std::vector<int> positive;
  const VectorXd u = non_negative_least_squares(E, f, positive);
  if ((E * u - f).norm() > 1e-9) return {};
  std::vector<double> multipliers(facets.count);
  const Eigen::Map<const RowMatrix> A(facets.A, facets.count, dim);
  for (Index j = 0; j < facets.count; ++j) {
    const double length = A.row(j).norm();
    multipliers[j] = length > 0.0 ? u[j] / length : u[j];
  }
  return multipliers;
}

bool nearest_point(const Facets& facets, int dim, double set_scale, const double* c, double* x, std::vector<int>& active) {
  const VectorXd start = Eigen::Map<const VectorXd>(c, dim);
  Eigen::Map<VectorXd> nearest(x, dim);
  nearest = start;
  active.clear();
  VectorXd violation;
  double unit = 0.0;
  const MatrixXd E = least_distance(facets, dim, set_scale, start, violation, unit);
  if (!violation.allFinite()) return false;
  if (!(unit > 0.0)) return true;
  const VectorXd f = VectorXd::Unit(dim + 1, dim);
  const VectorXd u = non_negative_least_squares(E, f, active);
  const VectorXd rest = E * u - f;
  if (rest.norm() < 1e-9) return false;
  // The active facets as equations: free of the round-off of the multipliers.
  std::sort(active.begin(), active.end());
  MatrixXd rows(static_cast<Index>(active.size()), dim);
  VectorXd distance(static_cast<Index>(active.size()));
  for (std::size_t k = 0; k < active.size(); ++k) {
    rows.row(static_cast<Index>(k)) = E.col(active[k]).head(dim).transpose();
    distance[static_cast<Index>(k)] = violation[active[k]];
  }
  nearest += dense::least_norm_vector(rows, distance);
  return true;
}

const SetType polyhedron_set{.name = "polyhedron", .dim = 0, .prox = prox, .prox_derivative = prox_derivative};

std::optional<Facets> facets_of(const Block& block) {
  if (block.set != &polyhedron_set) return std::nullopt;
  return facets_in(block.parameters, block.dim);
}

int parameters_needed(const SetType& set, int dim, const double* parameters) {
  if (&set == &convex_set) return 1;
  if (&set != &polyhedron_set && &set != &graph_set) return parameter_count(set, dim);
  const double count = parameters ? parameters[0] : 0.0;
  const int each = &set == &graph_set ? 2 : dim + 1;
  return count >= 0.0 && count <= 1e6 && count == std::floor(count) ? 1 + static_cast<int>(count) * each : -1;
}

}  // namespace saltus
