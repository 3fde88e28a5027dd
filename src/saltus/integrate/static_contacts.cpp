#include "saltus/integrate/static_contacts.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/integrate/static_stability.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/problem/slip_arms.hpp"

namespace saltus {
namespace {

constexpr int most_iterations = 400, most_tries = 60, most_unsolved = 4;
constexpr double tolerance = 1e-10;      // of the problem
constexpr double longest = 0.01;         // of the model's size: a correction, where contacts have to be found
constexpr double longest_of_rows = 0.1;  // where all of them are known
constexpr double within = 0.025;         // of the model's size: gaps that a problem has
constexpr double balanced = 1e-9;        // of the loads
constexpr double closed = 1e-9;          // of the model's size: a gap that adheres
constexpr double rounding = 1e-13;       // of the model's size: a correction that no longer counts
constexpr double free_share = 0.99;      // of the work of a correction, with the loads over the size as stiffness, that no other stiffness takes
constexpr int most_named = 3;

/// Whether a law reads how far a row has gone since the load step began, where in motions it reads its rate.
bool on_path(const System& s, const RelationEntry& e, int row) {
  const LawType& law = *e.law.type;
  if (law.equality) return false;
  return law.unilateral ? row > 0 : e.law.written == 1 || pool_of(s, e).traits().written == Level::rate;
}

/// A motion that begins at a configuration with its data.
struct Beginning {
  std::vector<double> dq, y;
};

std::string direction(const Vec3<double>& x) {
  const double length = norm(x);
  const auto number = [&](int i) { return short_text(std::round(1e3 * x[i] / length) * 1e-3 + 0.0); };
  return "(" + number(0) + ", " + number(1) + ", " + number(2) + ")";
}

/// A body in a motion: how far it goes and turns.
struct Mover {
  std::string name;
  double moves = 0.0;
  Vec3<double> along{}, about{};
};

/// The bodies of a motion, the farthest first: of frames the way that they go and turn.
std::vector<Mover> movers(const System& s, Assembly& assembly, double t, const Beginning& begins, double part, double size) {
  std::vector<Mover> found;
  std::vector<Frame<double>> before;
  assembly.update(t, begins.y.data(), nullptr, begins.y.data() + s.layout.y_size());
  for (const BaseFrame& b : s.bases) before.push_back(assembly.kinematics().frames[b.marker]);
  std::vector<double> moved = begins.y, way = begins.dq;
  for (double& x : way) x *= part;
  s.map.retract(begins.y.data(), way.data(), s.layout.nq, moved.data());
  assembly.update(t, moved.data(), nullptr, moved.data() + s.layout.y_size());
  for (std::size_t b = 0; b < s.bases.size(); ++b) {
    if (s.bases[b].node < 0) continue;
    const Frame<double>& now = assembly.kinematics().frames[s.bases[b].marker];
    Mover p;
    p.name = s.nodes[at(s.bases[b].node)].name;
    if (p.name.ends_with(".node")) p.name.resize(p.name.size() - 5);
    p.along = now.p - before[b].p;
    const Mat3<double> turn = now.R * transposed(before[b].R);
    p.about = {{0.5 * (turn(2, 1) - turn(1, 2)), 0.5 * (turn(0, 2) - turn(2, 0)), 0.5 * (turn(1, 0) - turn(0, 1))}};
    p.moves = std::max(norm(p.along), size * norm(p.about));
    found.push_back(std::move(p));
  }
  std::stable_sort(found.begin(), found.end(), [](const Mover& a, const Mover& b) { return a.moves > b.moves * (1.0 + 1e-6); });
  return found;
}

std::string motion_in_words(const System& s, Assembly& assembly, double t, const Beginning& begins, const std::vector<double>& weight, double size) {
  double length = 0.0;
  int most = 0;
  for (int i = 0; i < s.layout.nv; ++i)
    if (const double own = std::abs(begins.dq[at(i)]) / weight[at(i)]; own > length) length = own, most = i;
  const std::vector<Mover> all = movers(s, assembly, t, begins, 1e-4 * size / std::max(length, 1e-300), size);
  std::string text = "nothing balances the loads, the motion that begins: ";
  if (all.empty() || !(all[0].moves > 0.0)) return text + unknown_name(s, most);
  const double least = 0.05 * all[0].moves;
  const auto count = std::count_if(all.begin(), all.end(), [&](const Mover& p) { return p.moves >= least; });
  const auto named = std::min<std::ptrdiff_t>(count, most_named);
  for (std::ptrdiff_t i = 0; i < named; ++i) {
    const Mover& p = all[i];
    const bool goes = norm(p.along) > 0.05 * p.moves, turns = size * norm(p.about) > 0.05 * p.moves;
    text += (i ? "; '" : "'") + p.name + "'" + (goes ? " moves along " + direction(p.along) : "") + (goes && turns ? " and" : "") + (turns ? " turns about " + direction(p.about) : "");
  }
  return count > named ? text + "; " + std::to_string(count - named) + " more" : text;
}

/// The symmetric part K of the stiffness of forces and joint reactions, and K + damping, positive definite.
class DampedStiffness {
 public:
  explicit DampedStiffness(const System& system) : s_(system), A_(at(system.pattern.nonzeros())), K_(A_) {
    for (int i = 0; i < s_.layout.nv; ++i)
      for (int k = s_.pattern.begin[at(i)]; k < s_.pattern.begin[at(i) + 1]; ++k) mirror_.push_back(s_.pattern.slot(s_.pattern.column[at(k)], i));
  }

