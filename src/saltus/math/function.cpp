#include "saltus/math/function.hpp"

#include <cmath>

namespace saltus {
namespace {

double moved(double x, double relative) {
  const volatile double there = x + relative * std::max(1.0, std::abs(x));  // a step that is exact in floating point
  return there;
}
constexpr double first_step = 6.06e-6;   // cbrt(2^-52)
constexpr double second_step = 1.22e-4;  // 2^(-52/4)

}  // namespace

Function::Function(std::vector<double> values) {
  for (const double value : values) {
    results_.push_back(Expression::constant(value));
    source_.push_back(results_.back().source());
  }
}

Function::Function(const Function&) = default;
Function::Function(Function&&) noexcept = default;
Function& Function::operator=(const Function&) = default;
Function& Function::operator=(Function&&) noexcept = default;
Function::~Function() = default;

Function Function::parse(const std::vector<std::string>& sources, std::vector<std::string> inputs,
                         const Parameters& parameters, const Place& place, const std::string& path, Faults& faults) {
  Function out;
  out.inputs_ = std::move(inputs);
  out.source_ = sources;
  out.results_.clear();
  for (std::size_t k = 0; k < sources.size(); ++k) {
    std::optional<ExpressionFault> fault;
    out.results_.push_back(Expression::parse(sources[k], out.inputs_, parameters, fault));
    if (!fault) continue;
    const std::string text = sources[k].size() <= 60 ? "`" + sources[k] + "` " : "";
    faults.error(place, sources.size() > 1 ? path + "/" + std::to_string(k) : path,
                 text + fault->message + " (character " + std::to_string(fault->position + 1) + ")", fault->remedy);
  }
  return out;
}

Function Function::external(const CFunction& function, std::shared_ptr<void> owner, std::string source,
                            std::vector<std::string> inputs) {
  if (!function.call || function.inputs < 0 || function.outputs < 1)
    throw ModelError(source, "is no function table", "give an address, inputs >= 0 and outputs >= 1");
  if (!inputs.empty() && inputs.size() != static_cast<std::size_t>(function.inputs))
    throw ModelError(source, "takes " + std::to_string(function.inputs) + " inputs, must take " + std::to_string(inputs.size()),
                     "its arguments are numbers, one an input");
  Function out;
  out.results_.clear();
  out.external_ = function;
  out.owner_ = std::move(owner);
  out.source_ = {std::move(source)};
  out.inputs_ = std::move(inputs);
  return out;
}

Function Function::held(int component, int first, int count) const {
  Function out = *this;
  if (out.source_.size() < out.results_.size()) out.source_.resize(out.results_.size());
  for (int i = 0; i < count; ++i) {
    const int result = std::max(component, 0) + i;
    if (external_.call) out.held_.emplace_back(result, first + i);
    else out.results_[result] = Expression::held(first + i), out.source_[result] = "held";
  }
  return out;
}

bool Function::reads_data() const {
  return !held_.empty() || std::any_of(results_.begin(), results_.end(), [](const Expression& e) { return e.reads_data(); });
}

bool Function::is_constant() const {
  return !external_.call && std::all_of(results_.begin(), results_.end(), [](const Expression& e) { return e.is_constant(); });
}

bool Function::depends_on(int input) const {
  return external_.call || std::any_of(results_.begin(), results_.end(), [&](const Expression& e) { return e.depends_on(input); });
}

bool Function::branches() const {
  if (external_.call) return external_.inputs > 1;
  return std::any_of(results_.begin(), results_.end(), [&](const Expression& e) {
    bool moves = false;
    for (int i = 1; i < inputs(); ++i) moves |= e.depends_on(i);
    return moves && e.has_branch();
  });
}

void Function::gradient(double* x, int i, double* gradient, double* scratch) const {
  const std::size_t n = external_.inputs, m = external_.outputs;
  if (external_.jacobian) {
    external_.jacobian(external_.context, x, scratch);
    for (std::size_t k = 0; k < m; ++k) gradient[k] = scratch[k * n + i];
    return;
  }
  const double here = x[i], up = moved(here, first_step), down = moved(here, -first_step);
  x[i] = up;
  call_external(x, gradient);
  x[i] = down;
  call_external(x, scratch);
  x[i] = here;
  for (std::size_t k = 0; k < m; ++k) gradient[k] = (gradient[k] - scratch[k]) / (up - down);
}

void Function::second(double* x, int i, int j, double* second, double* scratch) const {
  const std::size_t n = external_.inputs, m = external_.outputs;
  const double xj = x[j];
  if (external_.jacobian) {
    const double up = moved(xj, first_step), down = moved(xj, -first_step);
    x[j] = up;
    external_.jacobian(external_.context, x, scratch);
    x[j] = down;
    external_.jacobian(external_.context, x, scratch + n * m);
    x[j] = xj;
    for (std::size_t k = 0; k < m; ++k)
      second[k] = (scratch[k * n + i] - scratch[n * m + k * n + i]) / (up - down);
    return;
  }
  const double xi = x[i];
  std::fill(second, second + m, 0.0);
  double scale = 0.0;
  auto add = [&](double to_i, double to_j, double sign) {
    x[j] = to_j;
    x[i] = to_i;
    call_external(x, scratch);
    for (std::size_t k = 0; k < m; ++k) second[k] += sign * scratch[k];
  };
  const double ui = moved(xi, second_step), di = moved(xi, -second_step);
  if (i == j) {
    add(ui, ui, 1.0), add(di, di, 1.0), add(xi, xi, -2.0);
    scale = 0.25 * (ui - di) * (ui - di);
  } else {
    const double uj = moved(xj, second_step), dj = moved(xj, -second_step);
    add(ui, uj, 1.0), add(di, dj, 1.0), add(ui, dj, -1.0), add(di, uj, -1.0);
    scale = (ui - di) * (uj - dj);
  }
  x[j] = xj;
  x[i] = xi;
  for (std::size_t k = 0; k < m; ++k) second[k] /= scale;
}

}  // namespace saltus
