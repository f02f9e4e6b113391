#include "core/io/imports/logs/tomcat_log.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

namespace gantry {

namespace {

namespace fs = std::filesystem;

/// Returns the words of a name with a blank between them.
std::string with_single_blanks(std::string_view name) {
  std::string words;
  for (const char c : trimmed_blanks(name)) {
    const bool is_blank = c == ' ' || c == '\t';
    if (!is_blank || words.back() != ' ') words += is_blank ? ' ' : c;
  }
  return words;
}

/// Returns the numbers in the lines "Number of darks   : 20" of a text, by their names.
std::map<std::string, double> numbers_in(std::string_view text) {
  std::map<std::string, double> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view value = line.substr(colon + 1);
    if (const auto number = take_number(value); number && std::isfinite(*number))
      numbers.emplace(with_single_blanks(line.substr(0, colon)), *number);
  }
  return numbers;
}

std::optional<TomcatLog> log_in(const fs::path& path) {
  constexpr std::uintmax_t largest = 1 << 20;
  std::error_code error;
  if (fs::file_size(path, error) > largest || error) return std::nullopt;
  const auto numbers = numbers_in(read_text_file(path.string(), largest));
  const auto number = [&](const char* name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::optional<double>() : std::optional(found->second);
  };
  constexpr double most = 1e7;
  const auto count = [&](const char* name) {
    const double value = number(name).value_or(0);
    return value > 0 && value < most ? static_cast<int>(value) : 0;
  };
  TomcatLog log;
  log.file = path.filename().string();
  log.darks = count("Number of darks");
  log.flats = count("Number of flats");
  log.projections = count("Number of projections");
  if (log.projections == 0 || !number("Number of darks") || !number("Number of flats"))
    return std::nullopt;
  log.has_flats_between = count("Number of inter-flats") > 0;
  const auto first = number("Rot Y min position [deg]"), last = number("Rot Y max position [deg]");
  if (first && last && *first != *last) log.arc_deg = *last - *first;
  log.step_deg = number("Angular step [deg]").value_or(0);
  log.pixel_mm = 1e-3 * number("Actual pixel size [um]").value_or(0);
  return log;
}

}  // namespace

std::optional<TomcatLog> read_tomcat_log(const std::string& folder) {
  std::optional<TomcatLog> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (lower_case(entry.path().extension().string()) != ".log" || !entry.is_regular_file(error))
      continue;
    std::optional<TomcatLog> log = log_in(entry.path());
    if (log && found) return std::nullopt;
    if (log) found = std::move(log);
  }
  return found;
}

std::string TomcatLog::counts() const {
  return file + " counts " + std::to_string(darks) + " darks, " + std::to_string(flats) +
         " flats and " + std::to_string(projections) + " projections";
}

}  // namespace gantry
