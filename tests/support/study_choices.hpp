#pragma once

#include "core/catalog/catalog.hpp"

#include <algorithm>
#include <string>

namespace gantry::test {

/// Returns "algorithm.parameter" for each parameter of a catalogue with a choice for studies that
/// is not among the choices or is the fallback, one after another.
inline std::string wrong_study_choices(const Catalog& catalog) {
  std::string wrong;
  const auto check = [&](const std::string& owner, const std::vector<ParamSpec>& params) {
    for (const ParamSpec& spec : params)
      for (const std::string& choice : spec.study_choices)
        if (std::ranges::find(spec.choices, choice) == spec.choices.end() ||
            spec.fallback == ParamValue(choice))
          wrong.append(owner).append(".").append(spec.key).append(" ");
  };
  const auto check_all = [&](const auto& registry) {
    for (const auto& entry : registry.entries()) {
      check(entry.key, entry.params);
      for (const auto& maker : entry.makers) check(entry.key, maker.more_params);
    }
  };
  check_all(catalog.projectors);
  check_all(catalog.matrix_formats);
  check_all(catalog.solvers);
  check_all(catalog.priors);
  check_all(catalog.metrics);
  check_all(catalog.phantoms);
  check_all(catalog.corrections);
  return wrong;
}

}  // namespace gantry::test
