#include "saltus/integrate/static.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/newton.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/integrate/static_contacts.hpp"
#include "saltus/integrate/static_stability.hpp"
#include "saltus/integrate/static_states.hpp"

namespace saltus {
namespace {

constexpr int most_iterations = 40, most_searches = 12, most_flow_steps = 1000;
constexpr int most_full_iterations = 16, few_iterations = 5, most_load_steps = 2000;
constexpr double longest_load_step = 0.1, smallest_load_step = 1e-5;
constexpr double farthest = 2.0;   // of the model's size: a correction that leads astray
constexpr double balanced = 1e-9;  // of the loads: what a load step must reach, and what the result must
constexpr double rounding = 1e-13; // of the model's size: a correction that no longer counts
constexpr double of_terms = 4e-15; // of the sum of the magnitudes of its terms: rounding of an equation
constexpr double soft = 1e-8;      // of the stiffness: what holds neutral directions, so that they move by the least
constexpr double neutral = 1e-7;   // of the stiffness: less holds nothing
constexpr int most_neutral = 12;   // directions that a warning names

class StaticPlan final : public Plan {
 public:
  int load_steps = 1;
  double reach = 0.1;
  bool by_laws = false;      // contacts, friction or relays hold it, too
  bool conservative = true;  // no unknowns but mechanical ones, no inputs but adjoint ones
};

/// The equations and their solution by Newton's method.
struct StaticEquations {
  std::vector<double> A_, F_, input_, start_F_, row_, start_row_, ones_, least_, weight_, rounding_, correction_, secant_, tangent_;
};
/// A configuration with its data behind, and multipliers.
struct StaticPoint {
  std::vector<double> y, lambda;
};

class StaticWorkspace final : public StaticWork, private StaticEquations {
 public:
  explicit StaticWorkspace(const StaticPlan& plan)
      : plan_(plan), s_(*plan.system), l_(s_.layout), assembly_(s_, plan.options.threads), matrix_(s_), reactions_(s_, assembly_) {
    const std::size_t nu = l_.unknowns(), rows = l_.rows;
    A_.resize(s_.pattern.nonzeros());
    F_.resize(nu + 1), input_.resize(nu + 1), start_F_.resize(nu), row_.resize(rows), start_row_.resize(rows), ones_.assign(rows, 1.0), least_.resize(nu);
    now_.y.resize(l_.y_size() + l_.nd), now_.lambda.resize(rows);
    trial_ = kept_ = now_;
    correction_.resize(nu + rows), secant_ = correction_, tangent_.resize(std::max(1, l_.nv));
    size_ = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
  }

  /// Velocities are zero in a static state; redundant rows are named.
  StepReport start(State& state) override {
    StepReport report;
    if (std::any_of(state.v(), state.v() + l_.nv, [](double v) { return v != 0.0; }))
      report.warnings.push_back({{}, "simulation/scheme", "static holds the initial velocities at zero", "leave them out", Severity::warning});
    std::fill(state.v(), state.v() + l_.nv, 0.0);
    std::fill(state.a(), state.a() + l_.nv, 0.0);
    std::fill(state.xdot(), state.xdot() + l_.nx, 0.0);
    for (Fault& f : redundant_rows(s_, assembly_, state.y(), state.data())) report.warnings.push_back(std::move(f));
    return report;
  }

