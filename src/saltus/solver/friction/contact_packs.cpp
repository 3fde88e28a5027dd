#include "saltus/solver/friction/contact_packs.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "saltus/base/index.hpp"
#include "saltus/solver/friction/local.hpp"

namespace saltus::friction {
namespace {

constexpr int of_inverse = 0, of_diagonal = 9, of_q = 18, of_compliance = 21;  // behind the Jacobians

using Rows = std::array<FourDoubles, body_size>;

FourDoubles joined(TwoDoubles low, TwoDoubles high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3); }

// Columns of four rows of four.
void transpose(FourDoubles& a, FourDoubles& b, FourDoubles& c, FourDoubles& d) {
  const FourDoubles ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), AB = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const FourDoubles cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), CD = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5), c = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  b = __builtin_shufflevector(AB, CD, 0, 1, 4, 5), d = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
}

// The six entries of four bodies, by entry.
Rows gathered(const double* v, const int* place) {
  Rows rows;
  for (int lane = 0; lane < 4; ++lane) rows[lane] = load<FourDoubles>(v + place[lane]);
  transpose(rows[0], rows[1], rows[2], rows[3]);
  const FourDoubles a = joined(load<TwoDoubles>(v + place[0] + 4), load<TwoDoubles>(v + place[2] + 4));
  const FourDoubles b = joined(load<TwoDoubles>(v + place[1] + 4), load<TwoDoubles>(v + place[3] + 4));
  rows[4] = __builtin_shufflevector(a, b, 0, 4, 2, 6), rows[5] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  return rows;
}

void scatter(Rows rows, const int* place, double* v) {
  transpose(rows[0], rows[1], rows[2], rows[3]);
  const FourDoubles a = __builtin_shufflevector(rows[4], rows[5], 0, 4, 2, 6), b = __builtin_shufflevector(rows[4], rows[5], 1, 5, 3, 7);
  const TwoDoubles ends[4] = {{a[0], a[1]}, {b[0], b[1]}, {a[2], a[3]}, {b[2], b[3]}};
  for (int lane = 0; lane < 4; ++lane) {  // one after the other: lanes without a body have that of another
    double* to = v + place[lane];
    store(load<FourDoubles>(to) + rows[lane], to);
    store(load<TwoDoubles>(to + 4) + ends[lane], to + 4);
  }
}

// v += J^T x of four contacts.
void add_transposed(const FourDoubles* J, const FourDoubles* x, const int* place, double* v) {
  Rows rows;
#pragma GCC unroll 6
  for (int k = 0; k < body_size; ++k) rows[k] = J[k] * x[0] + J[6 + k] * x[1] + J[12 + k] * x[2];
  scatter(rows, place, v);
}

using Mask = decltype(FourDoubles{} < FourDoubles{});
FourDoubles chosen(Mask mask, const FourDoubles& a, const FourDoubles& b) { return mask ? a : b; }
bool any(const Mask& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

FourDoubles size_of(const FourDoubles& x) { return x < 0.0 ? -x : x; }
FourDoubles root(const FourDoubles& x) { return FourDoubles{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])}; }

// By solve_sliding, one lane.
void slide_alone(int lane, const FourDoubles* A, const FourDoubles* c, const FourDoubles* stick, const FourDoubles* x, FourDoubles* next) {
  Square own;
  Triple rest, held, here;
  for (int i = 0; i < 9; ++i) own[i] = A[i][lane];
  for (int i = 0; i < 3; ++i) rest[i] = c[i][lane], held[i] = stick[i][lane], here[i] = x[i][lane];
  solve_sliding(own.data(), rest.data(), held.data(), here.data());
  for (int i = 0; i < 3; ++i) next[i][lane] = here[i];
}

