// Time of one small solve from a running step: a Solver that is kept, new values in a problem of the same shape each time.
//   saltus_friction_small [NAME [SOLVES]]
// Instructions of one problem: valgrind --tool=callgrind --toggle-collect='saltus::Solver::solve(*' saltus_friction_small NAME 2000
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "saltus/problem/named_problems.hpp"
#include "saltus/solver/solve.hpp"

namespace {

using namespace saltus;
constexpr double step = 1e-3, gravity = 9.81;

/// A problem and how its data move from solve to solve.
struct Running {
  NamedProblem named;
  std::function<void(Problem&, int)> advance;
};

/// Rows of contacts at `points` of one body of mass 1, normals up, over (linear velocity, angular velocity).
std::vector<double> contact_rows(const std::vector<std::array<double, 3>>& points) {
  std::vector<double> H(18 * points.size(), 0.0);
  for (std::size_t c = 0; c < points.size(); ++c) {
    const auto& p = points[c];
    const double axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 3; ++i) {
      double* row = H.data() + 18 * c + 6 * static_cast<std::size_t>(i);
      const double* n = axes[i];
      for (int k = 0; k < 3; ++k) row[k] = n[k];
      row[3] = p[1] * n[2] - p[2] * n[1], row[4] = p[2] * n[0] - p[0] * n[2], row[5] = p[0] * n[1] - p[1] * n[0];
    }
  }
  return H;
}

Running body(const std::vector<std::array<double, 3>>& points, double push, double spin) {
  const std::vector<double> H = contact_rows(points);
  std::vector<double> M(36, 0.0);
  for (int i = 0; i < 6; ++i) M[7 * static_cast<std::size_t>(i)] = i < 3 ? 1.0 : 0.1;
  const int rows = 3 * static_cast<int>(points.size());
  Running running{global_friction(3, sparse(M, 6, 6), sparse(H, rows, 6), {push, 0, -step * gravity, 0, 0, spin},
                                  std::vector<double>(static_cast<std::size_t>(rows), 0.0), std::vector<double>(points.size(), 0.3)),
                  [push](Problem& problem, int i) {
                    problem.p0[0] = push * (1.0 + 1e-3 * (i % 7));
                    problem.p0[2] = -step * gravity * (1.0 + 1e-3 * (i % 5));
                  }};
  running.named.problem.symmetric = true;
  return running;
}

std::map<std::string, std::function<Running()>> problems() {
  return {
      {"planar_local", [] {
         const double W[4] = {2, 0.3, 0.3, 1.5};
         return Running{friction(2, sparse(W, 2, 2), {-1, 0.4}, {0.4}), [](Problem& p, int i) { p.b[0] = -1.0 - 0.01 * (i % 7); }};
       }},
      {"planar_two", [] {
         const double W[16] = {2, 0.3, 0.1, 0, 0.3, 1.5, 0, 0.2, 0.1, 0, 2.5, 0.4, 0, 0.2, 0.4, 1.8};
         return Running{friction(2, sparse(W, 4, 4), {-1, 0.4, -1, 2}, {0.4, 0.3}), [](Problem& p, int i) { p.b[0] = -1.0 - 0.01 * (i % 7); }};
       }},
      {"half_lines", [] {
         const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, H[9] = {1, 0, 0, -1, 1, 0, 0, -1, 1};
         Running running{global_mixed(sparse(M, 3, 3), sparse(H, 3, 3), {-0.01, -0.01, -0.01}, {0, 0, 0}, {{&half_line_set, 1, {}}, {&half_line_set, 1, {}}, {&half_line_set, 1, {}}}),
                         [](Problem& p, int i) { p.p0[2] = -0.01 - 1e-4 * (i % 7); }};
         running.named.problem.symmetric = true;
         return running;
       }},
      {"joint_and_contact", [] {  // a rod on a hinge whose tip slides on the ground
         const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.1}, H[12] = {1, 0, -0.5, 0, 1, -0.4, 0, 1, 0.6, 1, 0, 0.5};
         Running running{global_mixed(sparse(M, 3, 3), sparse(H, 4, 3), {0, -step * gravity, -0.01}, {0, 0, 0, 0}, {{&equality_set, 2, {}}, {&coulomb_2d_set, 2, {0.3}}}),
                         [](Problem& p, int i) { p.p0[2] = -0.01 - 1e-4 * (i % 7); }};
         running.named.problem.symmetric = true;
         return running;
       }},
      {"ball_open", [] { return body({{0, 0, -0.1}}, 1e-3, 0); }},
      {"ball_sticks", [] { return body({{0, 0, -0.1}}, 1e-3, 0); }},
      {"ball_slides", [] { return body({{0, 0, -0.1}}, 5e-2, 0); }},
      {"body_two", [] { return body({{-0.2, 0, -0.1}, {0.2, 0, -0.1}}, 2e-3, 1e-3); }},
      {"body_three", [] { return body({{-0.2, -0.1, -0.1}, {0.2, -0.1, -0.1}, {0, 0.2, -0.1}}, 1e-3, 0); }},
      {"body_three_slides", [] { return body({{-0.2, -0.1, -0.1}, {0.2, -0.1, -0.1}, {0, 0.2, -0.1}}, 2e-2, 1e-3); }},
  };
}

}  // namespace

int main(int argc, char** argv) {
  const int solves = argc > 2 ? std::atoi(argv[2]) : 20000;
  std::printf("%-20s %-5s %8s %8s %10s  %s\n", "problem", "start", "solved", "us", "residual", "solver");
  for (const auto& [name, make] : problems()) {
    if (argc > 1 && name != argv[1]) continue;
    for (const bool warm : {false, true}) {
      Running running = make();
      if (name == "ball_open")
        for (double& b : running.named.problem.b) b = 1.0;
      Solver solver;
      SolveReport report;
      std::vector<double> r, v;
      int solved = 0;
      double worst = 0.0;
      const std::clock_t start = std::clock();
      for (int i = 0; i < solves; ++i) {
        running.advance(running.named.problem, i);
        SolveOptions options;
        options.timed = false;
        options.warm_r = r, options.warm_v = v;
        solver.solve(running.named.problem, options, report);
        solved += report.status == SolveStatus::solved;
        worst = std::max({worst, report.residual, report.scaled_residual});
        if (warm) r = report.r, v = report.v;
      }
      const double us = 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / solves;
      std::printf("%-20s %-5s %8d %8.3f %10.1e  %s\n", name.c_str(), warm ? "warm" : "cold", solved, us, worst, std::string(report.solver).c_str());
    }
  }
}
