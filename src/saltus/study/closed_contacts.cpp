#include "saltus/study/closed_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/integrate/hold_of.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
constexpr double small = 1e-9;    // of the largest force: none
constexpr double near = 1e-3;     // of the model's size: where the contacts of the record are found again
constexpr double touching = 1e-9; // of the model's size: a gap that is none
constexpr double dependent = 1e-9;
constexpr double at_one_point = 1e-7;  // rows at both surfaces of a gap beside those between them
constexpr double at_rest = 1e-5;  // m/s or rad/s, times the model's size

/// Whether rows are combinations of others.
class Span {
 public:
  Span(const std::vector<ContactRow>& rows, int unknowns) {
    dense::Matrix H = dense::Matrix::Zero(unknowns, static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k < rows[i].columns.size(); ++k) H(rows[i].columns[k], static_cast<Eigen::Index>(i)) = rows[i].H[k];
    const dense::PivotedQr qr = dense::pivoted_qr(H, dependent);
    Q_ = qr.Q.leftCols(qr.rank);
  }
  bool has(const ContactRow& row) const {
    dense::Vector h = dense::Vector::Zero(Q_.rows());
    for (std::size_t k = 0; k < row.columns.size(); ++k) h[row.columns[k]] = row.H[k];
    return beside(h) <= dependent * h.norm();
  }
  bool has(const PairMotion& pair) const {
    return std::all_of(pair.rows.begin(), pair.rows.end(), [&](const std::vector<double>& row) {
      dense::Vector h = dense::Vector::Zero(Q_.rows());
      std::copy(row.begin(), row.end(), h.data());
      return beside(h) <= at_one_point * h.norm();
    });
  }

 private:
  double beside(const dense::Vector& h) const { return (h - Q_ * (Q_.transpose() * h)).norm(); }
  dense::Matrix Q_;
};

std::vector<ContactWrench> pressing_of(std::span<const ContactWrench> wrenches) {
  double largest = 0.0;
  for (const ContactWrench& w : wrenches) largest = std::max(largest, norm(w.force));
  std::vector<ContactWrench> out;
  for (const ContactWrench& w : wrenches)
    if (norm(w.force) > small * largest) out.push_back(w);
  return out;
}

/// Friction of points that hold one body may strain it up to their bounds: of the forces along the rows that carry the same, by contact, those whose friction is least beside what is along
/// the normals. Empty where they are not in their sets.
std::vector<std::vector<double>> eased(const System& s, const ContactSet& contacts, const std::vector<ContactWrench>& pressing) {
  std::vector<std::vector<double>> out(contacts.contacts().size());
  std::vector<std::pair<std::size_t, int>> places;
  std::vector<double> rows, shares;
  const int unknowns = s.layout.unknowns() + 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Contact& c = contacts.contacts()[i];
    const auto w = std::find_if(pressing.begin(), pressing.end(), [&](const ContactWrench& known) { return known.name == c.identity(); });
    if (w == pressing.end()) continue;
    out[i].resize(at(c.rows));
    along_rows(c, *w, out[i].data());
    out[i][0] += s.contacts.law(c).adhesion();
    for (int row = 1; row < c.rows && out[i][0] > 0.0; ++row) {
      rows.resize(rows.size() + at(unknowns), 0.0);
      for (int k = 0; k < c.columns; ++k) rows[rows.size() - at(unknowns) + at(contacts.columns(c)[at(k)])] = contacts.H(c)[row * c.columns + k] * out[i][0];
      places.emplace_back(i, row), shares.push_back(out[i][at(row)] / out[i][0]);
    }
  }
  const std::vector<double> least = least_strain(rows, shares);
  if (least.empty()) return {};
  for (std::size_t i = 0; i < places.size(); ++i) out[places[i].first][at(places[i].second)] = least[i] * out[places[i].first][0];
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].size() < 2) continue;
    const LawRef& law = s.contacts.law(contacts.contacts()[i]);
    if (!holds_friction(*law.type, law.parameters, out[i], small * out[i][0])) return {};
  }
  return out;
}

/// Of a wrench whose contact is not known.
Fault lost(const System& s, double identity, const char* what, const char* remedy) {
  const auto [A, B] = s.contacts.pair_of(identity);
  bool first = true;
  const int group = s.contacts.group_of(A, B, first);
  return {{}, "relations/" + (group < 0 ? std::string("contact") : s.contacts.groups[at(group)].name), what, remedy};
}

}  // namespace

