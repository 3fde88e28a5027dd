#include "saltus/study/closed_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/errors.hpp"
#include "saltus/integrate/hold_of.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
constexpr double small = 1e-9;    // of the largest force: none
constexpr double near = 1e-3;     // of the model's size: where the contacts of the record are found again
constexpr double touching = 1e-9; // of the model's size: a gap that is none
constexpr double dependent = 1e-9;
constexpr double at_rest = 1e-5;  // m/s or rad/s, times the model's size
std::size_t at(int i) { return static_cast<std::size_t>(i); }
/// Whether a row of unknowns is a combination of others.
bool follows(const ContactRow& row, const std::vector<ContactRow>& others, int unknowns) {
  const auto fill = [](const ContactRow& of, auto&& column) {
    for (std::size_t k = 0; k < of.columns.size(); ++k) column[of.columns[k]] = of.H[k];
  };
  dense::Matrix H = dense::Matrix::Zero(unknowns, static_cast<Eigen::Index>(others.size()));
  for (std::size_t i = 0; i < others.size(); ++i) fill(others[i], H.col(static_cast<Eigen::Index>(i)));
  dense::Vector h = dense::Vector::Zero(unknowns);
  fill(row, h);
  const dense::PivotedQr qr = dense::pivoted_qr(H, dependent);
  const dense::Matrix Q = qr.Q.leftCols(qr.rank);
  return (h - Q * (Q.transpose() * h)).norm() <= dependent * h.norm();
}
}  // namespace

ClosedContacts closed_contacts(const System& s, double t, const double* y, const double* data, std::span<const ContactWrench> wrenches) {
  ClosedContacts out;
  out.forces.assign(at(s.layout.unknowns()) + 1, 0.0);
  double largest = 0.0;
  for (const ContactWrench& w : wrenches) largest = std::max(largest, norm(w.force));
  std::vector<ContactWrench> pressing;
  for (const ContactWrench& w : wrenches)
    if (norm(w.force) > small * largest) pressing.push_back(w);
  if (pressing.empty()) return out;
  std::vector<Fault> faults;
  std::vector<ContactRow> limit, weak;  // at the bound of their friction; gaps without force
  const double size = s.length_scale > 0.0 ? s.length_scale : 1.0;
  for (int i = 0; i < s.layout.nv; ++i)
    if (std::abs(y[s.layout.v_begin() + i]) > at_rest * size)
      throw ModelError("linearize", "is asked of a state that moves while contacts between groups carry: their points move on with it", "take a state at rest, or m.contact of two bodies alone where they are a plane and spheres or two spheres");
  Assembly assembly(s);
  assembly.update(t, y, nullptr, data);
  ContactSet contacts(s.contacts);
  contacts.find(assembly.kinematics(), near * size);
  const auto presses = [&](int A, int B) {
    const auto all = contacts.contacts();
    return std::any_of(all.begin(), all.end(), [&](const Contact& c) { return c.A == A && c.B == B && std::any_of(pressing.begin(), pressing.end(), [&](const ContactWrench& w) { return w.name == c.identity(); }); });
  };
  const auto row_of = [&](const Contact& c, int row) {
    const double* H = contacts.H(c) + row * c.columns;
    return ContactRow{s.contacts.groups[at(c.group)].name, row == 0, {contacts.columns(c).begin(), contacts.columns(c).end()}, {H, H + c.columns}};
  };
  for (const Contact& c : contacts.contacts()) {
    const auto w = std::find_if(pressing.begin(), pressing.end(), [&](const ContactWrench& known) { return known.name == c.identity(); });
    if (w == pressing.end()) {  // one of several points of a pair may touch without force: what it holds is the pair's
      if (c.gap <= touching * size && presses(c.A, c.B)) weak.push_back(row_of(c, 0));
      continue;
    }
    const std::string& group = s.contacts.groups[at(c.group)].name;
    std::vector<double> force(at(c.rows));
    along_rows(c, *w, force.data());
    for (int row = 0; row < c.rows; ++row)
      for (int k = 0; k < c.columns; ++k) out.forces[at(contacts.columns(c)[at(k)])] += contacts.H(c)[row * c.columns + k] * force[at(row)];
    const LawRef& law = s.contacts.law(c);
    force[0] += law.adhesion();
    out.rows.push_back(row_of(c, 0));
    for (int row = 1; row < c.rows; ++row) {
      const Hold as = hold_of(law, row, force);
      if (as == Hold::slides) limit.push_back(row_of(c, row));
      if (as == Hold::holds) out.rows.push_back(row_of(c, row));
    }
    if (std::find(out.groups.begin(), out.groups.end(), group) == out.groups.end()) out.groups.push_back(group);
  }
  out.rows.insert(out.rows.end(), weak.begin(), weak.end());
  // Points that hold a body together may strain each other up to their friction: what the others hold cannot slide.
  for (const ContactRow& row : limit)
    if (!follows(row, out.rows, s.layout.unknowns() + 1) && (faults.empty() || faults.back().path != "relations/" + row.group))
      faults.push_back({{}, "relations/" + row.group, "slides or rolls, or is about to: its friction is not linear in the motion", "linearize where it sticks, or set its friction to 0"});
  if (!faults.empty()) throw ModelError(std::move(faults));
  out.stiffness = contact_stiffness(assembly, t, y, data, pressing);
  return out;
}

}  // namespace saltus
