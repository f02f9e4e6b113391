#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A file name around its last number: "raw_", 12, ".tiff".
struct NumberedName {
  std::string before, after;
  std::optional<int> number;
  bool has_time = false;  ///< a number that is too long to count files, as those of times are
};

/// Returns the name of a file around its last number. `prefix` characters belong to no number:
/// "Scan12" in "Scan120001.tif".
NumberedName numbered(const std::filesystem::path& path, std::size_t prefix = 0);

/// A file name around a decimal number at its end, or one with a sign: "img_", 12.5, ".tif".
struct DecimalName {
  std::string before, after;
  double number = 0;
  bool has_sign = false;
};

/// Returns it so; nothing without such a number. `point`: the character of decimal numbers.
std::optional<DecimalName> decimal(const std::filesystem::path& path, char point);

/// Returns the greatest step that numbers from 0 share: 2 of 0, 4 and 6; 0 where all are 0.
int common_step(const std::vector<int>& numbers);

}  // namespace gantry
