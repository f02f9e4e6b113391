#include "core/job/curves_csv.hpp"

#include "core/base/csv.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace gantry {

std::string describe_measured(const std::vector<HistoryEntry>& history) {
  const auto measured = std::ranges::count_if(history, &HistoryEntry::is_measured);
  const auto all = static_cast<std::ptrdiff_t>(history.size());
  if (measured == all) return {};
  return "metrics of " + std::to_string(measured) + " of " + std::to_string(all) + " iterations";
}

std::string curves_csv(const std::vector<CurveSet>& curves,
                       const std::vector<std::string>& comments) {
  std::string csv;
  for (const std::string& line : comments) csv += csv_comment(line);
  std::set<std::string> metrics;
  bool has_stages = false, has_objective = false;
  for (const CurveSet& curve : curves) {
    csv += csv_comment(curve.label + ": " + curve.description);
    if (const std::string few = describe_measured(curve.history); !few.empty())
      csv += csv_comment(curve.label + ": " + few);
    for (const HistoryEntry& entry : curve.history) {
      for (const auto& [key, value] : entry.metrics) metrics.insert(key);
      has_stages = has_stages || entry.stage > 0;
      has_objective = has_objective || !std::isnan(entry.report.objective.data);
    }
  }
  csv +=
      "run,iteration,projector_applications,seconds,residual_norm,exact_residual_norm,update_norm";
  if (has_stages) csv += ",stage";
  if (has_objective) csv += ",data_term,penalty";
  for (const std::string& key : metrics) csv += "," + key;
  csv += "\n";
  for (const CurveSet& curve : curves)
    for (const HistoryEntry& entry : curve.history) {
      const IterationReport& r = entry.report;
      // A view is a fraction of an application; rounding hides the rounding errors of their sum.
      const double applications = std::round(1e6 * r.applications) / 1e6;
      csv += csv_field(curve.label) + "," + std::to_string(r.iteration) + "," +
             csv_number(applications) + "," + csv_number(r.seconds) + "," +
             csv_number(r.residual_norm) + "," + csv_number(entry.exact_residual) + "," +
             csv_number(r.update_norm);
      if (has_stages) csv += "," + std::to_string(entry.stage + 1);
      if (has_objective)
        csv += std::isnan(r.objective.data)
                   ? ",,"
                   : "," + csv_number(r.objective.data) + "," + csv_number(r.objective.penalty);
      for (const std::string& key : metrics) {
        const auto found = entry.metrics.find(key);
        csv += "," + (found == entry.metrics.end() ? std::string{} : csv_number(found->second));
      }
      csv += "\n";
    }
  return csv;
}

}  // namespace gantry
