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

/// Writes report.html into a folder, which is made; `remark` as for ReportHead. Throws OutputError.
void write_report(const std::string& folder, const std::vector<StudyRun>& runs,
                  const Program& program, const std::string& remark = {});

}  // namespace gantry::cli
