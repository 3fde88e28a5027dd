// Evaluation of a System at one configuration: kinematics, forces, matrices, relation rows. The one assembly path.
#pragma once

#include <string>
#include <vector>

#include "saltus/system/system.hpp"

namespace saltus {

/// Which frames an Assembly keeps up to date: all that a user can read, or those that the pools of the system read.
enum class Frames { every, needed };

/// Whose masses: of every object, or without those that solve with their own (System::own_mass).
enum class Masses { every, shared };

/// Which pools: every one, those whose matrix is constant, the others.
enum class Matrices { every, constant, varying };

/// Scratch of one thread of computation; never part of a result. Sized at construction, nothing allocated later.
class Assembly {
 public:
  explicit Assembly(const System& system, int threads = 1, Frames frames = Frames::every);
  explicit Assembly(const System&& gone, int threads = 1, Frames frames = Frames::every) = delete;
  Assembly(const Assembly&) = delete;  // kinematics() points into it
  Assembly& operator=(const Assembly&) = delete;

  /// Takes over the configuration (t, y, lambda, data), of which everything is evaluated until the next call: it is the caller's
  /// no longer. Frames of nodes and markers follow. lambda and data may be null.
  void update(double t, const double* y, const double* lambda = nullptr, const double* data = nullptr);
  /// Takes over other multipliers at the configuration of the last update; may be null.
  void set_multipliers(const double* lambda);
  /// Everything at the configuration of the last update, Jacobians and bias of the markers included.
  const Kinematics& kinematics() {
    jacobians();
    biases();
    return k_;
  }
  /// The same without Jacobians and bias: frames and joint coordinates.
  const Kinematics& frames() const { return k_; }

  /// F (unknowns + 1): forces of objects, connectors, loads; ODE1 and algebraic right-hand sides. Without relations, but for what push() adds.
  void forces(double* F);
  /// Forces (one a velocity) that act beside all others from now on; empty: none.
  void push(std::span<const double> force) { pushing_.assign(force.begin(), force.end()); }
  /// values := 0, then M added (ODE2 rows) times scale; for ODE1 rows the identity times first_scale.
  void mass(double scale, double first_scale, double* values) { mass(scale, first_scale, Masses::every, values); }
  void mass(double scale, double first_scale, Masses which, double* values);
  /// a := M^-1 F on the unknowns of the objects that solve with their own masses; the unknown that has none, -1: all have.
  int solve_own_masses(const double* F, double* a);
  /// values -= dF/dxi by the scheme's seeds.
  void add_force_matrix(const Seeds& seeds, double* values) { add_force_matrix(seeds, Matrices::every, values); }
  /// The same of the pools whose part is constant, or varies.
  void add_force_matrix(const Seeds& seeds, Matrices which, double* values);

  /// Rows y, h_t, curvature and blocks H, rate_H, D, B as asked (null: not wanted).
  void relations(RowSink wanted);
  /// F += weight H^T lambda (or g), for all relations; needs `input_blocks` of this configuration. lambda becomes part of it.
  void add_inputs(const double* lambda, double weight, double* F);
  /// y (rows) := h and F += H^T lambda (or g) for all relations: what a residual needs, without input_blocks. lambda becomes part
  /// of the configuration.
  void residual(const double* lambda, double* y, double* F);
  /// values -= weight d(input)/dxi.
  void add_input_matrix(const Seeds& seeds, double weight, double* values);

  /// Writes what the items remember of the accepted state of the last update into its history block (history.hpp). How long the step
  /// before it was beside the longest that the items can follow, and, where it was longer, the place
  /// in System::items of the one that can least.
  Remembered remember(double* block);
  /// The counts of turns alone, of a place on the way to an accepted state: what else items remember, such as plastic parts, stays.
  void remember_turns(double* block);

  /// Replaces the gravity of the system in what follows.
  void set_gravity(const Vec3<double>& g) { k_.gravity = g; }
  /// Path of the first item whose force, load or relation is not finite at this configuration; empty if all are.
  std::string not_finite();
  /// Appends what items find doubtful of the state, one fault an item that is not among those reported before (places in System::items).
  void doubts(std::vector<int>& reported, std::vector<Fault>& out);
  /// What an item says is in its way at this configuration (Pool::trouble), with its path; empty if none does.
  std::string trouble();
  /// The first item whose user's mass matrix is none at this configuration, and why; no path if there is none.
  Fault wrong_mass();

  double kinetic_energy();
  double potential_energy();

  /// Blocks through which multipliers enter (H, or rate_H for relations written at rate): set by input_blocks(), with what
  /// `also` asks for (y, time_rate, ...) in the same pass.
  void input_blocks(RowSink also = {});
  const std::vector<double>& H() const { return H_; }
  const std::vector<double>& rate_H() const { return rate_H_; }
  /// The block of entry e through which its multiplier enters and on which its velocity rows act.
  const double* direction(const RelationEntry& e) const;
  const std::vector<double>& B() const { return B_; }
  const System& system() const { return system_; }
  /// Those that share its work; between its calls free for others.
  Threads* threads() { return &threads_; }

 private:
  void evaluate(std::size_t pool, RowSink wanted);
  void add_blocks_times(std::size_t pool, const double* lambda, double weight, double* F) const;
  void clear_wrenches();
  void wrenches_to(double* F);
  void jacobians();
  void biases();
  void joint_coordinates();
  template <class F>
  void each_arm(const F& body);
  template <class Source, class Arm>
  void each_source(const Source& source, const Arm& arm);
  void move_arm(const ArmTask& arm);
  void bias_arm(const ArmTask& arm);
  void jacobian_arm(const ArmTask& arm);
  void wrench_to_base(const ArmTask& arm);
  const System& system_;
  const FramePlan& plan_;
  Threads threads_;
  Kinematics k_;                             // reads the buffers below only
  std::vector<double> y_, lambda_, data_;    // the configuration
  std::vector<double> pushing_;
  PoolScratch scratch_;
  std::vector<Frame<double>> frames_;        // by marker
  std::vector<Vec6<double>> bias_, wrench_;
  std::vector<double> J_;
  std::vector<Vec6<double>> joint_gradient_;  // of joint coordinates, whose values and rates end y_
  std::vector<double> joint_bias_;
  struct MarkerTables {
    std::vector<Vec3<double>> arm;
    std::vector<int> base;                     // the base's own marker, -1: fixed in the world
    std::vector<SourceRef> source;             // of its base
    std::vector<std::span<const int>> moves;   // of its node
    std::vector<char> whole_node;              // v and w of its node are the unknowns, J_N = 1
  } of_marker_;
  bool jacobians_old_ = true, biases_old_ = true;  // of arms; those of nodes are constant or come with their frames
  bool biased_forces_ = false;                     // some object reads the bias
  std::vector<double> H_, rate_H_, B_;
  bool constant_blocks_ = false;  // those of linear relations are there
  bool blocks_old_ = true;        // those of others are not of this configuration
};

}  // namespace saltus
