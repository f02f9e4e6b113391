#include "core/corrections/correction.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <iterator>

namespace gantry {

std::vector<CorrectionSpec> applied(const std::vector<CorrectionSpec>& steps) {
  std::vector<CorrectionSpec> on;
  std::ranges::remove_copy_if(steps, std::back_inserter(on), &CorrectionSpec::off);
  return on;
}

std::vector<std::string> Correction::apply(std::span<float> line_integrals,
                                           const Interrupt* interrupt) const {
  const std::size_t rays = cells() * static_cast<std::size_t>(views_);
  if (line_integrals.size() != rays)
    throw ShapeError("a correction of " + std::to_string(rays) + " line integrals got " +
                         std::to_string(line_integrals.size()),
                     "corrections");
  return correct(line_integrals, interrupt);
}

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace gantry
