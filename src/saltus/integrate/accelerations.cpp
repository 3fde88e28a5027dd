#include "saltus/integrate/accelerations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/integrate/circuit.hpp"
#include "saltus/integrate/start.hpp"

namespace saltus {
namespace {
constexpr int most_iterations = 25;
constexpr int most_of_potentials = 60;  // from the bend of a junction to no current Newton's method falls by one V_T an iteration: 30 of them
constexpr std::size_t affine_most = 32;  // unknowns; from there on items are as fast as their matrix

double largest(const double* x, int n) {
  double m = 0.0;
  for (int i = 0; i < n; ++i) m = std::max(m, std::abs(x[i]));
  return m;
}
}  // namespace

Accelerations::Accelerations(const System& system, int threads) : system_(system), assembly_(system, threads, Frames::needed), mass_(system, assembly_) {
  const std::size_t rows = system.layout.rows, n = system.layout.unknowns();
  general_ = system.layout.nz > 0;
  for (const RelationEntry& e : system.relation_entries) {
    const RowForm form = row_form(system, e);
    form_.push_back(form);
    general_ |= pool_of(system, e).traits().has_input && form != RowForm::value && form != RowForm::set_valued;
    compliant_ |= form == RowForm::value;
    position_rows_ |= form == RowForm::second || form == RowForm::first_order;
    for (int r = 0; r < e.rows; ++r) row_scale_.push_back(pool_of(system, e).row_scale(e.item));
  }
  for (std::vector<double>* rowwise : {&target_, &multiplier_, &y_rows_, &h_t_, &curvature_}) rowwise->assign(rows, 0.0);
  force_.assign(n + 1, 0.0);
  rate_.assign(n + 1, 0.0);
  tangent_.assign(n + 1, 0.0);
  D_.assign(system.square_count, 0.0);
  if (general_) build_general();
  affine_ = !general_ && !compliant_ && mass_.rows() == 0 && n <= affine_most && AffineSystem::can(system);
  if (!affine_) return;
  affine_system_.build(system, assembly_, 0.0, system.initial_data.data());
  (void)mass_.factorize(assembly_);  // from the first solution on the same way, whether a run begins or goes on
}

LinearOutcome Accelerations::solve(double t, double* y, const double* data, double* lambda, double* rates) {
  if (affine_ && mass_.ready()) {
    affine_system_.forces(y, force_.data());
    LinearOutcome out;
    out.iterations = 1;
    if (mass_.solve_blocks(force_.data(), rates)) return out;  // else the way below says why not
  }
  return general_ ? solve_general(t, y, data, lambda, rates) : solve_symmetric(t, y, data, lambda, rates);
}

LinearOutcome Accelerations::solve_symmetric(double t, double* y, const double* data, double* lambda, double* rates) {
  assembly_.update(t, y, lambda, data);
  int iterations = 0;
  if (compliant_) {
    LinearOutcome local = solve_compliant(lambda);
    if (!local.ok) return local;
    iterations = local.iterations;
  }
  assembly_.forces(force_.data());
  if (system_.layout.rows > 0) {
    assembly_.input_blocks();
    RowSink sink;
    sink.time_rate = h_t_.data();
    sink.curvature = curvature_.data();
    assembly_.relations(sink);
    for (std::size_t i = 0; i < form_.size(); ++i) {
      const RelationEntry& e = system_.relation_entries[i];
      for (int r = e.row; r < e.row + e.rows; ++r) {
        const std::size_t k = r;
        multiplier_[k] = form_[i] == RowForm::value ? lambda[r] : 0.0;
        target_[k] = form_[i] == RowForm::first_order ? -h_t_[k] : -curvature_[k];
      }
    }
    if (compliant_) assembly_.add_inputs(multiplier_.data(), 1.0, force_.data());
  }
  LinearOutcome out = mass_.factorize(assembly_);
  if (out.ok) out = mass_.solve(force_.data(), target_.data(), rates, lambda);
  out.iterations = iterations + 1;
  return out;
}

LinearOutcome Accelerations::solve_compliant(double* lambda) {
  LinearOutcome out;
  double before = 0.0;
  for (int iteration = 1; iteration <= most_iterations; ++iteration) {
    RowSink sink;
    sink.y = y_rows_.data();
    sink.D = D_.data();
    assembly_.relations(sink);
    double change = 0.0;
    for (std::size_t i = 0; i < form_.size(); ++i) {
      if (form_[i] != RowForm::value) continue;
      const RelationEntry& e = system_.relation_entries[i];
      double* D = D_.data() + e.square_begin;
      double* y = y_rows_.data() + e.row;
      const int m = e.rows;
      for (int c = 0; c < m; ++c) {  // Gauss with row pivoting: a block is a few rows
        int pivot = c;
        for (int r = c + 1; r < m; ++r)
          if (std::abs(D[r * m + c]) > std::abs(D[pivot * m + c])) pivot = r;
        if (!(std::abs(D[pivot * m + c]) > 0.0))
          return failure("dh/dlambda of '" + e.name + "' is singular (" + row_name(system_, e.row + c) + "): its multiplier is not determined by its value");
        for (int j = 0; j < m; ++j) std::swap(D[c * m + j], D[pivot * m + j]);
        std::swap(y[c], y[pivot]);
        for (int r = c + 1; r < m; ++r) {
          const double factor = D[r * m + c] / D[c * m + c];
          for (int j = c; j < m; ++j) D[r * m + j] -= factor * D[c * m + j];
          y[r] -= factor * y[c];
        }
      }
      double size = 0.0, step = 0.0;
      for (int r = m - 1; r >= 0; --r) {
        for (int j = r + 1; j < m; ++j) y[r] -= D[r * m + j] * y[j];
        y[r] /= D[r * m + r];
        lambda[e.row + r] -= y[r];
        size = std::max(size, std::abs(lambda[e.row + r]));
        step = std::max(step, std::abs(y[r]));
      }
      change = std::max(change, step / std::max(size, 1e-14));
    }
    assembly_.set_multipliers(lambda);
    out.iterations = iteration;
    if (!std::isfinite(change)) return failure("a compliant relation gave a number that is not finite");
    if (change <= 1e-13 || (iteration > 2 && change < 1e-9 && change >= before)) return out;
    before = change;
  }
  return failure("the multipliers of compliant relations did not converge in " + std::to_string(most_iterations) + " iterations");
}

void Accelerations::build_general() {
  const int n = system_.layout.unknowns(), total = n + system_.layout.rows;
  CsrBuilder builder(total, total);
  for (int i = 0; i < n; ++i)
    for (const int j : system_.pattern.row(i)) builder.add_entry(i, j);
  std::vector<int> numbers;
  int widest = 0;
  for (const RelationEntry& e : system_.relation_entries) {
    numbers.clear();
    for (int r = 0; r < e.rows; ++r) numbers.push_back(n + e.row + r);
    builder.add_block(columns_of(system_, e), numbers);  // input
    builder.add_block(numbers, columns_of(system_, e));  // row
    builder.add_block(numbers, numbers);                 // dh/dlambda
    widest = std::max(widest, e.rows * std::max(e.columns, e.rows));
  }
  builder.add_diagonal(0, total);
  equations_.layout = builder.build();
  equations_.lu.analyze(MatrixKind::unsymmetric, equations_.layout.pattern);
  equations_.system_values.assign(system_.pattern.nonzeros(), 0.0);
  equations_.values.assign(equations_.layout.pattern.nonzeros(), 0.0);
  equations_.right.assign(total, 0.0);
  equations_.step.assign(total, 0.0);
  equations_.block.assign(widest, 0.0);
}

/// Rows of joints that others hold already: each Newton correction is one step of the proximal method of multipliers (Rockafellar 1976),
/// [A -B; H delta W], whose limit solves the equations and takes the multipliers of least norm in W, the rows' size in displacement.
void Accelerations::add_proximal_term() {
  constexpr double relative = 1e-9;  // of the weighted diagonal of H M^-1 B
  const int n = system_.layout.unknowns(), dynamic = system_.layout.nv + system_.layout.nx;
  const auto slot = [&](int i) { return static_cast<std::size_t>(equations_.layout.pattern.slot(i, i)); };
  if (!proximal_.empty()) {
    for (int r = 0; r < system_.layout.rows; ++r) equations_.values[slot(n + r)] += proximal_[r];
    return;
  }
  const std::vector<double> scale = column_scales(system_, assembly_.kinematics());
  std::vector<double> weights;
  double largest = 0.0;
  for (const RelationEntry& e : system_.relation_entries) {
    const std::size_t first = weights.size();
    add_row_weights(system_, assembly_, e, scale, weights);
    const double* H = assembly_.direction(e);
    for (int r = 0; r < e.rows; ++r) {
      double sum = 0.0;
      for (int c = 0; c < e.columns; ++c) {
        const int column = columns_of(system_, e)[c];
        if (column < 0 || column >= dynamic) continue;
        const double own = std::abs(equations_.values[slot(column)]);
        if (own > 0.0) sum += H[r * e.columns + c] * H[r * e.columns + c] / own;
      }
      largest = std::max(largest, sum / weights[first + r]);
    }
  }
  proximal_.assign(system_.layout.rows, 0.0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < form_.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r, ++next)
      if (form_[i] != RowForm::value) proximal_[e.row + r] = relative * largest * weights[next];
  }
  add_proximal_term();
}

