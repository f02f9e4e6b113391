#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace gantry {

/// Parses a JSON text. Throws InputError with `where`: for invalid JSON (with line and column), for
/// a key that occurs twice in an object, for more than 64 levels, and for values that would take
/// more memory than allowed_memory() of the size of the text.
nlohmann::json parse_json(const std::string& text, const std::string& where);

/// The fields of one JSON object, which must outlive this view of it. All getters throw InputError
/// with a message of one line: the file, the path of the field, what is wrong and what would be
/// right.
class JsonFields {
 public:
  /// `where` names the file; `path` is the path of the object in the file ("geometry"), empty at
  /// the top. Throws InputError if the value is no object.
  JsonFields(const nlohmann::json& object, std::string where, std::string path = {});

  bool has(const std::string& key) const { return object_.contains(key); }
  /// Returns the value. If the field is missing, the error ends with `remedy`.
  const nlohmann::json& at(const std::string& key, const std::string& remedy) const;

  double number(const std::string& key) const;
  double number(const std::string& key, double fallback) const;
  /// Returns a whole number from `low` to `high`, which may be written as 512.0.
  int integer(const std::string& key, int low, int high) const;
  int integer(const std::string& key, int low, int high, int fallback) const;
  /// Returns a text, in which line ends and tabs are the only control characters allowed.
  std::string text(const std::string& key, const std::string& remedy) const;
  bool flag(const std::string& key, bool fallback) const;
  /// Returns a text, or `fallback` if the field is missing.
  std::string text_or(const std::string& key, const std::string& fallback) const;
  /// Returns the index of the text in `words`. Other texts are errors.
  int choice(const std::string& key, const std::vector<std::string>& words) const;
  int choice(const std::string& key, const std::vector<std::string>& words, int fallback) const;
  /// Does the same with words in a constexpr array, which allocates no memory before main() begins.
  template <std::size_t count, class... Fallback>
  int choice(const std::string& key, const std::array<const char*, count>& words,
             Fallback... fallback) const {
    return choice(key, std::vector<std::string>(words.begin(), words.end()), fallback...);
  }
  JsonFields object(const std::string& key, const std::string& remedy) const;

  /// Returns the paths of the fields that are not in `known`.
  std::vector<std::string> others(std::initializer_list<const char*> known) const;

  [[noreturn]] void fail(const std::string& key, const std::string& what,
                         const std::string& remedy) const;
  const std::string& where() const { return where_; }
  std::string path_of(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

 private:
  const nlohmann::json& object_;
  std::string where_, path_;
};

/// Throws InputError for the first of the paths `unknown`, if there is one: a misspelt field would
/// otherwise silently keep its default.
void require_no_unknown_fields(const std::vector<std::string>& unknown, const JsonFields& fields);

}  // namespace gantry
