#include "saltus/items/make_entry.hpp"

namespace saltus::detail {

std::vector<PortInfo> port_list(const PortsOf& of) {
  std::vector<PortInfo> ports(of.own.begin(), of.own.end());
  const auto word = [](EndpointKind kind) { return kind == EndpointKind::frame ? std::string_view("frame") : std::string_view("coordinate"); };
  if (!of.names_own && !of.kinds.empty()) {
    if (of.of_joint) {
      ports.push_back({"A", "frame", true, false, "first of the pair"});
      ports.push_back({"B", "frame", true, false, "second of the pair: forces and motion are those of B"});
    } else if (of.of_node) {
      ports.push_back({"node", "node", true, false, "the node whose coordinates it moves"});
    } else if (of.kinds.size() == 1) {
      ports.push_back({"on", word(of.kinds[0]), true, false, "what it acts on"});
    } else {
      ports.push_back({"A", word(of.kinds[0]), true, false, "first of the pair"});
      ports.push_back({"B", word(of.kinds[1]), true, false, "second of the pair: forces and motion are those of B"});
    }
  }
  if (of.located) {
    ports.push_back({"at", "point", false, false, "where the joint is: world point in the reference position [m]; default: the frame B"});
    ports.push_back({"axis", "direction", false, false, "z axis of the joint frames: x, y, z or a vector in world axes; default: z of the frame B"});
    ports.push_back({"rotation", "rotation", false, false, "rotation vector of the joint frames in the world [rad], instead of axis"});
  }
  if (of.has_law) ports.push_back({"law", "law", of.law_given, false, of.run_time_size ? "law of the rows; default: equality" : "law of the rows"});
  return ports;
}

}  // namespace saltus::detail