  void find(Assembly& assembly, const std::vector<double>& lambda) {
    std::fill(A_.begin(), A_.end(), 0.0);
    of_joints_ = lambda;
    for (const RelationEntry& e : s_.relation_entries)
      if (!e.law.type->equality) std::fill_n(of_joints_.begin() + e.row, e.rows, 0.0);
    assembly.set_multipliers(of_joints_.data());
    assembly.add_force_matrix(seeds_, A_.data());
    if (!of_joints_.empty()) assembly.add_input_matrix(seeds_, 1.0, A_.data());
    for (std::size_t k = 0; k < A_.size(); ++k) K_[k] = mirror_[k] < 0 ? 0.0 : 0.5 * (A_[k] + A_[at(mirror_[k])]);
  }
  double diagonal(int i) const { return K_[at(s_.diagonal_slot[at(i)])]; }
  /// x^T K x.
  double work(const std::vector<double>& x) const {
    double sum = 0.0;
    for (int i = 0; i < s_.layout.nv; ++i)
      for (int k = s_.pattern.begin[at(i)]; k < s_.pattern.begin[at(i) + 1]; ++k) sum += x[at(i)] * K_[at(k)] * x[at(s_.pattern.column[at(k)])];
    return sum;
  }
  /// K + damping, that raised until it is positive definite; null: it is not finite.
  const double* damped(double& damping, const std::vector<double>& weight) {
    for (int tries = 0; tries < most_tries; ++tries, damping *= 4.0) {
      A_ = K_;
      for (int i = 0; i < s_.layout.nv; ++i) A_[at(s_.diagonal_slot[at(i)])] += damping / (weight[at(i)] * weight[at(i)]);
      if (!finite(A_.data(), count_of(A_))) break;
      const Eigen::Map<const Eigen::SparseMatrix<double>> A(s_.layout.nv, s_.layout.nv, s_.pattern.nonzeros(), s_.pattern.begin.data(), s_.pattern.column.data(), A_.data());
      if (!analyzed_) cholesky_.analyzePattern(A), analyzed_ = true;
      cholesky_.factorize(A);
      if (cholesky_.info() == Eigen::Success) return A_.data();
    }
    return nullptr;
  }

 private:
  static constexpr Seeds seeds_{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  const System& s_;
  std::vector<double> A_, K_, of_joints_;
  std::vector<int> mirror_;  // by slot: of the transposed entry
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> cholesky_;
  bool analyzed_ = false;
};

class StaticWithLaws final : public StaticWork {
 public:
  StaticWithLaws(const Plan& plan, double reach, int load_steps)
      : s_(*plan.system), l_(s_.layout), rows_(s_, plan.options.threads, plan.options.contacts), blocks_(s_, rows_), matrix_(s_), memory_(s_), reach_(reach), load_steps_(load_steps) {
    size_ = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    y_.resize(at(l_.y_size() + l_.nd));
    for (auto* x : {&dq_, &F_, &driven_, &missing_}) x->assign(at(l_.unknowns()) + 1, 0.0);
    lambda_.assign(at(l_.rows), 0.0);
  }

