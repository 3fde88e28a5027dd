#include "saltus/math/held_value.hpp"

#include <algorithm>
#include <memory>

namespace saltus {
namespace {

thread_local const double* held = nullptr;

struct Held {
  Function base;
  int component, first, count;
};

void value(void* context, const double* in, double* out) {
  const auto& h = *static_cast<const Held*>(context);
  h.base(in, out);
  for (int i = 0; i < h.count; ++i) out[h.component + i] = held ? held[h.first + i] : 0.0;
}
/// Of constants beside held values.
void no_slope(void* context, const double*, double* jacobian) {
  const auto& h = *static_cast<const Held*>(context);
  std::fill_n(jacobian, h.base.outputs() * h.base.inputs(), 0.0);
}

}  // namespace

HeldValues::HeldValues(const double* data) : before_(held) { held = data; }
HeldValues::~HeldValues() { held = before_; }

Function held_function(const Function& base, int component, int first, int count) {
  auto owner = std::make_shared<Held>(Held{base, std::max(component, 0), first, count});
  CFunction f;
  f.context = owner.get();
  f.call = value;
  f.inputs = base.inputs(), f.outputs = base.outputs(), f.parallel = false;
  if (base.is_constant()) f.jacobian = no_slope;
  return Function::external(f, owner, "held", base.input_names());
}

}  // namespace saltus