  StepReport step(State& state, double h) override {
    StepReport report;
    t_ = state.t() + h;
    std::copy(state.data(), state.data() + l_.nd, std::copy(state.y(), state.y() + l_.y_size(), now_.y.begin()));
    std::copy(state.lambda(), state.lambda() + l_.rows, now_.lambda.begin());
    iterations_ = 0, cause_.clear(), loose_.clear();
    if (!open_balance()) return failed(report, "a force or constraint is not finite");
    const bool found = load_in_steps();
    if (!found && !flow_to_rest()) return failed(report, cause_);
    if (!polish()) return failed(report, cause_);
    if (unstable()) {
      // Newton ends at any equilibrium; the overdamped motion leaves an unstable one unless it starts there.
      first_ = now_;
      if (found && !(flow_to_rest() && polish())) {
        now_ = first_;
        if (!polish()) return failed(report, cause_);
      }
      if (unstable()) tell_unstable(report, t_, surely_unstable_);
    }
    if (!loose_.empty()) name_neutral(report);
    report.iterations = iterations_;
    report.residual = residual_;
    std::copy(now_.y.begin(), now_.y.begin() + l_.y_size(), state.y());
    std::copy(now_.y.begin() + l_.y_size(), now_.y.end(), state.data());
    if (reactions_.needed()) {
      assembly_.update(t_, now_.y.data(), now_.lambda.data(), state.data());
      assembly_.input_blocks();
      reactions_.apply(assembly_, now_.lambda.data());
    }
    std::copy(now_.lambda.begin(), now_.lambda.end(), state.lambda());
    state.t() = t_;
    return report;
  }

 private:
  /// Where a load pulls along what nothing holds, that is why.
  StepReport failed(StepReport report, const std::string& cause) const {
    report.status = StepStatus::failed;
    report.cause = "no static equilibrium found: " + (loose_.empty() ? cause : loose_);
    return report;
  }

  int kind(int unknown) const { return static_cast<int>(s_.kind_of(unknown)); }

  /// F_, input_, row_ at a point; false where something is not finite.
  bool evaluate(const StaticPoint& at) {
    assembly_.update(t_, at.y.data(), at.lambda.data(), at.y.data() + l_.y_size());
    assembly_.input_blocks();
    assembly_.forces(F_.data());
    std::fill(input_.begin(), input_.end(), 0.0);
    if (l_.rows > 0) {
      assembly_.add_inputs(at.lambda.data(), 1.0, input_.data());
      RowSink sink;
      sink.y = row_.data();
      assembly_.relations(sink);
    }
    return finite(F_.data(), l_.unknowns()) && finite(input_.data(), l_.unknowns()) && finite(row_.data(), l_.rows);
  }

  /// What is out of balance at the start, a first guess of the reactions, and the scales of forces by kind of equation.
  bool open_balance() {
    if (!evaluate(now_)) return false;
    const std::vector<double> scale = column_scales(s_, assembly_.kinematics());
    weight_.assign(scale.begin(), scale.end());  // 1 / lever: a moment times it is a force
    stiffness();
    find_rounding();
    // What lies below 1e-7 k L is balanced to `balanced`. Other equations in proportion to their coefficients.
    force_[0] = std::max(1e-7 * reference_ * size_, 1e-300), force_[1] = force_[2] = 1e-300;
    for (int i = l_.nv; i < l_.unknowns(); ++i)
      for (int k = s_.pattern.begin[i]; k < s_.pattern.begin[i + 1]; ++k)
        force_[kind(i)] = std::max(force_[kind(i)], 1e-4 * std::abs(A_[k]) * std::max(1.0, std::abs(now_.y[l_.x_begin() + i - l_.nv])));
    const auto raise = [&] {
      for (int i = 0; i < l_.unknowns(); ++i)
        force_[kind(i)] = std::max(force_[kind(i)], weight_[i] * std::max(std::abs(F_[i]), std::abs(input_[i])));
    };
    raise();
    if (l_.rows > 0 && std::all_of(now_.lambda.begin(), now_.lambda.end(), [](double r) { return r == 0.0; })) {
      // Reactions that hold the loads as if all else were stiff: W dq - B lambda = F, C dq = 0.
      if (!factor(10.0 * std::max(reference_, force_[0] / size_))) return true;  // the solution says later what is singular
      for (int i = 0; i < l_.unknowns(); ++i) correction_[i] = F_[i];
      for (int r = 0; r < l_.rows; ++r) correction_[l_.unknowns() + r] = 0.0;
      matrix_.apply(correction_);
      if (finite(correction_.data(), count_of(correction_))) std::copy(correction_.begin() + l_.unknowns(), correction_.end(), now_.lambda.begin());
      if (!evaluate(now_)) return false;
      raise();
    }
    for (int i = 0; i < l_.unknowns(); ++i) start_F_[i] = F_[i] + input_[i];
    std::copy(row_.begin(), row_.end(), start_row_.begin());
    start_ = now_;
    return true;
  }

