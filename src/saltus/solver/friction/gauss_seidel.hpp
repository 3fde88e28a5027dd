// Nonsmooth Gauss-Seidel: contact after contact, each solved exactly with the others held.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "saltus/solver/friction/contact_packs.hpp"
#include "saltus/solver/friction/scaled.hpp"

namespace saltus::friction {

/// Sweeps over the contacts in their order, colours by threads, so that the result is the same on every machine and in every
/// run. In body form the velocities of the bodies are kept and W' is never assembled (Jourdan, Alart, Jean 1998).
class GaussSeidel {
 public:
  /// Starts at `x` (3 contacts, in the cone).
  GaussSeidel(const Scaled& problem, const std::vector<double>& x);

  /// One pass over all contacts; `relaxation` in (0, 2).
  void sweep(double relaxation = 1.0);
  /// One pass in the order of the problem's rows, by one thread: in a flow it needs fewer passes than one by colours.
  void sweep_in_order();

  const std::vector<double>& impulses() const { return x_; }
  void restart(const std::vector<double>& x);
  std::int64_t sweep_flops() const { return sweep_flops(problem_); }
  static std::int64_t sweep_flops(const Scaled& problem);

 private:
  friend class AcceleratedSweeps;

  void sweep_bodies(int first, int last, double relaxation);
  void sweep_normal(int c, int begin, int end, double relaxation);
  void sweep_blocks(int first, int last, double relaxation);

  const Scaled& problem_;
  std::vector<double> x_;
  std::vector<double> v_;  // body form: J^T x
  std::vector<Square> inverse_;
  std::vector<int> order_;  // contacts by their rows
};

/// Sweeps with momentum: with z = sweep(y) the next starts at y = z + (t - 1) / t+ (z - z_last), t+ = (1 + sqrt(1 + 4 t^2)) / 2. The
/// momentum begins anew, t = 1, where it points against the sweep, (y - z).(z - z_last) > 0, and where |z - y|^2 has grown by half since
/// it was least: friction has no potential that would keep it in bounds. Source: Nesterov 1983; O'Donoghue, Candes 2015 for the first
/// test; Mazhar, Heyn, Negrut, Tasora 2015 for contacts (projected gradients there).
class AcceleratedSweeps {
 public:
  AcceleratedSweeps(const Scaled& problem, const std::vector<double>& x);

  void sweep();
  /// Takes the bodies' velocities anew from the impulses, against rounding that momentum would add up; every twenty sweeps or so.
  void refresh();
  /// Gives back what `refresh`, due before the next sweep, makes anew.
  void rest();
  /// After the last sweep, in the cones.
  const std::vector<double>& impulses();
  std::int64_t sweep_flops() const { return GaussSeidel::sweep_flops(problem_) + 30 * problem_.contacts; }

 private:
  std::array<double, 2> sweep_from();  // -(z - y).(z - z_last), |z - y|^2
  void extrapolate(double momentum);

  const Scaled& problem_;
  std::optional<ContactPacks> packs_;    // body form
  std::optional<GaussSeidel> blocks_;    // contact form, whose impulses are y
  std::vector<double> before_, reached_;  // the last y, z
  double t_ = 1.0, least_ = 0.0;
  bool moving_ = false;
};

}  // namespace saltus::friction
