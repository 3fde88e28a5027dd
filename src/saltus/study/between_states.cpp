#include "saltus/study/between_states.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrate/circuit.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {
Vec3<double> three(const double* x) { return {{x[0], x[1], x[2]}}; }
Quaternion<double> four(const double* x) { return {{x[0], x[1], x[2], x[3]}}; }
void put(const Vec3<double>& x, double* out) { std::copy(x.data(), x.data() + 3, out); }

constexpr double pi = 3.14159265358979323846;

/// Rotation vector from q0 to q1, of all that differ by whole turns the nearest to `expected`.
Vec3<double> turned(const Quaternion<double>& q0, const Quaternion<double>& q1, const Vec3<double>& expected) {
  const Quaternion<double> back{{q0[0], -q0[1], -q0[2], -q0[3]}};
  const Vec3<double> least = quaternion_log(quaternion_product(back, q1));
  const double angle = norm(least), far = norm(expected);
  if (far <= 0.5 * pi) return least;
  // Of a rotation that is next to none the logarithm has no axis of its own.
  const Vec3<double> axis = angle > 1e-7 ? least * (1.0 / angle) : expected * (1.0 / far);
  const double own = angle > 1e-7 ? angle : dot(axis, least);
  return axis * (own + 2.0 * pi * std::round((dot(expected, axis) - own) / (2.0 * pi)));
}

constexpr double instant = 2e-12;  // of the time: a run goes over the jump of a force in such a step, in which nothing moves
constexpr double agrees = 0.05;  // part of a motion that the two ends may disagree by and still be those of one smooth piece
}  // namespace

BetweenStates::BetweenStates(std::shared_ptr<const System> system, std::string_view scheme, int threads) : system_(std::move(system)), l_(system_->layout), threads_(threads) {
  const Scheme* of = find_scheme(scheme);
  const Rates kind = of ? of->rates() : Rates::averaged;
  exact_rates_ = kind == Rates::exact;
  const auto equality = [](const RelationEntry& e) { return e.law.type->equality; };
  // In a mode of laws that are bounds on multipliers row by row all rows are equations.
  const auto has_modes = [&](const RelationEntry& e) { return e.law.type->set->bounds && e.law.type->memory == 0 && held_form(*system_, e) == RowForm::value; };
  exact_algebraic_ = l_.nz > 0 && system_->contacts.empty() && std::ranges::all_of(system_->relation_entries, [&](const RelationEntry& e) { return equality(e) || has_modes(e); });
  // Where diodes may block the current of a coil, no potentials follow from a current between states.
  exact_algebraic_ = exact_algebraic_ && Circuit(*system_).cut_off_inductor().empty();
  laws_ = exact_algebraic_ && !std::ranges::all_of(system_->relation_entries, equality);
  quintic_ = exact_rates_ || kind == Rates::at_states;
  mean_rates_ = kind == Rates::mean;
  still_ = of && of->is_static();
  const std::size_t nv = l_.nv;
  theta_.resize(nv), moved_.resize(nv), b_.resize(5 * nv), curve_.resize(nv), turns_.resize(nv), tangent_.resize(nv);
  solved_.rates.resize(static_cast<std::size_t>(l_.unknowns()) + 1);
  solved_.y.resize(l_.y_size());
  Assembly assembly(*system_);
  assembly.update(0.0, system_->initial_y.data(), nullptr, system_->initial_data.data());
  const std::vector<double> scale = column_scales(*system_, assembly.kinematics());
  for (std::size_t i = 0; i < nv; ++i) turns_[i] = system_->map.q_of_v[i] < 0 || scale[i] != 1.0;
}

/// theta_ from q0 to q1.
void BetweenStates::tangent(const double* q0, const double* q1) {
  const KinematicMap& map = system_->map;
  for (std::size_t i = 0; i < map.q_of_v.size(); ++i)
    if (const int q = map.q_of_v[i]; q >= 0) theta_[i] = q1[q] - q0[q];
  const double *v0 = from_.y + l_.v_begin(), *v1 = to_.y + l_.v_begin();
  for (const RotationBlock& r : map.rotations)
    put(turned(four(q0 + r.q), four(q1 + r.q), (three(v0 + r.v) + three(v1 + r.v)) * (0.5 * h_)), theta_.data() + r.v);
}

