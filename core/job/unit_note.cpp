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

}  // namespace gantry
