// Where surfaces meet: places that a round shape cannot touch, since it lies on another surface there.
#pragma once

#include <vector>

#include "saltus/pool/kinematics.hpp"

namespace saltus {

struct Contact;
struct ContactTable;

/// A round shape that touches a surface lies above the plane of that contact, and nothing that ends at or below the plane can be struck: as a ball comes to the seam of two plates, the edge of the
/// second one is nearly as near as the plate it is on, in a direction that leans against its motion. Such contacts have an approach, at any small gap, that is gone when they close.
class ContactSeams {
 public:
  explicit ContactSeams(const ContactTable& table) : table_(table) {}
  /// By contact, whether a round shape of it lies on another one's surface that keeps it away.
  const std::vector<char>& unreachable(const Kinematics& k, const std::vector<Contact>& contacts);

 private:
  /// A contact as its shape sees it: the place on the other shape's surface, the direction from there.
  struct Seen { int other; Vec3<double> place, n; double gap; };
  Seen seen(const Contact& c, int shape) const;
  bool keeps_away(const Vec3<double>& axis, bool side, const Seen& lies, const Seen& c) const;

  const ContactTable& table_;
  std::vector<int> last_, before_;  // by shape its last contact; by contact and side the one before it
  std::vector<char> out_;
};

}  // namespace saltus
