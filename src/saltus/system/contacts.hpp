// Contact between groups of bodies: which shapes may meet (compiled, immutable), and the contacts of one instant (scratch).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/collision/advance.hpp"
#include "saltus/collision/broad_phase.hpp"
#include "saltus/pool/kinematics.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/system/contact_seams.hpp"

namespace saltus {

/// A shape on a frame marker.
struct Collider {
  std::string name, owner;  // the body that has it, else its own name
  int marker = 0;
  int base = -1;  // -1: fixed in the world
  Shape shape;
  int material = -1;  // -1: none
  bool layered = false;  // in a layer at least
  int presence = -1;  // of a body that comes and goes: whether it is there, in the data; -1: it stays
  int sleep = -1;     // of a body that may sleep: whether it is awake, in the data
  /// Fixed, or asleep.
  bool rests(const Kinematics& k) const { return base < 0 || (sleep >= 0 && k.data && !(k.data[sleep] > 0.0)); }
  bool away(const Kinematics& k) const { return presence >= 0 && k.data && !(k.data[presence] > 0.0); }
};

/// A law of contacts, of `rows` rows: n alone, (n, t) and turning about z in the x-y plane, (n, t1, t2), and turning about t1, t2, n behind them.
struct ContactLaw {
  std::string name;  // of its record
  LawRef law;
  int rows = 1;
  /// Of bodies that stay in a plane parallel to x-y, whose shapes are as deep as one likes: what touches along z counts once.
  bool flat() const { return law.type->set->sliding == 1; }
};

/// Which numbers (of groups, exclusions, layers, forces) have a shape on their side A, and which on B. As many as one likes: 64 a word.
class PairSides {
 public:
  void resize(int shapes) { for (auto& side : bits_) side.resize(shapes * words_); }
  void put(bool of_B, int shape, int number) {
    while (number >= 64 * words_) widen();
    bits_[of_B][shape * words_ + number / 64] |= std::uint64_t{1} << (number % 64);
  }
  bool has(bool of_B, int shape, int number) const { return number < 64 * words_ && (word(of_B, shape, number / 64) >> (number % 64) & 1) != 0; }
  /// The lowest number that has one of the two on a side, the other on the other; -1: none.
  int first(int a, int b, bool& a_first) const {
    for (int w = 0; w < words_; ++w) {
      const std::uint64_t forward = word(false, a, w) & word(true, b, w), both = forward | (word(false, b, w) & word(true, a, w));
      if (both == 0) continue;
      const int bit = std::countr_zero(both);
      a_first = (forward >> bit) & 1;
      return 64 * w + bit;
    }
    return -1;
  }
  /// Calls take(number, a_first) for all of them, each once.
  template <class Take>
  void each(int a, int b, const Take& take) const {
    for (int w = 0; w < words_; ++w) {
      const std::uint64_t forward = word(false, a, w) & word(true, b, w);
      for (std::uint64_t on = forward | (word(false, b, w) & word(true, a, w)); on != 0; on &= on - 1) take(64 * w + std::countr_zero(on), (forward & on & -on) != 0);
    }
  }

 private:
  std::uint64_t word(bool of_B, int shape, int w) const { return bits_[of_B][shape * words_ + w]; }
  void widen();
  int words_ = 1;
  std::vector<std::uint64_t> bits_[2];
};

/// Shapes of A against shapes of B with one law, or with those of the pairs of their materials. A pair that several groups name belongs
/// to the first of them.
struct ContactGroup {
  static constexpr int most_rows = 6;
  static constexpr bool can(const LawType& law) {
    return law.unilateral && (law.rows <= 1 || (law.set->sliding == 1 && law.rows <= 3) || (law.set->sliding == 2 && law.rows <= most_rows));
  }
  std::string name;
  int law = -1;  // of the table; -1: by materials
  int data = 0;  // force on B (3) [N] and number of points, in the history variables: written by the scheme
};

/// Sum of the forces that shapes of A put on shapes of B, in whatever groups.
struct ContactForce {
  std::string name;
  int data = 0;  // as of a group
};

struct Contact;

struct ContactTable {
  std::vector<Collider> colliders;
  std::vector<ContactGroup> groups;
  std::vector<ContactLaw> laws;
  int materials = 0;
  std::vector<int> law_of_materials;  // by pair of materials, both orders; -1: none
  std::vector<ContactForce> forces;
  double size = 1.0;  // that gaps are compared with [m]: of the model, but not of what is far larger than its bodies
  /// Contacts that sleep, in the data of the state: how many, then identity, force [N] and torque [N m] of each, `most` at most. data -1: nobody sleeps.
  struct { int data = -1, most = 0; } asleep;
  static constexpr int asleep_entry = 7;
  PairSides in;    // groups in which a shape stands
  PairSides apart; // pairs that never touch
  PairSides layers; // A: shapes of a layer, B: shapes that meet it
  PairSides seen;  // forces that sum those of its contacts

