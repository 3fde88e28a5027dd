#include "saltus/math/long_vectors.hpp"

#include <algorithm>
#include <array>

#include "saltus/math/packs.hpp"

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
/// one(i, x) with x a pack of four or, at the end, a number, for all i < n.
template <class F>
[[gnu::always_inline]] inline void in_packs(int n, const F& one) {
  int i = 0;
  for (; i + 4 <= n; i += 4) one(i, FourDoubles{});
  for (; i < n; ++i) one(i, 0.0);
}
template <class X>
inline X magnitude(const X& x) { return x < 0.0 ? -x : x; }
template <class X>
inline X larger(const X& x, const X& y) { return x > y ? x : y; }
/// The largest of what is taken; NaN is none.
struct Largest {
  FourDoubles pack{};
  double most = 0.0;
  void take(const FourDoubles& x) { pack = larger(x, pack); }
  void take(double x) { most = larger(x, most); }
  double with(double other) const { return larger(larger(larger(pack[0], pack[1]), larger(pack[2], pack[3])), larger(most, other)); }
};
/// 0 times everything that is taken: NaN where something was not finite.
struct Finite {
  FourDoubles pack{};
  double rest = 0.0;
  void take(const FourDoubles& x) { pack += 0.0 * x; }
  void take(double x) { rest += 0.0 * x; }
  explicit operator bool() const { return (pack[0] + pack[1]) + (pack[2] + pack[3]) + rest == 0.0; }
};
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

bool subtract_measured(int n, const double* weight, const double* a, const double* b, const double* c, double* out, double& largest, double& terms) {
  Largest of_out, of_terms;
  Finite all;
  in_packs(n, [&]<class X>(int i, const X&) {
    const X x = load<X>(a + i), y = load<X>(b + i), z = load<X>(c + i), w = load<X>(weight + i), r = x - y - z;
    store(r, out + i);
    all.take(r);
    of_out.take(w * magnitude(r));
    of_terms.take(w * larger(larger(magnitude(x), magnitude(y)), magnitude(z)));
  });
  largest = of_out.with(largest), terms = of_terms.with(terms);
  return static_cast<bool>(all);
}

void subtract_change(int n, const double* x, double* y, double& change, double& size) {
  Largest of_x, of_y;
  in_packs(n, [&]<class X>(int i, const X&) {
    const X by = load<X>(x + i), now = load<X>(y + i) - by;
    store(now, y + i);
    of_x.take(magnitude(by));
    of_y.take(magnitude(now));
  });
  change = of_x.with(change), size = of_y.with(size);
}

void measure_change(int n, const double* x, const double* y, double& size, double& difference) {
  Largest of_x, of_difference;
  in_packs(n, [&]<class X>(int i, const X&) {
    const X now = load<X>(x + i);
    of_x.take(magnitude(now));
    of_difference.take(magnitude(now - load<X>(y + i)));
  });
  size = of_x.with(size), difference = of_difference.with(difference);
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
