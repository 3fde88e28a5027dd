// Functions of fields whose number of arguments is known only with the record ("t|q*").
#pragma once

#include <nanobind/nanobind.h>

#include "saltus/items/entry.hpp"
#include "saltus/model/model.hpp"

namespace saltus::python {

/// Gives the functions of a record of run-time size their numbers of inputs and results: of its coordinates and rows. `callables`:
/// the objects behind the fields of the record that hold functions. Where the record does not say enough (a node that is not
/// there), they keep their size, and the check of the model tells what is wrong.
void size_functions(const ItemEntry& entry, const Object& fields, const Model& model, nanobind::dict callables, const std::string& path,
                    std::vector<Function>& functions);

}  // namespace saltus::python
