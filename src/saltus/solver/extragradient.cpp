#include "saltus/solver/extragradient.hpp"

#include <cmath>

#include "saltus/solver/projected_sweeps.hpp"

namespace saltus {
namespace {

using Vector = std::vector<double>;

void response(const Problem& local, const Vector& r, Vector& w) {
  w = local.b;
  for (int i = 0; i < local.D.outerSize(); ++i)
    for (SparseRows::InnerIterator a(local.D, i); a; ++a) w[i] += a.value() * r[a.col()];
}

}  // namespace

GradientReport extragradient(const Problem& local, int most_iterations, std::span<double> r, const GoodEnough& good_enough) {
  GradientReport report;
  Vector rho, x(r.begin(), r.end()), w, ahead(x.size()), ahead_w;
  prox_steps(local, rho);
  const auto project = [&](const Vector& from, const Vector& force, double t, Vector& out) {
    for (std::size_t k = 0; k < local.blocks.size(); ++k) {
      const Block& block = local.blocks[k];
      block.set->prox(block.parameters, block.dim, from.data() + block.begin, force.data() + block.begin, t * rho[k],
                      block.set_scale, out.data() + block.begin);
    }
  };
  double t = 1.0;
  for (; report.iterations < most_iterations; ++report.iterations) {
    if (report.iterations % 10 == 0) {
      std::copy(x.begin(), x.end(), r.begin());
      if (good_enough(r)) return report;
    }
    response(local, x, w);
    double ratio = 0.0, moved = 0.0;
    for (int halving = 0; halving < 60; ++halving) {
      project(x, w, t, ahead);
      response(local, ahead, ahead_w);
      double force = 0.0;
      moved = 0.0;
      for (std::size_t k = 0; k < local.blocks.size(); ++k)
        for (std::size_t i = local.blocks[k].begin, end = i + local.blocks[k].dim; i < end; ++i) {
          force += rho[k] * (ahead_w[i] - w[i]) * (ahead_w[i] - w[i]);
          moved += (ahead[i] - x[i]) * (ahead[i] - x[i]) / rho[k];
        }
      ratio = moved > 0.0 ? t * std::sqrt(force / moved) : 0.0;
      if (ratio <= 0.7) break;
      t *= std::max(0.1, 0.9 * 0.7 / ratio);
    }
    if (moved == 0.0 || !std::isfinite(moved)) break;
    project(x, ahead_w, t, x);
    if (ratio < 0.3) t *= 1.5;
  }
  if (std::isfinite(x.empty() ? 0.0 : x.front())) std::copy(x.begin(), x.end(), r.begin());
  if (!good_enough(r)) report.cause = "the extragradient method has stalled or spent its iterations";
  return report;
}

}  // namespace saltus
