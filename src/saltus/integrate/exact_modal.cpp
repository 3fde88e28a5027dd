// Exact flow of a linear vibrating system by its modes, with impacts and friction of gaps on its coordinates (after Issanchou, Acary, Perignon, Touze, Le Carrou 2018).
//
//   (q, v-) by the exact flow over h/2;  v+ = v- + M^-1 H^T r;  (q, v) by the exact flow over h/2,
//   w = H v+ + bias(H v-) of a gap that strikes,   w = H v of the end of the step of one that rests, and of friction,   in the laws.
//
// Modes are kept in the state, so that no transformation back and forth adds up: without damping, and with restitution 1, energy stays to rounding. With less
// restitution a gap rests where half a step alone gives more approach than the law gives back, as under a weight.
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/linear_motion.hpp"
#include "saltus/integrate/step_doubling.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {
constexpr double coupled = 1e-9;  // damping between modes, or what is not symmetric, of the largest entry: rounding

/// eta'' + 2 sigma eta' + w2 eta = force, over a time: [eta; eta'] := flow [eta; eta'] + gain force.
struct ModeFlow {
  double qq, qv, vq, vv, q_gain, v_gain;
  ModeFlow(double w2, double sigma, double t) {
    const double square = w2 - sigma * sigma, decay = std::exp(-sigma * t), root = std::sqrt(std::abs(square));
    const double c = square > 0.0 ? std::cos(root * t) : std::cosh(root * t), s = root * t < 1e-8 ? t : (square > 0.0 ? std::sin(root * t) : std::sinh(root * t)) / root;
    qq = decay * (c + sigma * s), qv = decay * s, vq = -decay * w2 * s, vv = decay * (c - sigma * s);
    v_gain = qv;
    if (std::abs(w2) * t * t > 1e-6) q_gain = (1.0 - qq) / w2;
    else q_gain = std::abs(sigma * t) < 1e-3 ? t * t * (0.5 - sigma * t / 3.0 + sigma * sigma * t * t / 6.0 - w2 * t * t / 24.0) : t / (2.0 * sigma) + std::expm1(-2.0 * sigma * t) / (4.0 * sigma * sigma);
  }
};

/// What does not change in a run.
class ModalPlan final : public Plan {
 public:
  dense::Matrix shapes, inverse;  // q = shapes eta, with unit modal masses; eta = inverse q
  dense::Vector w2, sigma, force;
  dense::Matrix impulse;          // modes x rows: of unit impulses of the rows
};

class ModalStep final : public Workspace {
 public:
  explicit ModalStep(const ModalPlan& plan) : plan_(plan), s_(*plan.system), l_(s_.layout), motion_(s_, plan.options.threads), y_(at(l_.y_size())) {}

  StepReport start(State& state) {
    eta_ = plan_.inverse * Eigen::Map<const dense::Vector>(state.q(), l_.nv), rate_ = plan_.inverse * Eigen::Map<const dense::Vector>(state.v(), l_.nv);
    std::copy_n(eta_.data(), l_.nv, state.memory());
    std::copy_n(rate_.data(), l_.nv, state.memory() + l_.nv);
    std::fill_n(state.lambda(), l_.rows, 0.0);
    settle(state, state.t());
    return {};
  }

  StepReport step(State& state, double h) {
    StepReport report;
    if (h != h_) take_length(h);
    const int n = l_.nv;
    eta_ = Eigen::Map<const dense::Vector>(state.memory(), n), rate_ = Eigen::Map<const dense::Vector>(state.memory() + n, n);
    motion_.rows(state.t(), state.y(), state.data(), value_, before_);
    find_adhering(h);
    flow();
    impulse_ = dense::Vector::Zero(l_.rows);
    if (!strike(state, h, report)) {
      report.status = StepStatus::rejected, report.events.clear();
      report.cause = solved_.cause.empty() ? "no solver solved the problem of the rows" : solved_.cause;
      return report;
    }
    flow();
    if (!finite(eta_.data(), n) || !finite(rate_.data(), n)) {
      report.status = StepStatus::rejected, report.cause = "the motion left the finite numbers";
      return report;
    }
    std::copy_n(eta_.data(), n, state.memory());
    std::copy_n(rate_.data(), n, state.memory() + n);
    for (int r = 0; r < l_.rows; ++r) state.lambda()[r] = impulse_[r] / h;
    settle(state, state.t() + h);
    return report;
  }

