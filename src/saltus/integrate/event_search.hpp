// How the control of steps closes in on events: halves towards them, and goes on with the steps of smooth motion behind them.
#pragma once

#include <algorithm>
#include <cmath>

namespace saltus {

/// What an attempt errs by.
struct StepError {
  double error = 0.0;  // over the tolerance
  bool event = false;
  double power = 1.0;  // the error goes with this power of h
  double share = 1.0;  // of the tolerance that the step may make
};

/// Where an event lies in a step of h a scheme is of order 1 (Acary 2012): the step is halved until what its place is unsure by is within the tolerance. Steps in front of a known event halve the
/// way to it. Memory: [step of smooth motion | time by which an event is known, 0: none | step at events | whether the last step held an event].
class EventSearch {
 public:
  enum Memory { smooth_step, event_by, event_step, after_event, memory_size };
  static constexpr double impact_before = 2.0;  // after_event: 1 an event without impact, in the step before

  /// Before an attempt from a state at t.
  void begin(double t, const double* memory) {
    if (known_.from != t) known_ = {memory[event_by], t, memory[event_step]};
  }
  /// What falls no faster than the step while attempts from t become eight times as short is no error of smooth motion: a force that jumps with no law or
  /// formula of time that says so, or noise. It is an event.
  void unannounced(StepError& found, double t, double h) {
    constexpr double order = 1.5;
    const double error = found.error * found.share;
    if (kink_.from != t) kink_ = {t, error, h};
    if (8.0 * h > kink_.h || error < kink_.error * std::pow(h / kink_.h, order)) return;
    found = {.error = error, .event = true};
  }
  /// The next attempt from t, after one that erred by more than is allowed.
  double shorter(double t, double h, const StepError& found) {
    const double factor = std::isfinite(found.error) ? safety * std::pow(found.error, -1.0 / found.power) : 0.0;
    if (!found.event) return h * std::clamp(factor, least_growth, safety);
    known_.by = t + h, known_.step = factor * h;
    return std::max(known_.step, 0.5 * h);
  }
  /// The next step from t, where one of h has ended. shortest: steps below it pass any event.
  double next(double t, double h, double shortest, const StepError& found, bool impact, double* memory) {
    const double error = std::max(found.error, 1e-12), fits = h * safety * std::pow(error, -1.0 / found.power);
    double suggested = std::min(fits, most_growth * h);
    if (found.event) {
      // Events that follow each other step by step: no way back to the smooth step yet.
      const bool crowded = memory[after_event] > 0.0;
      const double next = std::min(fits, 2.0 * h);
      suggested = crowded ? next : std::max(next, memory[smooth_step]);
      known_.step = fits;
    } else {
      memory[smooth_step] = std::min(fits, most_growth * std::max(h, memory[smooth_step]));
      if (memory[after_event] > 0.0 || known_.by <= t) suggested = memory[smooth_step];
    }
    memory[after_event] = impact ? impact_before : found.event ? 1.0 : 0.0;
    const double left = known_.by - t;
    memory[event_by] = left > shortest ? known_.by : 0.0;
    memory[event_step] = known_.step;
    if (memory[event_by] > 0.0) suggested = std::min(suggested, left <= known_.step ? left : 0.5 * left);
    known_.from = -1.0;
    return suggested;
  }
  /// Time itself is known no better.
  static double smallest(double t) { return 4e-12 * std::max(1.0, std::abs(t)); }
  /// Steps shorter than this pass any event: one whose time is known to a hundredth of the tolerance, of the time `pace` in which the motion runs through its range. What was at rest
  /// until it was hit has no motion to compare with, and problems of still shorter steps are rounding.
  static double shortest(double t, double tolerance, double pace) { return std::max(smallest(t), 0.01 * tolerance * pace); }

 private:
  static constexpr double safety = 0.9, most_growth = 4.0, least_growth = 0.1;
  struct { double by = 0.0, from = -1.0, step = 0.0; } known_;  // an event, of rejected attempts from the time `from`
  struct { double from = -1.0, error = 0.0, h = 0.0; } kink_;   // the first attempt from the time `from` that was rejected as one of smooth motion
};

}  // namespace saltus