// The sliding state of contacts `slides` with the others held: Newton's method on the angle of the impulse from its last direction, as in solve_sliding, which
// takes what it leaves. The error of an angle becomes its square in each round; the next sweep goes on from there. Turns by s are those of tan(s / 2) = s / 2: unit vectors stay such.
[[gnu::noinline]] void slide(const FourDoubles* A, const FourDoubles* c, const FourDoubles* stick, const FourDoubles* x, const Mask& slides, FourDoubles* next) {
  constexpr int rounds = 8;
  constexpr double most = 0.7, settled = 1e-3;  // rad
  const Mask none = (x[1] == 0.0) & (x[2] == 0.0);
  FourDoubles d1 = chosen(none, stick[1], x[1]), d2 = chosen(none, stick[2], x[2]);
  const FourDoubles length = root(d1 * d1 + d2 * d2);
  d1 /= length, d2 /= length;
  const FourDoubles bound = 1e-12 * (size_of(c[0]) * (size_of(A[4]) + size_of(A[8])) / A[0] + size_of(c[1]) + size_of(c[2]));
  Mask left = slides;
  for (int k = 0; k < rounds && any(left); ++k) {
    const FourDoubles over = 1.0 / (A[0] + A[1] * d1 + A[2] * d2), x0 = -c[0] * over;
    const FourDoubles a1 = A[3] + A[4] * d1 + A[5] * d2, a2 = A[6] + A[7] * d1 + A[8] * d2;
    const FourDoubles u1 = x0 * a1 + c[1], u2 = x0 * a2 + c[2], rate = -x0 * (A[2] * d1 - A[1] * d2) * over;
    const FourDoubles v1 = rate * a1 + x0 * (A[5] * d1 - A[4] * d2), v2 = rate * a2 + x0 * (A[8] * d1 - A[7] * d2);
    const FourDoubles along = d1 * u1 + d2 * u2, slope = d1 * v2 - d2 * v1 - along, largest = most * size_of(slope);
    FourDoubles across = d2 * u1 - d1 * u2;  // the step is across / slope
    left &= ~((size_of(across) < settled * size_of(slope)) & (x0 > 0.0) & (along <= bound));
    across = across > largest ? largest : across < -largest ? -largest : across;
    const FourDoubles a = across * across, b = 4.0 * slope * slope, share = 1.0 / (a + b), cosine = (b - a) * share, sine = 4.0 * across * slope * share;
    const FourDoubles old = d1;
    d1 = cosine * d1 - sine * d2, d2 = cosine * d2 + sine * old;
  }
  const FourDoubles x0 = -c[0] / (A[0] + A[1] * d1 + A[2] * d2);
  next[0] = chosen(slides, x0, next[0]), next[1] = chosen(slides, x0 * d1, next[1]), next[2] = chosen(slides, x0 * d2, next[2]);
  for (int lane = 0; lane < 4; ++lane)
    if (left[lane]) slide_alone(lane, A, c, stick, x, next);
}

}  // namespace

ContactPacks::ContactPacks(const Scaled& problem, const std::vector<double>& x) : problem_(problem) {
  pack(x);
  place();
  sums_.resize(groups_.size());
  y_.resize(3 * contacts_.size());
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    for (int lane = 0; lane < 4; ++lane)
      for (int i = 0; i < 3 && contacts_[k][lane] >= 0; ++i) y_[3 * k + i][lane] = x[3 * contacts_[k][lane] + i];
  z_ = y_;
  refresh();
}

void ContactPacks::pack(const std::vector<double>& x) {
  const auto& [chunk, colour] = problem_.loops.colouring();
  const auto close = [this](int first) {
    if (first < count_of(contacts_)) groups_.push_back({first, count_of(contacts_)});
  };
  const auto range = [](int first, int last) {
    std::vector<int> out;
    for (int c = first; c < last; ++c) out.push_back(c);
    return out;
  };
  if (colour.empty()) {
    std::vector<int> all = range(0, problem_.contacts);
    const auto slides = [&x](int c) { return x[3 * c] > 0.0 && tangent_norm(x.data() + 3 * c) > (1.0 - 1e-6) * x[3 * c]; };
    const auto middle = std::stable_partition(all.begin(), all.end(), [&](int c) { return !slides(c); });
    pack_in_turns({all.begin(), middle});
    pack_in_turns({middle, all.end()});
    close(0);
    colours_.push_back(count_of(groups_));
    return;
  }
  for (int k = 0; k + 1 < count_of(colour); ++k) {
    for (int i = colour[k]; i < colour[k + 1]; i += 4) {
      const int before = count_of(contacts_);
      std::array<std::vector<int>, 4> lanes;
      for (int lane = 0; lane < 4 && i + lane < colour[k + 1]; ++lane) lanes[lane] = range(chunk[i + lane], chunk[i + lane + 1]);
      if (lanes[3].empty()) pack_in_turns(range(chunk[i], chunk[std::min(i + 4, colour[k + 1])]));
      else pack_in_lanes(lanes);
      close(before);
    }
    colours_.push_back(count_of(groups_));
  }
}

void ContactPacks::pack_in_lanes(const std::array<std::vector<int>, 4>& contacts) {
  std::size_t most = 0;
  for (const auto& lane : contacts) most = std::max(most, lane.size());
  for (std::size_t i = 0; i < most; ++i) {
    Lanes& pack = contacts_.emplace_back();
    for (int lane = 0; lane < 4; ++lane) pack[lane] = i < contacts[lane].size() ? contacts[lane][i] : -1;
  }
}

