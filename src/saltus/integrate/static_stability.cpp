#include "saltus/integrate/static_stability.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/contact_stiffness.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {

constexpr int most_velocities = 300;
constexpr double small = 1e-9;       // of the largest multiplier: no force
constexpr double dependent = 1e-9;   // rank decisions, rows scaled to unit length
constexpr double held = 1e-7;        // of a row: no motion along it
constexpr double rounding = 1e-12;   // of the stiffness
constexpr double differences = 1e-6; // of the forces over the model's size: what differences leave of their stiffness
constexpr double symmetric = 1e-4;   // of the reduced stiffness

class Reduced {
 public:
  Reduced(RowProblem& rows, const LawBlocks& blocks, const FoundEquilibrium& found) : s_(rows.assembly().system()), nv_(s_.layout.nv), rows_(rows), blocks_(blocks), found_(found) {}

  int not_held() {
    if (nv_ == 0 || nv_ > most_velocities || !hold()) return 0;
    dense::Matrix N = dense::Matrix::Identity(nv_, nv_);
    if (!H_.empty()) {
      dense::Matrix H(nv_, static_cast<Eigen::Index>(H_.size()) / nv_);
      for (Eigen::Index r = 0; r < H.cols(); ++r) {
        for (int i = 0; i < nv_; ++i) H(i, r) = H_[static_cast<std::size_t>(r) * at(nv_) + at(i)] * weight(i);
        if (const double length = H.col(r).norm(); length > 0.0) H.col(r) /= length;
      }
      const dense::PivotedQr qr = dense::pivoted_qr(H, dependent);
      N = qr.Q.rightCols(nv_ - qr.rank);
    }
    if (N.cols() == 0) return 0;
    std::vector<char> still(at(nv_));
    for (int i = 0; i < nv_; ++i) still[at(i)] = N.row(i).norm() <= dependent;
    const ContactStiffness surfaces = contact_stiffness(rows_.assembly(), found_.t, found_.y, found_.data, wrenches_, still);
    if (!surfaces.missing.empty() || !sticks(surfaces, N)) return 0;
    stiffness(surfaces.entries);
    const dense::Matrix K = dense::product(N.transpose(), dense::product(K_, N));
    const double size = K.cwiseAbs().maxCoeff();
    if (!(size > 0.0) || (K - K.transpose()).cwiseAbs().maxCoeff() > symmetric * size) return 0;
    const double none = rounding * K_.cwiseAbs().maxCoeff() + differences * force_ / (s_.length_scale > 0.0 ? s_.length_scale : 1.0);
    int count = 0;
    for (const double stiff : dense::symmetric_eigenvalues(0.5 * (K + K.transpose()))) count += stiff < -none;
    return count;
  }

 private:
  double weight(int i) const { return (*found_.weight)[at(i)]; }

  /// The rows that hold; false where something slides or has no linear form.
  bool hold() {
    const double* r = found_.multipliers;
    for (const HeldRows& h : found_.held)
      for (int k = 0; k < h.count; ++k) force_ = std::max(force_, std::abs(*r++));
    if (hold(found_.multipliers)) return true;
    std::vector<double> eased(found_.multipliers, r);
    return ease(eased) && hold(eased.data());
  }

  bool hold(const double* r) {
    H_.clear(), wrenches_.clear();
    for (const HeldRows& h : found_.held) {
      if (!hold(h, r, force_)) return false;
      if (blocks_.in_group(h.block)) wrenches_.push_back(wrench_of(rows_.contacts()[at(h.block - rows_.relations())], r));
      r += h.count;
    }
    return true;
  }

  bool hold(const HeldRows& h, const double* r, double largest) {
    const LawRef& law = blocks_.law(h.block);
    const auto keep = [&](int row) {
      const std::vector<double> of = row_of(h, row);
      H_.insert(H_.end(), of.begin(), of.end());
    };
    if (law.type->equality) {
      for (int k = 0; k < h.count; ++k) keep(k);
      return true;
    }
    std::vector<double> force(r, r + h.count);
    for (int k = 0; k < h.count; ++k) force[at(k)] -= h.offset ? h.offset[k] : 0.0;
    if (law.type->unilateral) {
      const bool carries = force[0] > small * largest;
      if (!carries && rows_.value(h.block) > found_.closed) return true;
      keep(0);
      if (!carries) return true;
      for (int k = 1; k < h.count; ++k) {
        const Hold as = hold_of({.type = law.type, .fields = law.fields, .parameters = h.parameters}, k, force);
        if (as == Hold::slides) return false;
        if (as == Hold::holds) keep(k);
      }
      return true;
    }
    if (!h.set->bounds) return false;
    std::vector<double> low(at(h.count)), high(low);
    h.set->bounds(h.parameters, h.count, 1.0, low.data(), high.data());
    for (int k = 0; k < h.count; ++k) {
      const double width = std::isfinite(high[at(k)] - low[at(k)]) ? high[at(k)] - low[at(k)] : largest;
      if (force[at(k)] > low[at(k)] + small * width && force[at(k)] < high[at(k)] - small * width) keep(k);
    }
    return true;
  }

