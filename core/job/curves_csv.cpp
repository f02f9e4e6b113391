#include "core/job/curves_csv.hpp"

#include "core/base/params.hpp"

#include <cmath>
#include <set>

namespace gantry {

namespace {

std::string number(double value) {
  return std::isfinite(value) ? format_param(value) : std::string{};
}

/// A comment ends with its line, and must not go on as data.
std::string comment(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return "# " + text + "\n";
}

/// Quoted where a comma, quote or line break asks for it (RFC 4180), and where the line would pass
/// for a comment.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos && !text.starts_with('#')) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string curves_csv(const std::vector<CurveSet>& curves,
                       const std::vector<std::string>& comments) {
  std::string csv;
  for (const std::string& line : comments) csv += comment(line);
  std::set<std::string> metrics;
  for (const CurveSet& curve : curves) {
    csv += comment(curve.label + ": " + curve.description);
    for (const HistoryEntry& entry : curve.history)
      for (const auto& [key, value] : entry.metrics) metrics.insert(key);
  }
  csv +=
      "run,iteration,projector_applications,seconds,residual_norm,exact_residual_norm,update_norm";
  for (const std::string& key : metrics) csv += "," + key;
  csv += "\n";
  for (const CurveSet& curve : curves)
    for (const HistoryEntry& entry : curve.history) {
      const IterationReport& r = entry.report;
      // A view is a fraction of an application; their sum is not meant to show the rounding.
      const double applications = std::round(1e6 * r.applications) / 1e6;
      csv += field(curve.label) + "," + std::to_string(r.iteration) + "," + number(applications) +
             "," + number(r.seconds) + "," + number(r.residual_norm) + "," +
             number(entry.exact_residual) + "," + number(r.update_norm);
      for (const std::string& key : metrics) {
        const auto found = entry.metrics.find(key);
        csv += "," + (found == entry.metrics.end() ? std::string{} : number(found->second));
      }
      csv += "\n";
    }
  return csv;
}

}  // namespace gantry
