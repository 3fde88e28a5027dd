// Memory of a friction solve in bytes a contact: the problem (counted), its scaled form, a Cholesky and an LU factor with what they are
// made of, and the most that a solve of the portfolio holds beyond the problem, one of the factors included.
// memory TOLERANCE GIGAFLOPS FILE...
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>

#include <malloc.h>

#include "problem_file.hpp"
#include "saltus/solver/friction/friction.hpp"
#include "saltus/solver/friction/kernel.hpp"

namespace {
std::size_t held = 0, most = 0;

void* taken(std::size_t size) {
  void* p = std::malloc(size);
  if (p == nullptr) throw std::bad_alloc();
  held += malloc_usable_size(p);
  if (held > most) most = held;
  return p;
}
void returned(void* p) {
  held -= p ? malloc_usable_size(p) : 0;
  std::free(p);
}
}  // namespace

void* operator new(std::size_t size) { return taken(size); }
void* operator new[](std::size_t size) { return taken(size); }
void operator delete(void* p) noexcept { returned(p); }
void operator delete[](void* p) noexcept { returned(p); }
void operator delete(void* p, std::size_t) noexcept { returned(p); }
void operator delete[](void* p, std::size_t) noexcept { returned(p); }

int main(int argc, char** argv) {
  using namespace saltus;
  using namespace saltus::friction;
  if (argc < 4) return std::fprintf(stderr, "memory TOLERANCE GIGAFLOPS FILE...\n"), 2;
  std::printf("%-28s %8s %9s %9s %9s %9s %9s\n", "bytes a contact", "contacts", "problem", "scaled", "Cholesky", "LU", "solve");
  for (int k = 3; k < argc; ++k) {
    auto file = bench::read_friction_file(argv[k]);
    bench::set_blocks(file);
    const Problem& p = file.problem;
    const double contacts = static_cast<double>(file.friction.size());
    const std::size_t problem = 12 * static_cast<std::size_t>(p.M.nonZeros() + p.H.nonZeros() + p.D.nonZeros()) + 8 * (p.b.size() + 2 * p.p0.size()) +
                                sizeof(Block) * p.blocks.size();
    std::size_t form = 0, factor[2] = {};
    {
      const std::size_t before = held;
      const auto s = scaled(p);
      form = held - before;
      const std::vector<Square> D(s->contacts, Square{1, 0, 0, 0, 1, 0, 0, 0, 1});
      for (const bool symmetric : {true, false}) {
        Kernel kernel(*s);
        const std::size_t without = held;
        if (!kernel.factor(D, symmetric)) return 1;
        factor[symmetric ? 0 : 1] = held - without;
      }
    }
    const std::size_t before = held;
    most = held;
    const SolveReport report = race(p, std::atof(argv[1]), static_cast<std::int64_t>(1e9 * std::atof(argv[2])));
    std::printf("%-28s %8.0f %9.0f %9.0f %9.0f %9.0f %9.0f  %s\n", std::filesystem::path(argv[k]).stem().c_str(), contacts, static_cast<double>(problem) / contacts,
                static_cast<double>(form) / contacts, static_cast<double>(factor[0]) / contacts, static_cast<double>(factor[1]) / contacts,
                static_cast<double>(most - before) / contacts,
                report.status == SolveStatus::solved ? "solved" : "not solved");
  }
}
