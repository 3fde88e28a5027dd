#include "saltus/study/linear_equations.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations.hpp"

namespace saltus {
namespace {

constexpr Seeds by_value{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
constexpr Seeds by_rate{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
constexpr double difference_step = 1e-3;  // of a radian, of the model's length: fourth order leaves 1e-12 of both errors

bool all_zero(const double* x, int n) { return std::all_of(x, x + n, [](double e) { return e == 0.0; }); }
double largest(const double* x, int n) {
  double most = 0.0;
  for (int i = 0; i < n; ++i) most = std::max(most, std::abs(x[i]));
  return most;
}

/// Colours of the mechanical columns so that no two of one colour meet in a row (Curtis, Powell, Reid 1974).
std::vector<std::vector<int>> colours(const System& s) {
  std::vector<int> colour(at(s.layout.nv), -1);
  std::vector<std::vector<int>> groups;
  std::vector<int> taken;
  for (int j = 0; j < s.layout.nv; ++j) {
    taken.assign(groups.size() + 1, 0);
    for (const int i : s.pattern.row(j))
      for (const int k : s.pattern.row(i))
        if (k < s.layout.nv && colour[k] >= 0) taken[colour[k]] = 1;
    const int own = static_cast<int>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
    if (own == count_of(groups)) groups.emplace_back();
    groups[own].push_back(j);
    colour[j] = own;
  }
  return groups;
}

class Linearizer {
 public:
  Linearizer(LinearEquations& e) : e_(e), s_(*e.system), l_(s_.layout), assembly_(s_) {}

  void run() {
    solve_state();
    e_.held = held_rows(s_, assembly_, e_.t, e_.y.data(), e_.lambda.data(), e_.data.data());
    e_.rests = all_zero(e_.y.data() + l_.v_begin(), l_.nv) && all_zero(e_.rates.data(), l_.nv + l_.nx);
    const bool constant = std::all_of(s_.objects.begin(), s_.objects.end(), [](const auto& pool) { return pool->constant_mass(); });
    e_.exact = all_zero(e_.y.data() + l_.v_begin(), l_.nv) && (constant || all_zero(e_.rates.data(), l_.nv));
    assembly_.update(e_.t, e_.y.data(), e_.lambda.data(), e_.data.data());
    assembly_.input_blocks();
    matrices();
    hold_contacts();
    rows();
    if (!e_.exact) differences();
    spread_contacts();
    check();
  }

 private:
  void solve_state() {
    if (!e_.contacts.rows.empty()) return;
    for (const RelationEntry& r : s_.relation_entries)
      if (!r.law.type->equality) return;
    if (l_.unknowns() == 0) return;
    Accelerations accelerations(s_);
    const LinearOutcome out = accelerations.solve(e_.t, e_.y.data(), e_.data.data(), e_.lambda.data(), e_.rates.data());
    if (!out.ok) throw ModelError("linearize", "the equations of motion have no solution at this state: " + out.cause, "");
    // An equilibrium is one to the rounding of its forces: what is left there is no acceleration.
    std::vector<double> f(at(l_.unknowns()) + 1);
    assembly_.update(e_.t, e_.y.data(), e_.lambda.data(), e_.data.data());
    assembly_.forces(f.data());
    const double* v = e_.y.data() + l_.v_begin();
    if (!all_zero(v, l_.nv)) return;
    std::vector<double> M(at(s_.pattern.nonzeros())), inertia(at(l_.unknowns()), 0.0);
    assembly_.mass(1.0, 1.0, M.data());
    multiply_add(s_.pattern, M.data(), e_.rates.data(), inertia.data());
    if (largest(inertia.data(), l_.nv) <= 1e-7 * std::max(largest(f.data(), l_.nv), largest(e_.lambda.data(), l_.rows)))
      std::fill(e_.rates.begin(), e_.rates.begin() + l_.nv, 0.0);
  }

  void matrices() {
    const std::size_t n = at(s_.pattern.nonzeros());
    e_.mass.assign(n, 0.0), e_.stiffness.assign(n, 0.0), e_.damping.assign(n, 0.0);
    assembly_.mass(1.0, 1.0, e_.mass.data());
    assembly_.add_force_matrix(by_value, e_.stiffness.data());
    assembly_.add_force_matrix(by_rate, e_.damping.data());
    if (l_.rows > 0) {
      assembly_.add_input_matrix(by_value, 1.0, e_.stiffness.data());
      assembly_.add_input_matrix(by_rate, 1.0, e_.damping.data());
    }
  }

  void hold_contacts() {
    for (int i = 0; i < count_of(e_.contacts.rows); ++i) e_.held.rows.push_back({i, -1, e_.contacts.rows[i].gap ? RowForm::second : RowForm::first_rate});
    e_.held.closed.insert(e_.held.closed.end(), e_.contacts.groups.begin(), e_.contacts.groups.end());
    for (const ContactGroup& group : s_.contacts.groups)
      if (std::find(e_.contacts.groups.begin(), e_.contacts.groups.end(), group.name) == e_.contacts.groups.end()) e_.held.open.push_back(group.name);
  }

  /// The matrices on a pattern that has what contacts add, with their stiffness.
  void spread_contacts() {
    e_.pattern = s_.pattern;
    if (e_.contacts.stiffness.empty()) return;
    CsrBuilder builder(s_.pattern.rows, s_.pattern.cols);
    for (int i = 0; i < s_.pattern.rows; ++i) builder.add_block({&i, 1}, s_.pattern.row(i));
    for (const StiffnessEntry& entry : e_.contacts.stiffness) builder.add_entry(entry.row, entry.column);
    e_.pattern = builder.build().pattern;
    for (std::vector<double>* values : {&e_.mass, &e_.stiffness, &e_.damping}) {
      std::vector<double> wider(at(e_.pattern.nonzeros()), 0.0);
      for (int i = 0; i < s_.pattern.rows; ++i)
        for (int k = s_.pattern.begin[at(i)]; k < s_.pattern.begin[at(i) + 1]; ++k) wider[at(e_.pattern.slot(i, s_.pattern.column[at(k)]))] = (*values)[at(k)];
      values->swap(wider);
    }
    for (const StiffnessEntry& entry : e_.contacts.stiffness) e_.stiffness[at(e_.pattern.slot(entry.row, entry.column))] += entry.value;
  }

  void rows() {
    CsrBuilder builder(e_.row_count(), l_.unknowns());
    for (int k = 0; k < e_.row_count(); ++k) {
      const HeldRow& row = e_.held.rows[k];
      builder.add_block({&k, 1}, row.entry < 0 ? std::span<const int>(e_.contacts.rows[at(row.row)].columns) : columns_of(s_, s_.relation_entries[row.entry]));
    }
    e_.rows = builder.build();
    for (std::vector<double>* values : {&e_.value, &e_.rate, &e_.drift, &e_.input}) values->assign(at(e_.rows.pattern.nonzeros()), 0.0);
    bool compliant = false;
    for (int k = 0; k < e_.row_count(); ++k) {
      const HeldRow& row = e_.held.rows[k];
      if (row.entry < 0) {
        const double* H = e_.contacts.rows[at(row.row)].H.data();
        if (row.form == RowForm::second) e_.rows.add(k, H, e_.value.data());
        e_.rows.add(k, H, e_.rate.data());
        e_.rows.add(k, H, e_.input.data());
        continue;
      }
      const RelationEntry& r = s_.relation_entries[row.entry];
      const RelationTraits traits = pool_of(s_, r).traits();
      const int local = row.row - r.row;
      const auto add = [&](std::vector<double>& out, const double* block) { e_.rows.add(k, block + local * r.columns, out.data()); };
      const double *H = assembly_.H().data() + r.value_begin, *G = assembly_.rate_H().data() + r.value_begin;
      if (row.form == RowForm::second || row.form == RowForm::first_order || row.form == RowForm::value) add(e_.value, H);
      if (row.form == RowForm::second || row.form == RowForm::first_rate) add(e_.rate, assembly_.direction(r));
      if (row.form == RowForm::value) add(e_.rate, G);
      if (row.form == RowForm::first_rate && traits.written == Level::rate) add(e_.drift, H);
      compliant |= row.form == RowForm::value && traits.uses_lambda;
      if (traits.has_input) {
        std::vector<double> column(at(r.columns));
        for (int c = 0; c < r.columns; ++c) column[c] = assembly_.B()[r.value_begin + c * r.rows + local];
        e_.rows.add(k, column.data(), e_.input.data());
      } else {
        add(e_.input, assembly_.direction(r));
      }
    }
    if (!compliant) return;
    const std::size_t n = at(e_.row_count());
    e_.own.assign(n * n, 0.0);
    std::vector<double> D(at(s_.square_count));
    RowSink sink;
    sink.D = D.data();
    assembly_.relations(sink);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const HeldRow &a = e_.held.rows[i], &b = e_.held.rows[j];
        if (a.entry < 0) continue;
        const RelationEntry& r = s_.relation_entries[a.entry];
        if (a.entry == b.entry && a.form == RowForm::value) e_.own[i * n + j] = D[r.square_begin + (a.row - r.row) * r.rows + b.row - r.row];
      }
  }

  /// Derivatives by theta and v of what the items' own leave out while the state moves: d(J v)/dq, d(M a)/dq, the frames' own
  /// accelerations.
  void differences() {
    assembly_.update(e_.t, e_.y.data(), e_.lambda.data(), e_.data.data());
    const std::vector<double> scale = column_scales(s_, assembly_.kinematics());
    const double length = s_.length_scale > 0.0 ? s_.length_scale : 1.0, fastest = largest(e_.y.data() + l_.v_begin(), l_.nv);
    const CsrTranspose columns = transposed(e_.rows.pattern);
    const std::size_t nu = at(l_.unknowns()), held = at(e_.row_count());
    std::vector<double> y, f, g, sum_f(nu), sum_g(held), theta(at(l_.nv));
    for (const bool velocity : {false, true})
      for (const std::vector<int>& group : colours(s_)) {
        std::fill(sum_f.begin(), sum_f.end(), 0.0), std::fill(sum_g.begin(), sum_g.end(), 0.0);
        const auto step = [&](int j) { return difference_step * (velocity ? std::max(fastest, length * scale[j]) : length * scale[j]); };
        constexpr double weights[] = {-1.0 / 12.0, 8.0 / 12.0, -8.0 / 12.0, 1.0 / 12.0}, places[] = {2.0, 1.0, -1.0, -2.0};
        for (int p = 0; p < 4; ++p) {
          y = e_.y;
          std::fill(theta.begin(), theta.end(), 0.0);
          for (const int j : group) (velocity ? y[l_.v_begin() + j] : theta[j]) += places[p] * step(j);
          if (!velocity) s_.map.retract(y.data(), theta.data());
          right_sides(e_, assembly_, e_.t, y.data(), f);
          held_rates(e_, assembly_, e_.t, y.data(), g);
          for (std::size_t i = 0; i < nu; ++i) sum_f[i] += weights[p] * f[i];
          for (std::size_t i = 0; i < held; ++i) sum_g[i] += weights[p] * g[i];
        }
        for (const int j : group) {
          for (const int i : s_.pattern.row(j)) (velocity ? e_.damping : e_.stiffness)[s_.pattern.slot(i, j)] = -sum_f[i] / step(j);
          if (velocity) continue;
          for (int k = columns.pattern.begin[j]; k < columns.pattern.begin[j + 1]; ++k)
            e_.drift[columns.source[k]] = sum_g[columns.pattern.column[k]] / step(j);
        }
      }
  }

  void check() {
    std::vector<double> f;
    right_sides(e_, assembly_, e_.t, e_.y.data(), f);
    std::vector<double> F(at(l_.unknowns()) + 1);
    assembly_.forces(F.data());
    const double size = std::max({largest(F.data(), l_.nv), largest(e_.lambda.data(), l_.rows), 1e-300});
    e_.residual = largest(f.data(), l_.nv) / size;
    for (const std::vector<double>* values : {&e_.stiffness, &e_.damping, &e_.value, &e_.rate, &e_.input, &f})
      if (!finite(values->data(), count_of(*values)))
        throw ModelError("linearize", "a derivative is not a finite number at this state" + [this] {
          const std::string item = assembly_.not_finite();
          return item.empty() ? item : " (" + item + ")";
        }(), "");
  }

  LinearEquations& e_;
  const System& s_;
  const Layout& l_;
  Assembly assembly_;
};

}  // namespace

LinearEquations linear_equations(std::shared_ptr<const System> system, const Sample& sample, std::span<const ContactWrench> wrenches) {
  LinearEquations e;
  const Layout& l = system->layout;
  e.system = system;
  e.t = sample.t;
  e.y.assign(sample.y, sample.y + l.y_size());
  e.rates.assign(at(l.unknowns()) + 1, 0.0);
  if (sample.a) std::copy(sample.a, sample.a + l.nv, e.rates.begin());
  e.lambda.assign(l.rows, 0.0);
  if (sample.lambda) std::copy(sample.lambda, sample.lambda + l.rows, e.lambda.begin());
  e.data.assign(l.nd, 0.0);
  if (sample.data) std::copy(sample.data, sample.data + l.nd, e.data.begin());
  e.contacts = closed_contacts(*system, e.t, e.y.data(), e.data.data(), wrenches);
  Linearizer(e).run();
  return e;
}

void held_rates(const LinearEquations& e, Assembly& assembly, double t, const double* y, std::vector<double>& rate) {
  const System& s = assembly.system();
  assembly.update(t, y, e.lambda.data(), e.data.data());
  assembly.input_blocks();
  std::vector<double> h(at(s.layout.rows)), h_t(at(s.layout.rows));
  RowSink sink;
  sink.y = h.data(), sink.time_rate = h_t.data();
  assembly.relations(sink);
  rate.assign(e.row_count(), 0.0);
  for (int k = 0; k < e.row_count(); ++k) {
    const HeldRow& row = e.held.rows[k];
    if (row.entry < 0 || (row.form != RowForm::second && row.form != RowForm::first_rate)) continue;
    const RelationEntry& r = s.relation_entries[row.entry];
    if (pool_of(s, r).traits().written == Level::rate) {
      rate[k] = h[row.row];
      continue;
    }
    rate[k] = h_t[row.row];
    const double* H = assembly.direction(r) + (row.row - r.row) * r.columns;
    for (int c = 0; c < r.columns; ++c)
      if (const int u = columns_of(s, r)[c]; u >= 0 && u < s.layout.nv) rate[k] += H[c] * y[s.layout.v_begin() + u];
  }
}

void right_sides(const LinearEquations& e, Assembly& assembly, double t, const double* y, std::vector<double>& out) {
  const System& s = assembly.system();
  const int n = s.layout.unknowns();
  assembly.update(t, y, e.lambda.data(), e.data.data());
  assembly.input_blocks();
  out.assign(at(n) + 1, 0.0);
  assembly.forces(out.data());
  if (s.layout.rows > 0) assembly.add_inputs(e.lambda.data(), 1.0, out.data());
  std::vector<double> M(at(s.pattern.nonzeros()));
  assembly.mass(1.0, 1.0, M.data());
  multiply_add(s.pattern, M.data(), e.rates.data(), out.data(), -1.0);
  for (int i = 0; i < n; ++i) out[i] += e.contacts.forces[i];
  out.resize(n);
}

}  // namespace saltus
