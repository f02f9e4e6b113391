#include "core/base/csv.hpp"

#include "core/base/params.hpp"

#include <cmath>

namespace gantry {

std::string csv_number(double value) {
  return std::isfinite(value) ? format_param(value) : std::string{};
}

std::string csv_comment(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return "# " + text + "\n";
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos && !text.starts_with('#')) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace gantry
