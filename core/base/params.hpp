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

/// Describes one parameter. Forms, the command line and the validation of values use this
/// description.
struct ParamSpec {
  std::string key;      ///< in files and on the command line: "relaxation"
  std::string label;    ///< on screen: "Relaxation λ"
  std::string unit;     ///< "mm", "1/mm", or empty
  ParamValue fallback;  ///< default value; its type is the parameter's type
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  double step = 0;                        ///< step of the spin box; 0: the form chooses
  std::vector<std::string> choices = {};  ///< if not empty, the value is one of these
  /// Those of `choices` that only serve to repeat a published comparison; never the fallback. Forms
  /// and lists show them only if all methods are requested (offered_part()).
  std::vector<std::string> study_choices = {};
  std::string help;             ///< one or two sentences
  std::string study_help = {};  ///< added to `help` where choices for studies are shown
  /// What forms show instead of the smallest value, where that stands for a choice of the program:
  /// "found"; empty: the number.
  std::string least_means = {};
  /// Set for a parameter that distinguishes runs of the same method: the name of a run contains
  /// this text followed by the value, as in "SART, λ 0.5".
  std::optional<std::string> in_names = {};
};

/// Parameter values by key. resolve_params() completes missing keys.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<const std::string, ParamValue>> values)
      : values_(values) {}

  bool contains(const std::string& key) const { return values_.contains(key); }
  void set(const std::string& key, ParamValue value) { values_[key] = std::move(value); }
  void erase(const std::string& key) { values_.erase(key); }
  const std::map<std::string, ParamValue>& values() const { return values_; }

  /// Return the value of a key. Throw UsageError if the key is absent or the value has another
  /// type; real() also accepts integers.
  bool flag(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  double real(const std::string& key) const;
  const std::string& text(const std::string& key) const;

  friend bool operator==(const Params&, const Params&) = default;

 private:
  const ParamValue& at(const std::string& key) const;
  std::map<std::string, ParamValue> values_;
};

/// Returns `given`, completed by the fallbacks of `specs`. Throws UsageError for unknown keys and
/// for values of a wrong type, out of range or not among the choices. `owner` names the algorithm
/// in messages.
Params resolve_params(const Params& given, std::span<const ParamSpec> specs,
                      const std::string& owner);

/// Returns the value that `text` states, of the type of the spec. Throws UsageError as
/// resolve_params() does.
ParamValue parse_param(const ParamSpec& spec, const std::string& text, const std::string& owner);

/// Returns what forms and lists show of a parameter whose value is `value`: `spec` itself if `all`,
/// otherwise without the choices for studies other than `value`. Returns nothing if that leaves a
/// single choice.
std::optional<ParamSpec> offered_part(const ParamSpec& spec, const ParamValue& value, bool all);

/// Returns the range of a parameter as text: "0.001 to 1.999", "at least 0 mm²", "any number".
std::string range_text(const ParamSpec& spec);

/// Returns a value as text that parse_param() reads back: "0.5", "golden", "true".
std::string format_param(const ParamValue& value);

}  // namespace gantry
