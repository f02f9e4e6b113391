#include "app/cli/today.hpp"

#include <array>
#include <ctime>

namespace gantry::cli {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 16> text{};
  std::tm local{};
  localtime_r(&now, &local);
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &local);
  return text.data();
}

}  // namespace gantry::cli
