#include "core/job/unit_note.hpp"

#include "core/base/params.hpp"

namespace gantry {

namespace {

constexpr const char* claim = " 1/mm are no attenuation; ";

}  // namespace

std::string doubtful_unit_note(const std::string& file, double value) {
  return "values of " + format_param(value) + claim + file + " may hold HU, which it does not say";
}

bool doubts_unit(const std::string& note) { return note.find(claim) != std::string::npos; }

std::string unknown_lengths_note() {
  return "the size of the scan's cells is not known: mm in the file are cells, and 1/mm and HU are "
         "of attenuation per cell";
}

}  // namespace gantry