  /// rounding_ := what rounding leaves of each equation: of the sum of the magnitudes of its terms, which are stiffness times place, as far as that is from the
  /// origin. Whatever machine evaluates them, they cannot be distinguished from balance below it.
  void find_rounding() {
    double far = size_;
    for (int i = 0; i < l_.nv; ++i)
      if (const int q = s_.map.q_of_v[i]; q >= 0 && weight_[i] == 1.0) far = std::max(far, std::abs(now_.y[q]));
    rounding_.assign(l_.unknowns(), 0.0);
    for (int i = 0; i < l_.unknowns(); ++i)
      for (int k = s_.pattern.begin[i]; k < s_.pattern.begin[i + 1]; ++k) {
        const int j = s_.pattern.column[k];
        rounding_[i] += of_terms * std::abs(A_[k]) * (j >= l_.nv ? std::abs(now_.y[l_.x_begin() + j - l_.nv]) : weight_[j] == 1.0 ? far : size_ * weight_[j]);
      }
    row_rounding_ = of_terms * far;
  }

  /// A_ := -d(F + input)/d(q, x, z) at the last evaluation.
  void stiffness() {
    std::fill(A_.begin(), A_.end(), 0.0);
    assembly_.add_force_matrix(seeds_, A_.data());
    if (l_.rows > 0) assembly_.add_input_matrix(seeds_, 1.0, A_.data());
    reference_ = 0.0;
    for (int i = 0; i < l_.nv; ++i)
      reference_ = std::max(reference_, weight_[i] * weight_[i] * std::abs(A_[s_.diagonal_slot[i]]));
    for (int i = 0; i < l_.nv; ++i) least_[i] = 1e-3 * reference_ / (weight_[i] * weight_[i]);
  }

  /// Factors the stiffness at the last evaluation plus `damping` [N/m] on displacements (levers counted), and in proportion
  /// on first-order states.
  bool factor(double damping) {
    stiffness();
    if (damping > 0.0) {
      const double share = damping / std::max(reference_, 1e-300);
      for (int i = 0; i < l_.nv; ++i) A_[s_.diagonal_slot[i]] += damping / (weight_[i] * weight_[i]);
      for (int i = l_.nv; i < l_.nv + l_.nx; ++i) {
        double& own = A_[s_.diagonal_slot[i]];
        own += l_.nv > 0 ? std::min(share, 1e6) * std::abs(own) : damping;
      }
    }
    const FactorReport f = matrix_.factorize(assembly_, A_, seeds_, ones_, least_);
    singular_ = f.status == FactorStatus::singular && l_.nv > 0;
    if (f.status == FactorStatus::ok) return true;
    if (f.status == FactorStatus::not_finite)
      cause_ = "the stiffness is not finite";
    else if (f.row >= 0 && f.row < l_.unknowns())
      cause_ = "the stiffness is singular, " + unknown_name(s_, f.row) + " is free to move: hold it by a spring or a joint";
    else
      cause_ = "the stiffness is singular" + (f.row >= 0 ? " in " + row_name(s_, f.row - l_.unknowns()) : std::string());
    return false;
  }

  /// Factors the stiffness; where it is singular (a neutral mechanism) with a little more of it in all directions: corrections
  /// then have least norm in the neutral ones, and Newton goes on at a rate of `soft` over what holds the others.
  bool factor_held() {
    const std::string before = cause_;
    if (factor(0.0)) {
      loose_.clear();  // what was singular on the way is not here
      return true;
    }
    if (!singular_) return false;
    loose_ = cause_, cause_ = before;
    return factor(soft_stiffness());
  }
  double soft_stiffness() const { return soft * std::max({reference_, force_[0] / size_, 1e-100}); }

