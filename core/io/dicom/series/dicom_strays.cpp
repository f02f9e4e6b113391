#include "core/io/dicom/series/dicom_strays.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Returns the name of a file in lower case with # for each number: "i#.dcm" for "I10.dcm" and for
/// "i120.dcm".
std::string pattern_of(const fs::path& path) {
  std::string pattern;
  for (const char c : lower_case(path.filename().string())) {
    if (!is_digit(c))
      pattern += c;
    else if (!pattern.ends_with('#'))
      pattern += '#';
  }
  return pattern;
}

/// Returns whether a name has an extension. The last number of a name such as CT.1.2.840 is not an
/// extension.
bool has_extension(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension.size() > 1 &&
         !std::all_of(extension.begin() + 1, extension.end(), [](char c) { return is_digit(c); });
}

/// Returns whether a file begins with text, as a README or a list of checksums does; false for an
/// empty file and for a file that cannot be read.
bool holds_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::array<char, 512> start{};
  stream.read(start.data(), start.size());
  const std::string_view bytes(start.data(), static_cast<std::size_t>(stream.gcount()));
  constexpr std::string_view blanks = "\t\n\f\r";
  return !bytes.empty() && std::ranges::all_of(bytes, [&](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || blanks.find(c) != std::string_view::npos;
  });
}

bool may_be_slice(const fs::path& path, const std::set<std::string>& patterns) {
  const std::string name = lower_case(path.filename().string());
  if (name.starts_with('.') || name == "dicomdir") return false;
  if (patterns.contains(pattern_of(path)) || name.ends_with(".dcm")) return true;
  return !has_extension(path) && !holds_text(path);
}

}  // namespace

std::vector<std::string> stray_slices(const std::vector<std::string>& foreign,
                                      const std::vector<std::string>& slices) {
  std::map<fs::path, std::set<std::string>> patterns;  // of the slices in each folder
  if (!foreign.empty())
    for (const std::string& slice : slices) patterns[folder_of(slice)].insert(pattern_of(slice));
  std::vector<std::string> strays;
  for (const std::string& file : foreign) {
    const auto found = patterns.find(folder_of(file));
    if (found != patterns.end() && may_be_slice(file, found->second)) strays.push_back(file);
  }
  return strays;
}

std::string describe_strays(const std::vector<std::string>& strays) {
  if (strays.empty()) return {};
  constexpr std::size_t most = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(most, strays.size()); ++i)
    names += (i == 0 ? "" : ", ") + fs::path(strays[i]).filename().string();
  if (strays.size() == 1)
    return names +
           " is not a DICOM file or is damaged; it was left out; if it was a slice of this series, "
           "that slice is missing in the volume";
  if (strays.size() > most) names += " and " + std::to_string(strays.size() - most) + " more";
  return std::to_string(strays.size()) +
         " files are not DICOM files or are damaged; they were left out: " + names +
         "; slices of this series among them are missing in the volume";
}

}  // namespace gantry
