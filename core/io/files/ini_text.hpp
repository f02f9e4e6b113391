#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// A text of lines "key=value" in sections "[name]", as scanners write their settings; lines before
/// the first section are of section "". Sections and keys are told apart without regard to upper
/// and lower case; of a key that occurs twice, the first one counts, which contradictions() tells.
/// Lines of another form are passed over. Getters throw InputError, which names file, section and
/// key.
class IniText {
 public:
  IniText(const std::string& text, std::string where);

  const std::string& where() const { return where_; }
  bool has(const std::string& section, const std::string& key) const;
  /// Returns a value without blanks at its ends; nothing where the key is missing or empty.
  std::optional<std::string> text(const std::string& section, const std::string& key) const;
  /// Returns a number, behind which a unit may stand ("16.577 mm"). A single comma between digits
  /// stands before decimals ("16,577"), which decimal_commas() tells.
  double number(const std::string& section, const std::string& key) const;
  std::optional<double> number_if_stated(const std::string& section, const std::string& key) const;
  double positive(const std::string& section, const std::string& key) const;
  /// Returns a whole number from `low` to `high`.
  int whole(const std::string& section, const std::string& key, int low, int high) const;

  /// Throws InputError, which names all of these keys that are missing, if any is.
  void require(const std::string& section, const std::vector<std::string>& keys) const;

  /// Returns one line about the keys that occur twice with different values; nothing without any.
  std::optional<std::string> contradictions() const;

  /// Returns one line about the numbers that have decimal commas; nothing without any.
  std::optional<std::string> decimal_commas() const;

  [[noreturn]] void fail(const std::string& section, const std::string& key,
                         const std::string& what, const std::string& remedy) const;

 private:
  std::string where_;
  std::map<std::pair<std::string, std::string>, std::string> values_;  // by section and key
  std::vector<std::string> contradictions_;  // "SrcToObject (100, then 200)"
  std::vector<std::string> commas_;          // "SrcToObject (123,45)"
};

/// Reads such a file. Throws InputError also for a file that is far too large for settings.
IniText read_ini(const std::string& path);

}  // namespace gantry