  /// Warns of the directions that nothing holds: eigenvectors of the stiffness within the constraints, by inverse iteration.
  void name_neutral(StepReport& report) {
    const int nv = l_.nv, nu = l_.unknowns();
    std::vector<std::vector<double>> found;
    std::vector<double> x(correction_.size());
    const double held = soft_stiffness();
    const auto deflate = [&] {  // in the metric of `weight_`
      for (const std::vector<double>& other : found) {
        double along = 0.0;
        for (int i = 0; i < nv; ++i) along += x[i] * other[i] / (weight_[i] * weight_[i]);
        for (int i = 0; i < nv; ++i) x[i] -= along * other[i];
      }
    };
    std::string names;
    while (count_of(found) < std::min(most_neutral, nv)) {
      for (int i = 0; i < nv; ++i) x[i] = std::sin(1.0 + 1.7 * i + 0.9 * static_cast<double>(found.size())) * weight_[i];
      double stiff = 0.0;
      for (int sweep = 0; sweep < 3; ++sweep) {
        deflate();
        double size = 0.0;
        for (int i = 0; i < nv; ++i) size += x[i] * x[i] / (weight_[i] * weight_[i]);
        size = std::sqrt(size);
        if (!(size > 0.0)) return warn_neutral(report, names);
        for (int i = 0; i < nv; ++i) x[i] /= size * weight_[i] * weight_[i];
        std::fill(x.begin() + nv, x.end(), 0.0);
        matrix_.apply(x);
        deflate();
        size = 0.0;
        for (int i = 0; i < nv; ++i) size += x[i] * x[i] / (weight_[i] * weight_[i]);
        stiff = 1.0 / std::sqrt(size) - held;  // of the direction, what `soft` gives taken off
      }
      if (!(std::abs(stiff) <= neutral * std::max({reference_, force_[0] / size_, 1e-100}))) break;
      double size = 0.0;
      for (int i = 0; i < nv; ++i) size += x[i] * x[i] / (weight_[i] * weight_[i]);
      int most = 0;
      for (int i = 0; i < nv; ++i) {
        x[i] /= std::sqrt(size);
        if (std::abs(x[i]) / weight_[i] > (1.0 + 1e-6) * std::abs(x[most]) / weight_[most]) most = i;
      }
      names += (names.empty() ? "" : ", ") + unknown_name(s_, most);
      found.emplace_back(x.begin(), x.begin() + nu);
    }
    warn_neutral(report, names);
  }
  static void warn_neutral(StepReport& report, const std::string& names) {
    if (!names.empty())
      report.warnings.push_back({{}, "simulation/scheme", "the equilibrium is neutral: nothing holds " + names + " (the largest part of each direction); it stays where the start has it",
                                 "hold it by a spring or a joint if its place matters", Severity::warning});
  }

  /// Largest share of the loads (and of the model's size) that is out of balance at load s, at the last evaluation.
  double imbalance(double s) {
    Residuals r;
    for (int i = 0; i < l_.unknowns(); ++i)
      r.equations = std::max(r.equations, weight_[i] * std::abs(F_[i] + input_[i] - (1.0 - s) * start_F_[i]) / (force_[kind(i)] + weight_[i] * rounding_[i] / balanced));
    for (int k = 0; k < l_.rows; ++k) r.constraints = std::max(r.constraints, std::abs(row_[k] - (1.0 - s) * start_row_[k]) / (size_ + row_rounding_ / balanced));
    residual_ = r;
    return std::max(r.equations, r.constraints);
  }