void ContactPacks::pack_in_turns(const std::vector<int>& contacts) {
  constexpr int window = 64;
  const Scaled& p = problem_;
  const int begin = count_of(contacts_);
  std::vector<std::uint64_t> on(p.bodies, 0);  // packs of the window, by place, that a body is in
  std::uint64_t open = 0;                      // with a lane left
  const auto each_body = [&p](int contact, const auto& f) {
    for (int l = p.limb_begin[contact]; l < p.limb_begin[contact + 1]; ++l) f(p.limbs[l].body);
  };
  for (const int c : contacts) {
    std::uint64_t taken = 0;
    each_body(c, [&](int body) { taken |= on[body]; });
    const int newest = count_of(contacts_) - begin, oldest = std::max(0, newest - window);
    const std::uint64_t free = std::rotr(open & ~taken, oldest % window);
    int pack = oldest + std::countr_zero(free);
    if (free == 0) {
      pack = newest;
      const std::uint64_t others = ~(std::uint64_t{1} << pack % window);
      if (pack >= window)
        for (const int old : contacts_[begin + pack - window])
          if (old >= 0) each_body(old, [&](int body) { on[body] &= others; });
      contacts_.push_back({-1, -1, -1, -1});
      open |= ~others;
    }
    Lanes& lanes = contacts_[begin + pack];
    const std::uint64_t place = std::uint64_t{1} << pack % window;
    for (int lane = 0; lane < 4; ++lane)
      if (lanes[lane] < 0) {
        lanes[lane] = c;
        if (lane == 3) open &= ~place;
        break;
      }
    each_body(c, [&](int body) { on[body] |= place; });
  }
}

/// Where the velocities of bodies stand. A lane without a body has that of another lane, and adds nothing; packs without bodies have one of their own.
void ContactPacks::place() {
  const Scaled& p = problem_;
  for (int c = 0; c < p.contacts; ++c) limbs_ = std::max(limbs_, p.limb_begin[c + 1] - p.limb_begin[c]);
  bodies_.resize(contacts_.size() * 4 * limbs_);
  int bodies = p.bodies;
  const auto has_body = [&p](int c) { return c >= 0 && p.limb_begin[c + 1] > p.limb_begin[c]; };
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const auto some = std::find_if(contacts_[k].begin(), contacts_[k].end(), has_body);
    const int other = some != contacts_[k].end() ? p.limbs[p.limb_begin[*some]].body : bodies++;
    for (int lane = 0; lane < 4; ++lane) {
      const int c = contacts_[k][lane], first = c < 0 ? 0 : p.limb_begin[c], count = c < 0 ? 0 : p.limb_begin[c + 1] - first;
      for (int l = 0; l < limbs_; ++l) bodies_[(k * limbs_ + l) * 4 + lane] = body_size * (l < count ? p.limbs[first + l].body : count > 0 ? p.limbs[first].body : other);
    }
  }
  v_.resize((body_size * bodies + 3) / 4 * 4);
}

void ContactPacks::fill() {
  const Scaled& p = problem_;
  const int rest = 18 * limbs_;
  stride_ = rest + of_compliance + (p.compliance.empty() ? 0 : 9);
  blocks_.assign(contacts_.size() * stride_, FourDoubles{});
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    for (int lane = 0; lane < 4; ++lane) {
      FourDoubles* block = blocks_.data() + k * stride_;
      const int c = contacts_[k][lane];
      if (c < 0) {
        block[rest + of_q][lane] = 1.0;  // open for ever
        continue;
      }
      const int first = p.limb_begin[c], count = p.limb_begin[c + 1] - first;
      const Square inverse = regular_inverse(p.diagonal[c]);
      for (int i = 0; i < 18 * count; ++i) block[i][lane] = p.jacobian[18 * first + i];
      for (int i = 0; i < 9; ++i) block[rest + of_inverse + i][lane] = inverse[i], block[rest + of_diagonal + i][lane] = p.diagonal[c][i];
      for (int i = 0; i < 3; ++i) block[rest + of_q + i][lane] = p.q[3 * c + i];
      for (int i = 0; i < 9 && !p.compliance.empty(); ++i) block[rest + of_compliance + i][lane] = p.compliance[c][i];
    }
}

template <class Work>
void ContactPacks::in_colours(const Work& work) const {
  Threads* threads = problem_.loops.threads();
  for (std::size_t k = 0; k + 1 < colours_.size(); ++k) {
    const int first = colours_[k], count = colours_[k + 1] - first;
    if (threads && count > 1) threads->spread(count, [&](int i) { work(first + i); });
    else
      for (int i = 0; i < count; ++i) work(first + i);
  }
}

std::array<double, 2> ContactPacks::sweep() {
  in_colours([this](int group) { sweep_group(group); });
  std::array<FourDoubles, 2> sum{};
  for (const auto& part : sums_)
    for (int i = 0; i < 2; ++i) sum[i] += part[i];
  const auto total = [](const FourDoubles& x) { return (x[0] + x[1]) + (x[2] + x[3]); };
  return {total(sum[0]), total(sum[1])};
}

