// The motion between two recorded states: the curve of the step that joins them, on the configuration's Lie group.
//
// With the tangent theta from q0 to q1 of the branch nearest to h (v0 + v1) / 2 and s = (t - t0) / h,
//   q(s) = q0 (+) s theta (+) phi(s),  phi(0) = phi(1) = 0,
// so that phi stays small however many turns the step holds, and the inverse tangent map is never needed: at both ends
// phi' = h v - theta, and for rotations phi'' = h^2 a + phi' x theta, from w = exp(-phi) theta / h + T(phi) phi' / h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// What lies between a recorded state and the one before it.
enum class Piece {
  skipped,  // parts of several steps: the curve joins what was kept
  smooth,   // one step, or a part of it
  jump,     // the same, with velocities that jump in it, or bodies that are parted
  sampled,  // a step at whose end a controller acts: rates and forces at its end belong to the next one
};

/// A recorded state: pointers as in State. xdot may be null.
struct RecordedState {
  double t = 0.0;
  const double *y = nullptr, *a = nullptr, *xdot = nullptr, *lambda = nullptr, *data = nullptr;
};

/// Where a state between others is written.
struct StateOutput {
  double *y = nullptr, *a = nullptr, *xdot = nullptr, *lambda = nullptr, *data = nullptr;
};

/// Evaluates states between two recorded ones. Of the order of the scheme (Scheme::rates): explicit ones by the quintic of
/// q, v and a, with a, lambda and z from the equations of motion there; generalized_alpha by the cubic of q and v; moreau_jean
/// likewise, and where velocities jump in a step, by the two lines that its position update is made of; other schemes there by two curves with the
/// accelerations of both states, on either side of the jump; static by lines at rest. x by the cubic of x and
/// xdot where these are known, or, of moreau_jean in circuits, follow from the equations in the mode of laws of the step; z of a model without laws, or in a mode of such as bound multipliers row by row, by its equations; all else linearly.
class BetweenStates {
 public:
  /// scheme: its name; of one that is not known the curve is that of generalized_alpha.
  BetweenStates(std::shared_ptr<const System> system, std::string_view scheme, int threads = 1);

  /// The two states, which must stay where they are. after_jump: velocities jumped in the piece that ends at `from`.
  void set(const RecordedState& from, const RecordedState& to, Piece piece, bool after_jump = false);
  /// Time at which velocities jump.
  std::optional<double> jump() const { return jump_; }
  /// Largest angle by which a frame turns from one state to the other [rad].
  double turn() const;
  /// The state at t. before: at a jump, what is before it. rates: a, xdot, lambda and z by the equations of motion, for schemes
  /// whose own are these; otherwise they are linear.
  void evaluate(double t, bool before, bool rates, const StateOutput& out);
  /// Largest distance of q from `state`, in parts of the model's size and in rad.
  double distance(const RecordedState& state);

 private:
  enum class Curve : char { line, cubic, quintic, sampled, broken };
  void tangent(const double* q0, const double* q1);
  bool believable(int begin, int n) const;
  Curve curve(int begin, int n) const;
  void coefficients(int begin, int n, Curve curve, bool rotation);
  bool bends() const { return !mean_rates_; }  // accelerations of states are those beside impulses
  double gained(int i, double s) const;        // velocity by the line between them
  double bent(int i, double s) const;          // and the way by that
  void see_held();
  void first_order(double s, double* x, double* xdot);
  void see_rates();
  void forces_of_groups(double s, double* data) const;
  void in_a_mode(double t, double s, const StateOutput& out);
  bool solve_in_mode(double t, const double* y, const double* data, const RecordedState& mode);
  bool keeps_states(double t, const double* data);

  std::shared_ptr<const System> system_;
  const Layout& l_;
  bool exact_rates_ = false, mean_rates_ = false;  // those between states are of the equations of motion; they are means of steps
  bool exact_algebraic_ = false, laws_ = false;  // nothing but the equations of motion says what algebraic unknowns are, or laws besides that have modes
  bool quintic_ = false;  // accelerations of states are exact
  bool still_ = false;    // the states are equilibria: between them a line, without velocities
  int threads_;
  std::unique_ptr<Accelerations> accelerations_;   // made when asked for
  RecordedState from_, to_;
  Piece piece_ = Piece::smooth;
  double h_ = 0.0, split_ = 0.5;
  bool after_jump_ = false, instant_ = false;  // instant_: of the break of a force
  std::optional<double> jump_;
  std::vector<char> turns_;       // by velocity: it turns a frame
  std::vector<double> theta_;     // by velocity
  std::vector<double> moved_;     // of theta_ what is no motion
  std::vector<double> b_;         // by velocity five coefficients of phi, of s to s^5; of what jumps the acceleration beside those of the states
  std::vector<Curve> curve_;      // by velocity
  std::vector<double> tangent_;
  struct { std::vector<double> rates, y, lambda; } solved_;  // by the equations of motion
  bool rates_seen_ = false;
  struct { std::vector<double> first, last; } ends_;  // rates of x that no state has; empty: unknown
};

}  // namespace saltus
