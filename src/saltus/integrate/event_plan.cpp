// What may change its mode under the event-driven scheme: touches by their laws, and what it cannot follow.
#include <algorithm>
#include <cmath>
#include <optional>

#include "saltus/base/index.hpp"
#include "saltus/integrate/event_driven.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/problem/convex_set.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
void Touch::take_law(const LawRef& of, int count) {
  law = of, rows = count, pull = of.adhesion();
  arms = slip_arms(*of.type->set, of.parameters, arm);
}

void Touch::take_corner(int number) {
  if (corners.empty()) return;
  number = std::clamp(number, 0, count_of(corners) - 1);
  const GraphCorner& corner = corners[at(number)];
  kept.direction[1] = number, low = corner.low, high = corner.high;
}

void Touch::find_corner(double w, double slow) {
  int number = 0;
  while (number + 1 < count_of(corners) && !(w < corners[at(number + 1)].w - slow)) ++number;
  take_corner(number);
}

int Touch::next_corner() const {
  const int next = number_of_corner() + (kept.direction[0] > 0.0 ? 1 : -1);
  return next < count_of(corners) ? next : -1;
}

double Touch::slip_force(double by) const {
  const bool up = kept.direction[0] > 0.0;
  if (corners.empty()) return up ? low : high;
  const GraphCorner& corner = corners[at(number_of_corner())];
  return (up ? low : high) + (up ? corner.behind : corner.before) * by;
}

double Touch::room(int a) const {
  const double bound = force[0] + pull + arm[a].base;
  double load = 0.0;
  for (int k = 0; k < arm[a].count; ++k) load = std::hypot(load, force[arm[a].row[k]] / arm[a].friction[k]);
  return bound > 0.0 ? bound - load * load / bound : -load;
}

Touch::Motion Touch::motion() const {
  if (mode() == TouchMode::open) return Motion::open;
  if (!gap) return mode() == TouchMode::slip ? Motion::slip : Motion::rest;
  for (int a = 0; a < arms; ++a)
    if (slips(a)) return a == 0 ? Motion::slip : Motion::roll;
  return Motion::rest;
}

