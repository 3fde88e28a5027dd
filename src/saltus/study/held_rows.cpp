#include "saltus/study/held_rows.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/errors.hpp"
#include "saltus/integrate/hold_of.hpp"

namespace saltus {
namespace {

constexpr double small = 1e-9;    // of the largest multiplier: no force
constexpr double sticks = 1e-6;   // m/s or rad/s, times the model's size: no sliding

/// Rates H v of the rows of an entry, after input_blocks().
std::vector<double> rates(const System& s, const Assembly& assembly, const RelationEntry& e, const double* y) {
  std::vector<double> rate(static_cast<std::size_t>(e.rows), 0.0);
  const double* H = assembly.direction(e);
  for (int r = 0; r < e.rows; ++r)
    for (int c = 0; c < e.columns; ++c)
      if (const int u = columns_of(s, e)[c]; u >= 0 && u < s.layout.nv)
        rate[r] += H[r * e.columns + c] * y[s.layout.v_begin() + u];
  return rate;
}

}  // namespace

EquationRows held_rows(const System& s, Assembly& assembly, double t, const double* y, const double* lambda, const double* data) {
  assembly.update(t, y, lambda, data);
  assembly.input_blocks();
  double largest = 0.0;
  for (int r = 0; r < s.layout.rows; ++r) largest = std::max(largest, std::abs(lambda[r]));
  EquationRows held;
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < s.relation_entries.size(); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    const LawType& law = *e.law.type;
    const RowForm form = held_form(s, e);
    const auto hold = [&](int r, RowForm as) { held.rows.push_back({e.row + r, static_cast<int>(i), as}); };
    if (form == RowForm::mixed) {
      faults.push_back({{}, "relations/" + e.name, "joins the configuration with first-order states in one row",
                        "write it on velocities, or on the states alone"});
      continue;
    }
    if (law.equality) {
      for (int r = 0; r < e.rows; ++r) hold(r, form);
      continue;
    }
    std::vector<double> force(lambda + e.row, lambda + e.row + e.rows);  // in the law's set
    force[0] += e.law.adhesion();
    const std::size_t before = held.rows.size();
    if (law.set->sliding > 0) {
      if (force[0] > small * largest && largest > 0.0) {
        hold(0, form);
        const std::vector<double> rate = rates(s, assembly, e, y);
        bool slides = false;
        for (int r = 1; r < e.rows; ++r) {
          const Hold as = hold_of(e.law, r, force);
          slides |= as == Hold::slides || (as == Hold::holds && std::abs(rate[r]) > sticks * s.length_scale);
          if (as == Hold::holds) hold(r, RowForm::first_rate);
        }
        if (slides)
          faults.push_back({{}, "relations/" + e.name, "slides or rolls, or is about to: its friction is not linear in the motion",
                            "linearize where it sticks, or set its friction to 0"});
      }
    } else if (law.set->bounds) {
      std::vector<double> low(static_cast<std::size_t>(e.rows)), high(low);
      law.set->bounds(e.law.parameters, e.rows, 1.0, low.data(), high.data());
      const RowForm level = form == RowForm::second && e.law.written == 1 ? RowForm::first_rate : form;
      for (int r = 0; r < e.rows; ++r) {
        const auto k = static_cast<std::size_t>(r);
        const double width = std::isfinite(high[k] - low[k]) ? high[k] - low[k] : largest;
        if (force[k] > low[k] + small * width && force[k] < high[k] - small * width) hold(r, level);
      }
    } else {
      faults.push_back({{}, "relations/" + e.name, "has the law '" + std::string(law.name) + "', which has no linear form here", ""});
    }
    (held.rows.size() > before ? held.closed : held.open).push_back(e.name);
  }
  if (!faults.empty()) throw ModelError(std::move(faults));
  return held;
}

}  // namespace saltus