  /// Newton's correction at load s for the matrix last factored; its size as a displacement over the model's size.
  double correction(double s) {
    const int nu = l_.unknowns();
    for (int i = 0; i < nu; ++i) correction_[i] = F_[i] + input_[i] - (1.0 - s) * start_F_[i];
    for (int r = 0; r < l_.rows; ++r) correction_[nu + r] = -(row_[r] - (1.0 - s) * start_row_[r]);
    matrix_.apply(correction_);
    double most = 0.0;
    for (int i = 0; i < l_.nv; ++i) most = std::max(most, std::abs(correction_[i]) / (weight_[i] * size_));
    for (int i = l_.nv; i < nu; ++i) {
      const double value = std::abs(now_.y[l_.x_begin() + i - l_.nv]);
      most = std::max(most, std::abs(correction_[i]) / std::max(value, 1e-3));
    }
    return most;
  }

  /// trial_ := now_ moved by `part` of the correction.
  void move(double part) {
    const int nu = l_.unknowns();
    trial_.y = now_.y;
    for (int i = 0; i < l_.nv; ++i) tangent_[i] = part * correction_[i];
    s_.map.retract(now_.y.data(), tangent_.data(), l_.nq, trial_.y.data());
    for (int i = l_.nv; i < nu; ++i) trial_.y[l_.x_begin() + i - l_.nv] += part * correction_[i];
    for (int r = 0; r < l_.rows; ++r) trial_.lambda[r] = now_.lambda[r] + part * correction_[nu + r];
  }
  /// now_ := trial_; turns are counted from where they were evaluated last, a correction away at most.
  void take() {
    std::swap(now_, trial_);
    if (s_.history >= 0) assembly_.remember_turns(now_.y.data() + l_.y_size() + s_.history);
  }
  /// What items remember of an equilibrium on the way; that of the last one is remembered where it is accepted.
  void remember() {
    if (s_.history < 0) return;
    assembly_.update(t_, now_.y.data(), now_.lambda.data(), now_.y.data() + l_.y_size());
    (void)assembly_.remember(now_.y.data() + l_.y_size() + s_.history);
  }

  /// Rotations of more than a radian leave the range of a linearization, and turns are not counted.
  double longest_part() const {
    double turn = 0.0;
    for (const RotationBlock& r : s_.map.rotations)
      for (int i = 0; i < 3; ++i) turn = std::max(turn, std::abs(correction_[r.v + i]));
    for (const int i : s_.spins) turn = std::max(turn, std::abs(correction_[i]));
    return turn > 1.0 ? 1.0 / turn : 1.0;
  }

  /// Newton with backtracking at load s, from now_ to it.
  bool newton(double s) {
    if (!evaluate(now_)) return false;
    double out = imbalance(s);
    for (int i = 0; i < most_iterations; ++i) {
      if (out <= balanced) return true;
      if (!factor_held()) return false;
      ++iterations_;
      correction(s);
      if (!finite(correction_.data(), count_of(correction_))) return false;
      double part = longest_part(), next = 0.0;
      int searches = 0;
      for (;; part *= 0.5) {
        if (++searches > most_searches) {
          cause_ = "Newton's iteration stalls with " + short_text(out) + " of the loads out of balance";
          return false;
        }
        move(part);
        if (evaluate(trial_) && (next = imbalance(s)) < (1.0 - 0.1 * part) * out) break;
      }
      take();
      out = next;
    }
    cause_ = "Newton's iteration did not converge in " + std::to_string(most_iterations) + " steps";
    return false;
  }

  /// The whole load at once by damped steps, or as the plan says; where that fails, in steps that follow the path.
  bool load_in_steps() {
    kept_ = now_;
    double s = 0.0;
    for (int i = 1; i <= plan_.load_steps; ++i) {
      if (!newton(s = static_cast<double>(i) / plan_.load_steps)) break;
      if (i == plan_.load_steps) return true;
      remember();
    }
    now_ = kept_;
    return follow_path();
  }

