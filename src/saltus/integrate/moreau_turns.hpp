// Contacts between groups that turn within a step of Moreau's scheme, and slip that does.
#pragma once

#include <vector>

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
      : table_(table), set_(at_mid), near_(near), bias_(bias), u_minus_(u_minus) {}

  /// Whether contacts turn in the steps to come.
  void allow(bool turn) { allowed_ = turn; }
  /// Looks at the contacts of a step. speed: largest velocity; within: gaps that are looked for.
  void begin(double speed, double within);
  void clear() { turns_.clear(); }
  /// Whether contact c, which was in the last step or not, may turn.
  bool may(const Contact& c, bool known) const { return allowed_ && known && few(c); }
  /// Takes one that may. One that carried nothing turns away from the other body, or into it, as well. multipliers: of its rows in the last step.
  void take(const Contact& c, const LawRef& law, const double* multipliers);
  /// One that is new, or of too many, or carried nothing.
  void leave() { first_order_ = true; }
  bool any() const { return !turns_.empty(); }

  /// Turns them as they are in the kinematics k, the end of the step as iterated. How far off the last turns were, of the terms of the rates.
  double turn(const Kinematics& k, const double* velocity);
  /// By row, from that of a contact on: its rate along the directions at the end less that along those of mid step.
  const double* of(const Contact& c) const { return turn_.data() + c.row; }
  /// No turn of the gap any more: its bias has been given anew.
  void reset(const Contact& c) { turn_[static_cast<std::size_t>(c.row)] = 0.0; }
  /// Whether what slid, and turns, goes on after a step to `velocity`; else friction is that at the end of the step.
  bool slips_on(const double* velocity) const;
  void end_slips();
  /// Looks at the multipliers of the accepted step, less what laws' sets are shifted by: where one lets go, sticks or slides anew the step is of first order. law: of a contact.
  template <class Law>
  void end(const std::vector<double>& mu, const std::vector<double>& offset, const Law& law) {
    for (const Turn& t : turns_) {
      const Contact& c = set_.contacts()[static_cast<std::size_t>(t.contact)];
      double multipliers[ContactGroup::most_rows];
      for (int r = 0; r < c.rows; ++r) multipliers[r] = mu[static_cast<std::size_t>(c.row + r)] - offset[static_cast<std::size_t>(c.row + r)];
      first_order_ |= !(multipliers[0] > 0.0) || t.full != all_friction(law(c), c.rows, multipliers);
    }
  }
  /// Whether some contact did not carry or turned by a jump, changed what it does, or slides in two directions, by friction at its end.
  bool first_order() const { return first_order_; }

 private:
  /// slides: rows behind that of the gap that feel friction against the mean slip of the step, twice of which is their rate with u- as its bias.
  /// full: it had all the friction that its pressure allows.
  struct Turn { int contact, slides; bool full; };
  bool few(const Contact& c) const;
  void rates_at(const Contact& end, const Contact& c, const double* velocity, double* rates) const;

  const ContactTable& table_;
  const ContactSet& set_;
  ContactSet& near_;
  std::vector<double>& bias_;
  const std::vector<double>& u_minus_;
  bool allowed_ = false, first_order_ = false;
  double speed_ = 0.0, within_ = 0.0;
  std::vector<int> count_;  // contacts of a body, by its base
  std::vector<Turn> turns_;
  std::vector<double> turn_;
};

}  // namespace saltus
