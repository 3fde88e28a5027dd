#include "unit.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "saltus/model/file.hpp"
#include "saltus/model/json_text.hpp"
#include "saltus/system/compile.hpp"

namespace saltus::fmi {

namespace {

const Value& member(const Object& object, std::string_view key, const std::string& file) {
  const Value* found = object.find(key);
  if (!found) throw ModelError(file, "has no '" + std::string(key) + "'", "export the unit anew");
  return *found;
}

std::string text_of(const Object& object, std::string_view key, const std::string& file) {
  const std::string* text = member(object, key, file).text();
  if (!text) throw ModelError(file, "has no text at '" + std::string(key) + "'", "export the unit anew");
  return *text;
}

Variable::Kind kind_of(const std::string& word, const std::string& file) {
  static constexpr std::string_view words[] = {"time", "parameter", "run_parameter", "output", "residual"};
  const auto found = std::find(std::begin(words), std::end(words), word);
  if (found == std::end(words)) throw ModelError(file, "has a variable that is '" + word + "', which this version does not know", "export the unit anew");
  return static_cast<Variable::Kind>(found - std::begin(words));
}

bool is_set(const Variable& v) { return v.kind == Variable::Kind::parameter || v.kind == Variable::Kind::run_parameter; }

}  // namespace

Unit::Unit(const std::filesystem::path& resources, const std::string& token) : given_(load_model(resources / "model.json")) {
  read_description(resources / "unit.json", token);
  reset();
}

void Unit::read_description(const std::filesystem::path& path, const std::string& token) {
  const std::string file = path.string();
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ModelError(file, "cannot be read", "unpack the whole unit");
  Faults faults;
  const Value root = parse_json(std::string(std::istreambuf_iterator<char>(stream), {}), file, faults);
  faults.raise();
  if (!root.object()) throw ModelError(file, "is no object", "export the unit anew");
  const Object& unit = *root.object();
  token_ = text_of(unit, "token", file);
  if (token != token_) throw Refused("the token of the instance is not that of the unit: the description and the library are of different units");
  settings_.scheme = text_of(unit, "scheme", file);
  if (const Object* options = member(unit, "options", file).object()) settings_.options = *options;
  if (const Value& step = member(unit, "step", file); !step.is_null()) settings_.step = step.number();
  settings_.tolerance = member(unit, "tolerance", file).number();
  settings_.threads = static_cast<int>(member(unit, "threads", file).number());
  if (const bool* consistent = member(unit, "consistent", file).boolean()) settings_.consistent = *consistent;
  const List* list = member(unit, "variables", file).list();
  if (!list) throw ModelError(file, "has no list of variables", "export the unit anew");
  for (const Value& entry : *list) {
    const Object* o = entry.object();
    if (!o) throw ModelError(file, "has a variable that is no object", "export the unit anew");
    Variable v;
    v.kind = kind_of(text_of(*o, "is", file), file);
    v.name = text_of(*o, "name", file);
    if (const Value* component = o->find("component")) v.component = static_cast<int>(component->number());
    if (const Value* start = o->find("start")) v.start = start->number();
    variables_.push_back(std::move(v));
  }
}

void Unit::reset() {
  state_.reset();
  outputs_.clear();
  values_.clear();
  for (const Variable& v : variables_) values_.push_back(v.start);
  tolerance_.reset();
  start_ = 0.0;
  moved_ = shown_now_ = false;
  told_ = 0;
}

void Unit::prepare(double start, std::optional<double> tolerance) {
  if (!std::isfinite(start)) throw Refused("the start time is not a finite number");
  if (tolerance && !(*tolerance > 0.0 && *tolerance < 1.0)) tolerance.reset();  // a master that has none says 0
  start_ = start, tolerance_ = tolerance;
  state_.reset();
}

const Variable& Unit::at(Reference variable) const {
  if (variable >= variables_.size()) throw Refused("there is no variable with the reference " + std::to_string(variable));
  return variables_[variable];
}

void Unit::bind() {
  Model model = given_;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (is_set(variables_[i]) && values_[i] != variables_[i].start) override_parameter(model, variables_[i].name + "=" + number_text(values_[i]));
  Faults warnings;
  const std::shared_ptr<const System> system = compile(model, {}, warnings);
  RunSettings settings = settings_;
  if (tolerance_) settings.tolerance = *tolerance_;
  auto state = std::make_unique<SteppedState>(system, std::move(settings), warnings.list());
  if (start_ != 0.0) state->set_time(start_);
  outputs_.clear();
  place_.assign(variables_.size(), 0);
  std::map<std::string, std::size_t> known;
  std::size_t size = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    if (v.kind != Variable::Kind::output) continue;
    const auto [entry, is_new] = known.try_emplace(v.name, outputs_.size());
    if (is_new) {
      outputs_.push_back({Quantity(system, v.name), size});
      size += outputs_.back().quantity.components();
    }
    const Output& output = outputs_[entry->second];
    if (v.component < 0 || v.component >= output.quantity.components()) throw ModelError("outputs/" + v.name, "has no component " + std::to_string(v.component), "export the unit anew");
    place_[i] = output.begin + v.component;
  }
  shown_.assign(size, 0.0);
  shown_now_ = false;
  told_ = 0;
  state_ = std::move(state);
}

