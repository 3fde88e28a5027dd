// A model as a file: reading with all faults at once, checking against the catalogue, writing.
#pragma once

#include <filesystem>

#include "saltus/model/item_type.hpp"

namespace saltus {

/// Version of the format that is written; read are 1 up to it.
inline constexpr int format_version = 1;

/// Model of a tree whose root holds "saltus": 1. Text that is no JSON comes in here as well.
Model model_from_tree(const Value& root, const std::string& file, Faults& faults);

/// Reads JSON text; `file` is what faults name.
Model read_model(std::string_view text, const std::string& file, Faults& faults);

/// Reads a file. ModelError with all faults if it is not a regular file, is too large or is not a model.
Model load_model(const std::filesystem::path& path);

/// Checks all that can be known without compiling: parameters, gravity, options, types, fields, references, outputs.
void check_model(const Model& model, const Catalogue& catalogue, std::span<const Function> functions, Faults& faults);

/// The tree of a model: keys in the format's order, records in the order in which they were made.
Value model_tree(const Model& model);

/// JSON text of a model; reading it gives the same model. ModelError naming what a file cannot hold (host functions).
std::string model_text(const Model& model);

/// Writes model_text() to a file, which is replaced as a whole or not at all.
void save_model(const Model& model, const std::filesystem::path& path);

}  // namespace saltus
