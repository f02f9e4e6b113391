#pragma once

#include "app/composition.hpp"
#include "studies/report/report_html.hpp"

#include <string>
#include <vector>

namespace gantry::cli {

/// The file of a report.
inline constexpr const char* report_name = "report.html";

/// Writes the tables and curves (CSV), figures (SVG), images (PNG) and all of it (JSON) of a study
/// into a folder, which is made. Throws OutputError.
void write_study(const std::string& folder, const Study& study, const StudyResult& result,
                 const Program& program);

/// Returns the head of a report on studies that this computer computes today; `remark` as for
/// ReportHead.
ReportHead head_of_today(const Program& program, const std::string& remark = {});

/// Writes report.html into a folder, which is made. Throws OutputError.
void write_report(const std::string& folder, const std::vector<StudyRun>& runs,
                  const ReportHead& head);

}  // namespace gantry::cli