  StepReport start(State& state) override {
    StepReport report;
    if (std::any_of(state.v(), state.v() + l_.nv, [](double v) { return v != 0.0; }))
      report.warnings.push_back({{}, "simulation/scheme", "static holds the initial velocities at zero", "leave them out", Severity::warning});
    for (double* x : {state.v(), state.a()}) std::fill_n(x, l_.nv, 0.0);
    for (Fault& f : redundant_rows(s_, rows_.assembly(), state.y(), state.data())) report.warnings.push_back(std::move(f));
    return report;
  }

  StepReport step(State& state, double h) override {
    StepReport report;
    rows_.begin_step();
    const double begin = state.t();
    t_ = begin + h;
    std::copy(state.data(), state.data() + l_.nd, std::copy(state.y(), state.y() + l_.y_size(), y_.begin()));
    std::copy_n(state.lambda(), l_.rows, lambda_.begin());
    cause_.clear();
    const bool loaded = begin > state.begun();
    bool found = scales(begin);
    for (int part = 1; found && part <= load_steps_; ++part) {
      const double share = static_cast<double>(part) / load_steps_;
      t_ = begin + share * h, missing_share_ = loaded ? 0.0 : 1.0 - share;
      paths_.clear();
      loose_.carrying = -1, loose_.free = 0.0, loose_.begins = {};
      found = iterate(report);
      if (!found && load_steps_ > 1) cause_ = "in part " + std::to_string(part) + " of the load: " + cause_;
      if (found && part < load_steps_ && s_.history >= 0) remember();
    }
    if (!found) {
      report.status = StepStatus::failed;
      report.cause = "no static equilibrium found: " + cause_;
      return report;
    }
    write(state, report);
    judge(report);
    return report;
  }

 private:
  /// How far the rows of a block have gone since the load step began.
  struct Path {
    double key;
    std::vector<double> s;
  };
  double* data() { return y_.data() + l_.y_size(); }
  const Path* path(int block) const {
    for (const Path& p : paths_)
      if (p.key == blocks_.key(block)) return &p;
    return nullptr;
  }
  double gone(int block, int row) const {
    const Path* p = path(block);
    return p ? p->s[at(row)] : 0.0;
  }

  /// What items and laws remember of an equilibrium on the way; that of the last one is remembered where it is accepted.
  void remember() {
    rows_.assembly().update(t_, y_.data(), lambda_.data(), data());
    (void)rows_.assembly().remember(data() + s_.history);
    if (!memory_.empty()) memory_.remember(rows_.assembly(), data() + s_.history);
  }

  /// Loads and sizes at the start of the load step.
  bool scales(double begin) {
    if (load_steps_ > 1) {  // the loads that a first step begins without
      rows_.configure(begin, y_.data(), data(), within * size_);
      rows_.assembly().forces(missing_.data());
      missing_[at(l_.nv)] = 0.0;
    }
    configure();
    const std::vector<double> scale = column_scales(s_, rows_.assembly().kinematics());
    weight_.assign(scale.begin(), scale.end());
    rows_.assembly().forces(F_.data());
    matrix_.find(rows_.assembly(), lambda_);
    double force = 0.0, stiff = 0.0;
    for (int i = 0; i < l_.nv; ++i) {
      force = std::max(force, weight_[at(i)] * std::abs(F_[at(i)]));
      stiff = std::max(stiff, weight_[at(i)] * weight_[at(i)] * std::abs(matrix_.diagonal(i)));
    }
    if (!finite(F_.data(), l_.nv) || !std::isfinite(stiff)) {
      cause_ = "a force or constraint is not finite";
      return false;
    }
    most_force_ = std::max(most_force_, force);
    damping_.base = std::max({force / size_, 1e-7 * stiff, 1e-300});
    damping_.now = std::max(damping_.base, 1e-6 * stiff);
    damping_.least = 1e-8 * damping_.now;
    return true;
  }

