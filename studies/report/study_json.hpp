#pragma once

#include "studies/report/run_studies.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry {

/// Where and when the result of a study was computed.
struct StudyOrigin {
  std::string program;  ///< name and version
  std::string commit;
  std::string date;  ///< "2026-01-31"
  std::vector<std::string> devices;
};

/// A result that was kept as JSON.
struct KeptStudy {
  Study study;
  StudyResult result;
  StudyOrigin origin;
};

/// Returns a result as one JSON value, from which the whole report on it can be written again. Of
/// images it has the 256 greys that are drawn.
nlohmann::ordered_json json_of(const Study& study, const StudyResult& result,
                               const StudyOrigin& origin);

/// Returns what json_of() wrote into the file `where`. Throws InputError.
KeptStudy read_study_json(const std::string& text, const std::string& where);

/// Adds a kept result to runs. Results of one study are joined: what both have, by the keys of
/// tables, charts and images and by the first cells of the rows of the summary, is the later one's.
/// The notes say where and when each was computed.
void add_kept(const KeptStudy& kept, std::vector<StudyRun>& runs);

}  // namespace gantry
