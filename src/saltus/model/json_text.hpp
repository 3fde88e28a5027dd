// JSON text to and from the tree of values, with the place of every value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "saltus/base/errors.hpp"
#include "saltus/base/value.hpp"

namespace saltus {

/// What a text may hold at most. They keep a hostile file below 1 GB and a few seconds.
struct JsonLimits {
  std::size_t bytes = 128u << 20;
  std::size_t values = 4'000'000;
  int depth = 64;
  std::size_t number_digits = 400;
};

/// Tree of a JSON text (RFC 8259, UTF-8; a byte order mark is skipped). Null value and a fault where it cannot be read:
/// not UTF-8, control characters, numbers beyond double, keys given twice (all of them), anything after the value, limits.
Value parse_json(std::string_view text, const std::string& file, Faults& faults, const JsonLimits& limits = {});

/// JSON text of a tree; numbers read back bit for bit, whole `number`s as 1.0. Lists without lists or objects in them
/// stand on one line. Functions of the host and numbers that are not finite have no JSON: a fault names their path.
std::string json_text(const Value& value, Faults& faults, int indent = 2);

/// The same for a tree that holds neither; throws ModelError if it does.
std::string json_text(const Value& value, int indent = 2);

}  // namespace saltus