/// Whether both ends can be those of one smooth motion: by the trapezoidal rule, for the way with the accelerations' correction.
bool BetweenStates::believable(int begin, int n) const {
  const double *v0 = from_.y + l_.v_begin(), *v1 = to_.y + l_.v_begin();
  double apart = 0.0, way = 0.0, speed_apart = 0.0, speed = 0.0;
  for (int i = begin; i < begin + n; ++i) {
    const double change = theta_[i], a0 = h_ * from_.a[i], a1 = h_ * to_.a[i], faster = v1[i] - v0[i];
    const double error = change - 0.5 * h_ * (v0[i] + v1[i]) + h_ / 12.0 * (a1 - a0), speed_error = faster - 0.5 * (a0 + a1);
    apart += error * error, speed_apart += speed_error * speed_error;
    way += change * change + h_ * h_ * (v0[i] * v0[i] + v1[i] * v1[i]);
    speed += faster * faster + a0 * a0 + a1 * a1;
  }
  return apart <= agrees * agrees * way && speed_apart <= 25.0 * agrees * agrees * speed;
}

BetweenStates::Curve BetweenStates::curve(int begin, int n) const {
  if (still_) return Curve::line;
  if (instant_) return Curve::cubic;
  const Curve smooth = quintic_ ? Curve::quintic : Curve::cubic;
  switch (piece_) {
    case Piece::smooth: return smooth;
    case Piece::skipped: return believable(begin, n) ? smooth : Curve::line;
    case Piece::sampled: return Curve::sampled;
    case Piece::jump: break;
  }
  // What no impact reached goes on as in the step before.
  const double *v0 = from_.y + l_.v_begin(), *v1 = to_.y + l_.v_begin();
  double apart = 0.0, before = 0.0, change = 0.0, after = 0.0;
  for (int i = begin; i < begin + n; ++i) {
    const double mean = (v1[i] - v0[i]) / h_, beside = mean - (bends() ? 0.5 * (from_.a[i] + to_.a[i]) : from_.a[i]);
    apart += beside * beside, before += from_.a[i] * from_.a[i], change += mean * mean, after += to_.a[i] * to_.a[i];
  }
  return change <= 1e-12 * after || (!after_jump_ && apart <= (bends() ? 1e-4 : 0.25) * before) ? Curve::cubic : Curve::broken;  // the first: it rests
}

double BetweenStates::gained(int i, double s) const { return bends() ? h_ * s * (from_.a[i] + b_[5 * i] + 0.5 * s * (to_.a[i] - from_.a[i])) : 0.0; }
double BetweenStates::bent(int i, double s) const { return bends() ? h_ * h_ * s * s * (0.5 * (from_.a[i] + b_[5 * i]) + s / 6.0 * (to_.a[i] - from_.a[i])) : 0.0; }

/// b_ where velocities jump, the first of five: what contacts that carry add to accelerations, which the states at both ends do not have, by the place at the end. An impact within the step
/// would take far more than what acts anywhere.
void BetweenStates::see_held() {
  if (!bends()) return;
  const double *v0 = from_.y + l_.v_begin(), size = system_->length_scale > 0.0 ? system_->length_scale : 1.0;
  double most = 0.0;  // as speeds of points
  for (int i = 0; i < l_.nv; ++i) most = std::max({most, (turns_[i] ? size : 1.0) * std::abs(from_.a[i]), (turns_[i] ? size : 1.0) * std::abs(to_.a[i])});
  for (int i = 0; i < l_.nv; ++i) {
    if (curve_[i] != Curve::broken) continue;
    const double by = 2.0 * (theta_[i] - h_ * v0[i] - bent(i, 1.0)) / (h_ * h_);
    if (const double adds = std::abs(by) * (turns_[i] ? size : 1.0); adds > 0.01 * most && adds <= 4.0 * most) b_[5 * i] = by;  // less is where the impact was located
  }
}