 private:
  void take_length(double h) {
    flows_.clear();
    dense::Vector vv(l_.nv);
    for (int i = 0; i < l_.nv; ++i) flows_.emplace_back(plan_.w2[i], plan_.sigma[i], 0.5 * h), vv[i] = flows_.back().vv;
    now_ = plan_.impulse.transpose() * plan_.impulse;
    later_ = plan_.impulse.transpose() * vv.asDiagonal() * plan_.impulse;
    h_ = h;
  }
  void flow() {
    for (int i = 0; i < l_.nv; ++i) {
      const ModeFlow& f = flows_[at(i)];
      const double eta = eta_[i], rate = rate_[i], force = plan_.force[i];
      eta_[i] = f.qq * eta + f.qv * rate + f.q_gain * force;
      rate_[i] = f.vq * eta + f.vv * rate + f.v_gain * force;
    }
  }
  void put(const State& state) {
    std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
    Eigen::Map<dense::Vector>(y_.data(), l_.nv) = plan_.shapes * eta_;
    Eigen::Map<dense::Vector>(y_.data() + l_.v_begin(), l_.nv) = plan_.shapes * rate_;
  }

  const RelationEntry& entry(const HeldRows& held) const { return s_.relation_entries[at(held.block)]; }
  bool strikes(const HeldRows& held) const { return strikes_[at(held.block)] != 0; }

  /// Gaps that are closed by a law that pulls where the step begins, and do not part there: a pull that holds has opened them by mid step.
  void find_adhering(double h) {
    const double size = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    adheres_.assign(s_.relation_entries.size(), 0);
    for (std::size_t k = 0; k < adheres_.size(); ++k) {
      const RelationEntry& e = s_.relation_entries[k];
      adheres_[k] = e.law.adhesion() > 0.0 && value_[e.row] <= 1e-9 * size && h * before_[e.row] <= 1e-9 * size;
    }
  }

  /// What is held at mid step: gaps that are closed, and all other laws. `over`: length of time of their impulses, 0 at the instant alone.
  void hold(double over) {
    held_.clear();
    for (int k = 0; k < count_of(s_.relation_entries); ++k) {
      const RelationEntry& e = s_.relation_entries[at(k)];
      const bool adheres = adheres_[at(k)] != 0;
      if (e.law.type->unilateral && value_[e.row] > 0.0 && !adheres) continue;
      held_.push_back({.block = k, .count = e.rows, .set = e.law.type->set, .parameters = e.law.parameters, .set_scale = e.law.type->force_bounded ? over : 1.0, .shift = bias_.data() + e.row});
      if (over > 0.0 && adheres) offset_[e.row] = -over * e.law.adhesion();
      if (over > 0.0 && (adheres || e.law.type->phases > 0)) held_.back().offset = offset_.data() + e.row;
    }
  }

