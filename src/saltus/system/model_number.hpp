// A number of a model by its name, from outside: what a linearization varies and what a controller sets.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/math/function.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

/// `item`, `item.field`, `item.field.x` or the name of a parameter.
struct ModelNumber {
  std::string name;       // item.field[.component], or the parameter
  std::string record;     // empty: a parameter
  std::string field;
  int component = -1;     // of a list or vector function; -1: the whole
  int size = 1;           // numbers of the field; 0: any
  bool function = false;  // the field takes a function
};

/// Finds it; `item` alone is the item's one function, else its first number. Throws ModelError naming what there is.
ModelNumber find_number(const Model& model, const std::string& name);

/// The model with the number moved by `by`: numbers are added to, expressions and functions get a term. New functions are appended.
Model shifted(const Model& model, const ModelNumber& number, double by, std::vector<Function>& functions);

/// Size of the number as written: |x|, 1 where it is 0 or not a constant.
double size_of(const Model& model, const ModelNumber& number);

}  // namespace saltus
