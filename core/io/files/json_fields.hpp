#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace gantry {

/// Parses a JSON text. Throws InputError with `where`: for what is not JSON with line and column,
/// for a key that an object holds twice, for more than 64 levels, and for values that would take
/// more memory than allowed_memory of the text.
nlohmann::json parse_json(const std::string& text, const std::string& where);

/// The fields of one JSON object. Each complaint is one line: the file, the field's path, what is
/// wrong and what would be right. The JSON value outlives this. All getters throw InputError.
class JsonFields {
 public:
  /// `where` names the file; `path` is the object's place in it ("geometry"), empty at the top.
  JsonFields(const nlohmann::json& object, std::string where, std::string path = {});

  bool has(const std::string& key) const { return object_.contains(key); }
  /// The value; `remedy` is said when it is missing.
  const nlohmann::json& at(const std::string& key, const std::string& remedy) const;

  double number(const std::string& key) const;
  double number(const std::string& key, double fallback) const;
  /// A whole number, also when written as 512.0.
  int integer(const std::string& key, int low, int high) const;
  int integer(const std::string& key, int low, int high, int fallback) const;
  /// Without control characters but line ends and tabs.
  std::string text(const std::string& key, const std::string& remedy) const;
  bool flag(const std::string& key, bool fallback) const;
  /// A text that may be left out.
  std::string text_or(const std::string& key, const std::string& fallback) const;
  /// One of `words`, as its index.
  int choice(const std::string& key, const std::vector<std::string>& words) const;
  int choice(const std::string& key, const std::vector<std::string>& words, int fallback) const;
  /// Of words that a file keeps as constants: these take no memory before main() begins.
  template <std::size_t count, class... Fallback>
  int choice(const std::string& key, const std::array<const char*, count>& words,
             Fallback... fallback) const {
    return choice(key, std::vector<std::string>(words.begin(), words.end()), fallback...);
  }
  JsonFields object(const std::string& key, const std::string& remedy) const;

  /// Paths of the fields that are not among `known`.
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

/// Throws InputError for the first of these paths: a misspelt field would otherwise keep its
/// default without a word.
void require_none(const std::vector<std::string>& unknown, const JsonFields& fields);

}  // namespace gantry
