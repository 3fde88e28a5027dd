#include "saltus/integrate/model_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "saltus/base/value.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/circuit.hpp"

namespace saltus {

std::vector<Fault> massless_coordinates(const System& s) {
  const Layout& l = s.layout;
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  std::vector<double> M(s.pattern.nonzeros());
  assembly.mass(1.0, 1.0, M.data());
  std::vector<double> held = M;
  Seeds seeds;
  seeds.value[0] = seeds.rate[0] = 1.0;
  assembly.add_force_matrix(seeds, held.data());
  std::vector<char> moved(static_cast<std::size_t>(l.unknowns()) + 1, 0);  // by a relation
  for (const int column : s.relation_columns)
    if (column >= 0 && column <= l.unknowns()) moved[column] = 1;
  std::vector<Fault> faults;
  for (const NodeEntry& node : s.nodes) {
    std::string free;
    for (int i = 0; i < node.place.sizes.v; ++i) {
      const int u = node.place.v + i;
      bool zero = moved[u] == 0;
      for (int k = s.pattern.begin[u]; zero && k < s.pattern.begin[u + 1]; ++k)
        zero = held[k] == 0.0 && M[k] == 0.0;
      if (zero) free += (free.empty() ? "" : ", ") + std::to_string(i);
    }
    if (!free.empty())
      faults.push_back({{}, "nodes/" + node.name, "can move but has no mass: velocities " + free + " of it",
                        "give a body with mass on this node, or hold these coordinates by a joint"});
  }
  return faults;
}

std::vector<Fault> wrong_masses(const System& s) {
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  Fault fault = assembly.wrong_mass();
  if (fault.path.empty()) return {};
  return {std::move(fault)};
}

std::vector<Fault> impossible_circuits(const System& system) {
  const Circuit circuit(system);
  return circuit.empty() ? std::vector<Fault>() : circuit.faults();
}

std::vector<Fault> unresolved_shapes(const System& s) {
  constexpr double resolved = 1e-3, on_arm = 1e-6;  // of the thickness: rounding of positions, of points on arms
  constexpr double slender = 1e8;                   // times the thickness: length
  std::vector<double> arm(s.bases.size(), 0.0);
  for (const MarkerEntry& marker : s.markers)
    if (marker.base >= 0) arm[marker.base] = std::max(arm[marker.base], norm(marker.p_NM));
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  const Kinematics& k = assembly.kinematics();
  std::vector<Fault> faults;
  for (const Collider& c : s.contacts.colliders) {
    const double thick = c.shape.thickness(), far = norm(k.frames[c.marker].p), reach = c.base < 0 ? 0.0 : arm[c.base];
    if (c.shape.endless() || !(thick > 0.0)) continue;
    const auto lost = [&](double length, double part) { return length * std::numeric_limits<double>::epsilon() > part * thick; };
    std::string message;
    if (lost(far, resolved)) message = "is " + number_text(far) + " m away from the origin";
    else if (lost(reach, on_arm)) message = "is on a body with a joint or frame " + number_text(reach) + " m away from it";
    else if (c.shape.bound() > slender * thick) message = "is " + number_text(c.shape.bound()) + " m long";
    if (!message.empty())
      faults.push_back({{}, "markers/" + c.name, message + " and " + number_text(thick) + " m thick: numbers of sixteen digits do not hold both",
                        "check the units of its sizes and places, or put the origin near to the bodies"});
  }
  return faults;
}

std::optional<Fault> rateless(const System& s, const RelationEntry& e) {
  const LawType& law = *e.law.type;
  const auto columns = columns_of(s, e);
  const bool mechanical = std::any_of(columns.begin(), columns.end(), [&](int c) { return s.kind_of(c) == CoordinateKind::ode2; });
  const bool switches = law.memory > 0 && e.law.written == 0;
  if (switches && std::any_of(columns.begin(), columns.end(), [&](int c) { return s.kind_of(c) == CoordinateKind::algebraic; }))
    return Fault{{}, "relations/" + e.name, "the law `" + std::string(law.name) + "` acts on what its own multiplier moves at once, such as potentials: none of its states could last", "let it act on a state, such as a capacitor's charge or a first_order_system"};
  if ((law.acts == Acts::rate || (law.memory > 0 && !switches)) && (!mechanical || pool_of(s, e).traits().uses_lambda))
    return Fault{{}, "relations/" + e.name, "the law `" + std::string(law.name) + "` acts on a rate; this relation has none", "use `complementarity` or `relay`"};
  if (e.law.written == 1 && !mechanical) return Fault{{}, "relations/" + e.name, "the law acts on a rate; this relation moves no mechanical coordinate", "set `on` to value"};
  return std::nullopt;
}

std::vector<Fault> rateless_laws(const System& s) {
  std::vector<Fault> faults;
  for (const RelationEntry& e : s.relation_entries)
    if (auto fault = rateless(s, e)) faults.push_back(std::move(*fault));
  return faults;
}

std::vector<Fault> unfound_contacts(const System& system, const Scheme& scheme) {
  if (system.contacts.empty() || scheme.finds_contacts()) return {};
  std::string known;
  for (std::string_view name : scheme_names())
    if (find_scheme(name)->finds_contacts()) known += (known.empty() ? "" : ", ") + std::string(name);
  return {{{}, "simulation/scheme", "'" + std::string(scheme.name()) + "' does not find contacts between groups, such as '" + system.contacts.groups[0].name + "'", "use " + known}};
}

std::vector<Fault> idle_gravity(const System& s) {
  const Layout& l = s.layout;
  const double g = norm(s.gravity);
  if (g == 0.0 || l.nv == 0) return {};
  Assembly assembly(s);
  MassMatrix matrix(s, assembly);
  const std::size_t n = l.unknowns();
  std::vector<double> force(n + 1), without(n + 1), rate(n), target(l.rows), lambda(target.size());
  const auto project = [&](const std::vector<double>& y) {
    assembly.update(0.0, y.data(), nullptr, s.initial_data.data());
    assembly.input_blocks();
    return matrix.factorize(assembly).ok && matrix.solve(force.data(), target.data(), rate.data(), lambda.data()).ok;
  };
  // A motion that the rows allow: the nearest one, by kinetic energy, to an arbitrary motion of size 1.
  std::vector<double> y = s.initial_y, M(s.pattern.nonzeros()), motion(n + 1);
  assembly.update(0.0, y.data(), nullptr, s.initial_data.data());
  assembly.mass(1.0, 1.0, M.data());
  for (int i = 0; i < l.nv; ++i) motion[i] = std::sin(1.0 + 1.7 * i);
  for (int i = 0; i < l.nv; ++i)
    for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; ++k)
      force[i] += M[k] * motion[s.pattern.column[k]];
  if (!project(y)) return {};
  double largest = 0.0;
  for (int i = 0; i < l.nv; ++i) largest = std::max(largest, std::abs(rate[i]));
  if (!(largest > 1e-8)) return {};  // nothing can move: gravity gives reactions
  if (std::ranges::any_of(s.relation_entries, [&](const RelationEntry& e) { return e.law.type->equality && pool_of(s, e).traits().has_input; })) return {};  // friction of a joint is of its reactions
  constexpr double aside = 1e-3;  // the rows are violated by its square, far below `small`
  constexpr double small = 1e-5;  // of g; a pendulum at rest gets about `aside` times g
  for (int i = 0; i < l.nv; ++i) rate[i] *= aside / largest * s.length_scale;
  s.map.retract(y.data(), rate.data());
  std::vector<double> data = s.initial_data;
  for (const BodyPresence& p : s.presences) data[p.data] = BodyPresence::there;  // who comes later moves, too
  assembly.update(0.0, y.data(), nullptr, data.data());
  assembly.forces(force.data());
  assembly.set_gravity({});
  assembly.forces(without.data());
  assembly.set_gravity(s.gravity);
  for (std::size_t i = 0; i <= n; ++i) force[i] -= without[i];
  if (!project(y)) return {};
  for (int i = 0; i < l.nv; ++i)
    if (!(std::abs(rate[i]) <= small * g * std::min(1.0, 1.0 / s.length_scale))) return {};
  const auto& a = s.gravity;
  return {{{}, "gravity", "is (" + number_text(a[0]) + ", " + number_text(a[1]) + ", " + number_text(a[2]) + ") m/s^2 and does no work on any coordinate that can move",
           "turn gravity into the plane of motion, or set it to [0, 0, 0]",
           Severity::warning}};
}

