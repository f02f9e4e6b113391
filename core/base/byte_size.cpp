#include "core/base/byte_size.hpp"

#include "core/base/error.hpp"

#include <charconv>
#include <string_view>
#include <utility>

namespace gantry {

std::size_t parse_bytes(const std::string& text, const std::string& where) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"", 1},         {"B", 1},        {"kB", 1e3},     {"MB", 1e6},
      {"GB", 1e9},     {"TB", 1e12},    {"KiB", 0x1p10}, {"kiB", 0x1p10},
      {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
  double number = 0;
  const char* const end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  while (rest != end && *rest == ' ') ++rest;
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (error == std::errc{} && number > 0)
    for (const auto& [name, factor] : units)
      if (unit == name && number * factor >= 1 && number * factor < 0x1p60)
        return static_cast<std::size_t>(number * factor);
  throw UsageError("\"" + text + "\" is no amount of memory", where,
                   "write a number and MB, GB, MiB or GiB");
}

}  // namespace gantry