ClosedContacts closed_contacts(const System& s, double t, const double* y, const double* data, std::span<const ContactWrench> wrenches) {
  ClosedContacts out;
  out.forces.assign(at(s.layout.unknowns()) + 1, 0.0);
  const std::vector<ContactWrench> pressing = pressing_of(wrenches);
  if (pressing.empty()) return out;
  std::vector<double> unmatched;
  std::vector<Fault> faults;  // one a group
  const auto refuse = [&](Fault fault) {
    if (std::none_of(faults.begin(), faults.end(), [&](const Fault& f) { return f.path == fault.path; })) faults.push_back(std::move(fault));
  };
  std::vector<ContactRow> limit, weak;  // at the bound of their friction; gaps without force
  const double size = s.length_scale > 0.0 ? s.length_scale : 1.0;
  if (std::any_of(y + s.layout.v_begin(), y + s.layout.v_begin() + s.layout.nv, [&](double v) { return std::abs(v) > at_rest * size; }))
    throw ModelError("linearize", "is asked of a state that moves while contacts between groups carry: their points move on with it", "take a state at rest, or m.contact of two bodies alone where they are a plane and spheres or two spheres");
  Assembly assembly(s);
  assembly.update(t, y, nullptr, data);
  ContactSet contacts(s.contacts);
  contacts.find(assembly.kinematics(), near * size);
  std::set<std::pair<int, int>> pairs;  // that press
  for (const ContactWrench& w : pressing) pairs.insert(s.contacts.pair_of(w.name)), unmatched.push_back(w.name);
  const auto row_of = [&](const Contact& c, int row) {
    const double* H = contacts.H(c) + row * c.columns;
    return ContactRow{s.contacts.groups[at(c.group)].name, row == 0, {contacts.columns(c).begin(), contacts.columns(c).end()}, {H, H + c.columns}};
  };
  const auto missing = [&](const std::vector<double>& names) {
    for (const double name : names) refuse(lost(s, name, "has a recorded force at a point that does not touch in the same way here: it would be left out", "linearize at=\"static\" or at a time that is recorded"));
    if (!faults.empty()) throw ModelError(std::move(faults));
  };
  std::optional<std::vector<std::vector<double>>> least;
  for (const Contact& c : contacts.contacts()) {
    const auto w = std::find_if(pressing.begin(), pressing.end(), [&](const ContactWrench& known) { return known.name == c.identity(); });
    if (w == pressing.end()) {  // one of several points of a pair may touch without force: what it holds is the pair's
      if (c.gap <= touching * size && pairs.contains({c.A, c.B})) weak.push_back(row_of(c, 0));
      continue;
    }
    const std::string& group = s.contacts.groups[at(c.group)].name;
    std::erase(unmatched, w->name);
    std::vector<double> force(at(c.rows));
    along_rows(c, *w, force.data());
    for (int row = 0; row < c.rows; ++row)
      for (int k = 0; k < c.columns; ++k) out.forces[at(contacts.columns(c)[at(k)])] += contacts.H(c)[row * c.columns + k] * force[at(row)];
    const LawRef& law = s.contacts.law(c);
    force[0] += law.adhesion();
    out.rows.push_back(row_of(c, 0));
    for (int row = 1; row < c.rows; ++row) {
      Hold as = hold_of(law, row, force);
      if (as == Hold::slides) {
        if (!least) least = eased(s, contacts, pressing);
        if (!least->empty()) as = hold_of(law, row, (*least)[&c - contacts.contacts().data()]);
      }
      if (as == Hold::slides) limit.push_back(row_of(c, row));
      if (as == Hold::holds) out.rows.push_back(row_of(c, row));
    }
    if (std::find(out.groups.begin(), out.groups.end(), group) == out.groups.end()) out.groups.push_back(group);
  }
  missing(unmatched);
  out.rows.insert(out.rows.end(), weak.begin(), weak.end());
  // Points that hold a body together may strain each other up to their friction: what the others hold cannot slide.
  std::optional<Span> held;
  const auto hold = [&](const auto& motion) {
    if (!held) held.emplace(out.rows, s.layout.unknowns() + 1);
    return held->has(motion);
  };
  for (const ContactRow& row : limit)
    if (!hold(row)) refuse({{}, "relations/" + row.group, "slides or rolls, or is about to: its friction is not linear in the motion", "linearize where it sticks, or set its friction to 0"});
  if (!faults.empty()) throw ModelError(std::move(faults));
  ContactStiffness stiffness = contact_stiffness(assembly, t, y, data, pressing);
  missing(stiffness.missing);
  const auto may_move = [&](const PairMotion& pair) { return !hold(pair); };
  if (std::any_of(stiffness.stuck.begin(), stiffness.stuck.end(), may_move)) {  // at motions, perhaps, that are held
    std::vector<char> still(at(s.layout.nv));
    for (int j = 0; j < s.layout.nv; ++j) still[at(j)] = hold(ContactRow{.columns = {j}, .H = {1.0}});
    stiffness = contact_stiffness(assembly, t, y, data, pressing, still);
  }
  for (const PairMotion& pair : stiffness.stuck)
    if (may_move(pair)) refuse(lost(s, s.contacts.identity(pair.A, pair.B, 0), "has other points at the least motion, and its bodies may move on each other: what it adds to the stiffness is not known", "let edges of what touches not coincide, or give it friction"));
  if (!faults.empty()) throw ModelError(std::move(faults));
  out.stiffness = std::move(stiffness.entries);
  return out;
}

}  // namespace saltus
