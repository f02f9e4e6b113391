#include "core/io/files/json_fields.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Returns the kind of a value for messages: "a text", "a list".
std::string kind_of(const nlohmann::json& value) {
  switch (value.type()) {
    case nlohmann::json::value_t::null:
      return "null";
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return "a list";
    case nlohmann::json::value_t::string:
      return "a text";
    case nlohmann::json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

std::string range_remedy(int low, int high) {
  return "give a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

}  // namespace

JsonFields::JsonFields(const nlohmann::json& object, std::string where, std::string path)
    : object_(object), where_(std::move(where)), path_(std::move(path)) {
  if (object_.is_object()) return;
  const std::string place = path_.empty() ? where_ : where_ + ": " + path_;
  throw InputError("is " + kind_of(object_) + ", not an object", place, "put it in { }");
}

void JsonFields::fail(const std::string& key, const std::string& what,
                      const std::string& remedy) const {
  throw InputError(what, where_ + ": " + path_of(key), remedy);
}

const nlohmann::json& JsonFields::at(const std::string& key, const std::string& remedy) const {
  const auto found = object_.find(key);
  if (found == object_.end()) fail(key, "is missing", remedy);
  return *found;
}

double JsonFields::number(const std::string& key) const {
  const nlohmann::json& value = at(key, "give a number");
  if (!value.is_number()) fail(key, "is " + kind_of(value) + ", not a number", "give a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) fail(key, "is not finite", "give a number");
  return number;
}

double JsonFields::number(const std::string& key, double fallback) const {
  return has(key) ? number(key) : fallback;
}

int JsonFields::integer(const std::string& key, int low, int high) const {
  const nlohmann::json& value = at(key, range_remedy(low, high));
  if (!value.is_number())
    fail(key, "is " + kind_of(value) + ", not a number", range_remedy(low, high));
  const double number = value.get<double>();
  if (!(number >= low && number <= high) || number != std::floor(number))
    fail(key, "is " + value.dump(), range_remedy(low, high));
  return static_cast<int>(number);
}

int JsonFields::integer(const std::string& key, int low, int high, int fallback) const {
  return has(key) ? integer(key, low, high) : fallback;
}

std::string JsonFields::text(const std::string& key, const std::string& remedy) const {
  const nlohmann::json& value = at(key, remedy);
  if (!value.is_string()) fail(key, "is " + kind_of(value) + ", not a text", remedy);
  const auto& text = value.get_ref<const std::string&>();
  const auto misplaced = [](unsigned char c) {
    return (c < 32 && c != '\n' && c != '\r' && c != '\t') || c == 127;
  };
  if (std::ranges::any_of(text, misplaced)) fail(key, "holds a control character", "remove it");
  return text;
}

bool JsonFields::flag(const std::string& key, bool fallback) const {
  if (!has(key)) return fallback;
  const nlohmann::json& value = at(key, {});
  if (!value.is_boolean()) fail(key, "is not true or false", "write true or false");
  return value.get<bool>();
}

std::string JsonFields::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key, "give a text") : fallback;
}

int JsonFields::choice(const std::string& key, const std::vector<std::string>& words) const {
  const std::string remedy = "use one of " + joined(words);
  const std::string word = text(key, remedy);
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) fail(key, "\"" + word + "\" is not known", remedy);
  return static_cast<int>(found - words.begin());
}

int JsonFields::choice(const std::string& key, const std::vector<std::string>& words,
                       int fallback) const {
  return has(key) ? choice(key, words) : fallback;
}

JsonFields JsonFields::object(const std::string& key, const std::string& remedy) const {
  return {at(key, remedy), where_, path_of(key)};
}

std::vector<std::string> JsonFields::others(std::initializer_list<const char*> known) const {
  std::vector<std::string> paths;
  for (const auto& field : object_.items())
    if (std::ranges::none_of(known, [&](const char* word) { return field.key() == word; }))
      paths.push_back(path_of(field.key()));
  return paths;
}

void require_no_unknown_fields(const std::vector<std::string>& unknown, const JsonFields& fields) {
  if (!unknown.empty())
    throw InputError("is not a known field", fields.where() + ": " + unknown.front(),
                     "correct or remove it");
}

}  // namespace gantry
