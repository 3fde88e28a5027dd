#include "saltus/integrate/linear_motion.hpp"

#include <algorithm>

#include "saltus/base/index.hpp"

namespace saltus {

void refuse_nonlinear(const System& s, std::string_view scheme, Faults& faults) {
  const std::string me(scheme), remedy = "use the scheme moreau_jean";
  const auto refuse = [&](const Pool& pool, const std::string& what) {
    const auto first = std::find_if(s.items.begin(), s.items.end(), [&](const ItemPlace& place) { return place.in == &pool; });
    faults.error({}, first == s.items.end() ? "simulation/scheme" : first->section + "/" + first->name, what + ": " + me + " is exact on linear systems with constant coefficients alone", remedy);
  };
  for (const auto& pool : s.objects)
    if (!pool->constant_matrix() || !pool->constant_mass()) refuse(*pool, "is not linear, or varies in time");
  for (const auto& pool : s.forces)
    if (!pool->constant_matrix()) refuse(*pool, "is not linear, or varies in time");
  for (const RelationEntry& e : s.relation_entries)
    if (!pool_of(s, e).traits().linear) faults.error({}, "relations/" + e.name, "is not linear: " + me + " is exact on linear systems with constant coefficients alone", remedy);
  if (s.layout.nz > 0) faults.error({}, "simulation/scheme", me + " does not hold algebraic unknowns, such as potentials", remedy);
  if (!s.map.rotations.empty() || s.layout.nq != s.layout.nv) faults.error({}, "simulation/scheme", me + " does not hold rotations, whose equations are not linear", remedy);
  if (!s.contacts.empty()) faults.error({}, "simulation/scheme", me + " does not find contacts between groups, which are not linear", remedy);
}

LinearMotion::LinearMotion(const System& system, int threads) : s_(system), assembly_(system, threads), masses_(system, assembly_), nv_(system.layout.nv), nx_(system.layout.nx) {
  const Layout& l = system.layout;
  const int n = size(), dynamic = nv_ + nx_;
  for (auto* x : {&force_, &none_}) x->assign(at(l.unknowns()) + 1, 0.0);
  for (auto* x : {&values_, &h_t_}) x->assign(at(l.rows), 0.0);
  square_.assign(at(system.square_count), 0.0);
  std::vector<double> y(at(l.y_size()), 0.0);
  g_ = rates(y.data());
  A_.resize(n, n);
  for (int j = 0; j < n; ++j) {
    y[at(j)] = 1.0;
    A_.col(j) = rates(y.data()) - g_;
    y[at(j)] = 0.0;
  }
  mass_ = dense::Matrix::Zero(nv_, nv_);
  std::vector<double> sparse(system.pattern.nonzeros(), 0.0);
  assembly_.mass(1.0, 1.0, sparse.data());
  for (int i = 0; i < nv_; ++i)
    for (int k = system.pattern.begin[at(i)]; k < system.pattern.begin[at(i + 1)]; ++k)
      if (system.pattern.column[at(k)] < nv_) mass_(i, system.pattern.column[at(k)]) += sparse[at(k)];
  B_ = dense::Matrix::Zero(n, l.rows);
  std::vector<double> lambda(at(l.rows), 0.0), rate(force_.size());
  assembly_.update(0.0, system.initial_y.data(), lambda.data(), system.initial_data.data());
  assembly_.input_blocks();
  for (int r = 0; r < l.rows; ++r) {
    lambda[at(r)] = 1.0;
    std::fill(force_.begin(), force_.end(), 0.0);
    assembly_.add_inputs(lambda.data(), 1.0, force_.data());
    lambda[at(r)] = 0.0;
    (void)masses_.solve(force_.data(), none_.data(), rate.data(), none_.data());
    for (int i = 0; i < dynamic; ++i) B_(nv_ + i, r) = rate[at(i)];
  }
}

dense::Vector LinearMotion::rates(const double* y) {
  assembly_.update(0.0, y, nullptr, s_.initial_data.data());
  assembly_.forces(force_.data());
  std::vector<double> rate(force_.size());
  LinearOutcome out = masses_.factorize(assembly_);
  if (out.ok) out = masses_.solve(force_.data(), none_.data(), rate.data(), none_.data());
  if (!out.ok) throw ModelError("simulation/scheme", out.cause, "give every coordinate a mass");
  dense::Vector w(size());
  for (int i = 0; i < nv_; ++i) w[i] = y[s_.layout.v_begin() + i];
  for (int i = 0; i < nv_ + nx_; ++i) w[nv_ + i] = rate[at(i)];
  return w;
}

void LinearMotion::rows(double t, const double* y, const double* data, dense::Vector& value, dense::Vector& rate, dense::Matrix* D) {
  assembly_.update(t, y, nullptr, data);
  assembly_.input_blocks();
  RowSink sink;
  sink.y = values_.data();
  sink.time_rate = h_t_.data();
  if (D) sink.D = square_.data();
  assembly_.relations(sink);
  value.resize(s_.layout.rows), rate.resize(s_.layout.rows);
  const double* v = y + s_.layout.v_begin();
  if (D) *D = dense::Matrix::Zero(s_.layout.rows, s_.layout.rows);
  for (const RelationEntry& e : s_.relation_entries) {
    const bool written_at_value = pool_of(s_, e).traits().written == Level::value;
    const double* H = assembly_.direction(e);
    const auto columns = columns_of(s_, e);
    for (int r = 0; r < e.rows; ++r) {
      value[e.row + r] = values_[at(e.row + r)];
      double sum = written_at_value ? h_t_[at(e.row + r)] : values_[at(e.row + r)];
      for (int c = 0; c < e.columns && written_at_value; ++c)
        if (columns[at(c)] >= 0 && columns[at(c)] < nv_) sum += H[r * e.columns + c] * v[columns[at(c)]];
      rate[e.row + r] = sum;
      for (int c = 0; D && c < e.rows; ++c) (*D)(e.row + r, e.row + c) = pool_of(s_, e).traits().uses_lambda ? square_[at(e.square_begin + r * e.rows + c)] : 0.0;
    }
  }
}

}  // namespace saltus
