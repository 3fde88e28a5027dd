#include "saltus/solver/friction/anderson.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "saltus/math/packs.hpp"

namespace saltus::friction {
namespace {

using Part = Eigen::Map<Eigen::VectorXd>;
Part part(double* x, int first, int last) { return {x + 3 * first, 3 * (last - first)}; }
using Column = Eigen::Map<Eigen::VectorXf>;
Column part(float* x, int first, int last) { return {x + 3 * first, 3 * (last - first)}; }

constexpr int tile = 1024;  // entries that stay in the cache while all columns pass

// Four entries of a column.
FourDoubles load_column(const float* x) {
  using FourFloats [[gnu::vector_size(16)]] = float;
  FourFloats four;
  std::memcpy(&four, x, sizeof four);
  return __builtin_convertvector(four, FourDoubles);
}

// a . b and b . c.
void products(const float* a, const float* b, const double* c, Eigen::Index n, double& ab, double& bc) {
  FourDoubles first = {}, second = {};
  Eigen::Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const FourDoubles four = load_column(b + i);
    first += load_column(a + i) * four, second += four * load<FourDoubles>(c + i);
  }
  ab = (first[0] + first[1]) + (first[2] + first[3]), bc = (second[0] + second[1]) + (second[2] + second[3]);
  for (; i < n; ++i) ab += static_cast<double>(a[i]) * b[i], bc += b[i] * c[i];
}

}  // namespace

Anderson::Anderson(std::size_t size)
    : last_image_(size), last_change_(size), best_(size), differences_(memory * size), images_(memory * size) {
  forget();
}

void Anderson::forget() {
  columns_ = head_ = 0, have_last_ = false;
  best_size_ = std::numeric_limits<double>::infinity();
}

void Anderson::advance(std::vector<double>& t, std::vector<double>& image, const ContactLoops& loops) {
  const std::size_t n = t.size();
  const auto [squared] = loops.sums<1>([&](int first, int last, double* out) {
    out[0] = (part(image.data(), first, last) - part(t.data(), first, last)).squaredNorm();
  });
  const double size = std::sqrt(squared);
  flops_ += 4 * static_cast<std::int64_t>(n);
  if (size > 2.0 * best_size_ || !std::isfinite(size)) {
    t = best_;
    forget();
    good_ = 0;
    plain_ = 10 << penalty_;
    penalty_ = std::min(penalty_ + 1, 6);
    return;
  }
  if (size < best_size_) best_size_ = size, best_ = image;
  if (++good_ % 40 == 0 && penalty_ > 0) --penalty_;
  if (plain_ > 0) --plain_;
  if (have_last_ && plain_ == 0) {
    const int k = head_;
    head_ = (head_ + 1) % memory;
    columns_ = std::min(columns_ + 1, memory);
    // dF_j . dF_k, then dF_j . f: one pass over the memory.
    const auto sums = loops.sums<2 * memory>([&](int first, int last, double* out) {
      auto change = part(last_change_.data(), first, last);
      auto dF = part(differences_.data() + k * n, first, last);
      dF = (part(image.data(), first, last) - part(t.data(), first, last) - change).cast<float>();
      change = part(image.data(), first, last) - part(t.data(), first, last);
      part(images_.data() + k * n, first, last) = (part(image.data(), first, last) - part(last_image_.data(), first, last)).cast<float>();
      for (int j = 0; j < columns_; ++j) {
        const auto column = part(differences_.data() + j * n, first, last);
        products(dF.data(), column.data(), change.data(), column.size(), out[j], out[memory + j]);
      }
    });
    Eigen::Matrix<double, memory, memory> A = Eigen::Matrix<double, memory, memory>::Identity();
    Eigen::Matrix<double, memory, 1> f = Eigen::Matrix<double, memory, 1>::Zero();
    double trace = 0.0;
    for (int j = 0; j < columns_; ++j) gram_[k][j] = gram_[j][k] = sums[j];
    for (int j = 0; j < columns_; ++j) trace += gram_[j][j];
    for (int i = 0; i < columns_; ++i) {
      f[i] = sums[memory + i];
      for (int j = 0; j < columns_; ++j) A(i, j) = gram_[i][j] + (i == j ? 1e-10 * trace : 0.0);
    }
    const Eigen::Matrix<double, memory, 1> weights = A.ldlt().solve(f);
    const int used = weights.allFinite() ? columns_ : 0;
    loops.all([&](int first, int last) {
      for (int begin = 3 * first; begin < 3 * last; begin += tile) {
        const int end = std::min(begin + tile, 3 * last);
        std::copy(image.begin() + begin, image.begin() + end, t.begin() + begin);
        for (int j = 0; j < used; ++j) {
          const float* column = images_.data() + j * n;
          const double weight = weights[j];
          for (int i = begin; i < end; ++i) t[i] -= weight * column[i];
        }
      }
    });
    flops_ += 6 * columns_ * static_cast<std::int64_t>(n);
  } else {
    if (!have_last_) columns_ = head_ = 0;
    loops.all([&](int first, int last) { part(last_change_.data(), first, last) = part(image.data(), first, last) - part(t.data(), first, last); });
    t = image;
  }
  last_image_.swap(image);
  have_last_ = plain_ == 0;
}

}  // namespace saltus::friction