  void configure() { rows_.configure(t_, y_.data(), data(), std::max(within * size_, blocks_.reach())); }

  /// The rows of the problem: displacements along those that laws read as rates, values of the others.
  void hold() {
    held_.clear();
    blocks_.see(1.0, data());
    std::size_t rows = 0;
    for (int b = 0; b < blocks_.size(); ++b) rows += at(rows_.rows(b));
    law_terms_.shift.assign(rows, 0.0), law_terms_.offset.assign(rows, 0.0), law_terms_.at_rest.assign(FrictionArm::most * at(blocks_.size()), 0.0);
    double *shift = law_terms_.shift.data(), *offset = law_terms_.offset.data();
    for (int b = 0; b < blocks_.size(); ++b) {
      const LawRef& law = blocks_.law(b);
      held_.push_back({.block = b, .count = rows_.rows(b), .set = law.type->set, .parameters = law.parameters, .shift = shift, .offset = offset});
      if (law.type->by_speed) {  // nothing slides in an equilibrium: its friction is that of rest
        SlipArm arms[FrictionArm::most];
        double* parameters = law_terms_.at_rest.data() + FrictionArm::most * at(b);
        held_.back().set = &cone_of_arms(arms, slip_arms(*law.type->set, law.parameters, arms), parameters), held_.back().parameters = parameters;
      }
      const bool across = law.type->unilateral && blocks_.across(b, closed * size_);
      if (across) LawBlocks::pull_alone(held_.back());
      if (const double pull = law.adhesion(); pull > 0.0 && (across || rows_.value(b) <= closed * size_ || path(b))) offset[0] = -pull;
      for (int r = 0; r < rows_.rows(b); ++r)
        if (along_path(b, r)) shift[r] = gone(b, r) - rows_.value(b, r);
      shift += rows_.rows(b), offset += rows_.rows(b);
    }
  }
  bool along_path(int block, int row) const { return blocks_.in_group(block) ? row > 0 : on_path(s_, s_.relation_entries[at(block)], row); }

  /// driven_ := the motion that drives ask for while what touches goes along: damping acts on what comes beside it.
  void follow_drives() {
    std::fill(driven_.begin(), driven_.end(), 0.0);
    const double* A = matrix_.damped(damping_.now, weight_);
    hold();
    double open = 0.0, *shift = law_terms_.shift.data();
    for (HeldRows& held : held_) {
      const bool joint = blocks_.law(held.block).type->equality;
      for (int r = 0; r < held.count; ++r, ++shift) {
        if (joint) open = std::max(open, std::abs(rows_.value(held.block, r)));
        else *shift = -rows_.value(held.block, r);
      }
      held.set = &equality_set, held.parameters = nullptr, held.offset = nullptr;
    }
    if (!A || !(open > rounding * size_)) return;
    std::erase_if(held_, [&](const HeldRows& held) { return blocks_.law(held.block).type->unilateral && rows_.value(held.block) > closed * size_; });
    rows_.load_nothing();
    if (rows_.solve({.level = Level::value, .matrix = A}, held_, tolerance)) std::copy_n(rows_.report().v.begin(), l_.nv, driven_.begin());
  }

