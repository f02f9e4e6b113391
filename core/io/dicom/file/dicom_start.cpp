#include "core/io/dicom/file/dicom_start.hpp"

namespace gantry {

Certainty dicom_certainty(std::string_view start) {
  constexpr std::size_t preamble = 128, shortest = 16;
  if (start.size() >= dicom_start_bytes && start.substr(preamble, 4) == "DICM")
    return Certainty::certain;
  if (start.size() < shortest) return Certainty::none;
  const bool little = (start[0] == 2 || start[0] == 8) && start[1] == 0;
  const bool big = start[0] == 0 && (start[1] == 2 || start[1] == 8);
  return little || big ? Certainty::possible : Certainty::none;
}

bool begins_ct_pd(std::string_view start) {
  // Group 7029, elements 1010 and 1011, the numbers of rows and columns, little endian.
  constexpr std::string_view rows("\x29\x70\x10\x10", 4), columns("\x29\x70\x11\x10", 4);
  return dicom_certainty(start) != Certainty::none &&
         (start.find(rows) != std::string_view::npos ||
          start.find(columns) != std::string_view::npos);
}

}  // namespace gantry
