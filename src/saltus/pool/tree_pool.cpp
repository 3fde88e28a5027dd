#include "saltus/pool/tree_pool.hpp"

#include <algorithm>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

Vec3<double> part(const Vec6<double>& x, int first) { return {{x[first], x[first + 1], x[first + 2]}}; }

/// Where the joints of a tree stand, by coordinate.
struct Stands {
  const double* y;
  const Endpoint* e;
  double operator()(int c) const { return y[e[c].coordinate.value]; }
  Mat3<double> rotation(int c) const { return rotation_at(y + e[c].coordinate.value); }
};

}  // namespace

void TreePool::add(Tree tree, const Endpoint& base, std::span<const Endpoint> coordinates) {
  trees_.push_back(std::move(tree));
  ends_.push_back(base);
  ends_.insert(ends_.end(), coordinates.begin(), coordinates.end());
  begin_.push_back(count_of(ends_));
}

void TreePool::columns(const Kinematics& k, int i, std::vector<int>& out) const {
  const std::size_t first = out.size();
  out.resize(first + FramePort::columns(k, &base(i), nullptr));
  FramePort::columns(k, &base(i), out.data() + first);
  for (int c = 0; c < trees_[i].coordinates(); ++c) out.push_back(joints(i)[c].coordinate.dof);
}

void TreePool::add_pattern(const Kinematics& k, int i, CsrBuilder& builder) const {
  std::vector<int> of_base(FramePort::columns(k, &base(i), nullptr));
  FramePort::columns(k, &base(i), of_base.data());
  builder.add_block(of_base, of_base);
  const Tree& t = trees_[i];
  for (int c = 0; c < t.coordinates(); ++c) {
    std::vector<int> way = of_base;
    for (int on = t.carrier[c]; on >= 0; on = t.carrier[on]) way.push_back(joints(i)[on].coordinate.dof);
    const int own = joints(i)[c].coordinate.dof;
    builder.add_block(way, std::span(&own, 1));
    way.push_back(own);
    builder.add_block(std::span(&own, 1), way);
  }
}

/// Entry(r, c) of numbers below base_columns: of the base; from there on of coordinates.
template <class Entry>
void TreePool::write_blocks(int i, int base_columns, const Entry& entry, double* out) const {
  const Tree& t = trees_[i];
  for (int r = 0; r < base_columns; ++r)
    for (int c = 0; c < base_columns; ++c) *out++ = entry(r, c);
  for (int c = 0; c < t.coordinates(); ++c) {
    const int own = base_columns + c;
    const auto way = [&](const auto& one) {
      for (int b = 0; b < base_columns; ++b) one(b);
      for (int on = t.carrier[c]; on >= 0; on = t.carrier[on]) one(base_columns + on);
    };
    way([&](int on) { *out++ = entry(on, own); });
    way([&](int on) { *out++ = entry(own, on); });
    *out++ = entry(own, own);
  }
}

void TreePool::place(FrameUse& use) {
  biased_ = false;
  for (int i = 0; i < size(); ++i) {
    const int m = base(i).marker;
    use.whole[m] = 1;
    biased_ = biased_ || use.biased[m];
  }
}

tree::Motion* TreePool::motions(const Kinematics& k, int i) const {
  const Frame<double>& f = k.frames[base(i).marker];
  const Endpoint* e = joints(i);
  return tree::motions(trees_[i], f.R, f.R * f.w, Stands{k.y, e}, [&](int c) { return k.y[e[c].coordinate.rate]; });
}

tree::Base TreePool::moves(const Kinematics& k, int i) const {
  const int m = base(i).marker;
  const Frame<double>& f = k.frames[m];
  tree::Base out{f.R, f.R * f.w, {}};
  if (biased_) out.acceleration = {part(k.bias[m], 0), f.R * part(k.bias[m], 3)};
  return out;
}

void TreePool::evaluate(const Kinematics& k, int i, const double* acceleration, double* out) const {
  const tree::Base base = moves(k, i);
  const tree::Wrench on_base = tree::inverse_dynamics(trees_[i], motions(k, i), base, [&](int c) { return acceleration ? acceleration[c] : 0.0; }, k.gravity, [&](int c, double x) { out[c] = x; });
  const Vec3<double> moment = transposed_times(base.R, on_base.moment);
  double* to = out + trees_[i].coordinates();
  std::copy_n(on_base.force.data(), 3, to), std::copy_n(moment.data(), 3, to + 3);
}

