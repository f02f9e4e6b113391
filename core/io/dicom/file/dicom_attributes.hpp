#pragma once

#include "core/io/dicom/file/dicom_tags.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The attributes of a DICOM data set or sequence item as plain values, by DicomTag::number():
/// text as UTF-8, numbers as decimal text. The values of a multi-valued attribute are separated by
/// backslashes. Pixels, other binary values, values longer than 64 KiB and private attributes
/// other than those of projections (projection_tags.hpp) are left out.
struct DicomAttributes {
  std::map<std::uint32_t, std::string> values;
  std::map<std::uint32_t, std::vector<DicomAttributes>> sequences;

  /// Returns the value without leading and trailing blanks; empty when the attribute is absent.
  std::string text(DicomTag tag) const;
  /// Returns whether the attribute is present and not empty.
  bool has(DicomTag tag) const { return !text(tag).empty(); }

  /// Returns the values as numbers; an empty vector when the attribute is absent or empty.
  /// Throws InputError naming `where` and the attribute when a value is not a finite number.
  std::vector<double> numbers(DicomTag tag, const std::string& where) const;
  /// Returns the first of numbers(), nullopt when there is none. Throws as numbers().
  std::optional<double> number(DicomTag tag, const std::string& where) const;
  /// Returns the first of numbers() as an integer, nullopt when there is none. Throws as numbers(),
  /// and InputError when the value is not a whole number from `smallest` to `largest`.
  std::optional<int> integer(DicomTag tag, const std::string& where, int smallest,
                             int largest) const;

  /// Returns item `index` of a sequence, or nullptr when there is no such item.
  const DicomAttributes* item(DicomTag sequence, std::size_t index = 0) const;
};

}  // namespace gantry
