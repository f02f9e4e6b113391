#pragma once

#include "app/composition.hpp"
#include "studies/study.hpp"

#include <string>
#include <vector>

namespace gantry::cli {

/// Computes every published study, one after the other, writes the files of each into a folder of
/// its own below `folder`, and report.html, which grows with every study. Scale 0 of `options` is a
/// small form without a GPU. Returns the exit status: 1 if a study failed, which does not end the
/// others. Throws UsageError if the options select nothing of any study, and Interrupted, the
/// report written.
int study_all(const std::string& folder, StudyOptions options, const Program& program);

/// Writes report.html into `folder` from results that studies wrote earlier, on this computer or on
/// others, into `from`: folders of one study each or of several. Returns the exit status. Throws
/// InputError where a folder has no results, or damaged ones.
int study_report(const std::string& folder, const std::vector<std::string>& from,
                 const Program& program);

}  // namespace gantry::cli
