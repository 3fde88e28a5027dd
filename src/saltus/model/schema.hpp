// What the catalogue says of itself: the JSON schema of model files and the list of items.
#pragma once

#include "saltus/model/item_type.hpp"
#include "saltus/model/scheme_type.hpp"

namespace saltus {

/// JSON schema (draft 2020-12) of a whole model file. A number may be written as an expression of parameters: where the
/// schema takes a text for it, only check_model knows its value.
Value json_schema(const Catalogue& catalogue, std::span<const SchemeType> schemes = {});

/// `saltus items --json`: list of {name, family, doc, fields: [{name, kind, unit, doc, default, range, required}], ports}.
Value items_list(const Catalogue& catalogue);

/// List of {name, doc, fields} as above.
Value schemes_list(std::span<const SchemeType> schemes);

}  // namespace saltus
