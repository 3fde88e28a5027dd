// Where the modes of an event-driven step end: functions that are positive while a mode lasts, on the continuous extension of the scheme.
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"

#include "saltus/integrate/event_driven.hpp"

namespace saltus {
namespace {
constexpr int nodes = 4;          // parts of a step at whose ends the functions are looked at
constexpr double smooth = 0.02;  // of its size, by which a force may leave the cubic through its neighbours at mid step, or the quartic through all beside it
constexpr double aside = 0.382;   // of the step: a force of a period that the step is a multiple of is the same at all quarters
constexpr double still = 1e-3;   // of the speeds so far: what slips no faster at the root of its function may come to rest there
constexpr double turned = 0.1;   // of the speed in its direction in the step: what slips faster at the root has turned by a right angle
constexpr double none = std::numeric_limits<double>::infinity();

/// Weights of the stages at the share s of a step (Shampine 1986).
void extension(double s, double* weights) {
  static constexpr double P[7][4] = {{1.0, -8048581381.0 / 2820520608.0, 8663915743.0 / 2820520608.0, -12715105075.0 / 11282082432.0},
                                     {},
                                     {0.0, 131558114200.0 / 32700410799.0, -68118460800.0 / 10900136933.0, 87487479700.0 / 32700410799.0},
                                     {0.0, -1754552775.0 / 470086768.0, 14199869525.0 / 1410260304.0, -10690763975.0 / 1880347072.0},
                                     {0.0, 127303824393.0 / 49829197408.0, -318862633887.0 / 49829197408.0, 701980252875.0 / 199316789632.0},
                                     {0.0, -282668133.0 / 205662961.0, 2019193451.0 / 616988883.0, -1453857185.0 / 822651844.0},
                                     {0.0, 40617522.0 / 29380423.0, -110615467.0 / 29380423.0, 69997945.0 / 29380423.0}};
  for (int i = 0; i < 7; ++i) weights[i] = s * (P[i][0] + s * (P[i][1] + s * (P[i][2] + s * P[i][3])));
}
}  // namespace

void EventLooks::Look::resize(std::size_t touches) { value.resize(Touch::functions * touches, none), slope.resize(Touch::functions * touches, 0.0); }

/// Contacts between groups at the configuration of the rows that are not among the touches.
void EventStep::find_strangers() {
  for (const Contact& c : rows_.contacts()) {
    const double identity = c.identity();
    if (c.gap > limits_.closed || std::any_of(touches_.begin() + static_cast<std::ptrdiff_t>(plan_.touches.size()), touches_.end(), [&](const Touch& t) { return t.kept.identity == identity; })) continue;
    Touch touch;
    touch.kept.identity = identity;
    touches_.push_back(touch);
  }
  place_touches();
}

/// A length of step in which no pair of groups can pass through each other between two looks.
double EventStep::seen(const State& state, double h) {
  if (system_.contacts.empty()) return h;
  rows_.configure(state.t(), state.y(), state.data(), limits_.closed);
  for (int i = 0; i < 20; ++i) {
    const double passes = rows_.passage(2.0 * h) / (2.0 * nodes);
    if (!(passes > 1.0)) break;
    h *= std::max(0.1, 0.9 / passes);
  }
  return h;
}

/// Whether groups flew through each other between two looks, on the way to y.
bool EventStep::flew_through(const State& state, double length) {
  if (system_.contacts.empty() || length <= 1e-12 * std::max(1.0, std::abs(state.t()))) return false;
  State end = state;
  end.t() = state.t() + length;
  std::copy(y.begin(), y.end(), end.y());
  return passes_.passed(state, end, 1e-6 * system_.contacts.size);
}

/// now_.value and now_.slope (of gaps) at the share s of the step, by touch: gap; normal force, and by arm what is left of friction or the speed of slip;
/// what is left of a relay's bounds, or its speed.
void EventStep::look(const State& from, double h, double s, bool forces) {
  double weights[7];
  extension(s, weights);
  move(system_, from.y(), weights, 7, h);
  const double t = from.t() + s * h;
  if (forces && holding_ && !rates(t, from.data(), bias_.data())) return;
  if (!(forces && holding_) || !system_.contacts.empty()) rows_.configure(t, y.data(), from.data(), limits_.near);
  if (!system_.contacts.empty()) find_strangers();
  now_.value.assign(Touch::functions * touches_.size(), none);
  now_.slope.assign(Touch::functions * touches_.size(), 0.0);
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const Touch& touch = touches_[i];
    double* value = now_.value.data() + Touch::functions * i;
    if (touch.block < 0) {
      value[0] = touch.mode() == TouchMode::open ? limits_.near : -1.0;  // far away; closed: its point is another one now
      continue;
    }
    if (!touch.gap) {
      if (touch.mode() == TouchMode::slip) {
        value[0] = touch.kept.direction[0] * pace(touch);
        if (const int next = touch.corners.empty() ? -1 : touch.next_corner(); next >= 0) value[1] = std::abs(touch.corners[next].w - touch.speed()) - value[0];
      } else value[0] = touch.high - touch.force[0], value[1] = touch.force[0] - touch.low;
    } else if (touch.mode() == TouchMode::open) {
      value[0] = rows_.value(touch.block), now_.slope[Touch::functions * i] = h * rows_.rate(touch.block, 0);
    } else {
      value[0] = touch.force[0] + touch.pull;
      for (int a = 0; a < touch.arms; ++a) {
        if (touch.arm[a].acts()) value[1 + a] = touch.slips(a) ? sliding(touch, a).along : touch.room(a);
      }
    }
  }
  most_.resize(now_.value.size(), 0.0);
  for (std::size_t f = 0; f < most_.size(); ++f) most_[f] = std::max(most_[f], now_.value[f]);
}

