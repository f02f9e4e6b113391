#pragma once

#include "tests/core/io/imports/counted_arrays.hpp"

#include <QByteArray>

#include <cstdint>
#include <utility>
#include <vector>

namespace gantry::test {

/// A header with these lines, padded to a multiple of 512 bytes.
inline QByteArray edf_header(const QByteArray& lines) {
  QByteArray text = "{\n" + lines;
  const qsizetype bytes = (text.size() + 2 + 511) / 512 * 512;
  text.resize(bytes - 2, ' ');
  return text + "}\n";
}

/// A frame of uint16; `more` are further lines of its header.
inline QByteArray edf(const std::vector<std::uint16_t>& frame, const QByteArray& more = {},
                      bool is_big = false) {
  QByteArray numbers = bytes_of_numbers(frame);
  if (is_big)
    for (qsizetype i = 0; i + 1 < numbers.size(); i += 2) std::swap(numbers[i], numbers[i + 1]);
  return edf_header("HeaderID = EH:000001:000000:000000 ;\nImage = 1 ;\nByteOrder = " +
                    QByteArray(is_big ? "HighByteFirst" : "LowByteFirst") +
                    " ;\nDataType = UnsignedShort ;\nDim_1 = " +
                    QByteArray::number(CountedFrames::columns) + " ;\nDim_2 = " +
                    QByteArray::number(static_cast<int>(frame.size()) / CountedFrames::columns) +
                    " ;\nSize = " + QByteArray::number(numbers.size()) + " ;\n" + more) +
         numbers;
}

}  // namespace gantry::test
