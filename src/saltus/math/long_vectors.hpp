// Loops over long vectors, compiled for the full width of the machine. No aliasing between output and input unless said.
#pragma once

namespace saltus {

/// out[i] = base[i] + sum over j < count of weights[j] terms[j][i], i < n; count <= 7. Terms of weight 0 are not read.
void add_weighted_sum(int n, const double* base, int count, const double* weights, const double* const* terms, double* out);
/// out[i] = x[i] y[i]; false where a result is not finite.
[[nodiscard]] bool multiply_each(int n, const double* x, const double* y, double* out);
/// No NaN and no infinity among x.
[[nodiscard]] bool finite(const double* x, int n);

}  // namespace saltus