SteppedState& Unit::ready() {
  if (!state_) bind();
  if (const std::string wrong = state_->begin(); !wrong.empty()) throw Refused(wrong);
  return *state_;
}

void Unit::step(double t, double h) {
  SteppedState& state = ready();
  const double now = state.now().t(), until = t + h;
  if (!(h > 0.0) || !std::isfinite(until)) throw Refused("a step of " + short_text(h) + " s at " + short_text(t) + " s is none");
  if (std::abs(t - now) > 1e-9 * std::max({1.0, std::abs(now), h})) throw Refused("the step begins at " + short_text(t) + " s, and the unit is at " + short_text(now) + " s");
  shown_now_ = false, moved_ = true;
  if (const std::string wrong = state.advance(until, settings_.step); !wrong.empty()) throw Refused(wrong);
}

const double* Unit::outputs() {
  SteppedState& state = ready();
  if (!shown_now_)
    for (const Output& output : outputs_) state.evaluate(output.quantity, shown_.data() + output.begin);
  shown_now_ = true;
  return shown_.data();
}

double Unit::get(Reference variable) {
  const Variable& v = at(variable);
  switch (v.kind) {
    case Variable::Kind::time: return time();
    case Variable::Kind::output: {
      const double* shown = outputs();  // finds the places
      return shown[place_[variable]];
    }
    case Variable::Kind::residual: {
      const Residuals& r = ready().simulation().report().residual;
      return v.name == "equations" ? r.equations : v.name == "constraints" ? r.constraints : r.laws;
    }
    default: return values_[variable];
  }
}

void Unit::set(Reference variable, double value) {
  const Variable& v = at(variable);
  if (!is_set(v)) throw Refused("'" + v.name + "' is read, not set");
  if (!std::isfinite(value)) throw Refused("'" + v.name + "' is set to a number that is not finite");
  if (values_[variable] == value) return;
  if (v.kind == Variable::Kind::run_parameter) {
    if (state_) state_->set_parameter(v.name, value);
  } else {
    if (moved_) throw Refused("'" + v.name + "' is fixed: it can be set before the first step only");
    state_.reset();
  }
  values_[variable] = value;
  shown_now_ = false;
}