  /// One correction dq_ with its multipliers, no longer than a linearization may be; its length beside the model's size, NaN: none.
  double correction() {
    const double most = s_.contacts.empty() ? longest_of_rows : longest;
    for (int tries = 0, unsolved = 0; tries < most_tries; ++tries) {
      const double* A = matrix_.damped(damping_.now, weight_);
      if (!A) {
        cause_ = "the stiffness is not finite";
        return NAN;
      }
      hold();
      rows_.load_forces();
      for (int i = 0; i < l_.nv; ++i) F_[at(i)] = damping_.now / (weight_[at(i)] * weight_[at(i)]) * driven_[at(i)] - missing_share_ * missing_[at(i)];
      F_[at(l_.nv)] = 0.0;
      rows_.load(F_);
      if (!rows_.solve({.level = Level::value, .matrix = A}, held_, tolerance) && !rounding_alone()) {
        if (++unsolved < most_unsolved) {  // a shorter correction is an easier problem
          damping_.least = damping_.now *= 5.0;
          continue;
        }
        cause_ = !loose_.begins.dq.empty() ? motion() : rows_.report().status == SolveStatus::infeasible ? "joints and contacts contradict each other: no displacement keeps them all" : rows_.report().cause;
        return NAN;
      }
      double length = 0.0;
      for (int i = 0; i < l_.nv; ++i) {
        dq_[at(i)] = rows_.report().v[at(i)];
        length = std::max(length, std::abs(dq_[at(i)] - driven_[at(i)]) / (weight_[at(i)] * size_));
      }
      if (!std::isfinite(length)) break;
      if (length <= most || pushed(length)) return length;
      damping_.now *= std::max(2.0, length / most);
    }
    cause_ = "a correction is not finite";
    return NAN;
  }
  /// Whether nothing is left to solve but rounding: beside the size of the model and the largest force of the run displacements and multipliers are none.
  bool rounding_alone() const {
    const auto most = [](const std::vector<double>& x) {
      double largest = 0.0;
      for (const double xi : x) largest = std::max(largest, std::isfinite(xi) ? std::abs(xi) : HUGE_VAL);
      return largest;
    };
    const SolveReport& found = rows_.report();
    return most(found.w) <= 1e-15 * size_ && most(found.v) <= 1e-15 * size_ && most(found.r) <= 1e-15 * most_force_ * std::min(1.0, size_);
  }
  /// Whether rows ask for a displacement of that length: no damping shortens it.
  bool pushed(double length) const {
    if (damping_.now < 1e6 * damping_.base) return false;
    return length < 1.0;
  }

  bool iterate(StepReport& report) {
    double last = HUGE_VAL;
    for (int i = 0; i < most_iterations; ++i) {
      if (i > 0) configure(), matrix_.find(rows_.assembly(), lambda_), std::fill(driven_.begin(), driven_.end(), 0.0);
      else follow_drives();
      const double length = correction();
      ++report.iterations;
      if (!std::isfinite(length)) return false;
      const int carrying = remember_multipliers();
      if (!take(length, carrying)) return false;
      const double out = length * std::max(1.0, damping_.now / damping_.base);
      report.residual.equations = out;
      if (i > 0 && out <= balanced && (length <= rounding || length > 0.1 * last)) return true;
      if (length > 0.2 * last) damping_.now = std::max(0.2 * damping_.now, damping_.least);
      last = length;
    }
    cause_ = "corrections do not end, with " + short_text(last) + " of the model's size";
    if (loose_.free > 0.1 * reach_) cause_ += "; " + motion();
    return false;
  }

  /// Multipliers of relations into lambda_, displacements along rows into the paths; how many contacts carry.
  int remember_multipliers() {
    std::vector<Path> next;
    int carrying = 0;
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      const bool gap = blocks_.law(held.block).type->unilateral, carries = !gap || r[0] - held.offset[0] > 0.0;
      carrying += gap && carries;
      if (!blocks_.in_group(held.block)) std::copy_n(r, held.count, lambda_.begin() + s_.relation_entries[at(held.block)].row);
      if (carries && !blocks_.law(held.block).type->equality) {
        next.push_back({blocks_.key(held.block), {}});
        next.back().s.resize(at(held.count));
        for (int row = 0; row < held.count; ++row) next.back().s[at(row)] = gone(held.block, row) + rows_.change_of_rate(held.block, row, dq_.data());
      }
      r += held.count;
    }
    paths_.swap(next);
    return carrying;
  }