namespace {
/// Pairs of shapes that overlap in the configuration of the assembly, each by its deepest point, the deepest pairs first; beyond `most` their number. counts(A, B): of their owners.
template <class Counts>
void add_group_overlaps(const System& s, Assembly& assembly, const std::string& when, const Counts& counts, std::vector<Fault>& faults) {
  if (s.contacts.empty()) return;
  constexpr std::size_t most = 5;
  const double small = 1e-6 * s.length_scale;
  ContactSet set(s.contacts);
  set.find(assembly.kinematics(), 0.0);
  std::map<std::pair<int, int>, const Contact*> deepest;
  for (const Contact& c : set.contacts())
    if (c.gap < -small && counts(s.contacts.colliders[c.A].owner, s.contacts.colliders[c.B].owner))
      if (const Contact*& known = deepest[{c.A, c.B}]; !known || c.gap < known->gap) known = &c;
  std::vector<const Contact*> found;
  for (const auto& [pair, c] : deepest) found.push_back(c);
  std::stable_sort(found.begin(), found.end(), [](const Contact* a, const Contact* b) { return a->gap < b->gap; });
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) {
    const Contact& c = *found[i];
    std::string message = "'" + s.contacts.colliders[c.A].owner + "' and '" + s.contacts.colliders[c.B].owner + "' overlap " + when + " by " + short_text(-c.gap) + " m";
    if (i + 1 == most && found.size() > most) message += "; so do " + std::to_string(found.size() - most) + " more pairs, less deep";
    faults.push_back({{}, "relations/" + s.contacts.groups[c.group].name, message, "place them apart, or leave the pair out with no_contact; the first steps push them out", Severity::warning});
  }
}
}  // namespace

