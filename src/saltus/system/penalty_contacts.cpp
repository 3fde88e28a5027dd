#include "saltus/system/penalty_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "saltus/base/index.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
constexpr std::size_t together = 120;  // unknowns up to which all bodies of a group stand in one block of the matrix
const LawType gap_alone{.name = "penalty", .set = &half_line_set, .rows = 1, .acts = Acts::rate, .unilateral = true};
}  // namespace

PenaltyLaw::Normal PenaltyLaw::normal(double gap, double rate) const {
  const double depth = -gap;
  if (!(depth > 0.0)) return {};
  const double power = std::pow(depth, exponent), elastic = stiffness * power, slope = stiffness * exponent * power / depth;
  const double factor = hunt_crossley ? 1.0 - 1.5 * damping * rate : 1.0, force = elastic * factor - (hunt_crossley ? 0.0 : damping * rate);
  if (!(force > 0.0)) return {};  // they part faster than the force follows
  return {force, slope * factor, hunt_crossley ? 1.5 * damping * elastic : damping};
}
double PenaltyLaw::energy(double gap) const { return gap < 0.0 ? stiffness * std::pow(-gap, exponent + 1.0) / (exponent + 1.0) : 0.0; }

void PenaltyContacts::take_shapes(ContactTable shapes) {
  table_ = std::move(shapes);
  table_.groups.clear(), table_.laws.clear(), table_.forces.clear();
  table_.laws.push_back({"penalty", {.type = &gap_alone}, 1});
  table_.in = table_.seen = {};
  for (PairSides* sides : {&table_.in, &table_.seen}) sides->resize(count_of(table_.colliders));
}

void PenaltyContacts::add(const PenaltyLaw& law, const std::vector<int>& in_A, const std::vector<int>& in_B) {
  for (const int i : in_A) table_.in.put(false, i, size());
  for (const int i : in_B) table_.in.put(true, i, size());
  table_.groups.push_back({.law = 0});
  laws_.push_back(law);
}

template <class Each>
void PenaltyContacts::each(const Kinematics& k, int item, bool with_rows, const Each& one) const {
  ContactSet set(table_, with_rows);
  set.find(k, 0.0);
  for (const Contact& c : set.contacts())
    if (item < 0 || c.group == item) one(set, c);
}

PenaltyContacts::PointForce PenaltyContacts::force(const Kinematics& k, const Contact& c) const {
  const PenaltyLaw& law = laws_[c.group];
  const auto velocity = [&](int collider) {
    const Frame<double>& f = k.frames[table_.colliders[collider].marker];
    return f.v + f.R * cross(f.w, transposed_times(f.R, c.point - f.p));
  };
  const Vec3<double> u = velocity(c.B) - velocity(c.A), n = c.axes[0];
  const double rate = dot(n, u);
  PointForce out{.u = {{rate, dot(c.axes[1], u), dot(c.axes[2], u)}}, .normal = law.normal(c.gap, rate)};
  out.on_B = n * out.normal.force;
  if (law.friction > 0.0) {
    const Vec3<double> slip = u - n * rate;
    out.slip = std::sqrt(dot(slip, slip) + law.slip_speed * law.slip_speed);
    out.on_B = out.on_B - slip * (law.friction * out.normal.force / out.slip);
  }
  return out;
}

bool PenaltyContacts::in_group(int shape, int item) const { return table_.in.has(false, shape, item) || table_.in.has(true, shape, item); }
bool PenaltyContacts::in_some(int shape) const {
  for (int i = 0; i < size(); ++i)
    if (in_group(shape, i)) return true;
  return false;
}

std::vector<std::vector<int>> PenaltyContacts::blocks(const Kinematics& k, int item) const {
  std::map<int, std::vector<int>> by_first;  // shapes of one body have the same unknowns
  std::vector<int> all;
  for (int i = 0; i < count_of(table_.colliders); ++i) {
    const int m = table_.colliders[i].marker;
    if (!in_group(i, item) || k.column_begin[m] == k.column_begin[m + 1]) continue;
    std::vector<int> own(k.columns + k.column_begin[m], k.columns + k.column_begin[m + 1]);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    all.insert(all.end(), own.begin(), own.end());
    by_first[own.front()] = std::move(own);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() <= together) return {all};
  std::vector<std::vector<int>> out;
  for (auto& [first, own] : by_first) out.push_back(std::move(own));
  return out;
}

