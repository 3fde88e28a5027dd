// Events located one by one: Dormand and Prince's scheme between them, laws at velocity and acceleration level at them.
#pragma once

#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/group_passes.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/row_problem.hpp"
#include "saltus/integrate/runge_kutta_stages.hpp"
#include "saltus/problem/graph.hpp"
#include "saltus/problem/slip_arms.hpp"
#include "saltus/system/law_memory.hpp"
#include "saltus/system/usual_contacts.hpp"

namespace saltus {

struct EventOptions {
  double accumulation = 1e-8;
  static constexpr auto fields() {
    return std::tuple{field("accumulation", &EventOptions::accumulation, "",
                            "speed of approach, over the largest of the same contact so far, below which it closes for good: where impacts accumulate",
                            or_else(between(1e-8, 0.1), "leave it out for 1e-8"))};
  }
};

/// open: no multiplier. stick: closed, or a relay at zero speed: held like an equality. slip: a relay with a known direction. Arms of a closed gap,
/// its friction and its resistance to rolling and spinning, stick or slip one by one.
enum class TouchMode { open, stick, slip };

/// What changes its mode: a gap with its arms, a row of a relay. The first numbers are kept in the state's memory.
struct Touch {
  static constexpr int functions = 1 + FrictionArm::most;  // that are positive while a mode lasts
  static constexpr int most_rows = 6;
  struct Kept {
    double identity = -1.0;              // of a contact between groups
    double mode = 0.0;
    double slips[FrictionArm::most] = {};  // by arm
    double direction[most_rows - 1] = {};  // of slip times friction, by row behind the first, unit in each arm; of a relay its sign, then the number of its corner
    double axes[6] = {};                 // n and t1 of the contact in the world where the directions were taken; zero: its rows have none
    double due = 0.0;                    // which of its functions ended the step, as bits
    double last = 0.0, interval = 0.0, earlier = 0.0;  // time of the last impact, from the one before it, and from that to the one before
    double approach = 0.0, reach[2] = {};  // largest so far: speed of an impact, speeds that make its rates, of slip and of turning
  } kept;
  int relation = -1, row = 0, rows = 1;
  int block = -1;  // in the RowProblem at its configuration, -1: far away
  LawRef law;
  bool gap = true;
  bool first_order = false;  // of a relay: on first-order states, whose value takes the place of a rate
  bool valued = false;       // of a relay: held at its value by algebraic unknowns or its own multiplier
  int arms = 0;
  SlipArm arm[FrictionArm::most];
  double pull = 0.0;              // adhesion
  double low = 0.0, high = 0.0;   // of a relay, infinite where a side has none
  std::vector<GraphCorner> corners;  // of a characteristic: it is a relay at the corner that its row left last, or is next to
  double coupled = 0.0;           // what multipliers at their bounds add to its row
  double force[most_rows] = {};
  int held[most_rows] = {};       // rows that are held in the problem at hand
  bool in = false, struck = false, stopped = false;  // in the present jump: closed; with an impact; an arm has come to rest

  TouchMode mode() const { return static_cast<TouchMode>(static_cast<int>(kept.mode)); }
  bool slips(int a) const { return kept.slips[a] != 0.0; }
  bool due(int function) const { return static_cast<int>(kept.due) >> function & 1; }
  bool acts(int a) const { return a < arms && arm[a].acts(); }
  double base() const { return arms > 0 ? arm[0].base : 0.0; }
  /// What is left of friction at rest, (n^2 - t^2) / n: smooth where the force t of friction vanishes, too.
  double room(int a) const;
  int number_of_corner() const { return static_cast<int>(kept.direction[1]); }
  /// The rate, or value, at which a relay switches.
  double speed() const { return corners.empty() ? 0.0 : corners[number_of_corner()].w; }
  /// Of a characteristic: takes a corner; the one that w is at, to `slow`, or next to.
  void take_corner(int number);
  void find_corner(double w, double slow);
  /// The corner at the other end of the part on which the row slips; -1: it has none.
  int next_corner() const;
  /// Multiplier of a relay that slips, its row `by` beyond where it switches.
  double slip_force(double by) const;
  /// Open, at rest, sliding, or rolling or spinning alone.
  enum class Motion { open, rest, slip, roll };
  Motion motion() const;
  void take_law(const LawRef& of, int count);
};

class EventPlan final : public Plan {
 public:
  double accumulation = 1e-8;
  std::vector<Touch> touches;        // of relations
  std::vector<char> held[3];         // by relation: an equality in problems of value, rate, acceleration
  /// Memory: [jump due | jumps without time | proposed step | moreau_jean took over | short steps of slow slips | events used up, at which time, whether they crowd, how long then | largest force of a contact | relations' touches | number and touches of contacts | ErrorNorm].
  static constexpr int pending = 0, stalled = 1, proposed = 2, stepped = 3, short_steps = 4, spent = 5, spent_at = 6, crowded = 7, patience = 8, load = 9, first = 10, kept_size = sizeof(Touch::Kept) / sizeof(double);
  static constexpr int most_short = 300;  // short steps one after the other
  int tail() const { return first + kept_size * count_of(touches); }
  int capacity() const { return usual_contacts(system->contacts); }
  int norm() const { return tail() + 1 + kept_size * capacity(); }
};

/// What is seen of the ends of modes within a step.
struct EventLooks {
  /// Touch::functions of each touch, and the slopes of gaps.
  struct Look {
    std::vector<double> value, slope;
    void resize(std::size_t touches);
  } now_, nodes_[5], aside_;  // at a share of the step; at its quarters; at one that no period divides
  struct End {
    std::vector<double> y, lambda;
  } end_;  // of the step, where nothing ends it before
  std::vector<double> most_;  // largest values of the functions in the step, as far as it was seen
  std::vector<double> margins_, bias_;
  std::vector<double> slip_loads_;      // of relays that slip where modes are chosen
  std::vector<Touch::Motion> motions_;  // of the touches before
  std::vector<int> due_;   // functions whose root ended the step
};

class EventStep final : public Workspace, public RungeKuttaStages, private EventLooks {
 public:
  explicit EventStep(const EventPlan& plan);
  StepReport start(State& state);
  StepReport step(State& state, double h);

