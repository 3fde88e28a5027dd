// The table of bad model files, with the test items: each is refused, warned of or accepted as it says.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "saltus/model/file.hpp"
#include "saltus/model/json_text.hpp"
#include "saltus/model/test_items.hpp"

namespace saltus {
namespace {

Value cases() {
  std::ifstream stream(SALTUS_BAD_INPUTS);
  std::stringstream text;
  text << stream.rdbuf();
  Faults faults;
  Value root = parse_json(text.str(), "cases.json", faults);
  faults.raise();
  return root;
}

std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

std::string input(const Object& entry, const std::string& base) {
  std::string out;
  if (const Value* prefix = entry.find("hex_prefix")) out = from_hex(*prefix->text());
  if (const Value* text = entry.find("text")) return out + *text->text();
  if (const Value* hex = entry.find("hex")) return out + from_hex(*hex->text());
  if (const Value* parts = entry.find("parts")) {
    for (const Value& part : *parts->list()) {
      const std::string& piece = *part.list()->at(0).text();
      const std::size_t hash = piece.find('#');
      for (std::int64_t i = 0; i < *part.list()->at(1).integer(); ++i)
        out += hash == std::string::npos ? piece : piece.substr(0, hash) + std::to_string(i) + piece.substr(hash + 1);
    }
    return out;
  }
  std::string text = base;
  if (const Value* replace = entry.find("replace"))
    for (const Value& pair : *replace->list()) {
      const std::string &from = *pair.list()->at(0).text(), &to = *pair.list()->at(1).text();
      std::size_t at = text.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    }
  return out + text;
}

TEST(BadInputs, GetTheVerdictAndTheWordsOfTheTable) {
  const Value root = cases();
  const std::string& base = *root.object()->find("base")->text();
  int tried = 0;
  for (const Value& one : *root.object()->find("cases")->list()) {
    const Object& entry = *one.object();
    const std::string &name = *entry.find("name")->text(), &stage = *entry.find("stage")->text(),
                      &verdict = *entry.find("verdict")->text();
    SCOPED_TRACE(name);
    Faults faults;
    const Model model = read_model(input(entry, base), name, faults);
    if (!faults.has_errors()) check_model(model, test::catalogue(), {}, faults);
    std::string messages;
    for (const Fault& fault : faults.list()) {
      EXPECT_LT(fault.text().size(), 1000u);
      EXPECT_EQ(fault.text().find('\n'), std::string::npos);
      messages += fault.text() + "\n";
    }
    if (stage == "engine" || verdict == "accept") {
      EXPECT_FALSE(faults.has_errors()) << messages;
    } else if (verdict == "refuse") {
      EXPECT_TRUE(faults.has_errors());
    } else if (verdict == "warn") {
      EXPECT_FALSE(faults.list().empty());
    }
    for (const Value& fragment : *entry.find("expect")->list())
      EXPECT_NE(messages.find(*fragment.text()), std::string::npos) << *fragment.text() << "\nnot in\n" << messages;
    ++tried;
  }
  EXPECT_GT(tried, 45);
}

}  // namespace
}  // namespace saltus
