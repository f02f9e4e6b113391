#pragma once

#include "app/composition.hpp"
#include "studies/study.hpp"

#include <string>

namespace gantry::cli {

/// Computes every published study, one after the other, writes the files of each into a folder of
/// its own below `folder`, and report.html, which grows with every study. Scale 0 of `options` is a
/// small form without a GPU. Returns the exit status: 1 if a study failed, which does not end the
/// others. Throws UsageError if the options select nothing of any study, and Interrupted, the
/// report written.
int study_all(const std::string& folder, StudyOptions options, const Program& program);

}  // namespace gantry::cli