 private:
  // The smooth motion of a step (event_driven.cpp).
  void load(const State& state);
  void save(State& state) const;
  void place_touches();
  void see_memory(Touch& touch);
  void add_joints(Level level);
  void add_modes(Level level);
  bool rates(double t, const double* data, double* out);
  bool solve_modes(double t, const double* data);
  /// Newton's iteration for the algebraic unknowns: how far it has come.
  struct Newton {
    double change = HUGE_VAL;
    int passes = 0;
    bool converged = false;
  };
  bool improve_algebraic(double* z, Newton& newton) const;
  double pace(const Touch& touch) const;
  double turning();
  void couple(Touch& touch, HeldRows& rows);
  double open_rows() const;
  bool advance(const State& state, double h, StepReport& report);
  double estimate(const State& state, double h);
  bool project(double t, const double* data, StepReport& report);
  bool change_velocities(double* v);
  void accept(State& state, double t, StepReport& report);
  void write_groups(State& state, StepReport& report) const;
  // Where modes end (event_location.cpp).
  void look(const State& state, double h, double s, bool forces);
  void find_strangers();
  double seen(const State& state, double h);
  bool flew_through(const State& state, double length);
  bool slips_on(int function);
  void mark_due();
  void begin_slip(Touch& touch, int arm) const;
  bool of_speed(std::size_t function) const;
  double root(const State& state, double h, std::size_t function, bool of_rate, double a, double fa, double b, double fb);
  double closing(const State& state, double h, std::size_t function, double a, const Look& at_a, double b, const Look& at_b);
  double crossing(const State& state, double h, std::size_t function, int node);
  double first_event(const State& state, double h);
  double dip(const State& state, double h);
  double roughness() const;
  bool ended_before(const State& state, double h, double s);
  bool too_rough(const State& state, double h, double& next, StepReport& report);
  double bend(const State& state, double h, double share);
  double polish(const State& state, double length, StepReport& report);
  // Jumps and changes of mode (event_jump.cpp).
  StepReport jump(State& state, double longest);
  bool approaches();
  bool stop_slips(State& state);
  StepReport step_over(State& state, StepReport report, double longest);
  bool crowds(const State& state, double* memory) const;
  bool instead(State& state, double h, StepReport& report);
  bool strike(State& state, StepReport& report);
  bool settle(State& state, StepReport& report, bool tell);
  static bool begins(const Touch& touch, int arm);
  enum class Slips { none, that_begin, all };
  void add_laws(Slips which);
  bool begin_slips(State& state);
  bool solve_laws(State& state);
  bool stay_at_rest(State& state, bool of_stopped);
  void take_mode(Touch& touch, const HeldRows& rows, const double* r, const double* w, double largest);
  static void open(Touch& touch);
  double slow(const Touch& touch, int row);
  /// Of an arm that slips: its speed against the kept direction, whatever its direction; unit vector of friction times rate.
  struct Slip {
    double along = 0.0, speed = 0.0, direction[SlipArm::most_rows] = {};
  };
  Slip sliding(const Touch& touch, int arm);
  void take_axes(Touch& touch);
  void kept_direction(const Touch& touch, const SlipArm& arm, double* direction);
  HeldRows closed_rows(Touch& touch, Level level);
  void take_forces(Touch& touch, const HeldRows& rows, const double* r) const;
  void see_reach(Touch& touch) const;
  const std::string& name(const Touch& touch) const;

  const EventPlan& plan_;
  const System& system_;
  const Tableau tableau_;
  Accelerations accelerations_;
  RowProblem rows_;
  ErrorNorm norm_;
  GroupPasses passes_;
  LawMemory memory_;
  std::vector<double> noise_;  // of velocities and first-order states in a step
  LeastReactions reactions_;
  std::vector<Touch> touches_;
  std::vector<HeldRows> held_;
  std::vector<int> holder_;  // by held_: its touch, -1: a joint
  std::vector<PhasedRows> phased_;
  struct Limits {
    double closed = 0.0;  // gaps below are closed
    double unseen = 0.0;  // flights as long as their speed times their time are rounding
    double near = 0.0;    // contacts between groups are found from there on
    double still = 0.0;   // impulses as small are rounding of the forces [N s]
  } limits_;              // [m]
  std::vector<double> parameters_, pulls_;  // of sets of what is at rest, offsets of what adheres; by touch
  double stalled_ = 0.0;   // jumps without time before this one
  struct Least { double from = -1.0, least = 0.0; bool shared = false; } rough_;  // of attempts from the time `from`; by redundant contacts, not by the step
  struct Bend : Least { std::vector<double> z[5], out; } bend_;
  bool holding_ = false;   // some touch has a multiplier
  std::string cause_;
  struct Moreau {
    std::unique_ptr<Plan> plan;
    std::unique_ptr<Workspace> work;
  } moreau_;  // made when it takes over
};

}  // namespace saltus
