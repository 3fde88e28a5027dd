// The one description of an item: from `fields()` follow schema, Python class, stub, docs, validation, tests.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

namespace saltus {

/// Valid values of a field. For vectors and matrices it holds for each entry.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   // low itself is not allowed
  bool high_open = false;  // high itself is not allowed
  int size = 0;            // required number of entries of a list; 0: any
  std::string_view choices = {};  // "x|y|z": allowed words of a text field
  std::string_view remedy = {};   // what to do instead, if there is a usual mistake
  bool required = false;          // no default: must be given
  bool direction = false;         // a list that is scaled to length 1; a Vec3 may also be written "x", "-y", ...
  std::string_view inputs = {};   // "t|q|v": names of a Function field's arguments; `size` is its number of results
  bool square = false;            // of a Function field: its results are the rows of a square matrix, and are written as rows
};

constexpr Range any() { return {}; }
constexpr Range at_least(double low) { return {.low = low}; }
constexpr Range above(double low) { return {.low = low, .low_open = true}; }
constexpr Range between(double low, double high) { return {.low = low, .high = high}; }
constexpr Range one_of(std::string_view choices) { return {.choices = choices}; }
constexpr Range function_of(std::string_view inputs, int results = 1) { return {.size = results, .inputs = inputs}; }
constexpr Range matrix_of(std::string_view inputs) { return {.inputs = inputs, .square = true}; }
constexpr Range entries(int size) { return {.size = size}; }
constexpr Range direction() { return {.direction = true}; }
constexpr Range required(Range range = {}) { range.required = true; return range; }
constexpr Range or_else(Range range, std::string_view remedy) { range.remedy = remedy; return range; }

/// One field of an item: name, member, unit, sentence, range. The default is the member's initializer.
/// Member types: double, int, bool, std::string, Vec3<double>, Mat3<double>, std::vector<double>,
/// Eigen-free dense `Matrix`, Function. `unit` is SI text ("N/m"), "" where dimensionless.
template <class Item, class T>
struct Field {
  using type = T;
  std::string_view name;
  T Item::*member;
  std::string_view unit;
  std::string_view doc;
  Range range;
};

template <class Item, class T>
constexpr Field<Item, T> field(std::string_view name, T Item::*member, std::string_view unit, std::string_view doc,
                               Range range = {}) {
  return {name, member, unit, doc, range};
}

/// What an item offers to be read beside what all of its kind do: up to three numbers. components: "x|y|z", "" for one number.
struct ItemQuantity {
  std::string_view name, unit;
  std::string_view doc = {};
  std::string_view components = "x|y|z";
};

}  // namespace saltus