std::vector<Fault> overlaps_of(const System& s, Assembly& assembly, const State& state, std::span<const Event> came) {
  std::vector<Fault> faults;
  const auto comes = [&](const std::string& body) { return std::ranges::any_of(came, [&](const Event& e) { return e.kind == "born" && e.item == body; }); };
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  add_group_overlaps(s, assembly, "at t = " + short_text(state.t()) + " s, where one of them appears,", [&](const std::string& A, const std::string& B) { return comes(A) || comes(B); }, faults);
  return faults;
}

std::vector<Fault> overlaps_at_start(const System& s) {
  const double small = 1e-6 * s.length_scale;
  Assembly assembly(s);
  std::vector<double> y(s.layout.rows);
  std::vector<Fault> faults;
  bool known = false;
  for (const RelationEntry& e : s.relation_entries) {
    const RelationTraits traits = s.relations[e.pool]->traits();
    if (!e.law.type->unilateral || traits.written != Level::value || traits.uses_lambda || traits.has_input) continue;
    const auto* columns = s.relation_columns.data() + e.column_begin;
    if (!std::all_of(columns, columns + e.columns, [&](int c) { return c < s.layout.nv; })) continue;  // a diode: potentials are guesses
    if (!std::exchange(known, true)) {
      assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
      RowSink sink;
      sink.y = y.data();
      assembly.relations(sink);
    }
    if (const double gap = y[e.row]; gap < -small)
      faults.push_back({{}, "relations/" + e.name, "is violated at the start: its gap is " + number_text(gap) + " (m, or rad of a stop)",
                        "place the bodies apart, or the stops around the first position; the first steps push them out", Severity::warning});
  }
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  add_group_overlaps(s, assembly, "at the start", [](const std::string&, const std::string&) { return true; }, faults);
  return faults;
}

}  // namespace saltus