  /// Full Newton steps in load steps of a length that they allow, each begun by the secant of the last two. What is stiff along and soft across
  /// (a strip) has no merit that falls in every step: a turn by theta stretches it by theta^2 / 2 at first, and the next step takes that back.
  bool follow_path() {
    double s = 0.0, by = longest_load_step, last_by = 0.0;
    std::fill(secant_.begin(), secant_.end(), 0.0);
    int steps = 0;
    for (; s < 1.0; ++steps) {
      const double next = s + by > 1.0 - 1e-9 ? 1.0 : s + by;
      kept_ = now_;
      if (last_by > 0.0) {
        for (std::size_t i = 0; i < secant_.size(); ++i) correction_[i] = secant_[i] * (next - s) / last_by;
        move(1.0);
        take();
      }
      const int used = steps < most_load_steps ? full_newton(next) : 0;
      if (used == 0) {
        now_ = kept_;
        if ((by *= 0.25) < smallest_load_step || steps >= most_load_steps) {
          cause_ = "in load steps Newton's iteration ends at " + short_text(100.0 * s) + " % of the loads";
          return false;
        }
        last_by = 0.0;  // a secant may be what led astray
        continue;
      }
      s_.map.difference(kept_.y.data(), now_.y.data(), secant_.data());
      for (int i = l_.nv; i < l_.unknowns(); ++i) secant_[i] = now_.y[l_.x_begin() + i - l_.nv] - kept_.y[l_.x_begin() + i - l_.nv];
      for (int r = 0; r < l_.rows; ++r) secant_[l_.unknowns() + r] = now_.lambda[r] - kept_.lambda[r];
      last_by = next - s, s = next;
      by = used <= few_iterations ? std::min(2.0 * by, longest_load_step) : used <= 2 * few_iterations ? by : 0.5 * by;
    }
    return true;
  }

  /// Newton at load s from now_ to it, undamped but for turns of more than a radian; the number of its steps, 0: ran off.
  int full_newton(double s) {
    for (int i = 0; i < most_full_iterations; ++i) {
      if (!evaluate(now_)) return 0;
      if (imbalance(s) <= balanced) return i + 1;
      if (!factor_held()) return 0;
      ++iterations_;
      if (!(correction(s) < farthest)) return 0;  // NaN too
      move(longest_part());
      take();
    }
    return 0;
  }

  /// W dq/dtau = F + B lambda on the constraints by implicit Euler, W = damping; its steps grow as the imbalance falls, and on the way
  /// from an unstable place, where it rises, to a tenth of the model's size. A step against the forces had less damping than the
  /// stiffness is negative: it would end at the unstable equilibrium.
  bool flow_to_rest() {
    const std::string newtons = cause_;
    now_ = start_;
    if (!evaluate(now_)) return false;
    double out = imbalance(1.0), damping = std::max(10.0 * force_[0] / size_, 0.1 * reference_);
    if (l_.nv == 0) damping = 1.0;
    double least = 0.0;
    bool rises = true;
    for (int i = 0; i < most_flow_steps; ++i) {
      if (out <= 1e-6) {
        kept_ = now_;
        if (newton(1.0)) return true;
        now_ = kept_;
        if (damping < 1e-12 * std::max(reference_, 1e-300)) break;
        if (!evaluate(now_)) return false;
        out = imbalance(1.0);
      }
      if (!factor(damping)) return false;
      ++iterations_;
      correction(1.0);
      if (!finite(correction_.data(), count_of(correction_))) return false;
      double work = 0.0, moved = 0.0;
      for (int k = 0; k < l_.nv; ++k) work += correction_[k] * F_[k], moved = std::max(moved, std::abs(correction_[k]) / weight_[k]);
      if (plan_.conservative && rises && work < 0.0) {
        least = damping *= 4.0;
        continue;
      }
      move(longest_part());
      double next = 0.0;
      if (!evaluate(trial_) || (next = imbalance(1.0)) > 2.0 * out) {
        damping *= 4.0;
        if (!evaluate(now_)) return false;
        imbalance(1.0);
        continue;
      }
      take();
      rises = next > out;
      damping = plan_.conservative && rises && moved < 0.1 * size_ ? std::max(0.5 * damping, least) : damping * std::clamp(next / out, 0.1, 1.5);
      out = next;
    }
    cause_ = newtons.empty() ? "the overdamped motion does not come to rest" : newtons;
    return false;
  }

