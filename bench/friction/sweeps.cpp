// Sweeps of the library beside those of an own kernel (bench/limit/gauss_seidel.hpp), in turns in one run on the same contacts in
// the same order: sweeps COUNT FILE... (from M and H, three rows a contact). CPU time, the least of nine rounds. Fails where the
// impulses differ by more than rounding.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "../limit/gauss_seidel.hpp"
#include "../limit/output.hpp"
#include "problem_file.hpp"
#include "saltus/solver/friction/gauss_seidel.hpp"

namespace {

limit::GaussSeidel own_kernel(const saltus::friction::Scaled& s) {
  limit::GaussSeidel own;
  own.contacts.resize(s.contacts);
  for (int c = 0; c < s.contacts; ++c) {
    limit::Contact& C = own.contacts[c];
    C.body[1] = -1;
    for (int l = s.limb_begin[c], b = 0; l < s.limb_begin[c + 1]; ++l, ++b) {
      C.body[b] = s.limbs[l].body;
      std::copy_n(s.jacobian.data() + 18 * static_cast<std::size_t>(l), 18, C.J[b]);
    }
    std::copy_n(s.diagonal[c].data(), 9, C.A);
    saltus::friction::invert(C.A, C.inverse);
    std::copy_n(s.q.data() + 3 * c, 3, C.q);
  }
  return own;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace saltus;
  if (argc < 3) return std::fprintf(stderr, "sweeps COUNT FILE...\n"), 2;
  const int count = std::atoi(argv[1]);
  bool good = true;
  std::printf("%-28s %8s %14s %14s %6s %10s\n", "problem", "contacts", "saltus ns", "own kernel ns", "ratio", "differ");
  for (int k = 2; k < argc; ++k) {
    auto file = bench::read_friction_file(argv[k]);
    bench::set_blocks(file);
    file.problem.symmetric = true;
    const auto problem = friction::scaled(file.problem);
    if (!problem || !problem->body_form || !problem->compliance.empty()) return std::fprintf(stderr, "%s: not from bodies\n", argv[k]), 2;
    const std::vector<double> zero(static_cast<std::size_t>(problem->size()), 0.0);
    limit::GaussSeidel own = own_kernel(*problem);
    friction::GaussSeidel ours(*problem, zero);
    double best[2] = {1e300, 1e300};
    for (int round = 0; round < 9; ++round) {
      ours.restart(zero);
      own.x = zero, own.v.assign(6 * static_cast<std::size_t>(problem->bodies), 0.0);
      double start = limit::cpu();
      for (int i = 0; i < count; ++i) ours.sweep();
      best[0] = std::min(best[0], limit::cpu() - start);
      start = limit::cpu();
      for (int i = 0; i < count; ++i) own.sweep();
      best[1] = std::min(best[1], limit::cpu() - start);
    }
    double size = 0, differ = 0;
    for (std::size_t i = 0; i < zero.size(); ++i) size = std::max(size, std::abs(own.x[i])), differ = std::max(differ, std::abs(own.x[i] - ours.impulses()[i]));
    const double unit = 1e9 / (static_cast<double>(count) * problem->contacts);
    std::printf("%-28s %8d %14.1f %14.1f %6.2f %10.1e\n", std::filesystem::path(argv[k]).stem().c_str(), problem->contacts, unit * best[0], unit * best[1],
                best[0] / best[1], differ / size);
    good = good && differ <= 1e-9 * size;
  }
  return good ? 0 : 1;
}
