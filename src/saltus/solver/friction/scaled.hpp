// A Coulomb problem without units: every friction cone turned into the same self-dual cone, rows in threes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"
#include "saltus/solver/friction/cone.hpp"
#include "saltus/solver/friction/contact_loops.hpp"

namespace saltus::friction {

class Motion;

/// Fixed-size 6 x 6 body blocks: bodies with fewer columns are padded with decoupled unit rows.
inline constexpr int body_size = 6;

/// Find x, y in L per contact, x.y = 0, y = W'x + q' + |y_T| e (e: normal), with
///   x = P r / g, y = P^-1 (w + mu |w_T| n) / b, P = diag(mu, 1, 1), b = rms(P^-1 w0), g = b m / tr(P^-1 W P^-1),
/// W' = (g/b) P^-1 W P^-1, q' = P^-1 w0 / b. A contact of two dimensions gets a decoupled unit row as its second
/// tangent, one without friction two of them: these components are zero in every solution.
/// W' stands as 3 x 3 blocks (contact form) or as J J^T + compliance (body form), J = sqrt(g/b) P^-1 H L^-T with the Cholesky
/// factor M = L L^T: one block of a body and contact serves both ways, and what a body knows is L^T v.
struct Scaled {
  struct Limb { int body, offset; };  // one body of a contact; block at 18 * offset in `jacobian`

  int contacts = 0;                 // many ones stand in an order of their own (Colouring)
  ContactLoops loops;
  std::vector<int> row, rows;       // first row in the problem, rows in use (1, 2 or 3)
  std::vector<double> friction;     // mu; 1 where a contact has none (rows == 1)
  double impulse_unit = 1.0;        // g
  double velocity_unit = 1.0;       // b
  std::vector<double> q;            // 3 contacts
  std::vector<Square> diagonal;     // W'_cc

  // contact form: block rows, the diagonal block included
  std::vector<int> w_begin, w_index;
  std::vector<double> w_blocks;     // 9 each, row-major

  // body form
  bool body_form = false;
  int bodies = 0;
  std::vector<int> limb_begin;      // contacts + 1
  std::vector<Limb> limbs;
  std::vector<double> jacobian;     // J of a limb: 3 x 6 row-major
  std::vector<Square> compliance;   // block-diagonal part of W' beside J J^T; empty: 0

  double free_square = 0.0;         // |H M^-1 p0 + b|^2 in the problem's units

  int size() const { return 3 * contacts; }
  /// u = W'x + q'.
  void velocity(const double* x, double* u) const;
  /// Flops of one call of `velocity`.
  std::int64_t velocity_flops() const;
  /// Natural map in the problem's units, |r - P_K(r - w_hat)| / max(|w0|, |r|, |w|), at x in L and u = W'x + q'.
  double natural(const double* x, const double* u) const;
  /// The same map on the scaled quantities.
  double natural_scaled(const double* x, const double* u) const;
  void scale_impulse(std::span<const double> r, double* x) const;
  void unscale_impulse(const double* x, std::span<double> r) const;
  /// v += J^T x of contacts [first, last); body form.
  void add_impulses(int first, int last, const double* x, double* v) const;

 private:
  /// |r - P_K(r - w_hat)|^2, |r|^2, |w|^2 of contacts [first, last).
  void add_natural(int first, int last, const double* x, const double* u, double* out) const;
};

/// True where every block is a Coulomb cone of two or three rows (or one, without friction), and the dynamics can be brought to one of the forms.
bool can(const Problem& problem);

/// From so many contacts on their order is that of a Colouring.
inline constexpr int coloured_from = 1500;

/// Requires can(problem). With `contact_form`, W' is assembled even where bodies are known. Empty where M is singular or
/// an entry is not finite. `threads` stay with the loops.
std::optional<Scaled> scaled(const Problem& problem, Motion& motion, bool contact_form = false, Threads* threads = nullptr);
std::optional<Scaled> scaled(const Problem& problem, bool contact_form = false, Threads* threads = nullptr);

}  // namespace saltus::friction