  /// Full Newton steps down to rounding, with a matrix that must be regular at the solution.
  bool polish() {
    double last = 0.0;
    loose_.clear();  // of a place on the way
    for (int i = 0; i < 8; ++i) {
      if (!evaluate(now_)) return false;
      const double out = imbalance(1.0);
      if (!factor_held()) return false;
      ++iterations_;
      const double size = correction(1.0);
      if (!std::isfinite(size)) return false;
      if (i > 0 && (size <= rounding || size > 0.3 * last) && out <= balanced) return true;
      last = size;
      move(1.0);
      take();
    }
    cause_ = "the last corrections do not fall to rounding";
    return factor_held() && evaluate(now_) && imbalance(1.0) <= balanced;
  }

  /// Only mechanical systems have a stiffness whose sign says it; polish() has just factored it.
  bool unstable() {
    if (!plan_.conservative) return false;
    const NewtonMatrix::Inertia found = matrix_.negative_directions();
    surely_unstable_ = found.sure && found.negative > 0;
    return found.negative > 0;
  }

  const StaticPlan& plan_;
  const System& s_;
  const Layout& l_;
  Assembly assembly_;
  NewtonMatrix matrix_;
  LeastReactions reactions_;
  const Seeds seeds_{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  StaticPoint now_, trial_, kept_, start_, first_;
  double t_ = 0.0, size_ = 1.0, reference_ = 0.0;
  double row_rounding_ = 0.0;
  double force_[4] = {};  // largest term by kind of equation
  int iterations_ = 0;
  Residuals residual_;
  bool singular_ = false, surely_unstable_ = false;
  std::string cause_, loose_;  // loose_: what nothing holds, empty where the stiffness is regular
};

struct StaticOptions {
  int load_steps = 1;
  double reach = 0.1;
  static constexpr auto fields() {
    return std::tuple{field("load_steps", &StaticOptions::load_steps, "", "parts, of one size, in which the loads grow", or_else(between(1, 1e6), "leave it out for one whose parts find their size")),
                      field("reach", &StaticOptions::reach, "", "with contacts: how far bodies that nothing else holds may go to their equilibrium, in the model's size", above(0.0))};
  }
};

class Static final : public Scheme {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<StaticOptions>("static", "The equilibrium under the loads, along their growth; constraints hold by position.");
    return type;
  }
  bool is_static() const override { return true; }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<StaticPlan>();
    Faults faults;
    const StaticOptions given = read_options<StaticOptions>(options, faults);
    plan->load_steps = given.load_steps, plan->reach = given.reach;
    plan->by_laws = holds_by_laws(*system);
    if (plan->by_laws && !holds_states_alone(*system)) refuse_in_statics(*system, faults);
    for (const RelationEntry& e : system->relation_entries) {
      const Level written = pool_of(*system, e).traits().written;
      if (e.law.type->equality && written != Level::value)
        faults.add({{}, "relations/" + e.name, "is written at rate: at rest it holds nothing", "leave it out, or constrain the position"});
      plan->row_level.push_back(Level::value);
      plan->conservative &= !pool_of(*system, e).traits().has_input;
    }
    faults.raise();
    plan->conservative &= system->layout.nx == 0 && system->layout.nz == 0;
    plan->options = options;
    plan->layout.system = system->layout;
    plan->system = std::move(system);
    return plan;
  }
  bool finds_contacts() const override { return true; }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override {
    const auto& own = static_cast<const StaticPlan&>(plan);
    if (own.by_laws && holds_states_alone(*own.system)) return static_states(own);
    if (own.by_laws) return static_with_laws(own, own.reach, own.load_steps);
    return std::make_unique<StaticWorkspace>(own);
  }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<StaticWork&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<StaticWork&>(work).step(state, h); }
};

}  // namespace

const Scheme& static_scheme() {
  static const Static scheme;
  return scheme;
}

}  // namespace saltus
