#include "core/base/params.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gantry {

namespace {

std::string joined_keys(std::span<const ParamSpec> specs) {
  return specs.empty() ? "it has no parameters" : "it has " + joined(specs, &ParamSpec::key);
}

ParamValue checked(const ParamSpec& spec, const ParamValue& value, const std::string& owner) {
  const std::string where = owner + "." + spec.key;
  // Real parameters accept whole numbers, and integer parameters accept reals such as 3.0.
  ParamValue converted = value;
  if (std::holds_alternative<double>(spec.fallback) && std::holds_alternative<std::int64_t>(value))
    converted = static_cast<double>(std::get<std::int64_t>(value));
  if (std::holds_alternative<std::int64_t>(spec.fallback) &&
      std::holds_alternative<double>(value)) {
    const double real = std::get<double>(value);
    if (real == std::floor(real) && std::abs(real) < 9e15)
      converted = static_cast<std::int64_t>(real);
  }
  if (converted.index() != spec.fallback.index()) {
    static constexpr std::array kinds = {"true or false", "a whole number", "a number", "a word"};
    const bool flag = std::holds_alternative<bool>(spec.fallback);
    throw UsageError("value " + format_param(value) + " is not " + kinds[spec.fallback.index()],
                     where,
                     !spec.choices.empty() ? "use one of " + joined(spec.choices)
                                           : "use " + (flag ? "true or false" : range_text(spec)));
  }
  if (const auto* word = std::get_if<std::string>(&converted)) {
    if (!spec.choices.empty() && std::ranges::find(spec.choices, *word) == spec.choices.end())
      throw UsageError("unknown choice \"" + *word + "\"", where,
                       "use one of " + joined(spec.choices));
    return converted;
  }
  if (std::holds_alternative<bool>(converted)) return converted;
  const double number = std::holds_alternative<double>(converted)
                            ? std::get<double>(converted)
                            : static_cast<double>(std::get<std::int64_t>(converted));
  if (!std::isfinite(number) || number < spec.min || number > spec.max)
    throw UsageError("value " + format_param(value) + " is out of range", where,
                     "use " + range_text(spec));
  return converted;
}

}  // namespace

std::optional<ParamSpec> offered_part(const ParamSpec& spec, const ParamValue& value, bool all) {
  ParamSpec offered = spec;
  const auto is_for_studies = [&](const std::string& choice) {
    return std::ranges::find(spec.study_choices, choice) != spec.study_choices.end();
  };
  const auto* word = std::get_if<std::string>(&value);
  if (!all)
    std::erase_if(offered.choices, [&](const std::string& choice) {
      return is_for_studies(choice) && (word == nullptr || choice != *word);
    });
  if (!spec.study_choices.empty() && offered.choices.size() < 2) return std::nullopt;
  const bool shows_studies = std::ranges::any_of(offered.choices, is_for_studies);
  if (shows_studies && !spec.study_help.empty()) offered.help += " " + spec.study_help;
  return offered;
}

std::string range_text(const ParamSpec& spec) {
  const std::string unit = spec.unit.empty() ? "" : " " + spec.unit;
  if (std::isinf(spec.min) && std::isinf(spec.max)) return "any number";
  if (std::isinf(spec.max)) return "at least " + format_param(spec.min) + unit;
  if (std::isinf(spec.min)) return "at most " + format_param(spec.max) + unit;
  return format_param(spec.min) + " to " + format_param(spec.max) + unit;
}

const ParamValue& Params::at(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) throw UsageError("parameter is not set", key);
  return found->second;
}

bool Params::flag(const std::string& key) const {
  if (const auto* value = std::get_if<bool>(&at(key))) return *value;
  throw UsageError("parameter is not true or false", key);
}

std::int64_t Params::integer(const std::string& key) const {
  if (const auto* value = std::get_if<std::int64_t>(&at(key))) return *value;
  throw UsageError("parameter is not a whole number", key);
}

double Params::real(const std::string& key) const {
  const ParamValue& value = at(key);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  throw UsageError("parameter is not a number", key);
}

const std::string& Params::text(const std::string& key) const {
  if (const auto* value = std::get_if<std::string>(&at(key))) return *value;
  throw UsageError("parameter is not a word", key);
}

Params resolve_params(const Params& given, std::span<const ParamSpec> specs,
                      const std::string& owner) {
  for (const auto& [key, value] : given.values())
    if (std::ranges::find(specs, key, &ParamSpec::key) == specs.end())
      throw UsageError("unknown parameter", std::string(owner).append(".").append(key),
                       joined_keys(specs));
  Params resolved;
  for (const ParamSpec& spec : specs) {
    const auto found = given.values().find(spec.key);
    resolved.set(spec.key, found == given.values().end() ? spec.fallback
                                                         : checked(spec, found->second, owner));
  }
  return resolved;
}

ParamValue parse_param(const ParamSpec& spec, const std::string& text, const std::string& owner) {
  if (std::holds_alternative<std::string>(spec.fallback)) return checked(spec, text, owner);
  if (text == "true") return checked(spec, true, owner);
  if (text == "false") return checked(spec, false, owner);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return checked(spec, text, owner);
  return checked(spec, number, owner);
}

std::string format_param(const ParamValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  std::array<char, 32> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), std::get<double>(value));
  return {text.data(), error == std::errc{} ? end : text.data()};
}

}  // namespace gantry