  /// Moves by dq_. False where bodies that only contacts hold have gone too far.
  bool take(double length, int carrying) {
    double damped = 0.0;
    for (int i = 0; i < l_.nv; ++i) driven_[at(i)] = dq_[at(i)] - driven_[at(i)], damped += damping_.base * driven_[at(i)] * driven_[at(i)] / (weight_[at(i)] * weight_[at(i)]);
    if (damped > free_share * (damped + std::abs(matrix_.work(driven_)))) {
      loose_.free += length;
      if (loose_.begins.dq.empty() && carrying == loose_.carrying && length > 1e-7) loose_.begins = {dq_, y_};
    }
    loose_.carrying = carrying;
    if (loose_.free > reach_) {
      cause_ = motion();
      return false;
    }
    std::vector<double> q(y_.begin(), y_.begin() + l_.nq);
    s_.map.retract(q.data(), dq_.data(), l_.nq, y_.data());
    if (s_.history >= 0) {
      rows_.assembly().update(t_, y_.data(), lambda_.data(), data());
      rows_.assembly().remember_turns(data() + s_.history);
    }
    return true;
  }

  std::string motion() {
    if (loose_.begins.dq.empty()) loose_.begins = {dq_, y_};
    return motion_in_words(s_, rows_.assembly(), t_, loose_.begins, weight_, size_);
  }

  /// An equilibrium that the start meets by its symmetry may be one that the least push leaves.
  void judge(StepReport& report) {
    const std::vector<double> multipliers(rows_.report().r);
    if (motions_not_held(rows_, blocks_, {t_, y_.data(), data(), lambda_.data(), held_, multipliers.data(), &weight_, closed * size_}) > 0) tell_unstable(report, t_, true);
  }

  void write(State& state, StepReport& report) {
    report.residual.laws = rows_.report().residual;
    blocks_.clear(state, report);
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      const bool pushes = std::any_of(r, r + held.count, [](double x) { return x != 0.0; });
      if (pushes || !blocks_.in_group(held.block)) blocks_.write(held.block, r, state.v(), 0.0, state, report);
      r += held.count;
    }
    std::copy(y_.begin(), y_.begin() + l_.y_size(), state.y());
    if (s_.history >= 0) std::copy(data() + s_.history, data() + l_.nd, state.data() + s_.history);
    state.t() = t_;
  }

  const System& s_;
  const Layout& l_;
  RowProblem rows_;
  LawBlocks blocks_;
  DampedStiffness matrix_;
  LawMemory memory_;
  const double reach_;
  const int load_steps_;
  double missing_share_ = 0.0;  // of missing_, which the loads of this part lack
  double size_ = 1.0, t_ = 0.0, most_force_ = 0.0;
  struct {
    double base = 0.0, now = 0.0, least = 0.0;  // loads over the model's size; of this iteration; at least
  } damping_;               // [N/m]
  struct {
    double free = 0.0;      // way of what only contacts hold, in the model's size
    int carrying = -1;      // contacts, in the last iteration
    Beginning begins;       // the first such motion of this load step
  } loose_;
  std::string cause_;
  std::vector<HeldRows> held_;
  std::vector<Path> paths_;
  std::vector<double> F_, weight_, dq_, driven_, missing_, y_, lambda_;
  struct {
    std::vector<double> shift, offset, at_rest;
  } law_terms_;
};

}  // namespace

bool holds_by_laws(const System& s) {
  return !s.contacts.empty() || std::any_of(s.relation_entries.begin(), s.relation_entries.end(), [](const RelationEntry& e) { return !e.law.type->equality; });
}

void refuse_in_statics(const System& s, Faults& faults) {
  for (const RelationEntry& e : s.relation_entries) {
    if (e.law.type->equality) continue;
    const RelationTraits traits = pool_of(s, e).traits();
    bool mechanical = !traits.has_input && !traits.uses_lambda && !traits.switched;
    for (const int c : columns_of(s, e)) mechanical &= c < s.layout.nv || c >= s.layout.unknowns();
    if (!mechanical) faults.error({}, "relations/" + e.name, "has the law '" + std::string(e.law.type->name) + "' on what is no displacement: static takes gaps, friction and relays of bodies", "let it come to rest with moreau_jean");
  }
  if (s.layout.nx + s.layout.nz > 0) faults.error({}, "simulation/scheme", "static with contacts or friction takes bodies alone, no first-order states and no algebraic unknowns", "let it come to rest with moreau_jean");
}

std::unique_ptr<StaticWork> static_with_laws(const Plan& plan, double reach, int load_steps) { return std::make_unique<StaticWithLaws>(plan, reach, load_steps); }

}  // namespace saltus