void BetweenStates::coefficients(int begin, int n, Curve curve, bool rotation) {
  const double *v0 = from_.y + l_.v_begin(), *v1 = to_.y + l_.v_begin();
  double m0[3] = {}, m1[3] = {}, c0[3] = {}, c1[3] = {};
  for (int k = 0; k < n; ++k) {
    const int i = begin + k;
    moved_[i] = (piece_ == Piece::jump || instant_) && curve == Curve::cubic ? theta_[i] - 0.5 * h_ * (v0[i] + v1[i]) : 0.0;
    const double theta = theta_[i] - moved_[i];
    m0[k] = h_ * v0[i] - theta, m1[k] = h_ * v1[i] - theta;
    c0[k] = h_ * h_ * from_.a[i], c1[k] = h_ * h_ * to_.a[i];
  }
  if (rotation) {
    const Vec3<double> theta = three(theta_.data() + begin), first = cross(three(m0), theta), second = cross(three(m1), theta);
    for (int k = 0; k < 3; ++k) c0[k] += first[k], c1[k] += second[k];
  }
  for (int k = 0; k < n; ++k) {
    double* b = b_.data() + 5 * (begin + k);
    std::fill_n(b, 5, 0.0);
    if (curve == Curve::cubic) {
      b[0] = m0[k], b[1] = -2.0 * m0[k] - m1[k], b[2] = m0[k] + m1[k];
    } else if (curve == Curve::quintic) {
      b[0] = m0[k], b[1] = 0.5 * c0[k];
      b[2] = -6.0 * m0[k] - 4.0 * m1[k] - 1.5 * c0[k] + 0.5 * c1[k];
      b[3] = 8.0 * m0[k] + 7.0 * m1[k] + 1.5 * c0[k] - c1[k];
      b[4] = -3.0 * (m0[k] + m1[k]) - 0.5 * (c0[k] - c1[k]);
    } else if (curve == Curve::sampled) {  // what is known without the rates at the end
      b[0] = m0[k], b[1] = 0.5 * c0[k], b[2] = -m0[k] - 0.5 * c0[k];
    }
    curve_[begin + k] = curve;
  }
}

void BetweenStates::set(const RecordedState& from, const RecordedState& to, Piece piece, bool after_jump) {
  from_ = from, to_ = to, piece_ = piece, after_jump_ = after_jump;
  h_ = to.t - from.t;
  instant_ = h_ <= instant * std::abs(to.t);
  jump_.reset();
  rates_seen_ = false, ends_.first.clear(), ends_.last.clear();
  if (!(h_ > 0.0)) return;
  tangent(from.y, to.y);
  const KinematicMap& map = system_->map;
  for (int i = 0; i < l_.nv; ++i)
    if (map.q_of_v[i] >= 0) coefficients(i, 1, curve(i, 1), false);
  for (const RotationBlock& r : map.rotations) coefficients(r.v, 3, curve(r.v, 3), true);
  if (piece != Piece::jump) return;
  see_held();
  // q1 = q0 (+) (the motion without the impulse, and what that changes, (1 - s) h times): where it stands in the step, by all that it reached.
  const double *v0 = from.y + l_.v_begin(), *v1 = to.y + l_.v_begin();
  double over = 0.0, under = 0.0;
  for (int i = 0; i < l_.nv; ++i)
    if (curve_[i] == Curve::broken) {
      const double change = h_ * (v1[i] - v0[i] - gained(i, 1.0));
      over += change * (theta_[i] - h_ * v0[i] - bent(i, 1.0)), under += change * change;
    }
  if (!(under > 0.0)) return;
  split_ = std::clamp(1.0 - over / under, 1e-9, 1.0 - 1e-9);  // the states themselves are on the sides that they are on
  jump_ = from.t + split_ * h_;
}

double BetweenStates::turn() const {
  double most = 0.0;
  if (!(h_ > 0.0)) return most;
  for (int i = 0; i < l_.nv; ++i)
    if (turns_[i]) most = std::max(most, std::abs(theta_[i]));
  return most;
}

