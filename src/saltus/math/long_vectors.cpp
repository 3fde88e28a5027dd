#include "saltus/math/long_vectors.hpp"

#include <algorithm>
#include <array>

namespace saltus {
namespace {
constexpr int lanes = 8;  // sums of their own: the order of additions is fixed, and wide registers fill; fewer numbers need none

template <int Count>
void sum(int n, const double* __restrict base, const double* weights, const double* const* terms, double* __restrict out) {
  std::array<double, Count> w;
  std::array<const double*, Count> k;
  std::copy_n(weights, Count, w.begin());
  std::copy_n(terms, Count, k.begin());
  for (int i = 0; i < n; ++i) {
    double s = w[0] * k[0][i];
    for (int j = 1; j < Count; ++j) s += w[j] * k[j][i];
    out[i] = base[i] + s;
  }
}
/// NaN for NaN and infinity, else 0.
double not_finite(const double* x) { return 0.0 * *x; }
}  // namespace

void add_weighted_sum(int n, const double* base, int count, const double* weights, const double* const* terms, double* out) {
  double w[7];
  const double* k[7];
  int used = 0;
  for (int j = 0; j < count; ++j)
    if (weights[j] != 0.0) w[used] = weights[j], k[used++] = terms[j];
  switch (used) {
    case 0: std::copy_n(base, n, out); break;
    case 1: sum<1>(n, base, w, k, out); break;
    case 2: sum<2>(n, base, w, k, out); break;
    case 3: sum<3>(n, base, w, k, out); break;
    case 4: sum<4>(n, base, w, k, out); break;
    case 5: sum<5>(n, base, w, k, out); break;
    case 6: sum<6>(n, base, w, k, out); break;
    default: sum<7>(n, base, w, k, out);
  }
}

bool multiply_each(int n, const double* __restrict x, const double* __restrict y, double* __restrict out) {
  int i = 0;
  if (n < lanes) {
    double all = 0.0;
    for (; i < n; ++i) out[i] = x[i] * y[i], all += not_finite(out + i);
    return all == 0.0;
  }
  double bad[lanes] = {};
  for (; i + lanes <= n; i += lanes)
    for (int l = 0; l < lanes; ++l) out[i + l] = x[i + l] * y[i + l], bad[l] += not_finite(out + i + l);
  for (; i < n; ++i) out[i] = x[i] * y[i], bad[0] += not_finite(out + i);
  double all = 0.0;
  for (const double b : bad) all += b;
  return all == 0.0;
}

bool finite(const double* x, int n) {
  int i = 0;
  if (n < lanes) {
    double all = 0.0;
    for (; i < n; ++i) all += not_finite(x + i);
    return all == 0.0;
  }
  double bad[lanes] = {};
  for (; i + lanes <= n; i += lanes)
    for (int l = 0; l < lanes; ++l) bad[l] += not_finite(x + i + l);
  for (; i < n; ++i) bad[0] += not_finite(x + i);
  double all = 0.0;
  for (const double b : bad) all += b;
  return all == 0.0;
}

}  // namespace saltus
