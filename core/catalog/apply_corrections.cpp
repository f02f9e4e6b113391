#include "core/catalog/apply_corrections.hpp"

#include "core/backend/backend_list.hpp"
#include "core/base/error.hpp"
#include "core/base/joined.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

std::string apply_corrections(const std::vector<CorrectionSpec>& steps, const Catalog& catalog,
                              const ScanGeometry& scan, std::span<float> line_integrals,
                              const Backend& cpu, std::vector<std::string>& notes,
                              bool lengths_are_known, const Interrupt* interrupt,
                              const std::function<void(double, const std::string&)>& progress) {
  constexpr double done = 0.9;
  for (const CorrectionSpec& step : steps) {
    const auto& entry = catalog.corrections.at(step.key, host_key);
    if (progress) progress(done, "Correcting: " + entry.label);
    const auto correction = entry.make(host_key, scan, step.params);
    if (correction->needs_lengths() && !lengths_are_known)
      throw InputError("the size of a cell is not known, on which it depends",
                       "corrections, " + step.key,
                       "give it, as by --pixel in the import of the scan");
    const std::size_t needed = correction->workspace_bytes(), free = cpu.free_bytes();
    if (needed > free) throw OutOfMemory("the correction " + step.key, needed, free);
    for (const std::string& note : correction->apply(line_integrals, interrupt))
      notes.push_back(entry.label + ": " + note);
    if (!std::ranges::all_of(line_integrals, [](float p) { return std::isfinite(p); }))
      throw InputError("line integrals became infinite", "corrections, " + step.key,
                       "use smaller coefficients");
  }
  return named_corrections(steps);
}

std::string named_corrections(const std::vector<CorrectionSpec>& steps) {
  return steps.empty() ? "" : ", corrected: " + joined(steps, &CorrectionSpec::key);
}

}  // namespace gantry
