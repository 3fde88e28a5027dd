#include "saltus/study/held_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/integrate/hold_of.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {

constexpr double small = 1e-9;    // of the largest multiplier: no force
constexpr double sticks = 1e-6;   // m/s or rad/s, times the model's size: no sliding

/// Rates H v of the rows of an entry, after input_blocks().
std::vector<double> rates(const System& s, const Assembly& assembly, const RelationEntry& e, const double* y) {
  std::vector<double> rate(e.rows, 0.0);
  const double* H = assembly.direction(e);
  for (int r = 0; r < e.rows; ++r)
    for (int c = 0; c < e.columns; ++c)
      if (const int u = columns_of(s, e)[c]; u >= 0 && u < s.layout.nv)
        rate[r] += H[r * e.columns + c] * y[s.layout.v_begin() + u];
  return rate;
}

Fault about_to_slide(const RelationEntry& e) {
  return {{}, "relations/" + e.name, "slides or rolls, or is about to: its friction is not linear in the motion", "linearize where it sticks, or set its friction to 0"};
}

/// A row of the directions at the configuration, over all unknowns and the ground.
std::vector<double> direction_of(const System& s, const Assembly& assembly, const RelationEntry& e, int r) {
  std::vector<double> row(at(s.layout.unknowns()) + 1, 0.0);
  const double* H = assembly.direction(e) + r * e.columns;
  for (int c = 0; c < e.columns; ++c)
    if (const int u = columns_of(s, e)[c]; u >= 0 && u < s.layout.unknowns()) row[at(u)] += H[c];
  return row;
}

/// Forces of an entry in its law's set: with what adheres.
std::vector<double> force_of(const RelationEntry& e, const double* lambda) {
  std::vector<double> force(lambda + e.row, lambda + e.row + e.rows);
  force[0] += e.law.adhesion();
  return force;
}

/// Friction of points that hold one body may strain it up to their bounds: of all multipliers that carry the same, those whose friction is least beside the normal forces. Empty where
/// they are not in their sets.
std::vector<double> eased(const System& s, const Assembly& assembly, const double* lambda, double least) {
  std::vector<double> out(lambda, lambda + s.layout.rows), rows, shares;
  std::vector<std::pair<int, double>> places;  // rows and their normal forces
  for (const RelationEntry& e : s.relation_entries) {
    if (e.law.type->set->sliding == 0) continue;
    const double normal = force_of(e, lambda)[0];
    for (int r = 1; r < e.rows && normal > least; ++r) {
      std::vector<double> row = direction_of(s, assembly, e, r);
      for (double& x : row) rows.push_back(normal * x);
      places.emplace_back(e.row + r, normal), shares.push_back(lambda[e.row + r] / normal);
    }
  }
  const std::vector<double> strain = least_strain(rows, shares);
  if (strain.empty()) return {};
  for (std::size_t i = 0; i < places.size(); ++i) out[at(places[i].first)] = strain[i] * places[i].second;
  for (const RelationEntry& e : s.relation_entries) {
    const std::vector<double> force = force_of(e, out.data());
    if (e.law.type->set->sliding > 0 && force[0] > least && !holds_friction(*e.law.type, e.law.parameters, force, small * force[0])) return {};
  }
  return out;
}

/// Whether what is held keeps a row from moving, too.
bool holds_too(const System& s, const Assembly& assembly, const EquationRows& held, const std::vector<double>& row) {
  const Eigen::Map<const dense::Vector> h(row.data(), static_cast<Eigen::Index>(row.size()));
  dense::Matrix H(h.size(), static_cast<Eigen::Index>(held.rows.size()));
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    const RelationEntry& e = s.relation_entries[at(held.rows[i].entry)];
    const std::vector<double> other = direction_of(s, assembly, e, held.rows[i].row - e.row);
    H.col(static_cast<Eigen::Index>(i)) = Eigen::Map<const dense::Vector>(other.data(), h.size());
  }
  const dense::PivotedQr qr = dense::pivoted_qr(H, small);
  const dense::Matrix Q = qr.Q.leftCols(qr.rank);
  return (h - Q * (Q.transpose() * h)).norm() <= small * h.norm();
}

}  // namespace