/// A root of a function, or of the slope of a gap, between a and b, by bisection and inverse quadratic interpolation where that is safe (Chandrupatla 1997); for a gap,
/// whose slope is known, first by the cubic through both ends. The side that is past it.
double EventStep::root(const State& state, double h, std::size_t function, bool of_rate, double a, double fa, double b, double fb) {
  const double enough = 1e-13 * std::max(1.0, std::abs(state.t()) / h);
  const bool forces = touches_[function / Touch::functions].mode() != TouchMode::open;
  const auto value = [&](double s) {
    look(state, h, s, forces);
    return of_rate ? -now_.slope[function] : now_.value[function] + margins_[function];
  };
  double c = a, fc = fa, share = 0.5;  // a: the newest point, b: on the other side of the root, c: the one before
  for (int i = 0; i < 80 && fb != 0.0; ++i) {
    const double least = 0.5 * enough / std::abs(b - a);  // the step over the root that brings the other end there, too
    if (least >= 0.5) break;
    const double s = a + std::clamp(share, least, 1.0 - least) * (b - a), f = value(s);
    if ((f < 0.0) == (fa < 0.0)) c = a, fc = fa;
    else c = b, fc = fb, b = a, fb = fa;
    a = s, fa = f;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    const bool smooth = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
    share = smooth ? fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb) : 0.5;
  }
  return fb < 0.0 ? b : a;
}

