#include "saltus/integrate/error_norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

#include "saltus/base/index.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {
constexpr double steady = 1e-18;  // square of a speed's range over that of the speed: less is a steady motion
constexpr double most_noise = 16.0;  // of rounding, in a value that does not move
constexpr double unseen = 1e-20;     // square of a way over that of the motion: less is rounding that has added up
constexpr double last_digits = 2.0 * std::numeric_limits<double>::epsilon();

/// By velocity: 1, 2, .. of those of nodes that bodies with mass between them join, such as beams; 0 elsewhere.
std::vector<int> flexible_bodies(const System& system, int& bodies) {
  std::vector<int> joined(system.nodes.size());
  std::iota(joined.begin(), joined.end(), 0);
  const auto first_of = [&](int node) {
    while (joined[at(node)] != node) node = joined[at(node)];
    return node;
  };
  std::vector<char> bent(system.nodes.size(), 0);
  for (const auto& pool : system.objects)
    for (int item = 0; item < pool->size(); ++item) {
      int first = -1;
      for (const Endpoint& end : pool->endpoints(item)) {
        const int base = end.kind == EndpointKind::frame ? system.markers[at(end.marker)].base : -1, node = base < 0 ? -1 : system.bases[at(base)].node;
        if (node < 0 || node == first) continue;
        if (first >= 0) joined[at(first_of(node))] = first_of(first), bent[at(first)] = bent[at(node)] = 1;
        else first = node;
      }
    }
  std::vector<int> number(system.nodes.size(), 0), of_velocity(at(system.layout.nv), 0);
  for (int n = 0; n < count_of(system.nodes); ++n)
    if (bent[at(n)]) {
      int& body = number[at(first_of(n))];
      if (body == 0) body = ++bodies;
      const NodePlace& p = system.nodes[at(n)].place;
      std::fill_n(of_velocity.begin() + p.v, p.sizes.v, body);
    }
  return of_velocity;
}

double squared(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}
Quaternion<double> quaternion(const double* q) { return {{q[0], q[1], q[2], q[3]}}; }
/// Rotation vector from a to b, in the axes of a.
Vec3<double> turn_between(const double* a, const double* b) {
  return quaternion_log(quaternion_product(Quaternion<double>{{a[0], -a[1], -a[2], -a[3]}}, quaternion(b)));
}

/// C + floor, factored as L D L^T (n to 3), for sums e^T (C + floor)^-1 e.
struct Ellipsoid {
  int n = 0;
  double L10 = 0.0, L20 = 0.0, L21 = 0.0, d[3] = {};

  Ellipsoid(const double* C, int size, double floor) : n(size) {
    d[0] = C[0] + floor;
    if (n > 1) L10 = d[0] > 0.0 ? C[1] / d[0] : 0.0, d[1] = std::max(C[2] + floor - L10 * C[1], floor);
    if (n > 2) {
      L20 = d[0] > 0.0 ? C[3] / d[0] : 0.0;
      const double c21 = C[4] - L20 * C[1];
      L21 = d[1] > 0.0 ? c21 / d[1] : 0.0;
      d[2] = std::max(C[5] + floor - L20 * C[3] - L21 * c21, floor);
    }
  }
  double operator()(const double* e) const {
    const double z1 = n > 1 ? e[1] - L10 * e[0] : 0.0, z2 = n > 2 ? e[2] - L20 * e[0] - L21 * z1 : 0.0;
    const auto part = [](double z, double by) { return z == 0.0 ? 0.0 : z * z / by; };
    return part(e[0], d[0]) + (n > 1 ? part(z1, d[1]) : 0.0) + (n > 2 ? part(z2, d[2]) : 0.0);
  }
};

/// C grown by a multiple of x x^T until the ellipsoid of C + floor holds x: with s = x^T (C + floor)^-1 x above 1 that is (s - 1) / s.
bool grow(double* C, const double* x, int n, double floor) {
  if (n == 1) {
    const double square = x[0] * x[0];
    if (square <= C[0] + floor) return false;
    C[0] = square;
    return true;
  }
  const double s = Ellipsoid(C, n, floor)(x);
  if (!(s > 1.0)) return false;
  const double share = std::isfinite(s) ? (s - 1.0) / s : 1.0;
  for (int i = 0, k = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j, ++k) C[k] += share * x[i] * x[j];
  return true;
}
}  // namespace

namespace {
/// By first-order state: the least range [A] of those that are currents of coils, 0 of others.
std::vector<double> least_currents(const System& system) {
  std::vector<double> out(at(system.layout.nx), 0.0);
  if (out.empty()) return out;
  std::set<std::string_view> coils;
  for (const ItemPlace& item : system.items)
    if (item.section == "nodes" && item.type == "current_state") coils.insert(item.name);
  for (const NodeEntry& node : system.nodes)
    if (coils.contains(node.name)) out[at(node.place.x)] = 1e-9;
  return out;
}
}  // namespace

