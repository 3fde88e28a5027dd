// Wall time of whole solves by threads, in turns in one job: threads TOLERANCE REPEAT SOLVER|- COUNTS FILE...
// COUNTS: "1,2,7". Prints the least wall and CPU time of each count, the ratio to the first, and whether all bits are equal.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "problem_file.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/solver/solve.hpp"

int main(int argc, char** argv) {
  using namespace saltus;
  if (argc < 6) return std::fprintf(stderr, "threads TOLERANCE REPEAT SOLVER|- COUNTS FILE...\n"), 2;
  const std::string solver = std::string(argv[3]) == "-" ? "" : argv[3];
  std::vector<int> counts;
  for (std::stringstream list(argv[4]); list.good();) {
    std::string word;
    std::getline(list, word, ',');
    counts.push_back(std::atoi(word.c_str()));
  }
  std::printf("%-28s %8s %9s %10s", "problem", "contacts", "status", "flops");
  for (int count : counts) std::printf("  wall %d ms   cpu ms  ratio", count);
  std::printf("  bits\n");
  bool equal = true;
  for (int k = 5; k < argc; ++k) {
    auto file = bench::read_friction_file(argv[k]);
    bench::set_blocks(file);
    for (Block& block : file.problem.blocks) block.set = file.dimension == 2 ? &coulomb_2d_set : &coulomb_3d_set;
    if (file.global) file.problem.symmetric = true;
    std::vector<double> wall(counts.size(), 1e300), cpu(counts.size(), 1e300);
    std::vector<double> first;
    bool same = true;
    SolveReport report;
    for (int repeat = 0; repeat < std::atoi(argv[2]); ++repeat)
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto start = std::chrono::steady_clock::now();
        report = solve(file.problem, {.tolerance = std::atof(argv[1]), .solver = solver, .threads = counts[i]});
        wall[i] = std::min(wall[i], 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        cpu[i] = std::min(cpu[i], 1e3 * report.time_s);
        if (first.empty()) first = report.r;
        same = same && std::equal(first.begin(), first.end(), report.r.begin(), report.r.end(),
                                  [](double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); });
      }
    std::printf("%-28s %8zu %9s %10.3g", std::filesystem::path(argv[k]).stem().c_str(), file.friction.size(),
                report.status == SolveStatus::solved ? "solved" : "open", static_cast<double>(report.flops));
    for (std::size_t i = 0; i < counts.size(); ++i) std::printf(" %10.2f %8.2f %6.2f", wall[i], cpu[i], wall[0] / wall[i]);
    std::printf("  %s\n", same ? "equal" : "DIFFER");
    std::fflush(stdout);
    equal = equal && same;
  }
  return equal ? 0 : 1;
}