/// Where a gap that is open at a and closed at b closes, by Newton's method within them, from the cubic through values and slopes at both; as exact as the gap itself.
double EventStep::closing(const State& state, double h, std::size_t function, double a, const Look& at_a, double b, const Look& at_b) {
  const double enough = 1e-13 * std::max(1.0, std::abs(state.t()) / h), d = b - a, margin = margins_[function];
  const double fa = at_a.value[function] + margin, fb = at_b.value[function] + margin, da = d * at_a.slope[function], db = d * at_b.slope[function];
  const double c2 = 3.0 * (fb - fa) - 2.0 * da - db, c3 = 2.0 * (fa - fb) + da + db;
  double low = 0.0, high = 1.0, x = fa / (fa - fb);
  for (int i = 0; i < 60 && high - low > 1e-16; ++i) {
    const double f = fa + x * (da + x * (c2 + x * c3)), slope = da + x * (2.0 * c2 + x * 3.0 * c3), by = -f / slope;
    (f < 0.0 ? high : low) = x;
    if (std::abs(by) < 1e-15) break;
    x = x + by > low && x + by < high ? x + by : 0.5 * (low + high);
  }
  double before = a, past = b, s = a + x * d;
  for (int i = 0; i < 20; ++i) {
    look(state, h, s, false);
    const double f = now_.value[function] + margin, slope = now_.slope[function];
    (f < 0.0 ? past : before) = s;
    const double by = -f / slope;
    if (std::abs(by) <= enough) return s;
    if (!(s + by > before && s + by < past)) break;  // its slope is that of another point, or there is none
    s += by;
  }
  look(state, h, before, false);
  const double f_before = now_.value[function] + margin;
  look(state, h, past, false);
  return root(state, h, function, false, before, f_before, past, now_.value[function] + margin);
}

/// The first root of a function between node - 1 and node; `none`: no root.
double EventStep::crossing(const State& state, double h, std::size_t function, int node) {
  const Look &before = nodes_[node - 1], &now = nodes_[node];
  const double a = static_cast<double>(node - 1) / nodes, b = static_cast<double>(node) / nodes;
  const double margin = margins_[function], fa = before.value[function] + margin, fb = now.value[function] + margin, down = before.slope[function], up = now.slope[function];
  const Touch& touch = touches_[function / Touch::functions];
  const bool open = touch.gap && touch.mode() == TouchMode::open;
  if (!(fb < 0.0)) {
    if (!(open && fa > 0.0 && down < 0.0 && up > 0.0)) return none;
    const double lowest = root(state, h, function, true, a, -down, b, -up);  // it may have been there and left again
    look(state, h, lowest, false);
    const double f = now_.value[function] + margin;
    return f < 0.0 ? root(state, h, function, false, a, fa, lowest, f) : none;
  }
  if (fa > 0.0 && open && std::isfinite(fa)) return closing(state, h, function, a, before, b, now);
  if (fa > 0.0) return root(state, h, function, false, a, fa, b, fb);
  double s = b;
  for (int i = 0; node == 1 && i < 60; ++i) {  // what begins at zero: it rises, or is past it at once
    look(state, h, s *= 0.5, touches_[function / Touch::functions].mode() != TouchMode::open);
    if (const double f = now_.value[function] + margin; f > 0.0) return root(state, h, function, false, s, f, std::min(b, 2.0 * s), -std::max(f, -fb));
    if (s * h < 1e-15 * std::abs(state.t())) break;
  }
  return a;
}

