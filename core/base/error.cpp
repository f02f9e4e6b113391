#include "core/base/error.hpp"

#include "core/base/printable.hpp"

#include <array>
#include <cstdio>

namespace gantry {

namespace {

std::string one_line(const std::string& what, const std::string& where, const std::string& remedy) {
  std::string line = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) line += "; " + remedy;
  return printable(line);
}

}  // namespace

Error::Error(const std::string& what, const std::string& where, const std::string& remedy)
    : std::runtime_error(one_line(what, where, remedy)) {}

OutOfMemory::OutOfMemory(const std::string& purpose, std::size_t needed_bytes,
                         std::size_t free_bytes)
    : Error(purpose + " needs " + format_bytes(needed_bytes) + ", " + format_bytes(free_bytes) +
                " are free",
            {}, "use a smaller grid or fewer views"),
      needed_bytes_(needed_bytes),
      free_bytes_(free_bytes) {}

OutOfMemory::OutOfMemory(const std::string& purpose, std::size_t free_bytes)
    : Error(purpose + " needs more memory than the " + format_bytes(free_bytes) + " that are free",
            {}, "use a smaller grid or fewer views"),
      needed_bytes_(0),
      free_bytes_(free_bytes) {}

std::string format_bytes(std::size_t bytes) {
  static constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000.0;
    ++unit;
  }
  std::array<char, 32> text{};
  const int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::snprintf(text.data(), text.size(), "%.*f %s", digits, value, units[unit]);
  return text.data();
}

}  // namespace gantry
