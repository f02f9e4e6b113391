#include "app/cli/today.hpp"

#include <array>
#include <ctime>

namespace gantry::cli {

namespace {

std::string local_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> text{};
  std::tm local{};
  localtime_r(&now, &local);
  std::strftime(text.data(), text.size(), format, &local);
  return text.data();
}

}  // namespace

std::string today() { return local_time("%Y-%m-%d"); }

std::string date_and_time() { return local_time("%Y-%m-%d %H:%M"); }

}  // namespace gantry::cli
