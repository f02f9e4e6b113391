#pragma once

#include "studies/study.hpp"

#include <string>
#include <vector>

namespace gantry {

/// A study with its outcome.
struct StudyRun {
  Study study;
  StudyResult result;     ///< as far as it came
  std::string problem;    ///< one line: why the result is missing or incomplete; empty: it is whole
  bool left_out = false;  ///< whether the options exclude the study: its problem is no failure
  double seconds = 0;     ///< that the study took; 0 of a result that was computed apart
};

/// Limits what is not chosen to a small form of all studies, which two cores compute in some
/// minutes, where there is no GPU. Returns a remark on that for the report; empty: nothing is
/// limited.
std::string limit_to_small_form(StudyOptions& options);

/// Computes a study and appends its run. What the study throws becomes the problem, with the
/// results so far; a study of which the options select nothing is left out. Throws Interrupted, the
/// run appended.
void run_study(const Study& study, const StudyOptions& options, std::vector<StudyRun>& runs);

}  // namespace gantry