  /// Which gaps strike, and their bias: those that give back more than forces took in half a step; without loss a gap rests as it is, since what half a step took,
  /// the other half gives. Of laws in phases with the percussions that they take at the instant as offsets.
  bool find_strikes() {
    bias_ = dense::Vector::Zero(l_.rows), offset_ = dense::Vector::Zero(l_.rows);
    strikes_.assign(s_.relation_entries.size(), 1);  // all at the instant
    hold(0.0);
    phased_.clear();
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const RelationEntry& e = entry(held_[i]);
      if (e.law.type->bias) impact_bias(e.law, e.rows, mid_.data() + e.row, bias_.data() + e.row);
      if (e.law.type->phases > 0) phased_.push_back({.held = i, .law = &e.law});
    }
    const bool closes = std::any_of(phased_.begin(), phased_.end(), [&](const PhasedRows& rows) { return mid_[entry(held_[rows.held]).row] < 0.0; });
    if (closes) {
      if (!in_phases(held_, phased_, solved_.r, [&](const std::vector<HeldRows>&) { return solve(); })) return false;
      for (const PhasedRows& rows : phased_) {
        const RelationEntry& e = entry(held_[rows.held]);
        int row = 0;
        for (std::size_t k = 0; k < rows.held; ++k) row += held_[k].count;
        bias_[e.row] = -std::max(solved_.w[at(row)], 0.0);
        std::copy_n(rows.percussion, e.rows, offset_.data() + e.row);
      }
    }
    for (std::size_t k = 0; k < strikes_.size(); ++k) {
      const RelationEntry& e = s_.relation_entries[k];
      const double bias = bias_[e.row];
      const bool gives_all_back = bias <= (1.0 - 1e-12) * mid_[e.row];
      strikes_[k] = e.law.type->unilateral && bias < 0.0 && (gives_all_back || -bias > std::abs(mid_[e.row] - before_[e.row]));
      if (strikes_[k]) continue;
      bias_.segment(e.row, e.rows).setZero(), offset_.segment(e.row, e.rows).setZero();
    }
    return true;
  }

  /// The impulses at mid step, into impulse_ and rate_.
  bool strike(const State& state, double h, StepReport& report) {
    if (l_.rows == 0) return true;
    put(state);
    motion_.rows(state.t() + 0.5 * h, y_.data(), state.data(), value_, mid_);
    if (!find_strikes()) return false;
    hold(h);
    if (held_.empty()) return true;
    const dense::Vector eta = eta_, rate = rate_, at_mid = value_;
    flow();  // where the step ends without impulses
    put(state);
    motion_.rows(state.t() + h, y_.data(), state.data(), value_, end_);
    eta_ = eta, rate_ = rate, value_ = at_mid;
    if (!solve()) return false;
    report.residual.laws = solved_.residual;
    int row = 0;
    for (const HeldRows& held : held_) {
      const RelationEntry& e = entry(held);
      for (int i = 0; i < e.rows; ++i) impulse_[e.row + i] = solved_.r[at(row + i)];
      if (strikes(held) && solved_.r[at(row)] > 0.0) report.events.push_back({state.t() + 0.5 * h, "impact", e.name, solved_.r[at(row)]});
      row += e.rows;
    }
    rate_ += plan_.impulse * impulse_;
    for (const HeldRows& held : held_)  // of an impact the step has no mean force
      if (strikes(held)) impulse_.segment(entry(held).row, entry(held).rows).setZero();
    return true;
  }

  /// The problem of held_: rates of what strikes at once, of the others at the end of the step; multipliers with their offsets into solved_.
  bool solve() {
    int rows = 0;
    problem_.blocks.clear();
    for (const HeldRows& held : held_) {
      problem_.blocks.push_back({.begin = rows, .dim = held.count, .set = held.set, .parameters = held.parameters, .set_scale = held.set_scale});
      rows += held.count;
    }
    dense::Matrix W(rows, rows);
    dense::Vector offset = dense::Vector::Zero(rows);
    problem_.b.resize(at(rows));
    int i = 0;
    for (const HeldRows& a : held_) {
      const dense::Matrix& of = strikes(a) ? now_ : later_;
      for (int r = 0; r < a.count; ++r, ++i) {
        problem_.b[at(i)] = (strikes(a) ? mid_ : end_)[entry(a).row + r] + a.shift[r];
        if (a.offset) offset[i] = a.offset[r];
        int j = 0;
        for (const HeldRows& b : held_)
          for (int c = 0; c < b.count; ++c, ++j) W(i, j) = of(entry(a).row + r, entry(b).row + c);
      }
    }
    const dense::Vector pushed = W * offset;
    for (int k = 0; k < rows; ++k) problem_.b[at(k)] += pushed[k];
    problem_.D = W.sparseView();
    problem_.D.makeCompressed();
    SolveOptions options;
    options.tolerance = 1e-12;
    options.timed = false;
    solver_.solve(problem_, options, solved_);
    for (int k = 0; k < rows && at(k) < solved_.r.size(); ++k) solved_.r[at(k)] += offset[k];
    return solved_.status == SolveStatus::solved;
  }

  void settle(State& state, double t) {
    put(state);
    std::copy(y_.begin(), y_.end(), state.y());
    const dense::Vector rates = motion_.A() * Eigen::Map<const dense::Vector>(state.y(), motion_.size()) + motion_.g() + motion_.B() * Eigen::Map<const dense::Vector>(state.lambda(), l_.rows);
    std::copy_n(rates.data() + l_.nv, l_.nv, state.a());
    state.t() = t;
  }
  const ModalPlan& plan_;
  const System& s_;
  const Layout& l_;
  LinearMotion motion_;
  Problem problem_;
  Solver solver_;
  SolveReport solved_;
  double h_ = 0.0;
  std::vector<ModeFlow> flows_;  // over half a step
  dense::Matrix now_, later_;    // of impulses: rates of rows at once, at the end of the step
  dense::Vector eta_, rate_, impulse_, value_, before_, mid_, end_;
  dense::Vector bias_, offset_;     // by row
  std::vector<char> strikes_, adheres_;  // by relation
  std::vector<HeldRows> held_;
  std::vector<PhasedRows> phased_;
  std::vector<double> y_;
};