void TreePool::inverse_dynamics(const Kinematics& k, int i, const double* acceleration, double* force) const {
  std::vector<double> all(trees_[i].coordinates() + 6);
  evaluate(k, i, acceleration, all.data());
  std::copy_n(all.begin(), trees_[i].coordinates(), force);
}

void TreePool::scatter(int i, const double* f, const ForceSink& sink) const {
  const int n = trees_[i].coordinates();
  for (int c = 0; c < n; ++c) sink.force[joints(i)[c].coordinate.dof] -= f[c];
  for (int r = 0; r < 6; ++r) sink.wrench[base(i).marker][r] -= f[n + r];
}

void TreePool::add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const {
  in_item_order(size(), parallel(), scratch, threads, [&](int i) { return begin_[i] + 5 * i; },  // coordinates and six of the base, which is one end
                [&](int begin, int end, double* out) {
                  for (int i = begin; i < end; out += trees_[i].coordinates() + 6, ++i) evaluate(k, i, nullptr, out);
                },
                [&](int begin, int end, const double* f) {
                  for (int i = begin; i < end; f += trees_[i].coordinates() + 6, ++i) scatter(i, f, sink);
                });
}

void TreePool::add_item_force(const Kinematics& k, int i, const ForceSink& sink) const {
  std::vector<double> f(trees_[i].coordinates() + 6);
  evaluate(k, i, nullptr, f.data());
  scatter(i, f.data(), sink);
}

void TreePool::add_mass(const Kinematics& k, double scale, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const {
  blocks_in_item_order(size(), parallel(), scratch, threads, to, scale, [&](int begin, int end, double* out) {
    for (int i = begin; i < end; out += to.begin[i + 1] - to.begin[i], ++i) mass_block(k, i, out);
  });
}

void TreePool::mass_block(const Kinematics& k, int i, double* out) const {
  const Tree& t = trees_[i];
  const int n = t.coordinates(), m = base(i).marker, nb = FramePort::columns(k, &base(i), nullptr), size = nb + n;
  const Mat3<double>& R = k.frames[m].R;
  const double* J = k.jacobian + 6 * k.column_begin[m];
  double* M = tree::scratch<double>(size * size);
  const auto both = [&](int r, int c, double x) { M[r * size + c] = M[c * size + r] = x; };
  const LinkInertia whole = tree::composite_inertias(t, motions(k, i), [&](int r, int c, double x) { both(nb + r, nb + c, x); }, [&](int c, const tree::Wrench& p) {
    const Vec3<double> moment = transposed_times(R, p.moment);
    for (int b = 0; b < nb; ++b) {
      double x = 0.0;
      for (int r = 0; r < 3; ++r) x += J[r * nb + b] * p.force[r] + J[(3 + r) * nb + b] * moment[r];
      both(b, nb + c, x);
    }
  });
  if (nb > 0) {  // J^T [m, -[h]x R; R^T [h]x, R^T J R] J
    const Mat3<double> coupling = skew(whole.h) * R * -1.0, inertia = transposed_times(R, whole.J * R);
    detail::RowBuffer<6> IJ(nb);
    double* rows = IJ;
    for (int b = 0; b < nb; ++b)
      for (int r = 0; r < 3; ++r) {
        rows[r * nb + b] = whole.m * J[r * nb + b];
        for (int s = 0; s < 3; ++s) rows[r * nb + b] += coupling(r, s) * J[(3 + s) * nb + b], rows[(3 + r) * nb + b] += coupling(s, r) * J[s * nb + b] + inertia(r, s) * J[(3 + s) * nb + b];
      }
    for (int r = 0; r < nb; ++r)
      for (int c = 0; c < nb; ++c) {
        double x = 0.0;
        for (int s = 0; s < 6; ++s) x += J[s * nb + r] * rows[s * nb + c];
        M[r * size + c] = x;
      }
  }
  write_blocks(i, nb, [&](int r, int c) { return M[r * size + c]; }, out);
}

/// -dF/dxi. Of the base: J^T K J, and what its J and the rates of its frame owe to q.
void TreePool::force_block(const Kinematics& k, const Seeds& seeds, int i, double* out) const {
  const int n = trees_[i].coordinates(), nb = FramePort::columns(k, &base(i), nullptr), tangent = nb > 0 ? 6 : 0, T = tangent + n, size = nb + n;
  double* K = tree::scratch<double, 0>(T * T);
  double* whole = tree::scratch<double, 1>(size * size);
  std::fill_n(whole, size * size, 0.0);
  tree::differentiate(trees_[i], motions(k, i), moves(k, i), k.gravity, seeds.value[0], seeds.rate[0], tangent > 0, K);
  for (int r = 0; r < n; ++r) std::copy_n(K + (tangent + r) * T + tangent, n, whole + (nb + r) * size + nb);
  if (nb > 0) add_base(k, seeds, i, K, whole);
  write_blocks(i, nb, [&](int r, int c) { return whole[r * size + c]; }, out);
}

void TreePool::add_base(const Kinematics& k, const Seeds& seeds, int i, double* K, double* whole) const {
  const Endpoint& b = base(i);
  const int n = trees_[i].coordinates(), nb = FramePort::columns(k, &b, nullptr), T = 6 + n, size = nb + n;
  const Frame<double>& f = k.frames[b.marker];
  const double* J = k.jacobian + 6 * k.column_begin[b.marker];
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < nb; ++c)
      if (J[r * nb + c] != 0.0) add_row(J[r * nb + c], K + r * T + 6, n, whole + c * size + nb);
  const auto add_columns = [&](const double* right, double factor) {  // [J 0; 0 1]^T K [right; 0]
    for (int r = 0; r < T; ++r) {
      detail::RowBuffer<1> row(nb);
      for (int s = 0; s < 6; ++s) add_row(factor * K[r * T + s], right + s * nb, nb, row);
      if (r >= 6) add_row(1.0, row, nb, whole + (nb + r - 6) * size);
      else
        for (int c = 0; c < nb; ++c) add_row(J[r * nb + c], row, nb, whole + c * size);
    }
  };
  add_columns(J, 1.0);
  if (seeds.value[0] == 0.0) return;
  double* wrench = tree::scratch<double, 2>(n + 6);
  evaluate(k, i, nullptr, wrench);
  Vec6<double> on_base;
  for (int r = 0; r < 6; ++r) on_base[r] = seeds.value[0] * wrench[n + r];
  FramePort::geometric(k, &b, f, on_base.data(), whole, size, 0);
  detail::RowBuffer<6> V(nb);
  if (!FramePort::rate_jacobian(k, &b, f, V, nb, 0)) return;
  tree::differentiate(trees_[i], motions(k, i), moves(k, i), k.gravity, 0.0, 1.0, true, K);
  add_columns(V, seeds.value[0]);
}

