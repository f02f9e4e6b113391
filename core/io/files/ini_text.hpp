#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gantry {

/// A text of lines "key=value" in sections "[name]", as scanners write their settings. Sections and
/// keys are told apart without regard to upper and lower case; of a key that occurs twice, the
/// first one counts. Lines of another form are passed over. Getters throw InputError, which names
/// file, section and key.
class IniText {
 public:
  IniText(const std::string& text, std::string where);

  const std::string& where() const { return where_; }
  bool has(const std::string& section, const std::string& key) const;
  /// Returns a value without blanks at its ends; nothing where the key is missing or empty.
  std::optional<std::string> text(const std::string& section, const std::string& key) const;
  /// Returns a number, behind which a unit may stand ("16.577 mm").
  double number(const std::string& section, const std::string& key) const;
  std::optional<double> number_if_stated(const std::string& section, const std::string& key) const;
  double positive(const std::string& section, const std::string& key) const;
  /// Returns a whole number from `low` to `high`.
  int whole(const std::string& section, const std::string& key, int low, int high) const;

  [[noreturn]] void fail(const std::string& section, const std::string& key,
                         const std::string& what, const std::string& remedy) const;

 private:
  std::string where_;
  std::map<std::pair<std::string, std::string>, std::string> values_;  // by section and key
};

/// Reads such a file. Throws InputError also for a file that is far too large for settings.
IniText read_ini(const std::string& path);

}  // namespace gantry
