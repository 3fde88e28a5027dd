// Closed surfaces of triangles among the shapes of contacts: what of them is likely a mistake.
#include "saltus/base/value.hpp"
#include "saltus/collision/mesh.hpp"
#include "saltus/collision/mesh_crossings.hpp"
#include "saltus/system/compile_contacts.hpp"

namespace saltus {
namespace {
std::string crossing_text(const std::vector<Crossing>& found) {
  const Crossing& first = found.front();
  const std::size_t more = found.size() - 1;
  std::string at;
  for (int k = 0; k < 3; ++k) at += (k ? ", " : "") + short_text(first.at[k]);
  return "goes through itself: triangles " + std::to_string(first.a) + ", " + std::to_string(first.b) + " cross at (" + at + ") m" +
         (more == 0 ? "" : more == 1 ? ", as another pair" : ", as " + std::to_string(more) + " other pairs") + "; what lies in it twice is pushed out the wrong way";
}
}  // namespace

void ContactCompiler::closed_meshes() {
  const ContactTable& t = builder_.system().contacts;
  for (int i = 0; i < count_of(t.colliders); ++i) {
    const Record& r = *model_.find(t.colliders[i].name);
    const TriangleMesh* mesh = t.colliders[i].shape.mesh.get();
    if (r.type != "mesh" || !mesh || !(mesh->solid || mesh->room)) continue;
    std::vector<int> corners;
    for (const TriangleMesh::Triangle& triangle : mesh->triangles) corners.insert(corners.end(), triangle.v, triangle.v + 3);
    if (const std::vector<Crossing> found = crossings(mesh->points, corners); !found.empty())
      faults_.warn(r.place, r.path("triangles"), crossing_text(found), "join its parts into one surface, or make a shape of each");
    if (mesh->room && !holds_another(i))
      faults_.warn(r.place, r.path("triangles"), "is inside out: the corners of its " + std::to_string(mesh->triangles.size()) + " triangles run clockwise seen from outside, so that it is free inside, and no other body is there",
                   "swap two corners of each triangle, or place inside what it shall hold");
  }
}

bool ContactCompiler::holds_another(int i) const {
  const ContactTable& t = builder_.system().contacts;
  const auto place = [&](int k) {
    const FrameOn& f = places_[k];
    if (f.base < 0) return Pose{f.p, f.R};
    const Frame<double>& N = builder_.reference_frame(f.base);
    return Pose{N.p + N.R * f.p, N.R * f.R};
  };
  const Pose own = place(i);
  for (int k = 0; k < count_of(t.colliders); ++k)
    if (!t.colliders[k].shape.endless() && t.colliders[k].base != t.colliders[i].base && t.colliders[i].shape.mesh->surrounds(transposed_times(own.R, place(k).p - own.p))) return true;
  return false;
}

}  // namespace saltus