bool bends(const System& system) {
  int bodies = 0;
  flexible_bodies(system, bodies);
  return bodies > 0;
}

ErrorNorm::ErrorNorm(const System& system, double roundness) : system_(system), roundness_(roundness) {
  int bodies = 0;
  const std::vector<int> body_of = flexible_bodies(system, bodies);
  range_.resize(at(1 + bodies));
  memory_size_ = 1 + 2 * kinds * (1 + bodies);
  std::vector<char> taken(system.layout.nv, 0);
  for (const RotationBlock& r : system.map.rotations) {
    add(rotation, 3, r.q, system.layout.v_begin() + r.v, body_of[at(r.v)]);
    std::fill_n(taken.begin() + r.v, 3, 1);
  }
  for (const NodeEntry& node : system.nodes) {
    const NodePlace& p = node.place;
    const std::span<const int> moves = p.frame >= 0 ? system.node_pools[node.pool]->moves() : std::span<const int>{};
    int along = 0;  // its first velocities are those of its origin
    while (along < count_of(moves) && moves[along] == along && along < 3 && system.map.q_of_v[p.v + along] == p.q + along) ++along;
    if (along > 1) {
      add(translation, along, p.q, system.layout.v_begin() + p.v, body_of[at(p.v)]);
      std::fill_n(taken.begin() + p.v, along, 1);
    }
    for (int i = 0; i < p.sizes.v; ++i)
      if (!taken[p.v + i]) {
        const bool turns = static_cast<std::size_t>(i) < moves.size() && moves[i] > 2;
        add(turns ? angle : coordinate, 1, system.map.q_of_v[p.v + i], system.layout.v_begin() + p.v + i, body_of[at(p.v + i)]);
      }
  }
  const std::vector<double> currents = least_currents(system);
  for (int i = 0; i < system.layout.nx; ++i) {
    add(state, 1, system.layout.x_begin() + i, i, 0);
    groups_.back().least = currents[at(i)];
  }
  for (const MarkerEntry& m : system.markers) {
    const double arm = norm(m.p_NM);
    reach_ = std::max(reach_, arm);
    if (m.base >= 0) arm_ = std::max(arm_, arm);
  }
  reach_ = std::max(reach_, system.length_scale);
}

void ErrorNorm::add(Kind kind, int n, int q, int v, int body) {
  const Group g{kind, n, q, v, body, memory_size_, count_of(deviation_)};
  groups_.push_back(g);
  memory_size_ += start_size(g) + triangle(n) + (kind == state ? 1 : n + triangle(n));
  deviation_.resize(deviation_.size() + static_cast<std::size_t>(2 * n));
}

void ErrorNorm::begin(const double* y, double* memory) const {
  if (memory[0] != 0.0) return;
  memory[0] = 1.0;
  for (const Group& g : groups_) {
    std::copy_n(y + g.q, start_size(g), memory + g.memory);
    if (g.kind != state) std::copy_n(y + g.v, g.n, memory + g.memory + start_size(g) + triangle(g.n));
  }
}

void ErrorNorm::deviations(const double* memory, const double* y, const double* xdot) {
  largest_ = {};
  slowest_ = 0.0;
  const double* before = memory + 1;
  for (Sizes& range : range_)
    for (double* sizes : {range.value, range.rate}) std::copy_n(before, kinds, sizes), before += kinds;
  for (const Group& g : groups_) {
    const double *start = memory + g.memory, *value = y + g.q;
    double* d = deviation_.data() + g.at;
    if (g.kind == rotation) {
      const Vec3<double> turned = turn_between(start, value);
      std::copy(turned.data(), turned.data() + 3, d);
    } else {
      for (int i = 0; i < g.n; ++i) d[i] = value[i] - start[i];
      largest_.value[g.kind] = std::max(largest_.value[g.kind], squared(value, g.n));
    }
    raise(g, &Sizes::value, squared(d, g.n));
    if (g.kind == state) {
      d[1] = xdot ? xdot[g.v] : 0.0;
      const double rate = std::max(start[2], d[1] * d[1]);
      if (rate > 0.0) slowest_ = std::max(slowest_, std::max(start[1], d[0] * d[0]) / rate);
      continue;
    }
    const double *rate = y + g.v, *first = start + start_size(g) + triangle(g.n);
    for (int i = 0; i < g.n; ++i) d[g.n + i] = rate[i] - first[i];
    largest_.rate[g.kind] = std::max(largest_.rate[g.kind], squared(rate, g.n));
    raise(g, &Sizes::rate, squared(d + g.n, g.n));
  }
  for (int k = 0; k < kinds; ++k) largest_.value[k] = std::sqrt(largest_.value[k]), largest_.rate[k] = std::sqrt(largest_.rate[k]);
}