/// The matrix by vdot, xdot, z and multipliers, from M - dF/dz in equations_.system_values, and the rows of the right-hand side.
void Accelerations::general_equations(const double* rates) {
  const int n = system_.layout.unknowns(), dynamic = system_.layout.nv + system_.layout.nx;
  std::fill(equations_.values.begin(), equations_.values.end(), 0.0);
  int block = 0;
  for (; block < system_.pattern.nonzeros(); ++block) equations_.layout.add(block, &equations_.system_values[block], equations_.values.data());
  for (std::size_t i = 0; i < form_.size(); ++i, block += 3) {
    const RelationEntry& e = system_.relation_entries[i];
    const std::span<const int> columns = columns_of(system_, e);
    const double* H = assembly_.direction(e);
    const bool own_input = pool_of(system_, e).traits().has_input;
    for (int c = 0; c < e.columns; ++c)
      for (int r = 0; r < e.rows; ++r)
        equations_.block[c * e.rows + r] = own_input ? assembly_.B()[e.value_begin + c * e.rows + r] : H[r * e.columns + c];
    equations_.layout.add(block, equations_.block.data(), equations_.values.data(), -1.0);
    const bool held_at_value = form(i) == RowForm::value;
    for (int r = 0; r < e.rows; ++r) {
      const std::size_t k = e.row + r;
      const bool given = form_[i] == RowForm::set_valued && held_[k] == 0;  // its multiplier is
      double residual = given ? 0.0 : held_at_value ? y_rows_[k] : form_[i] == RowForm::first_order ? h_t_[k] : curvature_[k];
      for (int c = 0; c < e.columns; ++c) {
        const int column = columns[c];
        const bool dynamic_column = column >= 0 && column < dynamic;
        const double entry = assembly_.H()[e.value_begin + r * e.columns + c];
        // A row at value level moves with z only; one at a rate with vdot or xdot.
        equations_.block[r * e.columns + c] = given ? 0.0 : held_at_value ? (dynamic_column ? 0.0 : entry) : H[r * e.columns + c];
        if (!held_at_value && dynamic_column) residual += H[r * e.columns + c] * rates[column];
      }
      equations_.right[n + k] = -residual;
      for (int c = 0; given && c < e.rows; ++c) D_[e.square_begin + r * e.rows + c] = r == c;
    }
    equations_.layout.add(block + 1, equations_.block.data(), equations_.values.data());
    if (held_at_value) equations_.layout.add(block + 2, D_.data() + e.square_begin, equations_.values.data());
  }
}

