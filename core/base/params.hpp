#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace gantry {

/// The value of one parameter. Choices are strings.
using ParamValue = std::variant<bool, std::int64_t, double, std::string>;

/// Describes one parameter: forms, command line and validation are made from it.
struct ParamSpec {
  std::string key;      ///< as in files and on the command line: "relaxation"
  std::string label;    ///< as on screen: "Relaxation λ"
  std::string unit;     ///< "mm", "1/mm", or empty
  ParamValue fallback;  ///< default value; its type is the parameter's type
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  double step = 0;                        ///< of the spin box; 0 lets the form choose
  std::vector<std::string> choices = {};  ///< not empty: one of these
  std::string help;                       ///< one or two sentences
  /// Set for the parameter that tells runs of a method apart: names show its value after this, as
  /// in "SART, λ 0.5".
  std::optional<std::string> in_names = {};
};

/// Parameter values by key. Missing keys take the fallback of their ParamSpec.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<const std::string, ParamValue>> values)
      : values_(values) {}

  bool contains(const std::string& key) const { return values_.contains(key); }
  void set(const std::string& key, ParamValue value) { values_[key] = std::move(value); }
  void erase(const std::string& key) { values_.erase(key); }
  const std::map<std::string, ParamValue>& values() const { return values_; }

  /// Typed access; throws UsageError when the key is absent or of another type.
  /// real() also accepts integers.
  bool flag(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  double real(const std::string& key) const;
  const std::string& text(const std::string& key) const;

  friend bool operator==(const Params&, const Params&) = default;

 private:
  const ParamValue& at(const std::string& key) const;
  std::map<std::string, ParamValue> values_;
};

/// Fills in fallbacks and checks keys, types, ranges and choices. `owner` names the algorithm in
/// messages. Throws UsageError.
Params resolve_params(const Params& given, std::span<const ParamSpec> specs,
                      const std::string& owner);

/// Reads `text` as a value of the spec's type; throws UsageError.
ParamValue parse_param(const ParamSpec& spec, const std::string& text, const std::string& owner);

/// The numbers that a parameter may have: "0.001 to 1.999", "at least 0 mm²", "any number".
std::string range_text(const ParamSpec& spec);

/// "0.5", "golden", "true": as parse_param reads it.
std::string format_param(const ParamValue& value);

}  // namespace gantry
