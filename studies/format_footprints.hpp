#pragma once

#include "studies/matrix_study_context.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Adds a table and a chart with the estimated memory of every format of every backend, in GB and
/// as CSR / format, before anything is built, with the vectors that the formats' products take. The
/// chart has formats with default parameters and those of `drawn` too. That estimates are within
/// 5 % of what is taken is a contract of the formats.
void add_estimated_footprints(const MatrixStudyContext& context,
                              const std::vector<BenchCase>& cases, const std::string& drawn,
                              StudyResult& result);

/// Adds a table with the memory of every format of a backend, built for one case.
void add_built_footprints(const MatrixStudyContext& context, const std::string& backend,
                          const BenchCase& setting, StudyResult& result);

}  // namespace gantry