void ErrorNorm::raise(const Group& g, PerKind of, double square) {
  for (const int body : {0, g.body}) (range_[at(body)].*of)[g.kind] = std::max((range_[at(body)].*of)[g.kind], square);
}

/// Square of the least range counted. A body that bends moves as a whole: what its sections do counts by the most that one of them does. Otherwise a share of
/// the largest of its kind: what joints and solvers leave of a coordinate at rest is not a motion to be followed. First-order states have no common unit: rounding alone.
/// Where a transistor that is off holds the current of a coil at zero, what is left of it is noise: currents of coils count as 1 nA at least.
double ErrorNorm::least_range(const Group& g, PerKind of, double least) const {
  if (g.body > 0) return (range_[at(g.body)].*of)[g.kind];
  return std::max(g.least * g.least, (g.kind == state ? 1e-24 : least * least) * (range_.front().*of)[g.kind]);
}

/// |error| over tolerance times the ellipsoid's radius along it, plus noise.
double ErrorNorm::allowed_share(const double* C, const double* deviation, int n, double floor, const double* error, double tolerance, double noise) const {
  const double size = std::sqrt(squared(error, n));
  if (size == 0.0) return 0.0;
  double grown[6];
  std::copy_n(C, triangle(n), grown);
  grow(grown, deviation, n, floor);
  double radius = n == 1 ? std::sqrt(grown[0] + floor) : size / std::sqrt(Ellipsoid(grown, n, floor)(error));
  if (n > 1 && roundness_ > 0.0) radius = std::max(radius, roundness_ * std::sqrt(grown[0] + grown[2] + (n > 2 ? grown[5] : 0.0)));
  return size / (tolerance * radius + noise);
}

double ErrorNorm::worst(const double* memory, const double* y, double h, double tolerance, const double* position, const double* velocity, const double* first_order, const Given& given) {
  deviations(memory, y, given.xdot);
  h_ = h, age_ = memory[0] - 1.0 + h;
  const double far = std::max(largest_.value[translation], reach_);
  // What turns about a point that rests moves others: their lengths and speeds are in the forces that leave noise at that point.
  const double fastest = std::max(largest_.rate[translation], reach_ * std::max(largest_.rate[rotation], largest_.rate[angle]));
  range_.front().value[translation] = std::max(range_.front().value[translation], arm_ * arm_ * range_.front().value[rotation]);
  range_.front().rate[translation] = std::max(range_.front().rate[translation], arm_ * arm_ * range_.front().rate[rotation]);
  double* rounding = rounding_;
  rounding[translation] = last_digits * far;
  rounding[rotation] = last_digits * (1.0 + (arm_ > 0.0 ? far / arm_ : 0.0));
  rounding[coordinate] = last_digits * largest_.value[coordinate];
  rounding[angle] = rounding[rotation] + last_digits * largest_.value[angle];
  rounding[state] = last_digits * largest_.value[state];
  const auto noise = [&](int first, int n) { return given.noise ? std::sqrt(squared(given.noise + first, n)) : 0.0; };
  const auto felt = [&](int first, int n) { return given.feels ? *std::max_element(given.feels + first, given.feels + first + n) : 1.0; };
  double worst = 0.0;
  const auto take = [&](double share) {
    if (!(share <= worst) && !std::isnan(worst)) worst = share;
  };
  for (const Group& g : groups_) {
    const double* C = memory + g.memory + start_size(g);
    const double* d = deviation_.data() + g.at;
    if (g.kind == state) {
      if (first_order) take(allowed_share(C, d, 1, least_range(g, &Sizes::value, given.least), first_order + g.v, tolerance, given.coarseness * rounding[state] + noise(system_.layout.nv + g.v, 1)));
      continue;
    }
    const int i = g.v - system_.layout.v_begin();
    const double open = h * noise(i, g.n);
    if (position && g.kind == rotation) {
      // The ellipsoid has the axes of the start.
      const Vec3<double> e = rotation_matrix(quaternion_exp(Vec3<double>{{d[0], d[1], d[2]}})) * Vec3<double>{{position[i], position[i + 1], position[i + 2]}};
      take(allowed_share(C, d, 3, least_range(g, &Sizes::value, given.least), e.data(), tolerance, given.coarseness * rounding[rotation] + open));
    } else if (position) {
      take(allowed_share(C, d, g.n, least_range(g, &Sizes::value, given.least), position + i, tolerance, given.coarseness * rounding[g.kind] + open));
    }
    if (velocity)
      take(allowed_share(C + triangle(g.n) + g.n, d + g.n, g.n, least_range(g, &Sizes::rate, given.least), velocity + i, tolerance, given.coarseness * (felt(i, g.n) * rounding[g.kind] / h + last_digits * (g.kind == translation ? fastest : largest_.rate[g.kind])) + open / h));
  }
  return worst;
}

