#pragma once

#include "studies/report/run_studies.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Where and when studies were computed.
struct ReportHead {
  std::string program;               ///< name, version and commit
  std::string date;                  ///< "2026-01-31"
  std::vector<std::string> devices;  ///< of the computer, its CPU included
  std::string remark = {};           ///< on the choice of studies and sizes; may be empty
};

/// Returns the report of some studies as one page of HTML, which is XML as well: what print has
/// beside what was found here, with verdicts, then each study with its papers, tables, figures,
/// images and notes. The page has no script and needs no other file.
std::string report_html(const ReportHead& head, const std::vector<StudyRun>& runs);

}  // namespace gantry
