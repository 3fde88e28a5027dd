// Contacts between groups that turn within a step of Moreau's scheme, and slip that does.
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/integrate/mean_slip.hpp"
#include "saltus/integrate/moreau_release.hpp"
#include "saltus/pool/kinematics.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {

/// What carries moves along its directions at the end of the step, as joints do: those of mid step (Jean 1999) lag by half of it, an error of first order where a contact turns. Their rows keep
/// the directions of mid step, with the difference of both rates as a bias, found anew in each of Newton's iterations. What slides in two directions feels friction against its mean slip.
class ContactTurns {
 public:
  /// Of the contacts `at_mid`, which it reads; near: those of other configurations, scratch. bias, u_minus: of their rows.
  ContactTurns(const ContactTable& table, const ContactSet& at_mid, ContactSet& near, std::vector<double>& bias, const std::vector<double>& u_minus)
      : table_(table), set_(at_mid), near_(near), bias_(bias), u_minus_(u_minus) {
    for (const ContactLaw& law : table.laws) halved_.push_back(mean_slip::parameters(law.law));
  }

  /// Whether contacts turn in the steps to come.
  void allow(bool turn) { allowed_ = turn; }
  /// Looks at the contacts of a step and their rates before it. speed: largest velocity; within: gaps that are looked for; step: its length; known: whether a contact was in the last step, by number.
  void begin(const Kinematics& k, double speed, double within, double step, const std::vector<char>& known);
  void clear() { turns_.clear(); }
  /// Whether contact c may turn: known, of the few of a body, or where all that slide do so alike, so that it does not matter which of them carry. All contacts of a body do or none: held between
  /// one that turns and one that does not it could not move.
  bool may(const Contact& c) const { return may_[number(c)] != 0; }
  /// Whether all contacts of its bodies that slide do so with its slip.
  bool slides_alike(const Contact& c) const;
  /// Whether it is one of many that slide alike, of which some may carry nothing.
  bool one_of_many(const Contact& c) const { return !few(c) && slides_alike(c); }
  /// Takes one that may. One that carried nothing turns away from the other body, or into it, as well. multipliers: of its rows in the last step.
  void take(const Contact& c, const LawRef& law, const double* multipliers);
  /// One that is new, or of too many, or carried nothing.
  void leave() { first_order_ = true; }
  bool any() const { return !turns_.empty(); }
  /// mean_slip::parameters of contact c where rows of it are twice its mean slip; null: they are not, or its set reads its own.
  const double* halved(const Contact& c) const;

  /// Turns them as they are in the kinematics k, the end of the step as iterated. How far off the last turns were, of the terms of the rates.
  double turn(const Kinematics& k, const double* velocity);
  /// By row, from that of a contact on: its rate along the directions at the end less that along those of mid step.
  const double* of(const Contact& c) const { return turn_.data() + c.row; }
  /// No turn of the gap any more: its bias has been given anew.
  void reset(const Contact& c) { turn_[c.row] = 0.0; }
  /// Whether what slid, and turns, goes on after a step to `velocity`; else friction is that at the end of the step.
  template <class Law>
  bool slips_on(const double* velocity, const Law& law) const {
    return std::all_of(turns_.begin(), turns_.end(), [&](const Turn& t) {
      const Contact& c = set_.contacts()[t.contact];
      double behind[ContactGroup::most_rows];
      for (int r = 0; t.slides && r < c.rows; ++r) behind[r] = set_.rate(c, r, velocity);
      return mean_slip::goes_on(law(c), c.rows, t.slides, u_minus_.data() + c.row, behind, mean_slip::still * speed_);
    });
  }
  void end_slips();
  /// Whether what slides feels friction against its mean slip.
  bool slides() const {
    return std::any_of(turns_.begin(), turns_.end(), [](const Turn& t) { return t.slides != 0; });
  }
  /// Looks at the velocity and the multipliers of the accepted step, less what laws' sets are shifted by: where one lets go, sticks or slides anew the step is of first order. law: of a contact.
  template <class Law>
  void end(const double* velocity, const std::vector<double>& mu, const std::vector<double>& offset, const Law& law) {
    for (const Turn& t : turns_) {
      const Contact& c = set_.contacts()[t.contact];
      double multipliers[ContactGroup::most_rows];
      for (int r = 0; r < c.rows; ++r) multipliers[r] = mu[c.row + r] - offset[c.row + r];
      const bool presses = multipliers[0] > 0.0;
      first_order_ |= presses ? t.full != all_friction(law(c), c.rows, multipliers) : !slides_alike(c);
      if (law(c).type->set->friction) continue;  // what slides anew has all its friction anew
      double behind[ContactGroup::most_rows];
      for (int r = 0; r < c.rows; ++r) behind[r] = set_.rate(c, r, velocity) + of(c)[r];
      first_order_ |= (mean_slip::rows(law(c), c.rows, behind, mean_slip::still * speed_) & ~t.slides) != 0;
    }
  }
  /// Whether some contact did not carry or turned by a jump, changed what it does, or slides in two directions, by friction at its end.
  bool first_order() const { return first_order_; }

 private:
  /// slides: rows, as bits, that feel friction against the mean slip of the step (mean_slip), twice of which is their rate with u- as its bias.
  /// full: it had all the friction that its pressure allows.
  struct Turn { int contact; unsigned slides; bool full; };
  /// Contacts of a body, and the slip of those that slide; alike: it is the same of all.
  /// moves: what stands still, as a hill, holds any number.
  /// stays: one of its contacts does not turn.
  struct Body { int contacts = 0; Vec3<double> slip{}; bool slides = false, alike = true, moves = false, stays = false; };
  std::size_t number(const Contact& c) const { return at(static_cast<int>(&c - set_.contacts().data())); }
  const Body* body(int collider) const;
  void choose(const std::vector<char>& known);
  Vec3<double> slip(const Contact& c) const;
  void count(const Contact& c, const Kinematics& k);
  bool few(const Contact& c) const;
  void rates_at(const Contact& end, const Contact& c, const double* velocity, double* rates) const;

  const ContactTable& table_;
  const ContactSet& set_;
  ContactSet& near_;
  std::vector<double>& bias_;
  const std::vector<double>& u_minus_;
  bool allowed_ = false, first_order_ = false;
  double speed_ = 0.0, fastest_ = 0.0, within_ = 0.0;  // fastest_: of the places of contact
  std::vector<std::vector<double>> halved_;  // by law
  std::vector<Body> bodies_;  // by their base
  std::vector<char> may_;     // by contact
  std::vector<Turn> turns_;
  std::vector<double> turn_;
};

}  // namespace saltus