EquationRows held_rows(const System& s, Assembly& assembly, double t, const double* y, const double* lambda, const double* data) {
  assembly.update(t, y, lambda, data);
  assembly.input_blocks();
  double largest = 0.0;
  for (int r = 0; r < s.layout.rows; ++r) largest = std::max(largest, std::abs(lambda[r]));
  EquationRows held;
  std::vector<Fault> faults;
  struct AtBound { const RelationEntry* entry; int row; };
  std::vector<AtBound> at_bound;
  std::optional<std::vector<double>> least;  // multipliers with the least strain of friction
  for (int i = 0; i < count_of(s.relation_entries); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    const LawType& law = *e.law.type;
    const RowForm form = held_form(s, e);
    const auto hold = [&](int r, RowForm as) { held.rows.push_back({e.row + r, i, as}); };
    if (form == RowForm::mixed) {
      faults.push_back({{}, "relations/" + e.name, "joins the configuration with first-order states in one row",
                        "write it on velocities, or on the states alone"});
      continue;
    }
    if (law.equality) {
      for (int r = 0; r < e.rows; ++r) hold(r, form);
      continue;
    }
    const std::vector<double> force = force_of(e, lambda);
    const std::size_t before = held.rows.size();
    if (law.set->sliding > 0) {
      if (force[0] > small * largest && largest > 0.0) {
        hold(0, form);
        const std::vector<double> rate = rates(s, assembly, e, y);
        bool slides = false;
        for (int r = 1; r < e.rows; ++r) {
          const std::vector<double> row = direction_of(s, assembly, e, r);
          if (std::all_of(row.begin(), row.end(), [](double x) { return x == 0.0; })) continue;  // across the plane of a motion
          Hold as = hold_of(e.law, r, force);
          if (as == Hold::slides) {
            if (!least) least = eased(s, assembly, lambda, small * largest);
            if (!least->empty()) as = hold_of(e.law, r, force_of(e, least->data()));
          }
          if (as == Hold::slides) at_bound.push_back({&e, r});
          slides |= (as != Hold::free && std::abs(rate[r]) > sticks * s.length_scale);
          if (as == Hold::holds) hold(r, RowForm::first_rate);
        }
        if (slides) faults.push_back(about_to_slide(e));
      }
    } else if (law.set->bounds) {
      std::vector<double> low(e.rows), high(low);
      law.set->bounds(e.law.parameters, e.rows, 1.0, low.data(), high.data());
      const RowForm level = form == RowForm::second && e.law.written == 1 ? RowForm::first_rate : form;
      for (int r = 0; r < e.rows; ++r) {
        const std::size_t k = r;
        const double width = std::isfinite(high[k] - low[k]) ? high[k] - low[k] : largest;
        if (force[k] > low[k] + small * width && force[k] < high[k] - small * width) hold(r, level);
      }
    } else {
      faults.push_back({{}, "relations/" + e.name, "has the law '" + std::string(law.name) + "', which has no linear form here", ""});
    }
    (held.rows.size() > before ? held.closed : held.open).push_back(e.name);
  }
  for (const AtBound& b : at_bound) {  // what others hold cannot slide
    const std::string path = "relations/" + b.entry->name;
    const bool reported = std::any_of(faults.begin(), faults.end(), [&](const Fault& f) { return f.path == path; });
    if (!reported && !holds_too(s, assembly, held, direction_of(s, assembly, *b.entry, b.row))) faults.push_back(about_to_slide(*b.entry));
  }
  if (!faults.empty()) throw ModelError(std::move(faults));
  return held;
}

}  // namespace saltus