std::vector<double> Unit::derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns, std::span<const double> seed) {
  const Kept here = keep();
  double size = 0.0, steepest = 0.0;
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    const Variable& v = at(knowns[k]);
    if (v.kind != Variable::Kind::run_parameter) throw Refused("no derivative is taken by '" + v.name + "', which a run may not change");
    if (!std::isfinite(seed[k])) throw Refused("the seed of '" + v.name + "' is not finite");
    size = std::max(size, std::abs(values_[knowns[k]])), steepest = std::max(steepest, std::abs(seed[k]));
  }
  std::vector<double> out(unknowns.size(), 0.0);
  if (steepest == 0.0) return out;
  const double eps = 6e-6 * std::max(size, 1.0) / steepest;  // the cube root of rounding: the error of central differences is least
  try {
    for (const double side : {1.0, -1.0}) {
      restore(here);
      for (std::size_t k = 0; k < knowns.size(); ++k) set(knowns[k], here.values[knowns[k]] + side * eps * seed[k]);
      for (std::size_t u = 0; u < unknowns.size(); ++u) out[u] += side * get(unknowns[u]) / (2.0 * eps);
    }
  } catch (...) {
    restore(here);
    throw;
  }
  restore(here);
  return out;
}

Kept Unit::keep() {
  const std::span<const double> state = ready().BoundRun::state();
  return {values_, {state.begin(), state.end()}, start_};
}

void Unit::restore(const Kept& kept) {
  if (kept.values.size() != values_.size()) throw Refused("the state is of another unit");
  bool other = !state_ || kept.start != start_;
  for (std::size_t i = 0; i < values_.size(); ++i) other = other || (variables_[i].kind == Variable::Kind::parameter && kept.values[i] != values_[i]);
  values_ = kept.values, start_ = kept.start;
  if (other) bind();
  state_->load({reinterpret_cast<const char*>(kept.state.data()), kept.state.size() * sizeof(double)});
  moved_ = state_->now().t() != start_;
  shown_now_ = false;
}

// Bytes: the lengths of the token, the values and the state; the token, the start, the values, the state.
std::vector<char> Unit::serialized(const Kept& kept) const {
  std::vector<char> out;
  const auto put = [&](const void* from, std::size_t n) { out.insert(out.end(), static_cast<const char*>(from), static_cast<const char*>(from) + n); };
  const std::uint64_t sizes[] = {token_.size(), kept.values.size(), kept.state.size()};
  put(sizes, sizeof sizes);
  put(token_.data(), token_.size());
  put(&kept.start, sizeof(double));
  put(kept.values.data(), kept.values.size() * sizeof(double));
  put(kept.state.data(), kept.state.size() * sizeof(double));
  return out;
}

Kept Unit::deserialized(std::span<const char> bytes) const {
  std::uint64_t sizes[3] = {};
  if (bytes.size() >= sizeof sizes) std::memcpy(sizes, bytes.data(), sizeof sizes);
  Kept kept;
  const std::size_t most = bytes.size() / sizeof(double);
  if (sizes[0] != token_.size() || sizes[1] != values_.size() || sizes[2] > most || bytes.size() != sizeof sizes + token_.size() + sizeof(double) * (1 + sizes[1] + sizes[2]) ||
      token_.compare(0, token_.size(), bytes.data() + sizeof sizes, token_.size()) != 0)
    throw Refused("the bytes are not a state of this unit");
  kept.values.resize(sizes[1]), kept.state.resize(sizes[2]);
  const char* at = bytes.data() + sizeof sizes + token_.size();
  std::memcpy(&kept.start, at, sizeof(double));
  std::memcpy(kept.values.data(), at += sizeof(double), sizes[1] * sizeof(double));
  std::memcpy(kept.state.data(), at + sizes[1] * sizeof(double), sizes[2] * sizeof(double));
  return kept;
}

std::vector<std::string> Unit::new_warnings() {
  std::vector<std::string> out;
  if (!state_) return out;
  const std::vector<Fault>&bound = state_->warnings(), &later = state_->simulation().report().warnings;
  const std::size_t all = bound.size() + later.size();
  for (std::size_t i = std::min(told_, all); i < all; ++i) out.push_back((i < bound.size() ? bound[i] : later[i - bound.size()]).text());
  told_ = all;
  return out;
}

}  // namespace saltus::fmi
