// Loops over long vectors, compiled for the full width of the machine. No aliasing between output and input unless said.
#pragma once

namespace saltus {

/// out[i] = base[i] + sum over j < count of weights[j] terms[j][i], i < n; count <= 7. Terms of weight 0 are not read.
void add_weighted_sum(int n, const double* base, int count, const double* weights, const double* const* terms, double* out);
/// out[i] = x[i] y[i]; false where a result is not finite.
[[nodiscard]] bool multiply_each(int n, const double* x, const double* y, double* out);
/// out[i] = a[i] - b[i] - c[i]; `largest` and `terms` grow to the largest weight[i] |out[i]| and weight[i] times the largest of |a[i]|,
/// |b[i]|, |c[i]|. False where a result is not finite.
[[nodiscard]] bool subtract_measured(int n, const double* weight, const double* a, const double* b, const double* c, double* out, double& largest, double& terms);
/// y -= x; `change` and `size` grow to the largest |x[i]| and, after it, |y[i]|.
void subtract_change(int n, const double* x, double* y, double& change, double& size);
/// `size` and `difference` grow to the largest |x[i]| and |x[i] - y[i]|.
void measure_change(int n, const double* x, const double* y, double& size, double& difference);
/// No NaN and no infinity among x.
[[nodiscard]] bool finite(const double* x, int n);

}  // namespace saltus