void PenaltyContacts::columns(const Kinematics& k, int item, std::vector<int>& out) const {
  for (const auto& block : blocks(k, item)) out.insert(out.end(), block.begin(), block.end());
}
void PenaltyContacts::add_pattern(const Kinematics& k, int item, CsrBuilder& builder) const {
  for (const auto& block : blocks(k, item)) builder.add_block(block, block);
}
void PenaltyContacts::place(FrameUse& use) {
  for (int i = 0; i < count_of(table_.colliders); ++i)
    if (in_some(i)) use.whole[table_.colliders[i].marker] = 1;
}

std::span<const ItemQuantity> PenaltyContacts::quantities() const {
  static constexpr std::array list{ItemQuantity{"force", "N", "sum on the bodies of B", "x|y|z"}, ItemQuantity{"points", "", "number of points that touch", ""},
                                   ItemQuantity{"depth", "m", "deepest of them", ""}};
  return list;
}
Vec3<double> PenaltyContacts::quantity(const Kinematics& k, int item, int which) const {
  Vec3<double> out{};
  each(k, item, false, [&](const ContactSet&, const Contact& c) {
    if (which == 0) out += force(k, c).on_B;
    else if (which == 1) out[0] += 1.0;
    else out[0] = std::max(out[0], -c.gap);
  });
  return out;
}

void PenaltyContacts::add_item_force(const Kinematics& k, int item, const ForceSink& sink) const {
  each(k, item, false, [&](const ContactSet&, const Contact& c) {
    const Vec3<double> on_B = force(k, c).on_B;
    for (const bool of_B : {false, true}) {
      const int m = table_.colliders[of_B ? c.B : c.A].marker;
      const Frame<double>& f = k.frames[m];
      const Vec3<double> along = of_B ? on_B : on_B * -1.0, torque = transposed_times(f.R, cross(c.point - f.p, along));
      for (int j = 0; j < 3; ++j) sink.wrench[m][j] += along[j], sink.wrench[m][3 + j] += torque[j];
    }
  });
}
void PenaltyContacts::add_forces(const Kinematics& k, PoolScratch&, Threads&, const ForceSink& sink) const { add_item_force(k, -1, sink); }

double PenaltyContacts::item_potential_energy(const Kinematics& k, int item) const {
  double sum = 0.0;
  each(k, item, false, [&](const ContactSet&, const Contact& c) { sum += laws_[c.group].energy(c.gap); });
  return sum;
}

/// -dF = H^T D H, D by the gap times `value`, by the rates (n, t1, t2) times `rate`; directions and arms count as fixed. Of two bodies in blocks of
/// their own their coupling is left out: Newton's method then converges in more steps, to the same solution.
void PenaltyContacts::add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch&, Threads&, const BlockSlots& out) const {
  const double value = seeds.value[0], by_rate = seeds.rate[0];
  for (int item = 0; item < size(); ++item) {
    const std::vector<std::vector<int>> all = blocks(k, item);
    const int* slots = out.slots + out.begin[item];
    each(k, item, true, [&](const ContactSet& set, const Contact& c) {
      const PointForce f = force(k, c);
      const double mu = laws_[item].friction, stiff = value * f.normal.by_gap + by_rate * f.normal.by_rate;
      double D[3][3] = {{stiff, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
      for (int a = 1; mu > 0.0 && a < 3; ++a) {
        D[a][0] = -mu * f.u[a] / f.slip * stiff;
        for (int b = 1; b < 3; ++b) D[a][b] = by_rate * mu * f.normal.force / f.slip * ((a == b) - f.u[a] * f.u[b] / (f.slip * f.slip));
      }
      const auto columns = set.columns(c);
      const double* H = set.H(c);
      const int n = c.columns;
      std::size_t begin = 0;
      for (const std::vector<int>& block : all) {
        const std::size_t size = block.size();
        const auto at = [&](int unknown) {
          const auto found = std::lower_bound(block.begin(), block.end(), unknown);
          return found != block.end() && *found == unknown ? found - block.begin() : -1;
        };
        for (int i = 0; i < n; ++i) {
          const auto row = at(columns[i]);
          for (int j = 0; row >= 0 && j < n; ++j) {
            const auto column = at(columns[j]);
            if (column < 0) continue;
            double sum = 0.0;
            for (int a = 0; a < 3; ++a)
              for (int b = 0; b < 3; ++b) sum += H[a * n + i] * D[a][b] * H[b * n + j];
            out.values[slots[begin + static_cast<std::size_t>(row) * size + column]] += sum;
          }
        }
        begin += size * size;
      }
    });
  }
}

Remembered PenaltyContacts::remember(const Kinematics& k, const int*, double* block) const {
  for (int i = 0; i < size(); ++i) block[history_first(i)] = 0.0;
  ContactSet set(table_);
  return {k.history ? 0.5 * set.passage(k, 2.0 * k.since) : 0.0, 0};  // k is the end of the step, not its middle
}

}  // namespace saltus