class ExactModal final : public SteppingScheme<ModalStep, ModalPlan> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NoOptions>("exact_modal", "The exact flow of a linear vibrating system by its modes, with impacts and friction: strings against stops (after Issanchou and others 2018).");
    return type;
  }
  Doubling doubling(const SchemeOptions&) const override { return {.order = 1, .exact = true, .means = true}; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<ModalPlan>();
    Faults faults;
    (void)read_options<NoOptions>(options, faults);
    refuse_nonlinear(*system, name(), faults);
    if (system->layout.nx > 0) faults.error({}, "simulation/scheme", "exact_modal does not hold first-order states", "use zero_order_hold or moreau_jean");
    for (const RelationEntry& e : system->relation_entries)
      if (e.law.type->equality) faults.error({}, "relations/" + e.name, "is an equality, which exact_modal does not hold", "leave the coordinate out, or use the scheme moreau_jean");
    for (const RelationEntry& e : system->relation_entries) {
      plan->row_level.push_back(Level::rate);
      if (!e.law.type->equality) refuse_row(*system, e, name(), faults);
    }
    refuse_along_impulse(*system, name(), faults);
    refuse_memory(*system, Memory::none, name(), faults);
    faults.raise();
    LinearMotion motion(*system, options.threads);
    find_modes(motion, *plan);
    const int memory = 2 * system->layout.nv;
    plan->take(std::move(system), options, memory);
    return plan;
  }

 private:
  static void find_modes(const LinearMotion& motion, ModalPlan& plan) {
    const dense::Matrix& M = motion.mass();
    const Eigen::Index n = M.rows();
    const dense::Matrix K = dense::product(M, -motion.A().block(n, 0, n, n)), C = dense::product(M, -motion.A().block(n, n, n, n));
    const auto uneven = [](const dense::Matrix& X) { return X.size() > 0 && (X - X.transpose()).cwiseAbs().maxCoeff() > coupled * std::max(X.cwiseAbs().maxCoeff(), 1e-300); };
    if (uneven(K)) throw ModelError("simulation/scheme", "exact_modal needs a symmetric stiffness matrix, and this one is not", "use the scheme moreau_jean");
    const dense::SymmetricModes of_mass = dense::symmetric_modes(M);
    const dense::Matrix root = of_mass.vectors * of_mass.values.cwiseSqrt().cwiseInverse().asDiagonal() * of_mass.vectors.transpose();
    const dense::Matrix S = dense::product(root, dense::product(0.5 * (K + K.transpose()), root));
    const dense::SymmetricModes modes = dense::symmetric_modes(S);
    plan.shapes = dense::product(root, modes.vectors);
    plan.inverse = dense::product(plan.shapes.transpose(), M);
    plan.w2 = modes.values;
    const dense::Matrix damping = dense::product(plan.shapes.transpose(), dense::product(C, plan.shapes));
    plan.sigma = 0.5 * damping.diagonal();
    dense::Matrix between = damping;
    between.diagonal().setZero();
    if (n > 0 && between.cwiseAbs().maxCoeff() > coupled * std::max(damping.cwiseAbs().maxCoeff(), 1e-300))
      throw ModelError("simulation/scheme", "exact_modal needs damping that does not couple the modes, such as a sum of masses and stiffnesses, and this one does", "use the scheme moreau_jean");
    plan.force = plan.inverse * motion.g().segment(n, n);
    plan.impulse = plan.inverse * motion.B().middleRows(n, n);
  }
};
}  // namespace

const Scheme& exact_modal() {
  static const StepDoubling scheme(std::make_unique<ExactModal>());
  return scheme;
}

}  // namespace saltus
