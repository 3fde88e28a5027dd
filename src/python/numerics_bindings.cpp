// Problems as sparse arrays and blocks, solved; the package `saltus.numerics` adds the words of the user.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/problem/convex_set.hpp"
#include "saltus/problem/graph.hpp"
#include "saltus/problem/named_problems.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/problem/residual.hpp"
#include "saltus/problem/validate.hpp"
#include "saltus/solver/mlcp_form.hpp"
#include "saltus/solver/solve.hpp"

namespace nb = nanobind;

namespace saltus::python {

namespace {

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Csr = std::tuple<std::int64_t, std::int64_t, Ints, Ints, Doubles>;  // rows, columns, indptr, indices, data
using Names = std::vector<std::string>;
using Counts = std::vector<int>;

std::vector<double> copied(const Doubles& x) { return {x.data(), x.data() + x.shape(0)}; }

/// Compressed rows, checked entry by entry: a wrong index must not reach the engine.
SparseRows matrix(const Csr& csr, const std::string& name, Faults& faults) {
  const auto& [rows, cols, indptr, indices, data] = csr;
  constexpr std::int64_t most = 100'000'000;
  const std::int64_t entries = static_cast<std::int64_t>(data.shape(0));
  const auto refuse = [&](const std::string& message) {
    faults.error({}, name, message);
    return SparseRows();
  };
  if (rows < 0 || cols < 0 || rows > most || cols > most || entries > 1'000'000'000)
    return refuse("has shape " + std::to_string(rows) + " x " + std::to_string(cols) + ", outside of what fits");
  if (static_cast<std::int64_t>(indptr.shape(0)) != rows + 1)
    return refuse("indptr has " + std::to_string(indptr.shape(0)) + " entries, must have " + std::to_string(rows + 1));
  if (static_cast<std::int64_t>(indices.shape(0)) != entries)
    return refuse("has " + std::to_string(indices.shape(0)) + " indices and " + std::to_string(entries) + " data");
  if (indptr.data()[0] != 0 || indptr.data()[rows] != entries) return refuse("indptr must run from 0 to the number of entries");
  for (std::int64_t i = 0; i < rows; ++i)
    if (indptr.data()[i] > indptr.data()[i + 1] || indptr.data()[i] < 0) return refuse("indptr falls at row " + std::to_string(i));
  for (std::int64_t k = 0; k < entries; ++k)
    if (indices.data()[k] < 0 || indices.data()[k] >= cols)
      return refuse("index " + std::to_string(indices.data()[k]) + " is outside of its " + std::to_string(cols) + " columns");
  SparseRows A(rows, cols);
  A.resizeNonZeros(entries);
  bool sorted = true;
  for (std::int64_t i = 0; i < rows; ++i) {
    A.outerIndexPtr()[i + 1] = static_cast<int>(indptr.data()[i + 1]);
    for (std::int64_t k = indptr.data()[i] + 1; k < indptr.data()[i + 1]; ++k) sorted &= indices.data()[k - 1] < indices.data()[k];
  }
  std::copy_n(indices.data(), entries, A.innerIndexPtr());
  std::copy_n(data.data(), entries, A.valuePtr());
  if (sorted) return A;
  std::vector<Eigen::Triplet<double>> triplets;  // entries of one place are added
  triplets.reserve(entries);
  for (int i = 0; i < A.outerSize(); ++i)
    for (SparseRows::InnerIterator a(A, i); a; ++a) triplets.emplace_back(i, static_cast<int>(a.col()), a.value());
  A.setFromTriplets(triplets.begin(), triplets.end());
  return A;
}

const SetType* set_named(const std::string& name) {
  static constexpr std::array<const SetType*, 15> sets{&equality_set, &half_line_set, &box_set, &coulomb_2d_set,
                                                      &coulomb_3d_set, &rolling_2d_set, &rolling_3d_set, &rolling_spinning_3d_set, &orthotropic_set,
                                                       &stribeck_2d_set, &stribeck_3d_set, &contensou_set, &ball_set, &graph_set, &polyhedron_set};
  for (const SetType* set : sets)
    if (set->name == name) return set;
  return nullptr;
}

/// Blocks and matrices put together; whether they make a problem is for `validate`, which `solve` calls as well.
NamedProblem assembled(const std::optional<Csr>& D, const std::optional<Csr>& M, const std::optional<Csr>& H,
                       const std::optional<Csr>& G, const Doubles& p0, const Doubles& b, const Names& sets, const Counts& rows,
                       const Counts& counts, const Doubles& parameters) {
  Faults faults;
  NamedProblem named;
  Problem& problem = named.problem;
  if (D) problem.D = matrix(*D, "D", faults);
  if (M) problem.M = matrix(*M, "M", faults);
  if (H) problem.H = matrix(*H, "H", faults);
  if (G) problem.G = matrix(*G, "G", faults);
  faults.raise();
  problem.p0 = copied(p0);
  problem.b = copied(b);
  std::size_t known = 0;
  for (int count : counts) known += std::max(count, 0);
  if (rows.size() != sets.size() || counts.size() != sets.size() || known != parameters.shape(0))
    throw ModelError("blocks", "have " + std::to_string(sets.size()) + " sets, " + std::to_string(rows.size()) + " numbers of rows and " +
                                   std::to_string(counts.size()) + " of parameters, " + std::to_string(parameters.shape(0)) + " parameters");
  named.parameters = copied(parameters);
  const double* at = named.parameters.data();
  int begin = 0;
  const SetType* set = nullptr;
  problem.blocks.reserve(sets.size());
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const std::string& name = sets[k];
    const int dim = rows[k], count = std::max(counts[k], 0);
    if (!set || set->name != name) set = set_named(name);
    const auto path = [k] { return "blocks/" + std::to_string(k); };
    if (!set) faults.error({}, path(), "there is no set \"" + name + "\"");
    else if (dim < 1 || parameters_needed(*set, dim, count == 0 ? nullptr : at) != count)
      faults.error({}, path(), name + " of " + std::to_string(dim) + " rows has " + std::to_string(count) + " parameters");
    problem.blocks.push_back({begin, dim, set, at});
    if (dim > 0) begin += dim;
    at += count;
  }
  faults.raise();
  if (M && !G && problem.M.rows() == problem.M.cols()) {  // as the named constructors do: positive definiteness shows in the factor
    const SparseRows transposed = problem.M.transpose();
    problem.symmetric = SparseRows(problem.M - transposed).norm() <= 1e-14 * problem.M.norm();
  }
  return named;
}

nb::object array_of(std::vector<double>&& values) {
  auto* owned = new std::vector<double>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

const char* status_name(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved: return "solved";
    case SolveStatus::budget: return "budget";
    case SolveStatus::ray: return "ray";
    case SolveStatus::infeasible: return "infeasible";
    case SolveStatus::unsupported: break;
  }
  return "unsupported";
}

nb::dict solve_problem(const std::optional<Csr>& D, const std::optional<Csr>& M, const std::optional<Csr>& H,
                       const std::optional<Csr>& G, const Doubles& p0, const Doubles& b, const Names& sets, const Counts& rows,
                       const Counts& counts, const Doubles& parameters, double tolerance, const std::string& solver, std::int64_t flop_budget, const Doubles& warm_r, int threads) {
  const NamedProblem named = assembled(D, M, H, G, p0, b, sets, rows, counts, parameters);
  SolveOptions options{.tolerance = tolerance, .solver = solver, .warm_r = {warm_r.data(), warm_r.shape(0)}, .threads = threads};
  if (flop_budget > 0) options.flop_budget = flop_budget;
  SolveReport report;
  {
    nb::gil_scoped_release release;
    report = solve(named.problem, options);
  }
  nb::dict out;
  out["status"] = status_name(report.status);
  out["not_unique"] = report.not_unique;
  out["rank_deficient"] = report.rank_deficient;
  out["residual"] = report.residual;
  out["scaled_residual"] = report.scaled_residual;
  out["velocity_residual"] = report.velocity_residual;
  out["siconos_error"] = report.siconos_error;
  out["worst_block"] = report.worst_block;
  out["iterations"] = report.iterations;
  out["flops"] = report.flops;
  out["islands"] = report.islands;
  out["time_s"] = report.time_s;
  out["solver"] = std::string(report.solver);
  out["cause"] = report.cause;
  out["v"] = array_of(std::move(report.v));
  out["r"] = array_of(std::move(report.r));
  out["w"] = array_of(std::move(report.w));
  out["proof"] = array_of(std::move(report.proof));
  return out;
}

nb::dict all_solutions(const std::optional<Csr>& D, const Doubles& b, const Names& sets, const Counts& rows, const Counts& counts,
                       const Doubles& parameters) {
  const std::vector<double> none;
  const NamedProblem named = assembled(D, {}, {}, {}, Doubles(none.data(), {0}), b, sets, rows, counts, parameters);
  validate(named.problem);
  if (!MlcpForm::can(named.problem))
    throw ModelError("blocks", "hold a set without edges", "all solutions can be listed for bounds, planar friction and polyhedra");
  MlcpForm form;
  form.build(named.problem);
  const MlcpSolver::Solutions found = MlcpSolver().all_solutions(form.mlcp());
  nb::list solutions;
  for (const std::vector<double>& z : found.z) {
    std::vector<double> r(named.problem.b.size());
    form.solution(named.problem, z, {}, r);
    solutions.append(array_of(std::move(r)));
  }
  nb::dict out;
  out["solutions"] = solutions;
  out["unbounded"] = found.unbounded;
  out["complete"] = found.complete;
  return out;
}

/// Projection on a convex set given by formulas of z0, z1, ...: of a point the nearest one, its derivative (rows x rows), and whether it was found.
nb::object projection(const std::vector<std::string>& formulas, const std::vector<double>& interior) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < interior.size(); ++i) names.push_back("z" + std::to_string(i));
  Faults faults;
  const Function g = Function::parse(formulas, names, {}, {}, "constraints", faults);
  faults.raise();
  if (interior.empty() || interior.size() > ConvexSet::most_rows) throw ModelError("interior", "has " + std::to_string(interior.size()) + " entries, must have 1 to " + std::to_string(ConvexSet::most_rows));
  std::string wrong;
  const std::shared_ptr<const ConvexSet> set = ConvexSet::of(g, interior, wrong);
  if (!set) throw ModelError("constraints", wrong);
  return nb::cpp_function([set](const std::vector<double>& c) {
    if (static_cast<int>(c.size()) != set->rows()) throw ModelError("x", "has " + std::to_string(c.size()) + " entries, the set has " + std::to_string(set->rows()));
    std::vector<double> x(c.size()), derivative(c.size() * c.size());
    const bool found = set->nearest(c.data(), x.data(), derivative.data());
    return std::tuple{std::move(x), std::move(derivative), found};
  });
}

}  // namespace