  std::vector<double> row_of(const HeldRows& h, int row) {
    std::vector<double> out(at(nv_ + s_.layout.nx), 0.0);
    rows_.add_row(h.block, row, out.data());
    out.resize(at(nv_));
    return out;
  }

  /// Friction of points that hold one body may strain it up to their bounds: of the multipliers that carry the same, those whose friction is least beside the forces along the normals. False
  /// where it is not in its sets.
  bool ease(std::vector<double>& r) {
    std::vector<std::size_t> places;
    std::vector<double> normal, rows;
    std::size_t first = 0;
    for (const HeldRows& h : found_.held) {
      const LawRef& law = blocks_.law(h.block);
      const double n = r[first] - (h.offset ? h.offset[0] : 0.0);
      for (int k = 1; law.type->unilateral && !h.slides() && n > small * force_ && k < h.count; ++k) {
        const std::vector<double> of = row_of(h, k);
        for (int i = 0; i < nv_; ++i) rows.push_back(of[at(i)] * weight(i) * n);
        places.push_back(first + at(k)), normal.push_back(n);
      }
      first += at(h.count);
    }
    if (places.empty() || places.size() > at(10 * most_velocities)) return false;
    std::vector<double> share(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) share[i] = r[places[i]] / normal[i];
    const std::vector<double> least = least_strain(rows, share);
    if (least.empty()) return false;
    for (std::size_t i = 0; i < places.size(); ++i) r[places[i]] = least[i] * normal[i];
    first = 0;
    for (const HeldRows& h : found_.held) {
      if (blocks_.law(h.block).type->unilateral && h.count > 1 && !in_set(h, r.data() + first)) return false;
      first += at(h.count);
    }
    return true;
  }

  bool in_set(const HeldRows& h, const double* r) const {
    std::vector<double> force(r, r + h.count);
    for (int k = 0; k < h.count; ++k) force[at(k)] -= h.offset ? h.offset[k] : 0.0;
    return holds_friction(*blocks_.law(h.block).type, h.parameters, force, small * force_);
  }

  /// Whether pairs whose points are others beside the state have no motion left between them.
  bool sticks(const ContactStiffness& surfaces, const dense::Matrix& N) const {
    for (const PairMotion& pair : surfaces.stuck)
      for (const std::vector<double>& row : pair.rows) {
        dense::Vector of(nv_);
        for (int i = 0; i < nv_; ++i) of[i] = row[at(i)] * weight(i);
        if ((N.transpose() * of).norm() > held * of.norm()) return false;
      }
    return true;
  }

  /// K_ with all multipliers, displacements scaled by their weights.
  void stiffness(const std::vector<StiffnessEntry>& surfaces) {
    constexpr Seeds by_value{{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    Assembly& assembly = rows_.assembly();
    std::vector<double> A(at(s_.pattern.nonzeros()), 0.0);
    assembly.update(found_.t, found_.y, found_.lambda, found_.data);
    assembly.input_blocks();
    assembly.add_force_matrix(by_value, A.data());
    if (s_.layout.rows > 0) assembly.add_input_matrix(by_value, 1.0, A.data());
    K_ = dense::Matrix::Zero(nv_, nv_);
    for (int i = 0; i < nv_; ++i)
      for (int k = s_.pattern.begin[at(i)]; k < s_.pattern.begin[at(i) + 1]; ++k)
        if (const int j = s_.pattern.column[at(k)]; j < nv_) K_(i, j) = A[at(k)];
    for (const StiffnessEntry& e : surfaces) K_(e.row, e.column) += e.value;
    for (int i = 0; i < nv_; ++i)
      for (int j = 0; j < nv_; ++j) K_(i, j) *= weight(i) * weight(j);
  }

  const System& s_;
  const int nv_;
  RowProblem& rows_;
  const LawBlocks& blocks_;
  const FoundEquilibrium& found_;
  std::vector<double> H_;  // rows that hold, one behind the other
  std::vector<ContactWrench> wrenches_;
  dense::Matrix K_;
  double force_ = 0.0;
};

}  // namespace

int motions_not_held(RowProblem& rows, const LawBlocks& blocks, const FoundEquilibrium& found) { return Reduced(rows, blocks, found).not_held(); }

void tell_unstable(StepReport& report, double t, bool surely) {
  report.events.push_back({t, "unstable_equilibrium", {}, 0.0});
  if (surely)
    report.warnings.push_back({{}, "simulation/scheme", "the equilibrium is unstable: the least push leads away from it", "start nearer to the one that is meant; modes() shows the motion that grows",
                               Severity::warning});
}

}  // namespace saltus