void TreePool::add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads, const BlockSlots& to) const {
  blocks_in_item_order(size(), parallel(), scratch, threads, to, 1.0, [&](int begin, int end, double* out) {
    for (int i = begin; i < end; out += to.begin[i + 1] - to.begin[i], ++i) force_block(k, seeds, i, out);
  });
}

double TreePool::item_kinetic_energy(const Kinematics& k, int i) const { return tree::kinetic_energy(trees_[i], motions(k, i), k.frames[base(i).marker]); }

double TreePool::item_potential_energy(const Kinematics& k, int i) const {
  return tree::potential_energy(trees_[i], motions(k, i), k.frames[base(i).marker], k.gravity);
}

void TreePool::add_item_momentum(const Kinematics& k, int i, const ForceSink& sink) const {
  const Frame<double>& f = k.frames[base(i).marker];
  const tree::Wrench p = tree::momentum(trees_[i], motions(k, i), f);
  detail::add_wrench(sink.wrench[base(i).marker], p.force, transposed_times(f.R, p.moment));
}

bool TreePool::solves_mass(const Kinematics& k) const {
  for (int i = 0; i < size(); ++i)
    if (FramePort::columns(k, &base(i), nullptr) > 0) return false;
  return true;
}

int TreePool::solve_mass(const Kinematics& k, const double* force, double* acceleration) const {
  for (int i = 0; i < size(); ++i) {
    const int n = trees_[i].coordinates();
    const Endpoint* e = joints(i);
    double *f = tree::scratch<double, 0>(n), *a = tree::scratch<double, 1>(n);
    for (int c = 0; c < n; ++c) f[c] = force[e[c].coordinate.dof];
    if (const int link = tree::solve_mass(trees_[i], motions(k, i), f, a); link >= 0) return e[trees_[i].links[link].coordinate].coordinate.dof;
    for (int c = 0; c < n; ++c) acceleration[e[c].coordinate.dof] = a[c];
  }
  return -1;
}

}  // namespace saltus
