#include "saltus/solver/friction/anderson.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

namespace saltus::friction {
namespace {

using Map = Eigen::Map<Eigen::VectorXd>;
Map view(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

}  // namespace

Anderson::Anderson(std::size_t size)
    : change_(size), last_image_(size), last_change_(size), best_(size), differences_(memory * size), images_(memory * size) {
  forget();
}

void Anderson::forget() {
  columns_ = head_ = 0, have_last_ = false;
  best_size_ = std::numeric_limits<double>::infinity();
}

void Anderson::advance(std::vector<double>& t, std::vector<double>& image) {
  const Eigen::Index n = static_cast<Eigen::Index>(t.size());
  view(change_) = view(image) - view(t);
  const double size = view(change_).norm();
  flops_ += 4 * n;
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
    Map dF(differences_.data() + k * n, n), dT(images_.data() + k * n, n);
    dF = view(change_) - view(last_change_);
    dT = view(image) - view(last_image_);
    Eigen::Matrix<double, memory, memory> A = Eigen::Matrix<double, memory, memory>::Identity();
    Eigen::Matrix<double, memory, 1> f = Eigen::Matrix<double, memory, 1>::Zero();
    for (int j = 0; j < columns_; ++j) gram_[k][j] = gram_[j][k] = dF.dot(Map(differences_.data() + j * n, n));
    double trace = 0.0;
    for (int j = 0; j < columns_; ++j) trace += gram_[j][j];
    for (int i = 0; i < columns_; ++i) {
      f[i] = Map(differences_.data() + i * n, n).dot(view(change_));
      for (int j = 0; j < columns_; ++j) A(i, j) = gram_[i][j] + (i == j ? 1e-10 * trace : 0.0);
    }
    const Eigen::Matrix<double, memory, 1> weights = A.ldlt().solve(f);
    t = image;
    if (weights.allFinite())
      for (int j = 0; j < columns_; ++j) view(t) -= weights[j] * Map(images_.data() + j * n, n);
    flops_ += 6 * columns_ * n;
  } else {
    if (!have_last_) columns_ = head_ = 0;
    t = image;
  }
  last_image_.swap(image), last_change_.swap(change_);
  have_last_ = plain_ == 0;
}

}  // namespace saltus::friction