namespace {
void refuse(Faults& faults, const RelationEntry& e, const std::string& message) { faults.error({}, "relations/" + e.name, message, "use the scheme moreau_jean"); }

/// Bounds of each row's multiplier; false where the law's set is no box.
bool row_bounds(const RelationEntry& e, double* low, double* high) {
  const SetType& set = *e.law.type->set;
  if (set.bounds) return set.bounds(e.law.parameters, e.rows, 1.0, low, high), true;
  if ((&set == &ball_set || &set == &convex_set) && e.rows == 1) {  // what is nearest to numbers far off
    const double far[2] = {-1e100, 1e100}, still = 0.0;
    set.prox(e.law.parameters, 1, far, &still, 0.0, 1.0, low), set.prox(e.law.parameters, 1, far + 1, &still, 0.0, 1.0, high);
    return true;
  }
  const std::optional<Facets> facets = facets_of({.dim = e.rows, .set = &set, .parameters = e.law.parameters});
  std::fill_n(low, e.rows, -HUGE_VAL), std::fill_n(high, e.rows, HUGE_VAL);
  for (int f = 0; facets && f < facets->count; ++f) {
    const double* a = facets->A + f * e.rows;
    const auto given = std::find_if(a, a + e.rows, [](double x) { return x != 0.0; });
    if (given == a + e.rows) continue;
    if (std::any_of(given + 1, a + e.rows, [](double x) { return x != 0.0; })) return false;
    const double bound = facets->a[f] / *given;
    double& of = (*given > 0.0 ? high : low)[given - a];
    of = *given > 0.0 ? std::min(of, bound) : std::max(of, bound);
  }
  return facets.has_value();
}

/// Whether D = dh/dlambda is not zero at the start.
bool depends_on_multiplier(const System& s, const RelationEntry& e) {
  if (!pool_of(s, e).traits().uses_lambda) return false;
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  std::vector<double> D(at(s.square_count));
  RowSink sink;
  sink.D = D.data();
  assembly.relations(sink);
  const auto own = D.begin() + e.square_begin;
  return std::any_of(own, own + e.rows * e.rows, [](double x) { return x != 0.0; });
}

void add_relays(const System& s, const RelationEntry& e, int relation, bool direct, std::vector<Touch>& touches, Faults& faults) {
  std::vector<double> bounds(at(2 * e.rows));
  const bool graph = e.law.type->set == &graph_set;
  if (!graph && !row_bounds(e, bounds.data(), bounds.data() + e.rows))
    return refuse(faults, e, "has the law '" + std::string(e.law.type->name) + "', which is not of bounds row by row: facets that couple rows; event_driven follows bounds and characteristics");
  bool valued = direct, first_order = true;
  for (const int c : columns_of(s, e)) {
    valued |= c >= s.layout.nv + s.layout.nx && c < s.layout.unknowns();
    first_order &= c >= s.layout.nv;
  }
  if (e.law.type->memory > 0 && e.law.written != 0 && (first_order || pool_of(s, e).traits().written != Level::value))
    return refuse(faults, e, "has the law '" + std::string(e.law.type->name) + "' on a row that has no value: event_driven follows the way of a row by its value");
  if (graph && valued) return refuse(faults, e, "has the law '" + std::string(e.law.type->name) + "' on what algebraic unknowns or its own multiplier hold: event_driven follows it on rates of bodies and on first-order states");
  for (int r = 0; r < e.rows; ++r) {
    touches.push_back({.relation = relation, .row = r, .law = e.law, .gap = false, .first_order = first_order, .valued = valued, .low = bounds[at(r)], .high = bounds[at(e.rows + r)]});
    if (graph) touches.back().corners = graph_corners(e.law.parameters), touches.back().take_corner(0);
  }
}

constexpr const char* no_friction_at_rest = " without friction at rest, but with friction while it slides: event_driven locates where it comes to rest; give friction at rest";
bool has_arms(const LawRef& law) {
  SlipArm arms[FrictionArm::most];
  return slip_arms(*law.type->set, law.parameters, arms) > 0;
}
/// Whether friction of the sliding speed vanishes at rest.
bool slips_at_rest(const LawRef& law) {
  SlipArm arms[FrictionArm::most];
  const int count = slip_arms(*law.type->set, law.parameters, arms);
  return std::any_of(arms, arms + count, [](const SlipArm& arm) { return arm.of_speed && !arm.acts() && arm.of_speed(arm.parameters, 1.0) > 0.0; });
}

/// The touch of a relation with a set-valued law; a fault where the scheme cannot follow it.
void add_touch(const System& s, int relation, std::vector<Touch>& touches, Faults& faults) {
  const RelationEntry& e = s.relation_entries[relation];
  const RelationTraits traits = pool_of(s, e).traits();
  const LawType& law = *e.law.type;
  const std::string named = "has the law '" + std::string(law.name) + "'";
  bool mechanical = !traits.has_input && !traits.uses_lambda && !traits.uses_velocity, first_order = true;
  for (const int c : columns_of(s, e)) {
    mechanical &= c < s.layout.nv || c >= s.layout.unknowns();
    first_order &= c >= s.layout.nv;
  }
  if (first_order && !law.impact && e.law.written != 1) {
    const bool direct = depends_on_multiplier(s, e);
    if (direct && !traits.linear) return refuse(faults, e, named + " and depends on its own multiplier, not linearly: event_driven follows linear relations");
    return add_relays(s, e, relation, direct, touches, faults);
  }
  if (!mechanical) return refuse(faults, e, named + " beside first-order states, forces of its own or rates: event_driven locates gaps of bodies and zeros of their rates");
  if (law.unilateral) {
    if (traits.written != Level::value || (e.rows > 1 && !has_arms(e.law))) return refuse(faults, e, named + " on " + std::to_string(e.rows) + " rows: event_driven takes a gap, alone or with friction");
    if (slips_at_rest(e.law)) return refuse(faults, e, named + no_friction_at_rest);
    touches.push_back({.relation = relation});
    touches.back().take_law(e.law, e.rows);
    return;
  }
  if (e.law.written != 1 && traits.written != Level::rate) return refuse(faults, e, named + " on a value: its switching has no speed that could vanish");
  add_relays(s, e, relation, false, touches, faults);
}

class EventDriven final : public SteppingScheme<EventStep, EventPlan> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<EventOptions>("event_driven", "Dormand and Prince's scheme between events that are located exactly: impacts, detachment, stick and slip (Pfeiffer, Glocker 1996).");
    return type;
  }
  Rates rates() const override { return Rates::at_states; }
  bool finds_contacts() const override { return true; }
  std::span<const double> samples(const Plan&, const State&) const override {
    static constexpr double stages[] = {0.0, 0.25, 0.5, 0.75, 1.0};  // at which it looks at the laws; the error estimate counts others, too
    return stages;
  }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<EventPlan>();
    Faults faults;
    plan->accumulation = read_options<EventOptions>(options, faults).accumulation;
    for (int i = 0; i < count_of(system->relation_entries); ++i) {
      const RelationEntry& e = system->relation_entries[i];
      const RowForm form = row_form(*system, e);
      if (form == RowForm::set_valued) add_touch(*system, i, plan->touches, faults);
      else if (form == RowForm::mixed || (form == RowForm::value && !pool_of(*system, e).traits().linear)) refuse(faults, e, "is an equality that event_driven cannot hold as an acceleration");
      plan->held[0].push_back(form == RowForm::second || form == RowForm::first_order);
      plan->held[1].push_back(form == RowForm::second || form == RowForm::first_rate);
      plan->held[2].push_back(form == RowForm::second || form == RowForm::first_rate || form == RowForm::first_order || form == RowForm::value);
      plan->row_level.push_back(Level::acceleration);
    }
    for (const RelationEntry& e : system->relation_entries)
      if (pool_of(*system, e).traits().has_input && e.law.type->equality && (!plan->touches.empty() || !system->contacts.empty()))
        faults.error({}, "relations/" + e.name, "has forces beside those of its rows, such as friction of its own reaction: event_driven does not follow it beside laws with jumps", "use the scheme moreau_jean");
    for (const ContactLaw& g : system->contacts.laws)
      if (slips_at_rest(g.law)) faults.error({}, "relations/" + g.name, "has the law '" + std::string(g.law.type->name) + "'" + no_friction_at_rest, "use the scheme moreau_jean");
      else if (!g.law.type->unilateral || (g.rows > 1 && !has_arms(g.law))) faults.error({}, "relations/" + g.name, "has the law '" + std::string(g.law.type->name) + "', which event_driven does not follow in contacts", "use the scheme moreau_jean");
    refuse_memory(*system, Memory::closed, name(), faults);
    faults.raise();
    plan->system = std::move(system);
    plan->options = options;
    plan->layout = {plan->system->layout, plan->norm() + ErrorNorm(*plan->system).memory_size()};
    return plan;
  }
};
}  // namespace

const Scheme& event_driven() {
  static const EventDriven scheme;
  return scheme;
}

}  // namespace saltus
