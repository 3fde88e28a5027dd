#include "saltus/math/function.hpp"

namespace saltus {

template double* Expression::carry_out(const Expression::Operation&, double*, const double*, const double*);
template Dual<1>* Expression::carry_out(const Expression::Operation&, Dual<1>*, const Dual<1>*, const double*);
template Dual<3>* Expression::carry_out(const Expression::Operation&, Dual<3>*, const Dual<3>*, const double*);
template Dual<4>* Expression::carry_out(const Expression::Operation&, Dual<4>*, const Dual<4>*, const double*);
template Dual<6>* Expression::carry_out(const Expression::Operation&, Dual<6>*, const Dual<6>*, const double*);
template Dual<1, Dual<1>>* Expression::carry_out(const Expression::Operation&, Dual<1, Dual<1>>*, const Dual<1, Dual<1>>*, const double*);
template Dual<4, Dual<4>>* Expression::carry_out(const Expression::Operation&, Dual<4, Dual<4>>*, const Dual<4, Dual<4>>*, const double*);
template Dual<6, Dual<1>>* Expression::carry_out(const Expression::Operation&, Dual<6, Dual<1>>*, const Dual<6, Dual<1>>*, const double*);
template Taylor2<>* Expression::carry_out(const Expression::Operation&, Taylor2<>*, const Taylor2<>*, const double*);
template void Function::call_external(const Dual<1>*, Dual<1>*) const;
template void Function::call_external(const Dual<3>*, Dual<3>*) const;
template void Function::call_external(const Dual<4>*, Dual<4>*) const;
template void Function::call_external(const Dual<6>*, Dual<6>*) const;
template void Function::call_external(const Dual<1, Dual<1>>*, Dual<1, Dual<1>>*) const;
template void Function::call_external(const Dual<4, Dual<4>>*, Dual<4, Dual<4>>*) const;
template void Function::call_external(const Dual<6, Dual<1>>*, Dual<6, Dual<1>>*) const;
template void Function::call_external(const Taylor2<>*, Taylor2<>*) const;

}  // namespace saltus
