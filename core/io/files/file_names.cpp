#include "core/io/files/file_names.hpp"

#include "core/base/error.hpp"
#include "core/io/files/read_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

void require_no_control_characters(const std::string& path) {
  if (has_control_characters(path))
    throw UsageError("the name holds a control character", path, "choose another name");
}

/// Returns an absolute path with links resolved as far as the path exists; empty if that fails.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path from_root = fs::absolute(path, error);
  if (error) return {};
  const fs::path found = fs::weakly_canonical(from_root, error);
  return error ? fs::path() : found;
}

}  // namespace

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string_view trimmed_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool has_extension(const fs::path& file, std::string_view extension) {
  const std::string name = lower_case(file.filename().string());
  return name.size() > extension.size() && name.ends_with(extension);
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

bool has_control_characters(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 32 || c == 127; });
}

bool lies_within(const fs::path& path, const fs::path& folder) {
  // The parent path of a bare file name is empty and means the current folder.
  const fs::path file = resolved(path), base = resolved(folder.empty() ? "." : folder);
  if (file.empty() || base.empty()) return false;
  const auto [rest, unused] = std::mismatch(base.begin(), base.end(), file.begin(), file.end());
  // A folder that ends in a slash has an empty last part.
  return rest == base.end() || (rest->empty() && std::next(rest) == base.end());
}

bool allows_data_outside() {
  const char* const value = std::getenv("GANTRY_ALLOW_OUTSIDE");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

void require_name_for_json(const std::string& path) {
  require_no_control_characters(path);
  if (!is_utf8(fs::path(path).filename().string()))
    throw UsageError("the name is not UTF-8, which a scan file needs", path, "choose another name");
}

void require_name_for_metaimage(const std::string& path) {
  require_no_control_characters(path);
  const std::string name = fs::path(path).filename().string();
  if (name.find('%') != std::string::npos || name.starts_with("LIST"))
    throw UsageError("a MetaImage header would read the name as a pattern of slices", path,
                     "choose a name without % that does not begin with LIST, or NAME.mha");
  if (name.starts_with(' '))
    throw UsageError("a MetaImage header loses the space at the name's beginning", path,
                     "choose another name, or NAME.mha");
}

}  // namespace gantry