  bool empty() const { return groups.empty(); }
  /// Finds `size`. far: largest coordinate [m], whose rounding gaps have.
  void measure(double model_size, double far);
  const LawRef& law(const Contact& c) const;
  const LawRef& law(int group, int A, int B) const { return laws[law_number(group, A, B)].law; }
  int law_number(int group, int A, int B) const {
    const int law = groups[group].law;
    return law >= 0 ? law : law_of_materials[colliders[A].material * materials + colliders[B].material];
  }
  /// Sums of forces, of which schemes add those of their contacts.
  void clear_forces(double* data) const;
  void take_forces(const double* from, double* data) const;
  /// forces: along the rows of the contact [N, N m].
  void add_force(const Contact& c, const double* forces, double* data) const;
  /// Whether two shapes may touch by their layers.
  bool layers_meet(int a, int b) const {
    bool either = false;
    return !colliders[a].layered || !colliders[b].layered || layers.first(a, b, either) >= 0;
  }
  /// Group of a pair and whether a is of A; -1: none. Pairs of one body, or of two that are fixed, have none.
  int group_of(int a, int b, bool& a_first) const;
  /// One number, exact, for a point of a pair: the same from step to step. Points of two names of one pair share it only where there are more names
  /// than 2^53 over the number of pairs.
  double identity(int A, int B, int feature) const { return (static_cast<double>(A) * static_cast<double>(colliders.size()) + B) * names() + feature % static_cast<std::int64_t>(names()); }
  /// A and B of an identity.
  std::pair<int, int> pair_of(double identity) const {
    const std::int64_t pair = static_cast<std::int64_t>(identity) / static_cast<std::int64_t>(names()), n = static_cast<std::int64_t>(colliders.size());
    return {static_cast<int>(pair / n), static_cast<int>(pair % n)};
  }

 private:
  double names() const;
};

/// One point of contact. lambda acts on B along (n, t1, t2), n from A to B.
struct Contact {
  int A = 0, B = 0;  // colliders
  int feature = 0, group = 0, law = 0;
  double gap = 0.0;
  Vec3<double> axes[3];  // n, t1, t2 in the world
  Vec3<double> point;    // between the two surfaces
  int rows = 1;
  int along = 3;         // as many at most act along axes, those behind about axes
  int row = 0;           // first of its rows among the rows of all contacts
  int columns = 0, column_begin = 0, value_begin = 0;

  double name = 0.0;

  /// The same point of the same pair from step to step.
  double identity() const { return name; }
  /// The axis along which, or about which, a row acts.
  const Vec3<double>& axis(int r) const { return axes[r < 3 ? r : (r - 2) % 3]; }
};

inline const LawRef& ContactTable::law(const Contact& c) const { return laws[c.law].law; }

/// What a contact did in a step, for the record. Forces act on B, at `point`; without friction their law says nothing of the slip.
struct ContactState {
  int A = 0, B = 0, group = 0;
  double name = 0.0, gap = 0.0;
  Vec3<double> point, normal, tangent, force, torque, slip;  // [N], [N m], velocity of B against A along the surface [m/s]
  double step = 0.0;   // [s] times which the forces are impulses; 0: of an instant
  double share = -1.0;  // of the largest friction that the normal force allows; below 0: the law has none
};

/// The contacts of one configuration. Keeps its memory.
class ContactSet {
 public:
  /// with_slip: each contact has three rows at least in H, so that its slip is known.
  /// resting: also among those that sleep or are fixed.
  explicit ContactSet(const ContactTable& table, bool with_slip = false, bool resting = false) : table_(table), least_rows_(with_slip ? 3 : 1), resting_(resting), seams_(table) {}

  /// Points whose gap is at most `within` [m], in the order of pairs and features, with their Jacobians; but those that a shape cannot reach, see ContactSeams.
  void find(const Kinematics& k, double within);
  /// Leaves those out for which keep(contact) is false.
  template <class Keep>
  void filter(Keep keep) {
    std::erase_if(contacts_, [&](const Contact& c) { return !keep(c); });
    rows_ = 0;
    for (Contact& c : contacts_) c.row = rows_, rows_ += c.rows;
  }
  void clear() { contacts_.clear(), rows_ = 0; }
  /// Relative path, in a step of length h about k, of the pairs that could meet in it, over the radii of the balls that the two
  /// shapes hold, the largest: above 1 they could pass through each other unseen.
  double passage(const Kinematics& k, double h);
  /// How long a step from k may be, h at most, if no two shapes shall pass through each other unseen: to where the first pair that moves by more
  /// than the balls its shapes hold meets; from there on as short as lets the contact be found.
  double way(const Kinematics& k, double h);
  /// Whether, in the time h from where `way` looked to k, a shape went further than the balls that it holds: of two that have passed each other one did.
  bool went_far(const Kinematics& k, double h) const;

  std::span<const Contact> contacts() const { return contacts_; }
  int rows() const { return rows_; }
  /// Unknowns under a contact, ascending, and its rows x columns block: ydot = H v.
  std::span<const int> columns(const Contact& c) const { return {columns_.data() + c.column_begin, static_cast<std::size_t>(c.columns)}; }
  const double* H(const Contact& c) const { return H_.data() + c.value_begin; }
  bool with_slip() const { return least_rows_ == 3; }
  double rate(const Contact& c, int row, const double* velocity) const;
  /// forces: along the rows; pull: what the law's set is shifted by against the normal force. Of a set that tells. turn: what the rates of its rows have besides those of the velocity.
  ContactState state_of(const Contact& c, const double* forces, double pull, const double* velocity, double step, const double* turn = nullptr) const;

 private:
  void pair(const Kinematics& k, int a, int b, double within);
  void add(const Kinematics& k, int A, int B, int group, const ContactPoint& point);
  void merge_columns(Contact& c);
  bool fast(const Kinematics& k, double h) const;
  Moving moving(const Kinematics& k, int collider) const;

  const ContactTable& table_;
  BroadPhase broad_;
  std::vector<BoundingBall> balls_;
  std::vector<int> ball_collider_, planes_;
  struct Place { Vec3<double> p, w; };
  std::vector<Place> places_;  // by collider, where `way` looked
  std::vector<Contact> contacts_;
  std::vector<int> columns_;
  std::vector<double> H_;
  int rows_ = 0, least_rows_ = 1;
  bool resting_ = false;
  ContactSeams seams_;
};

}  // namespace saltus