/// From y in place: y becomes z, and z_last stays in z_.
[[gnu::noinline]] void ContactPacks::sweep_group(int group) {
  double* v = v_.data();
  FourDoubles against{}, moved{};
  for (int k = groups_[group].first; k < groups_[group].last; ++k) {
    const FourDoubles *J = block(k), *rest = J + 18 * limbs_;
    const int* place = places(k, 0);
    FourDoubles *x = y_.data() + 3 * k, u[3], stick[3], next[3], change[3];
    for (int i = 0; i < 3; ++i) u[i] = rest[of_q + i];
    if (!problem_.compliance.empty())
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) u[i] += rest[of_compliance + 3 * i + j] * x[j];
    for (int l = 0; l < limbs_; ++l) {
      const Rows rows = gathered(v, place + 4 * l);
#pragma GCC unroll 6
      for (int j = 0; j < body_size; ++j)
        for (int i = 0; i < 3; ++i) u[i] += J[18 * l + 6 * i + j] * rows[j];
    }
    const FourDoubles* A = rest + of_diagonal;
    const FourDoubles c = u[0] - (A[0] * x[0] + A[1] * x[1] + A[2] * x[2]);
    for (int i = 0; i < 3; ++i) stick[i] = x[i] - (rest[3 * i] * u[0] + rest[3 * i + 1] * u[1] + rest[3 * i + 2] * u[2]);
    const Mask opens = c >= 0.0, holds = (stick[0] >= 0.0) & (stick[1] * stick[1] + stick[2] * stick[2] <= stick[0] * stick[0]);
    for (int i = 0; i < 3; ++i) next[i] = chosen(opens, FourDoubles{}, stick[i]);
    if (const Mask slides = ~(opens | holds); any(slides)) {
      const FourDoubles others[3] = {c, u[1] - (A[3] * x[0] + A[4] * x[1] + A[5] * x[2]), u[2] - (A[6] * x[0] + A[7] * x[1] + A[8] * x[2])};
      slide(A, others, stick, x, slides, next);
    }
    const FourDoubles* last = z_.data() + 3 * k;
    for (int i = 0; i < 3; ++i) {
      change[i] = next[i] - x[i];
      against -= change[i] * (next[i] - last[i]);
      moved += change[i] * change[i];
      x[i] = next[i];
    }
    if (!any((change[0] != 0.0) | (change[1] != 0.0) | (change[2] != 0.0))) continue;
    for (int l = 0; l < limbs_; ++l) add_transposed(J + 18 * l, change, place + 4 * l, v);
  }
  sums_[group] = {against, moved};
}

void ContactPacks::extrapolate(double momentum) {
  constexpr int piece = 1024;  // packs of numbers
  const int packs = count_of(y_), all = packs + count_of(v_) / 4, tasks = (all + piece - 1) / piece;
  const auto work = [&](int task) { extrapolate(momentum, piece * task, std::min(all, piece * (task + 1))); };
  if (Threads* threads = problem_.loops.threads()) return threads->spread(tasks, work);
  for (int i = 0; i < tasks; ++i) work(i);
}

/// Packs [first, last) of y and, behind it, of J^T y.
[[gnu::noinline]] void ContactPacks::extrapolate(double momentum, int first, int last) {
  const int packs = count_of(y_);
  for (int i = first; i < std::min(last, packs); ++i) {
    const FourDoubles here = y_[i];
    y_[i] += momentum * (here - z_[i]);
    z_[i] = here;
  }
  for (int i = 4 * (std::max(first, packs) - packs); i < 4 * (last - packs); i += 4) {
    const auto here = load<FourDoubles>(v_.data() + i), before = load<FourDoubles>(last_v_.data() + i);
    store(here + momentum * (here - before), v_.data() + i);
    store(here, last_v_.data() + i);
  }
}

[[gnu::noinline]] void ContactPacks::add_impulses(const Group& group, const std::vector<FourDoubles>& x, double* v) const {
  for (int k = group.first; k < group.last; ++k)
    for (int l = 0; l < limbs_; ++l) add_transposed(block(k) + 18 * l, x.data() + 3 * k, places(k, l), v);
}

void ContactPacks::refresh() {
  if (blocks_.empty()) fill();
  v_.assign(v_.size(), 0.0), last_v_.assign(v_.size(), 0.0);
  in_colours([this](int group) { add_impulses(groups_[group], y_, v_.data()), add_impulses(groups_[group], z_, last_v_.data()); });
}

void ContactPacks::rest() {
  std::vector<FourDoubles>().swap(blocks_);
  std::vector<double>().swap(last_v_);
}

void ContactPacks::impulses(std::vector<double>& x) const {
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    for (int lane = 0; lane < 4; ++lane)
      for (int i = 0; i < 3 && contacts_[k][lane] >= 0; ++i) x[3 * contacts_[k][lane] + i] = z_[3 * k + i][lane];
}

}  // namespace saltus::friction
