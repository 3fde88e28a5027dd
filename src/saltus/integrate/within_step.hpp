// What acts within a step alone, which no error of the step tells of.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/state.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {

/// y at a share of the step between two states: the cubic through positions and velocities of both, or the straight way. way: the tangent from one to the other.
void on_the_way(const System& system, const State& before, const State& after, std::span<const double> way, double share, bool straight, double* y);

/// Looks along a step, at the ends of which a distance is `first` and `last`, beside these once more, and, where of three looks that in the middle is largest, at the top of
/// the parabola through them: true at the first share where it is positive and take(share) agrees.
template <class Distance, class Take>
bool some_share(int looks, double first, double last, const Distance& distance, const Take& take) {
  struct Look { double share, value; } before, middle{0.0, first}, now{0.0, first};
  for (int i = 1; i <= looks + 2; ++i) {
    before = middle, middle = now;
    now.share = (i == 1 ? 0.125 : i == looks + 1 ? looks - 0.125 : i == looks + 2 ? looks : i - 1.0) / looks;
    now.value = i == looks + 2 ? last : distance(now.share);
    if (i < looks + 2 && now.value > 0.0 && take(now.share)) return true;
    if (i == 1 || !(middle.value > before.value && middle.value > now.value)) continue;
    const double back = middle.share - before.share, on = now.share - middle.share, up = middle.value - before.value, down = middle.value - now.value;
    const double top = middle.share + 0.5 * (on * on * up - back * back * down) / (back * down + on * up);
    if (distance(top) > 0.0 && take(top)) return true;
  }
  return false;
}

/// Bumpers, ropes, contacts with stiffness, formulas with branches: items that have no force where a step begins and where it ends, and one in between.
/// A scheme that asks for forces at a few times of a step may leap over such an item. It is asked for along the cubic through positions and velocities of both ends.
/// Bodies that go for good where they leave a region go there, not where the step ends. Corners of bodies that turn by much in a step may dip into others and out again.
/// What breaks by its force may pass its limit and come back: while no law acts, its force is that of the equations of motion, else that behind steps of the scheme.
class WithinStep {
 public:
  /// Takes a state over a length of time by the scheme of the run; false: it does not take such a step.
  using Step = std::function<bool(State&, double)>;
  WithinStep(const System& system, Step step);
  bool empty() const { return items_.empty() && regions_.empty() && turning_.empty() && !motion_; }
  struct Found {
    double share = 1.0;   // of the step, at which the first of them acts, or bodies are in each other; 1: none does, none are
    bool leaves = false;  // it is a body that leaves its region, there or at the end
    bool breaks = false;  // it is a force that is beyond what its joint bears
  };
  /// The data are those of `before`. jumps: velocities jump at one end or the other, so that the way between them is straight.
  Found first(const State& before, const State& after, bool jumps);

 private:
  struct Item {
    const ForcePool* pool;
    int item;
    std::vector<int> markers, unknowns;
  };
  void begin(const State& before, double length);
  void look_at(const State& before, const State& after, double share);
  bool acts(const Item& item);
  bool some_acts();
  bool some_left(const State& before);
  Found first_acting(const State& before, const State& after, bool turns, double angle);
  double outside(const State& before) const;
  double left_within(const State& before, const State& after);
  double broken_within(const State& before, const State& after);
  bool laws_act(const State& before, const State& after);
  struct Loads { double first = 0.0, last = 0.0, size = 0.0, bent = 0.0; };
  Loads loads(const State& before, const State& after, const double* middle) const;
  double broken_while_laws_act(const State& before, const State& after);
  bool bears(const State& state, double more);
  void look_at_forces(const State& before, const State& after, double share);
  double load() const;
  bool breaks(const State& before);
  bool comes_near(const State& before, const State& after);
  double overlap();
  template <class Met>
  double onset(const State& before, const State& after, double low, double high, double enough, const Met& met);
  void add_meetings(const State& before, const State& after);

  const System& system_;
  Assembly assembly_;
  ContactSet contacts_;
  std::vector<int> turning_;         // markers of shapes with corners or ends, of groups
  std::vector<Item> items_;
  std::vector<const BodyPresence*> regions_, inside_;  // of bodies; of those that are in them where the step begins
  Step step_;
  std::unique_ptr<Accelerations> motion_;  // where joints break
  struct { std::vector<int> places, rows; State trial; } breaking_;  // where in the data joints that break keep it; their rows; behind a step of the scheme
  std::vector<double> lambda_, rates_, data_;
  std::vector<const Item*> idle_;    // of those, at both ends
  std::vector<double> way_, y_;      // tangent from one end to the other; a configuration between them
  std::vector<double> shares_;
  std::vector<Vec6<double>> wrench_; // by marker; zero between calls
  std::vector<double> force_;        // by unknown; zero between calls
  bool straight_ = false;
  double reach_ = 0.0, turned_ = 0.0, overlap_ = 0.0;  // size of the largest of these shapes; their fastest angular velocity, and the deepest point, where the step begins
  struct Ends { Vec3<double> p, v; };
  std::vector<Ends> pairs_;          // of idle items on two frames, where the step begins
};

}  // namespace saltus