void BetweenStates::first_order(double s, double* x, double* xdot) {
  const double *x0 = from_.y + l_.x_begin(), *x1 = to_.y + l_.x_begin(), *rate0 = from_.xdot, *rate1 = to_.xdot;
  if (mean_rates_) {
    if (!rates_seen_ && exact_algebraic_ && l_.nx > 0 && h_ > 0.0) see_rates();
    rate0 = ends_.first.empty() ? nullptr : ends_.first.data(), rate1 = ends_.last.empty() ? nullptr : ends_.last.data();
  }
  const bool rates = rate0 && rate1;
  for (int i = 0; i < l_.nx; ++i) {
    const double change = x1[i] - x0[i];
    double m0 = 0.0, m1 = 0.0;
    if (rates) m0 = h_ * rate0[i] - change, m1 = h_ * rate1[i] - change;
    if (piece_ == Piece::sampled) m1 = -m0;
    // Of schemes that start anew behind a break of a formula the state there has the rate ahead: the one that fits holds.
    if (piece_ == Piece::smooth && !quintic_ && std::abs(m0 + m1) > 2.0 * agrees * (std::abs(change) + std::abs(m0) + std::abs(m1))) {
      if (std::abs(m0) < std::abs(m1)) m1 = -m0;
      else m0 = -m1;
    }
    if (piece_ == Piece::skipped && std::abs(m0 + m1) > 2.0 * agrees * (std::abs(change) + std::abs(m0) + std::abs(m1))) m0 = m1 = 0.0;
    x[i] = x0[i] + s * (change + (1.0 - s) * (m0 * (1.0 - s) - m1 * s));
    if (xdot) xdot[i] = (change + m0 * (1.0 - s) * (1.0 - 3.0 * s) + m1 * s * (3.0 * s - 2.0)) / h_;
  }
}

void BetweenStates::evaluate(double t, bool before, bool rates, const StateOutput& out) {
  const KinematicMap& map = system_->map;
  const double s = h_ > 0.0 ? (t - from_.t) / h_ : 0.0;
  const bool left = jump_ && (before ? t <= *jump_ : t < *jump_);
  const double *v0 = from_.y + l_.v_begin(), *v1 = to_.y + l_.v_begin();
  double* v = out.y + l_.v_begin();
  // tangent_: s theta + phi, of what is broken the place on the first or the second line.
  const auto place = [&](int i, double& phi, double& rate) {
    const double theta = theta_[i], *b = b_.data() + 5 * i;
    if (curve_[i] == Curve::broken) {
      const auto behind = [&](double at) { return (1.0 - at) * (h_ * (v1[i] - gained(i, 1.0))) + bent(i, 1.0) - bent(i, at); };  // the way from there to the end
      const double rest = theta - split_ * h_ * v0[i] - bent(i, split_) - behind(split_);  // 0 but for projections
      phi = left ? s * (h_ * v0[i] + rest) + bent(i, s) : theta - behind(s) - (1.0 - s) * rest;
      rate = left ? v0[i] + gained(i, s) : v1[i] - gained(i, 1.0) + gained(i, s);
    } else {
      phi = s * (b[0] + s * (b[1] + s * (b[2] + s * (b[3] + s * b[4]))));
      rate = (b[0] + s * (2.0 * b[1] + s * (3.0 * b[2] + s * (4.0 * b[3] + s * 5.0 * b[4])))) / h_;
    }
  };
  for (int i = 0; i < l_.nv; ++i) {
    const int q = map.q_of_v[i];
    if (q < 0) continue;
    double phi = 0.0, rate = 0.0;
    place(i, phi, rate);
    const bool broken = curve_[i] == Curve::broken;
    const double theta = theta_[i];
    out.y[q] = from_.y[q] + (broken ? phi : s * theta + phi);
    v[i] = broken ? rate : (theta - moved_[i]) / h_ + rate;
  }
  for (const RotationBlock& r : map.rotations) {
    Vec3<double> phi, rate;
    for (int k = 0; k < 3; ++k) place(r.v + k, phi[k], rate[k]);
    const Vec3<double> theta = three(theta_.data() + r.v);
    const Quaternion<double> q0 = four(from_.y + r.q);
    Quaternion<double> q;
    if (curve_[r.v] == Curve::broken) {
      q = quaternion_product(q0, quaternion_exp(phi));
      put(rate, v + r.v);
    } else {
      q = quaternion_product(q0, quaternion_product(quaternion_exp(theta * s), quaternion_exp(phi)));
      put(transposed_times(rotation_exp(phi), (theta - three(moved_.data() + r.v)) * (1.0 / h_)) + rotation_tangent(phi) * rate, v + r.v);
    }
    q = normalized(q);
    std::copy(q.data(), q.data() + 4, out.y + r.q);
  }
  if (still_) std::fill_n(v, l_.nv, 0.0);
  if (piece_ == Piece::skipped && !still_ && (s <= 0.0 || s >= 1.0))  // the states themselves have their own velocities, not the mean between them
    for (int i = 0; i < l_.nv; ++i)
      if (curve_[i] == Curve::line) v[i] = (s <= 0.0 ? v0 : v1)[i];
  first_order(s, out.y + l_.x_begin(), out.xdot);
  const auto line = [&](const double* x0, const double* x1, int n, double* x) {
    for (int i = 0; i < n; ++i) x[i] = piece_ == Piece::sampled ? x0[i] : x0[i] + s * (x1[i] - x0[i]);
  };
  line(from_.y + l_.z_begin(), to_.y + l_.z_begin(), l_.nz, out.y + l_.z_begin());
  out.y[l_.ground_value()] = 0.0;
  line(from_.a, to_.a, l_.nv, out.a);
  line(from_.lambda, to_.lambda, l_.rows, out.lambda);
  const double* data = piece_ == Piece::skipped && s > 0.5 ? to_.data : from_.data;
  std::copy(data, data + l_.nd, out.data);
  forces_of_groups(s, out.data);
  if (!rates || !(exact_rates_ || exact_algebraic_)) return;
  if (!accelerations_) accelerations_ = std::make_unique<Accelerations>(*system_, threads_);
  if (laws_) return in_a_mode(t, s, out);
  std::copy(out.y, out.y + l_.y_size(), solved_.y.begin());
  solved_.lambda.assign(out.lambda, out.lambda + l_.rows);
  if (const LinearOutcome solved = accelerations_->solve(t, solved_.y.data(), out.data, solved_.lambda.data(), solved_.rates.data()); !solved.ok) return;
  std::copy(solved_.y.begin() + l_.z_begin(), solved_.y.begin() + l_.z_begin() + l_.nz, out.y + l_.z_begin());
  if (!exact_rates_) return;
  std::copy(solved_.rates.begin(), solved_.rates.begin() + l_.nv, out.a);
  if (out.xdot) std::copy(solved_.rates.begin() + l_.nv, solved_.rates.begin() + l_.nv + l_.nx, out.xdot);
  std::copy(solved_.lambda.begin(), solved_.lambda.end(), out.lambda);
}

