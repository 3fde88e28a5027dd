// How a text names what is read of a model: a path, or a formula of paths.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

/// A formula begins with "=": `= motor.drive * motor.angular_rate`. In it stand paths, as they are where their words are of letters, digits and _, else in braces:
/// `{rod 1.velocity.x}`; `(a.position - b.position).norm` takes a component of what is in parentheses.
bool is_formula(std::string_view text);

/// Part of a formula that is read of the model: a path, or a formula in parentheses with a component.
struct QuantityOperand {
  std::size_t begin = 0, end = 0;  // in the text
  std::string inner;               // the path, or the formula with its "="
  std::string component;           // of a formula
};
/// Operands from left to right; where a brace or a parenthesis is not closed, what is left out.
std::vector<QuantityOperand> operands_of(std::string_view formula);

/// Of several items: `relative(A, B)`, `group(A, B, ...)`.
struct ItemsText {
  std::string word;
  std::vector<std::string> names;
};
/// The items of the first word of a path; nothing where it is the name of one.
std::optional<ItemsText> items_of(std::string_view first_word);

/// Where names of items stand in an output: begin and length.
struct NameSpan {
  std::size_t begin = 0, length = 0;
};
std::vector<NameSpan> names_in(std::string_view text);

}  // namespace saltus