/// The share of the step at which the first mode ends, and due_, whose; 1 where none does. end_ keeps the end of the step.
double EventStep::first_event(const State& state, double h) {
  due_.clear(), cause_.clear();
  end_.y = y;
  if (plan_.touches.empty() && system_.contacts.empty()) return 1.0;
  bias_.resize(stride);
  end_.lambda = lambda;
  most_.clear();
  look(state, h, 0.0, true);
  margins_.assign(now_.value.size(), 0.0);
  double largest = 0.0;
  for (const Touch& touch : touches_)
    for (const double f : touch.force) largest = std::max(largest, std::abs(f));
  for (std::size_t f = 0; f < now_.value.size(); ++f) {
    const Touch& touch = touches_[f / Touch::functions];
    if (touch.mode() == TouchMode::open && touch.block >= 0) {
      const bool resting = now_.value[f] <= limits_.closed && std::abs(now_.slope[f]) <= h * slow(touch, 0);
      const bool parting = now_.value[f] < -limits_.closed && now_.slope[f] > 0.0;  // from the depth at which a step of moreau_jean left it: it meets there
      if (resting || parting) margins_[f] = resting ? limits_.closed : -now_.value[f];
    } else if (!of_speed(f)) {
      margins_[f] = 1e-10 * largest;
    } else if (touch.gap && touch.block >= 0) {  // of redundant contacts at rest some are at their limit, with a speed that is rounding
      const double still = slow(touch, touch.arm[f % Touch::functions - 1].row[0]);
      if (now_.value[f] <= still) margins_[f] = still;
    }
  }
  nodes_[0] = now_;
  double found = 1.0;
  for (int node = 1; node <= nodes && due_.empty(); ++node) {
    look(state, h, static_cast<double>(node) / nodes, true);
    if (!cause_.empty()) return 1.0;
    nodes_[node] = now_;
    margins_.resize(now_.value.size(), 0.0);
    for (int k = 0; k < node; ++k) nodes_[k].resize(touches_.size());
    const std::size_t known = now_.value.size();
    for (std::size_t f = 0; f < known; f += Touch::functions)  // a point that has come to what rests on others carries with them
      if (nodes_[node - 1].value[f] == none && std::abs(now_.value[f]) <= limits_.closed && std::abs(now_.slope[f]) <= h * slow(touches_[f / Touch::functions], 0)) margins_[f] = -2.0 * limits_.closed;
    for (std::size_t f = 0; f < known; ++f) {
      const double s = nodes_[node - 1].value[f] == none && nodes_[node].value[f] + margins_[f] >= 0.0 ? none : crossing(state, h, f, node);
      if (!(s <= 1.0)) continue;
      const double same = 1e-12 * std::max(1.0, std::abs(state.t()) / h);
      if (s < found - same) due_.clear();
      if (s <= found + same) due_.push_back(static_cast<int>(f)), found = std::min(found, s);
    }
    for (int k = 0; k <= node; ++k) nodes_[k].resize(touches_.size());
    margins_.resize(Touch::functions * touches_.size(), 0.0);
  }
  if (due_.empty()) found = dip(state, h);
  aside_.value.clear();
  if (due_.empty() && holding_ && plan_.options.error_control) {
    look(state, h, aside, true);
    if (!cause_.empty()) return 1.0;
    aside_ = now_;
    for (Look& at_node : nodes_) at_node.resize(touches_.size());
    margins_.resize(Touch::functions * touches_.size(), 0.0);
  }
  if (due_.empty()) lambda = end_.lambda;
  return due_.empty() ? 1.0 : found;
}

/// A force that left its law and came back between two looks: where the parabola through three of them says so.
double EventStep::dip(const State& state, double h) {
  for (int k = 1; k < nodes; ++k)
    for (int f = 0; f < count_of(margins_); ++f) {
      if (touches_[f / Touch::functions].mode() == TouchMode::open) continue;
      const double left = nodes_[k - 1].value[f] + margins_[f], mid = nodes_[k].value[f] + margins_[f], right = nodes_[k + 1].value[f] + margins_[f];
      const double bend = left - 2.0 * mid + right;
      if (!(mid > 0.0 && mid <= left && mid <= right && bend > 0.0 && std::isfinite(bend)) || mid - 0.125 * (right - left) * (right - left) / bend > 0.0) continue;
      const double a = static_cast<double>(k - 1) / nodes, lowest = (k + 0.5 * (left - right) / bend) / nodes;
      look(state, h, lowest, true);
      const double value = now_.value[f] + margins_[f];
      if (!(value < 0.0)) continue;
      due_.assign(1, f);
      return lowest * nodes > k ? root(state, h, f, false, static_cast<double>(k) / nodes, mid, lowest, value) : root(state, h, f, false, a, left, lowest, value);
    }
  return 1.0;
}