/// Lines, as multipliers; what holds an impact is a mean over its step.
void BetweenStates::forces_of_groups(double s, double* data) const {
  const bool mean = after_jump_ || piece_ == Piece::jump;
  const auto sum = [&](int begin) {
    for (int i = begin; i < begin + 3; ++i) data[i] = mean ? to_.data[i] : piece_ == Piece::sampled ? from_.data[i] : from_.data[i] + s * (to_.data[i] - from_.data[i]);
    data[begin + 3] = to_.data[begin + 3];
  };
  for (const ContactGroup& g : system_->contacts.groups) sum(g.data);
  for (const ContactForce& f : system_->contacts.forces) sum(f.data);
}

/// solved_: the equations at t and y, in the mode of laws that `mode` has. False: it does not fit there.
bool BetweenStates::solve_in_mode(double t, const double* y, const double* data, const RecordedState& mode) {
  constexpr double small = 1e-7;  // of the largest: what is at a bound
  std::vector<char> held(l_.rows, 1);
  std::vector<double> low(held.size()), high(held.size());
  double largest = 0.0;
  for (const RecordedState* state : {&from_, &to_})
    for (int r = 0; r < l_.rows; ++r) largest = std::max(largest, std::abs(state->lambda[r]));
  const double at_bound = small * largest;
  std::copy(y, y + l_.y_size(), solved_.y.begin());
  std::copy(mode.y + l_.z_begin(), mode.y + l_.z_begin() + l_.nz, solved_.y.begin() + l_.z_begin());
  solved_.lambda.assign(mode.lambda, mode.lambda + l_.rows);
  const auto each_row = [&](const auto& work) {
    for (const RelationEntry& e : system_->relation_entries)
      for (int r = e.row; r < e.row + e.rows && !e.law.type->equality; ++r) work(r);
  };
  for (const RelationEntry& e : system_->relation_entries)
    if (!e.law.type->equality) e.law.type->set->bounds(e.law.parameters, e.rows, 1.0, low.data() + e.row, high.data() + e.row);
  each_row([&](int r) {
    held[r] = solved_.lambda[r] > low[r] + at_bound && solved_.lambda[r] < high[r] - at_bound;
    if (!held[r]) solved_.lambda[r] = solved_.lambda[r] < high[r] - at_bound ? low[r] : high[r];
  });
  if (laws_) accelerations_->hold(held);
  if (!accelerations_->solve(t, solved_.y.data(), data, solved_.lambda.data(), solved_.rates.data()).ok) return false;
  double unit = 0.0;
  for (int i = 0; i < l_.nz; ++i) unit = std::max(unit, std::abs(solved_.y[l_.z_begin() + i]));
  bool fits = true;
  const std::vector<double>& values = accelerations_->values();
  each_row([&](int r) {
    const double lambda = solved_.lambda[r];
    if (held[r]) fits &= lambda >= low[r] - at_bound && lambda <= high[r] + at_bound;
    else fits &= (lambda > low[r] || values[r] >= -small * unit) && (lambda < high[r] || values[r] <= small * unit);
  });
  return fits && keeps_states(t, data);
}

