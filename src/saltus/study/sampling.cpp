#include "saltus/study/sampling.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/value.hpp"

namespace saltus {
namespace {
constexpr double slack = 1e-9;  // of a period: a time this close to a sample is the sample
constexpr double passed = 1e-11;  // of a time: so far behind it a step may have ended that a jump of a formula ends too
}

ControllerSampler::ControllerSampler(std::shared_ptr<const System> system) : system_(std::move(system)), assembly_(*system_) {
  for (const ControllerEntry& entry : system_->controllers) {
    Controller c{&entry, {}, {}, {}};
    int width = 1;
    for (const std::string& path : entry.inputs) width += c.inputs.emplace_back(system_, path).components();
    const int expected = width + entry.memory;
    if (entry.function.inputs() != expected && !entry.function.is_constant())
      throw ModelError("controllers/" + entry.name, "takes " + std::to_string(entry.function.inputs()) + " numbers, expected " + std::to_string(expected) +
                                                        ": the time, its inputs, what it keeps");
    c.in.resize(expected);
    c.out.resize(entry.outputs + entry.memory);
    controllers_.push_back(std::move(c));
  }
}

double ControllerSampler::next(double t) const {
  double first = HUGE_VAL;
  for (const RunParameter& p : system_->parameters) {
    const auto change = std::upper_bound(p.schedule.begin(), p.schedule.end(), t, [](double time, const auto& entry) { return time < entry.first; });
    if (change != p.schedule.end()) first = std::min(first, change->first);
  }
  for (const Controller& c : controllers_) first = std::min(first, (std::floor(t / c.entry->period + slack) + 1.0) * c.entry->period);
  return first;
}

bool ControllerSampler::due(const ControllerEntry& entry, double t) const {
  const double periods = t / entry.period;
  return std::abs(periods - std::round(periods)) <= slack * std::max(1.0, std::abs(periods) * 1e-3);
}

void ControllerSampler::sample(State& state) {
  for (std::size_t i = 0; i < system_->parameters.size(); ++i)
    for (const auto& [time, value] : system_->parameters[i].schedule)
      if (std::abs(time - state.t()) <= passed * std::max(1.0, std::abs(time))) state.data()[i] = value;
  pass(state, true);
  pass(state, false);
}

void ControllerSampler::pass(State& state, bool sensors) {
  const Sample now{state.t(), state.y(), state.a(), state.lambda(), state.data()};
  const auto chosen = [&](const Controller& c) { return (c.entry->outputs == 0) == sensors && due(*c.entry, state.t()); };
  for (Controller& c : controllers_) {
    if (!chosen(c)) continue;
    double* in = c.in.data();
    *in++ = state.t();
    for (const Quantity& q : c.inputs) q.evaluate(assembly_, now, in), in += q.components();
    const double* memory = state.data() + c.entry->first + c.entry->outputs;
    std::copy(memory, memory + c.entry->memory, in);
    c.entry->function(c.in.data(), c.out.data(), state.data());
    for (const double x : c.out)
      if (!std::isfinite(x)) throw ModelError("controllers/" + c.entry->name, "gave " + number_text(x) + " at t = " + number_text(state.t()) + " s");
  }
  for (Controller& c : controllers_)
    if (chosen(c)) {
      std::copy(c.out.begin(), c.out.end(), state.data() + c.entry->first);
      for (const auto& [output, place] : c.entry->parameters) state.data()[place] = c.out[output];
    }
}

}  // namespace saltus
