#include "saltus/study/sampling.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/base/value.hpp"

namespace saltus {
namespace {
constexpr double passed = 1e-11;  // of a time: so far behind it a step may have ended that a jump of a formula ends too

constexpr double slack = ControllerEntry::slack;

/// Time of the first sample, of those at `first` + k * period, after t.
double after(double t, double period, double first) { return std::max(0.0, std::floor((t - first) / period + slack) + 1.0) * period + first; }

bool due(double t, double period, double first) {
  const double periods = (t - first) / period;
  return periods > -slack && std::abs(periods - std::round(periods)) <= slack * std::max(1.0, std::abs(periods) * 1e-3);
}

/// Whether the path, or the formula, reads a quantity of the item.
bool reads(const std::string& path, const std::string& item) {
  for (std::size_t at = path.find(item + "."); at != std::string::npos; at = path.find(item + ".", at + 1))
    if (at == 0 || !(std::isalnum(static_cast<unsigned char>(path[at - 1])) || path[at - 1] == '_' || path[at - 1] == '.')) return true;
  return false;
}

}  // namespace

ControllerSampler::ControllerSampler(std::shared_ptr<const System> system) : system_(std::move(system)), assembly_(*system_) {
  for (const ControllerEntry& entry : system_->controllers) {
    Controller c{&entry, {}, {}, {}, 0};
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
  order();
}

/// Those without outputs after those that they read, then those with outputs. A ring of them reads what was there before.
void ControllerSampler::order() {
  const auto measures = [](const Controller& c) { return c.entry->outputs == 0; };
  for (std::size_t turn = 0; turn < controllers_.size(); ++turn)
    for (Controller& c : controllers_)
      for (const Controller& other : controllers_)
        if (measures(c) && measures(other) && &c != &other &&
            std::any_of(c.entry->inputs.begin(), c.entry->inputs.end(), [&](const std::string& path) { return reads(path, other.entry->name); }))
          c.rank = std::min(std::max(c.rank, other.rank + 1), count_of(controllers_));
  for (const Controller& c : controllers_) ranks_ = std::max(ranks_, c.rank + 2);
  for (Controller& c : controllers_)
    if (!measures(c)) c.rank = ranks_ - 1;
}

double ControllerSampler::next(double t) const {
  double first = HUGE_VAL;
  for (const RunParameter& p : system_->parameters) {
    const auto change = std::upper_bound(p.schedule.begin(), p.schedule.end(), t, [](double time, const auto& entry) { return time < entry.first; });
    if (change != p.schedule.end()) first = std::min(first, change->first);
  }
  for (const Controller& c : controllers_) {
    first = std::min(first, after(t, c.entry->period, 0.0));
    if (c.entry->waiting) first = std::min(first, after(t, c.entry->period, c.entry->delay));
  }
  return first;
}

void ControllerSampler::sample(State& state) {
  for (std::size_t i = 0; i < system_->parameters.size(); ++i)
    for (const auto& [time, value] : system_->parameters[i].schedule)
      if (std::abs(time - state.t()) <= passed * std::max(1.0, std::abs(time))) state.data()[i] = value;
  for (int rank = 0; rank < ranks_; ++rank) pass(state, rank);
}

void ControllerSampler::pass(State& state, int rank) {
  const Sample now{state.t(), state.y(), state.a(), state.lambda(), state.data()};
  const auto chosen = [&](const Controller& c) { return c.rank == rank && due(state.t(), c.entry->period, 0.0); };
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
  for (Controller& c : controllers_) {
    if (c.rank != rank) continue;
    const ControllerEntry& e = *c.entry;
    double* const outputs = state.data() + e.first;
    double* const waiting = outputs + e.outputs + e.memory;
    const bool sampled = chosen(c), acts = e.waiting && due(state.t(), e.period, e.delay);
    if (sampled) {
      std::copy(c.out.begin() + e.outputs, c.out.end(), outputs + e.outputs);
      if (e.waiting) std::copy_backward(waiting, waiting + (e.waiting - 1) * e.outputs, waiting + e.waiting * e.outputs);
      std::copy_n(c.out.begin(), e.outputs, e.waiting ? waiting : outputs);
    }
    if (acts) std::copy_n(waiting + (e.waiting - 1) * e.outputs, e.outputs, outputs);
    if (sampled || acts)
      for (const auto& [output, place] : e.parameters) state.data()[place] = outputs[output];
  }
}

}  // namespace saltus