/// Whether a force left its law before the share s of the step, unseen at the quarters: where it runs through periods in the step.
bool EventStep::ended_before(const State& state, double h, double s) {
  for (const double share : {0.146, 0.382, 0.618, 0.854}) {
    look(state, h, share * s, true);
    if (!cause_.empty()) return cause_.clear(), true;
    for (std::size_t f = 0; f < std::min(margins_.size(), now_.value.size()); ++f)
      if (touches_[f / Touch::functions].mode() != TouchMode::open && !of_speed(f) && now_.value[f] + margins_[f] < 0.0) return true;
  }
  return false;
}

/// How far forces at mid step are from the cubic through the looks beside it, and those aside from the quartic through all five, over what is allowed: while nothing moves no
/// other error tells of them.
double EventStep::roughness() const {
  double worst = 0.0, largest = 0.0;
  for (const Touch& touch : touches_) largest = std::max(largest, std::abs(touch.force[0]));
  for (std::size_t f = 0; f < margins_.size(); ++f) {
    if (touches_[f / Touch::functions].mode() == TouchMode::open || of_speed(f)) continue;
    double value[nodes + 1], size = 0.0;
    for (int k = 0; k <= nodes; ++k) value[k] = nodes_[k].value[f], size = std::max(size, std::abs(value[k]));
    size = std::max(size, (touches_[f / Touch::functions].valued ? 1e-3 : 1e-7) * largest);  // of a current that begins, and of a contact that carries nothing, only rounding is seen
    if (!std::isfinite(size) || size == 0.0) continue;
    if (f < aside_.value.size() && std::isfinite(aside_.value[f])) {
      double quartic = 0.0;
      for (int k = 0; k <= nodes; ++k) {
        double weight = 1.0;
        for (int j = 0; j <= nodes; ++j)
          if (j != k) weight *= (nodes * aside - j) / (k - j);
        quartic += weight * value[k];
      }
      worst = std::max(worst, std::abs(aside_.value[f] - quartic) / (smooth * size));
    }
    worst = std::max(worst, std::abs(value[2] - (4.0 * (value[1] + value[3]) - value[0] - value[4]) / 6.0) / (smooth * size));
  }
  return worst;
}

/// How far algebraic unknowns at the quarters of this share of the step are from the line between its ends, as which they are shown, over what is
/// allowed: no other error tells of them. What does not fall with the step is none of a source that runs.
double EventStep::bend(const State& state, double h, double share) {
  const double allowed = std::min(0.1, 10.0 * std::sqrt(plan_.options.tolerance));
  std::vector<double>(&z)[5] = bend_.z;
  bend_.out.resize(at(layout.unknowns()) + 1);
  for (int k = 0; k <= 4; ++k) {
    double weights[7];
    extension(0.25 * k * share, weights);
    move(system_, state.y(), weights, 7, h);
    if (!rates(state.t() + 0.25 * k * share * h, state.data(), bend_.out.data())) return cause_.clear(), 0.0;
    z[k].assign(y.begin() + layout.z_begin(), y.begin() + layout.z_begin() + layout.nz);
  }
  double worst = 0.0, most = 0.0;
  for (const std::vector<double>& at_quarter : z)
    for (const double x : at_quarter) most = std::max(most, std::abs(x));
  for (std::size_t i = 0; i < z[0].size(); ++i) {
    double size = 1e-6 * most;
    for (const std::vector<double>& at_quarter : z) size = std::max(size, std::abs(at_quarter[i]));
    for (int k = 1; k < 4 && size > 0.0; ++k) worst = std::max(worst, std::abs(z[k][i] - z[0][i] - 0.25 * k * (z[4][i] - z[0][i])) / (allowed * size));
  }
  if (bend_.from != state.t()) bend_.from = state.t(), bend_.least = HUGE_VAL;
  const bool falls = worst < 0.6 * bend_.least;
  bend_.least = std::min(bend_.least, worst);
  return falls ? worst : 0.0;
}