/// What a factorization without a pivot says, with what to do.
std::string Accelerations::undetermined(const FactorReport& factor) const {
  const int n = system_.layout.unknowns();
  const std::string where = factor.row < 0 ? "an unknown" : factor.row < n ? unknown_name(system_, factor.row) : row_name(system_, factor.row - n);
  if (factor.status != FactorStatus::singular) return "the equations hold a number that is not finite at " + where;
  return where + " is not determined: the equations are singular; " +
         (factor.row < n ? "in a circuit, join each part to the ground by an element that conducts; nothing may hold a potential or a current twice, nor ask for the second derivative of a source"
                         : "its constraint holds what others hold already, or nothing");
}

/// The equations and their residual at a guess; false: they are not finite.
bool Accelerations::evaluate_general(double t, const double* y, const double* data, const double* lambda, const double* rates) {
  const int n = system_.layout.unknowns();
  assembly_.update(t, y, lambda, data);
  assembly_.input_blocks();
  RowSink sink;
  sink.y = y_rows_.data();
  sink.time_rate = h_t_.data();
  sink.curvature = curvature_.data();
  sink.D = D_.data();
  assembly_.relations(sink);
  assembly_.forces(force_.data());
  assembly_.add_inputs(lambda, 1.0, force_.data());
  // The matrix: A (vdot, xdot, z, lambda), and M rates for the residual before dF/dz joins it.
  assembly_.mass(1.0, 1.0, equations_.system_values.data());
  std::copy(force_.begin(), force_.begin() + n, equations_.right.begin());
  multiply_add(system_.pattern, equations_.system_values.data(), rates, equations_.right.data(), -1.0);
  const Seeds only_z{{0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  assembly_.add_force_matrix(only_z, equations_.system_values.data());
  assembly_.add_input_matrix(only_z, 1.0, equations_.system_values.data());
  general_equations(rates);
  return finite(equations_.right.data(), n + system_.layout.rows);
}

/// The largest rate that algebraic unknowns or multipliers make alone: where such terms cancel, rates are their rounding.
double Accelerations::terms_of_rates(const double* z, const double* lambda) const {
  const Layout& l = system_.layout;
  const int dynamic = l.nv + l.nx, n = l.unknowns();
  const CsrPattern& pattern = equations_.layout.pattern;
  double most = 0.0;
  for (int i = 0; i < dynamic; ++i) {
    double terms = 0.0, own = 0.0;
    for (int k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) {
      const int j = pattern.column[k];
      if (j == i) own = std::abs(equations_.values[k]);
      else if (j >= dynamic) terms += std::abs(equations_.values[k] * (j < n ? z[j - dynamic] : lambda[j - n]));
    }
    if (own > 0.0) most = std::max(most, terms / own);
  }
  return most;
}

LinearOutcome Accelerations::solve_general(double t, double* y, const double* data, double* lambda, double* rates) {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), dynamic = l.nv + l.nx;
  double* z = y + l.z_begin();
  for (std::size_t i = 0; i < form_.size(); ++i)
    if (form(i) == RowForm::set_valued) return failure("'" + system_.relation_entries[i].name + "' has a set-valued law");
  if (!looked_for_redundant_) redundant_ = !redundant_rows(system_, assembly_, y, data).empty();
  looked_for_redundant_ = true;
  std::fill(rates, rates + n + 1, 0.0);
  equations_.differentiated = false;
  double before = 0.0;
  LinearOutcome out;
  for (int iteration = 1; iteration <= most_of_potentials; ++iteration) {
    if (!evaluate_general(t, y, data, lambda, rates)) return failure("a force or relation is not a finite number");
    if (redundant_) add_proximal_term();
    const FactorReport factor = equations_.lu.factorize(equations_.values);
    if (factor.status == FactorStatus::ok) {
      const LinearOutcome linear = outcome_of(equations_.lu.solve(equations_.right, equations_.step));
      if (!linear.ok) return linear;
      out.residual = linear.residual;
    } else if (factor.status != FactorStatus::singular || !differentiate(t, y, data, lambda, rates, false)) {
      return failure(undetermined(factor));
    }
    out.iterations = iteration;
    for (int i = 0; i < dynamic; ++i) rates[i] += equations_.step[i];
    for (int i = 0; i < l.nz; ++i) z[i] += equations_.step[dynamic + i];
    for (int i = 0; i < l.rows; ++i) lambda[i] += equations_.step[n + i];
    const auto relative = [&](const double* x, const double* dx, int count, double terms = 0.0) {
      return largest(dx, count) / std::max({largest(x, count), terms, 1e-14});
    };
    const double change = std::max({relative(rates, equations_.step.data(), dynamic, terms_of_rates(z, lambda)), relative(z, equations_.step.data() + dynamic, l.nz), relative(lambda, equations_.step.data() + n, l.rows)});
    if (!std::isfinite(change)) return failure("Newton for the algebraic unknowns left the finite numbers");
    if (change <= 1e-12 || (iteration > 2 && change < 1e-8 && change >= before)) return out;
    before = change;
  }
  const std::string cut_off = Circuit(assembly_.system()).cut_off_inductor();
  return failure("Newton for the algebraic unknowns did not converge in " + std::to_string(most_of_potentials) + " iterations; " +
                 (cut_off.empty() ? std::string("where transistors feed back on each other potentials may have to jump: a capacitor of 1 nF from a base or gate to the ground lets them change in time")
                                  : "the current of '" + cut_off + "' leads through diodes or transistors alone, which may block it: take moreau_jean, or put a resistor or a capacitor beside one of them"));
}

void Accelerations::row_values(bool velocity, const double* y) {
  RowSink sink;
  sink.y = y_rows_.data();
  sink.time_rate = h_t_.data();
  assembly_.relations(sink);
  std::fill(target_.begin(), target_.end(), 0.0);
  const double* v = y + system_.layout.v_begin();
  for (std::size_t i = 0; i < form_.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const bool second = form_[i] == RowForm::second;
    const double* H = assembly_.direction(e);
    for (int r = 0; r < e.rows; ++r) {
      const std::size_t k = e.row + r;
      if (!velocity && (second || form_[i] == RowForm::first_order)) target_[k] = y_rows_[k];
      if (velocity && form_[i] == RowForm::first_rate) target_[k] = y_rows_[k];
      if (velocity && second) {
        double rate = h_t_[k];
        for (int c = 0; c < e.columns; ++c) {
          const int column = columns_of(system_, e)[c];
          if (column >= 0 && column < system_.layout.nv) rate += H[r * e.columns + c] * v[column];
        }
        target_[k] = rate;
      }
    }
  }
}

double Accelerations::worst() const {
  double worst = 0.0;
  for (std::size_t k = 0; k < target_.size(); ++k) {
    if (!std::isfinite(target_[k])) return target_[k];
    worst = std::max(worst, std::abs(target_[k]) / row_scale_[k]);
  }
  return worst;
}

double Accelerations::position_violation(double t, const double* y, const double* data) {
  if (!has_position_rows()) return 0.0;
  assembly_.update(t, y, nullptr, data);
  row_values(false, y);
  return worst();
}

double Accelerations::velocity_violation(double t, const double* y, const double* data) {
  if (!has_velocity_rows()) return 0.0;
  assembly_.update(t, y, nullptr, data);
  assembly_.input_blocks();
  row_values(true, y);
  return worst();
}

LinearOutcome Accelerations::project_position(double t, double* y, const double* data, double tolerance) {
  LinearOutcome out;
  if (!has_position_rows()) return out;
  const Layout& l = system_.layout;
  double before = 0.0, rounding = 0.0;  // of places far from the origin: no step gets below it
  for (int i = 0; i < l.nq; ++i) rounding = std::max(rounding, std::numeric_limits<double>::epsilon() * std::abs(y[i]));
  for (int iteration = 0; iteration <= most_iterations; ++iteration) {
    const double violation = position_violation(t, y, data);
    if (!std::isfinite(violation)) return failure("a constraint is not a finite number");
    if (violation <= tolerance) return out;
    if (iteration > 0 && (out.inconsistent || (violation < 100.0 * std::max(tolerance, rounding) && violation > 0.5 * before))) return out;  // rounding
    if (iteration > 4 && violation > before) break;
    before = violation;
    assembly_.input_blocks();
    LinearOutcome linear = mass_.factorize(assembly_);
    if (!linear.ok) return linear;
    for (double& x : target_) x = -x;
    std::fill(force_.begin(), force_.end(), 0.0);
    linear = mass_.solve(force_.data(), target_.data(), tangent_.data(), multiplier_.data());
    if (!linear.ok) return linear;
    out.inconsistent |= linear.inconsistent;
    system_.map.retract(y, tangent_.data());
    for (int i = 0; i < l.nx; ++i) y[l.x_begin() + i] += tangent_[l.nv + i];
    out.iterations = iteration + 1;
  }
  return failure("the constraints could not be closed: violation " + std::to_string(before));
}

LinearOutcome Accelerations::project_velocity(double t, double* y, const double* data) {
  LinearOutcome out;
  if (!has_velocity_rows()) return out;
  double before = 0.0;
  for (int iteration = 0; iteration < 3; ++iteration) {  // linear in v: the second pass removes rounding only
    const double violation = velocity_violation(t, y, data);
    if (!std::isfinite(violation)) return failure("the rate of a constraint is not a finite number");
    if (violation <= 1e-14 || (iteration > 0 && violation > 0.1 * before)) return out;
    before = violation;
    if (iteration == 0) {
      LinearOutcome linear = mass_.factorize(assembly_);
      if (!linear.ok) return linear;
    }
    for (double& x : target_) x = -x;
    std::fill(force_.begin(), force_.end(), 0.0);
    LinearOutcome linear = mass_.solve(force_.data(), target_.data(), tangent_.data(), multiplier_.data());
    if (!linear.ok) return linear;
    out.inconsistent |= linear.inconsistent;
    double* v = y + system_.layout.v_begin();
    for (int i = 0; i < system_.layout.nv; ++i) v[i] += tangent_[i];
    out.iterations = iteration + 1;
  }
  return out;
}

}  // namespace saltus