/// Whether x stands where algebraic equations that hold no algebraic unknown want it in the solution found last: a mode that joins capacitors at different voltages is none.
bool BetweenStates::keeps_states(double t, const double* data) {
  constexpr double share = 1e-2;  // of the states: far more than a curve is off
  if (!accelerations_->differentiates()) return true;
  std::vector<double> y = solved_.y, lambda = solved_.lambda;
  accelerations_->close_algebraic(t, y.data(), data, lambda.data());
  for (int i = l_.x_begin(); i < l_.x_begin() + l_.nx; ++i)
    if (std::abs(y[i] - solved_.y[i]) > share * std::max(std::abs(from_.y[i]), std::abs(to_.y[i]))) return false;
  return true;
}

/// z, and multipliers that it reads, by the equations in the mode of laws that the nearer state has, or the other; what neither fits stays as it is.
void BetweenStates::in_a_mode(double t, double s, const StateOutput& out) {
  for (const RecordedState* state : {s < 0.5 ? &from_ : &to_, s < 0.5 ? &to_ : &from_}) {
    if (!solve_in_mode(t, out.y, out.data, *state)) continue;
    std::copy(solved_.y.begin() + l_.z_begin(), solved_.y.begin() + l_.z_begin() + l_.nz, out.y + l_.z_begin());
    for (const RelationEntry& e : system_->relation_entries)
      if (held_form(*system_, e) == RowForm::value) std::copy_n(solved_.lambda.begin() + e.row, e.rows, out.lambda + e.row);
    return;
  }
}

/// Rates of x at both ends of a step of a scheme that has their mean alone: by the equations, in the mode of laws of the step, which its end has. Inside, for formulas of time may jump at the end.
void BetweenStates::see_rates() {
  constexpr double inside = 1e-3;  // of the step
  rates_seen_ = true;
  const std::size_t nx = l_.nx;
  if (!accelerations_) accelerations_ = std::make_unique<Accelerations>(*system_, threads_);
  for (const bool end : {false, true}) {
    const RecordedState& state = end ? to_ : from_;
    std::vector<double>& rates = end ? ends_.last : ends_.first;
    rates.clear();
    if (!solve_in_mode(end ? to_.t - inside * h_ : from_.t, state.y, from_.data, to_)) return;
    rates.assign(solved_.rates.begin() + l_.nv, solved_.rates.begin() + l_.nv + static_cast<std::ptrdiff_t>(nx));
  }
}

double BetweenStates::distance(const RecordedState& state) {
  std::vector<double> y(l_.y_size()), a(l_.nv), lambda(l_.rows), data(l_.nd);
  evaluate(state.t, false, false, {y.data(), a.data(), nullptr, lambda.data(), data.data()});
  system_->map.difference(y.data(), state.y, tangent_.data());
  const double size = system_->length_scale > 0.0 ? system_->length_scale : 1.0;
  double most = 0.0;
  for (int i = 0; i < l_.nv; ++i) most = std::max(most, std::abs(tangent_[i]) / (turns_[i] ? 1.0 : size));
  return most;
}

}  // namespace saltus