void bind_numerics(nb::module_& m) {
  m.def("solve", &solve_problem, nb::arg("D").none(), nb::arg("M").none(), nb::arg("H").none(), nb::arg("G").none(), nb::arg("p0"),
        nb::arg("b"), nb::arg("sets"), nb::arg("rows"), nb::arg("counts"), nb::arg("parameters"), nb::arg("tolerance"), nb::arg("solver"), nb::arg("flop_budget"), nb::arg("warm_r"), nb::arg("threads"),
        "Solves M v = p0 + G r, w = H v + D r + b with a set a block; matrices are (rows, columns, indptr, indices, data).");
  m.def("all_solutions", &all_solutions, nb::arg("D").none(), nb::arg("b"), nb::arg("sets"), nb::arg("rows"), nb::arg("counts"), nb::arg("parameters"),
        "All basic solutions of a small problem of bounds, planar friction and polyhedra, given as W and b.");
  m.def("projection", &projection, nb::arg("formulas"), nb::arg("interior"), "The projection on a convex set by formulas of z0, z1, ...: a function of a point that gives the nearest one, its derivative, and whether it was found.");
  m.def("solvers", [] {
    nb::list out;
    for (const SolverEntry& entry : solvers()) out.append(nb::make_tuple(std::string(entry.name), std::string(entry.doc)));
    return out;
  }, "Names and sentences of all solvers, in the order of the portfolio.");
}

}  // namespace saltus::python
