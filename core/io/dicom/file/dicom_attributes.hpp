#pragma once

#include "core/io/dicom/file/dicom_tags.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The attributes of a DICOM data set or sequence item as plain values: text as UTF-8, numbers as
/// decimal text, several values with a backslash between them. Pixels and private attributes are
/// left out.
struct DicomAttributes {
  std::map<std::uint32_t, std::string> values;
  std::map<std::uint32_t, std::vector<DicomAttributes>> sequences;

  /// The value without leading and trailing blanks; empty when it is absent.
  std::string text(DicomTag tag) const;
  bool has(DicomTag tag) const { return !text(tag).empty(); }

  /// The values as finite numbers; empty when the attribute is absent or empty.
  /// Throws InputError naming `where` and the attribute when a value is not a finite number.
  std::vector<double> numbers(DicomTag tag, const std::string& where) const;
  /// The first value. Throws as numbers().
  std::optional<double> number(DicomTag tag, const std::string& where) const;
  /// The first value. Throws InputError when it is not a whole number from `smallest` to `largest`.
  std::optional<int> integer(DicomTag tag, const std::string& where, int smallest,
                             int largest) const;

  /// Item `index` of a sequence, or nullptr.
  const DicomAttributes* item(DicomTag sequence, std::size_t index = 0) const;
};

}  // namespace gantry