/// Takes the step to the event, whose place the continuous extension tells as its own error lets it: for a gap by Newton's method on the steps
/// themselves. Another gap that is past its zero there was the first. The length, negative where it fails; y is the end.
double EventStep::polish(const State& state, double length, StepReport& report) {
  for (int i = 0;; ++i) {
    if (!advance(state, length, report)) return -1.0;
    if (!system_.contacts.empty() || touches_[due_.front() / Touch::functions].mode() == TouchMode::open) {
      rows_.configure(state.t() + length, y.data(), state.data(), 100.0 * limits_.closed);
      place_touches();
    }
    double by = 0.0;
    for (int k = 0; k < count_of(touches_); ++k) {
      const Touch& touch = touches_[k];
      if (!touch.gap || touch.mode() != TouchMode::open || touch.block < 0 || margins_[Touch::functions * k] > 0.0) continue;
      const double gap = rows_.value(touch.block), rate = rows_.rate(touch.block, 0);
      const bool due = std::find(due_.begin(), due_.end(), Touch::functions * k) != due_.end();
      if (std::abs(gap) <= 1e-7 * limits_.closed || !(rate < 0.0) || (gap > 0.0 && !due)) continue;
      if (!due && !(gap < -limits_.closed)) continue;
      if (-gap / rate < by || (by == 0.0 && gap > 0.0)) by = -gap / rate;
      if (!due) due_.assign(1, Touch::functions * k);
    }
    if (by == 0.0 || i == 6 || !(std::abs(by) < 0.5 * length) || std::abs(by) < 1e-16 * std::abs(state.t())) return length;
    length += by;
  }
}

/// Whether a slip whose function ended the step has its speed still: it turned by more than a right angle, or the axes of its contact jumped, and it slips on.
bool EventStep::slips_on(int function) {
  const Touch& touch = touches_[function / Touch::functions];
  const int number = function % Touch::functions;
  if (!touch.gap || touch.block < 0 || number == 0 || !touch.slips(number - 1) || touch.arm[number - 1].count < 2) return false;
  const SlipArm& arm = touch.arm[number - 1];
  double largest = 0.0;
  for (int k = 0; k < arm.count; ++k) largest = std::max(largest, arm.weight(k) * touch.kept.reach[arm.row[k] > touch.law.type->set->sliding]);
  const double speed = sliding(touch, number - 1).speed;
  return speed > still * largest || speed > turned * most_[at(function)];
}

/// Notes which functions ended the step; of what begins to slip against which friction.
void EventStep::mark_due() {
  for (const int function : due_) {
    if (slips_on(function)) continue;
    Touch& touch = touches_[function / Touch::functions];
    int number = function % Touch::functions;
    if (!touch.gap && touch.mode() == TouchMode::slip && number == 1) {  // it comes to the next corner, from the other side
      touch.take_corner(touch.next_corner());
      touch.kept.direction[0] = -touch.kept.direction[0];
      number = 0;
    }
    touch.kept.due += touch.due(number) ? 0 : 1 << number;
    if (touch.mode() != TouchMode::stick) continue;
    if (!touch.gap) touch.kept.direction[0] = number == 0 ? -1.0 : 1.0;
    else if (number > 0 && !touch.slips(number - 1)) begin_slip(touch, number - 1);
  }
}

/// The direction against which the force of an arm is the furthest that its law allows.
void EventStep::begin_slip(Touch& touch, int a) const {
  const SlipArm& arm = touch.arm[a];
  double along[SlipArm::most_rows] = {}, size = 0.0;
  for (int k = 0; k < arm.count; ++k) along[k] = -touch.force[arm.row[k]] / arm.friction[k], size = std::hypot(size, along[k]);
  for (int k = 0; size > 0.0 && k < arm.count; ++k) touch.kept.direction[arm.row[k] - 1] = along[k] / size;
}

/// Whether a function is a speed of slip, or of a relay: others are gaps and forces.
bool EventStep::of_speed(std::size_t function) const {
  const Touch& touch = touches_[function / Touch::functions];
  const int number = static_cast<int>(function % Touch::functions);
  return touch.gap ? number > 0 && touch.slips(number - 1) : touch.mode() == TouchMode::slip;
}

}  // namespace saltus
