// Solves friction problems from binary files and prints a table: driver SOLVER TOLERANCE GIGAFLOPS FILE...
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "problem_file.hpp"
#include "saltus/solver/friction/friction.hpp"

int main(int argc, char** argv) {
  using namespace saltus;
  if (argc < 5) return std::fprintf(stderr, "driver SOLVER TOLERANCE GIGAFLOPS FILE...\n"), 2;
  const std::map<std::string, decltype(&friction::race)> solvers{
      {"race", friction::race}, {"nsgs", friction::nsgs}, {"nsgs_accelerated", friction::nsgs_accelerated}, {"admm", friction::admm},
      {"admm_anderson", friction::admm_anderson}, {"interior_point", friction::interior_point}, {"sweep_newton", friction::sweep_newton}, {"piles", friction::piles}, {"proximal", friction::proximal}};
  const auto solver = solvers.find(argv[1]);
  if (solver == solvers.end()) return std::fprintf(stderr, "%s is not a solver\n", argv[1]), 2;
  int solved = 0;
  std::printf("%-40s %4s %8s %10s %10s %10s %9s %8s %-20s %s\n", "problem", "form", "contacts", "natural", "scaled", "ms", "gigaflop",
              "steps", "arm", "hash");
  for (int k = 4; k < argc; ++k) {
    auto file = bench::read_friction_file(argv[k]);
    bench::set_blocks(file);
    const SolveReport report = solver->second(file.problem, std::atof(argv[2]), static_cast<std::int64_t>(1e9 * std::atof(argv[3])), {}, nullptr, {});
    std::uint64_t hash = 14695981039346656037ull;
    for (double r : report.r) hash = (hash ^ std::bit_cast<std::uint64_t>(r)) * 1099511628211ull;
    solved += report.status == SolveStatus::solved;
    std::printf("%-40s %4s %8zu %10.1e %10.1e %10.3f %9.4f %8d %-20s %016llx%s\n", std::filesystem::path(argv[k]).stem().c_str(),
                file.global ? "M,H" : "W", file.friction.size(), report.residual, report.scaled_residual, 1e3 * report.time_s,
                1e-9 * static_cast<double>(report.flops), report.iterations, std::string(report.solver).c_str(),
                static_cast<unsigned long long>(hash), report.status == SolveStatus::solved ? "" : "  not solved");
    std::fflush(stdout);
  }
  std::printf("%d of %d solved\n", solved, argc - 4);
}