bool ErrorNorm::runs_away(const double* before, const double* memory) const {
  constexpr double times = 3.0;
  double square[kinds] = {};
  for (const Group& g : groups_) {
    if (g.kind != state) {
      square[g.kind] = std::max(square[g.kind], squared(before + g.v, g.n));
    } else if (const double range = memory[g.memory + start_size(g)]; range > 0.0 && squared(deviation_.data() + g.at, 1) > times * times * range) {
      return true;
    }
  }
  for (int k = 0; k < state; ++k)
    if (square[k] > 0.0 && largest_.rate[k] > times * std::sqrt(square[k])) return true;
  return false;
}

void ErrorNorm::ranges(const double* memory, double* out) const {
  for (const Group& g : groups_) {
    if (g.kind == state) continue;
    const double* C = memory + g.memory + start_size(g);
    double sum = 0.0;
    for (int i = 0, k = 0; i < g.n; k += ++i + 1) sum += C[k];
    std::fill_n(out + g.v - system_.layout.v_begin(), g.n, std::sqrt(std::max(sum, squared(deviation_.data() + g.at, g.n))));
  }
}

/// Square of the way that the motion of a kind makes of the model; of coordinates, which have no common unit, no less than any other.
double ErrorNorm::way(int kind) const {
  const double range = range_.front().value[kind];
  return kind == translation ? range : kind == rotation || kind == angle ? reach_ * reach_ * range : std::numeric_limits<double>::infinity();
}

double ErrorNorm::pace() const {
  double longest = std::min(slowest_, age_ * age_);
  for (int k = 0; k < state; ++k) {
    // A steady motion has a speed, and of a range of it no more than rounding and what joints leave.
    const double noise = most_noise * rounding_[k];  // what joints leave of a coordinate at rest
    if (range_.front().value[k] <= noise * noise || way(k) < unseen * std::max({way(translation), way(rotation), way(angle)})) continue;
    const double speed = largest_.rate[k] * largest_.rate[k], rate = range_.front().rate[k] > steady * speed ? range_.front().rate[k] : speed;
    if (rate > 0.0) longest = std::max(longest, range_.front().value[k] / rate);
  }
  return std::sqrt(longest);
}

double ErrorNorm::fastest_rate(const double* displacement, const double* velocity, const double* acceleration, const double* first_order, const double* first_order_rate) const {
  double moved[kinds] = {}, speed[kinds] = {}, change[kinds] = {};
  for (const Group& g : groups_) {
    if (g.kind == state) {
      moved[state] += squared(first_order + g.v, 1), speed[state] += squared(first_order_rate + g.v, 1);
      continue;
    }
    const int i = g.v - system_.layout.v_begin();
    moved[g.kind] += squared(displacement + i, g.n), speed[g.kind] += squared(velocity + i, g.n), change[g.kind] += squared(acceleration + i, g.n);
  }
  double fastest = moved[state] > 0.0 ? std::sqrt(speed[state] / moved[state]) : 0.0;
  for (int k = 0; k < state; ++k)
    if (moved[k] > 0.0 && speed[k] > 0.0) fastest = std::max({fastest, std::pow(change[k] / moved[k], 0.25), std::sqrt(change[k] / speed[k])});
  return fastest;
}

double ErrorNorm::time_of_change(const double* y, const double* vdot, const double* xdot) const {
  double speed[kinds] = {}, change[kinds] = {};
  for (const Group& g : groups_) {
    const bool first_order = g.kind == state;
    const double now = squared(first_order ? y + g.q : y + g.v, g.n), rate = squared(first_order ? xdot + g.v : vdot + g.v - system_.layout.v_begin(), g.n);
    speed[g.kind] = std::max(speed[g.kind], now), change[g.kind] = std::max(change[g.kind], rate);
  }
  double shortest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kinds; ++k)
    if (speed[k] > 0.0 && change[k] > 0.0) shortest = std::min(shortest, std::sqrt(speed[k] / change[k]));
  return shortest;
}

void ErrorNorm::take(double* memory) const {
  double* now = memory + 1;
  for (const Sizes& range : range_)
    for (const double* sizes : {range.value, range.rate}) now = std::copy_n(sizes, kinds, now);
  for (const Group& g : groups_) {
    double* C = memory + g.memory + start_size(g);
    const double* d = deviation_.data() + g.at;
    grow(C, d, g.n, least_range(g, &Sizes::value, least_share));
    if (g.kind == state) C[1] = std::max(C[1], d[1] * d[1]);
    else grow(C + triangle(g.n) + g.n, d + g.n, g.n, least_range(g, &Sizes::rate, least_share));
  }
}

}  // namespace saltus
