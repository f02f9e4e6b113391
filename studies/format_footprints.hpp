#pragma once

#include "studies/matrix_study_context.hpp"

#include <functional>

namespace gantry {

/// Returns the printed memory ratio CSR / format of the case with index `size`; an empty cell where
/// none is printed.
using PrintedRatio = std::function<StudyCell(const MatrixMethod& method, std::size_t size)>;

/// Adds a table and a chart with the estimated memory of every format of every backend, in GB and
/// as CSR / format, before anything is built; printed ratios also go into the summary. `figure`
/// names what the chart stands beside, " (Fig. 16)"; it may be empty. That estimates are within 5 %
/// of what is taken is a contract of the formats.
void add_estimated_footprints(MatrixStudyContext& context, const std::vector<BenchCase>& cases,
                              const PrintedRatio& printed, const std::string& figure,
                              StudyResult& result);

/// Adds a table with the memory of every format of a backend, built for one case.
void add_built_footprints(const MatrixStudyContext& context, const std::string& backend,
                          const BenchCase& setting, StudyResult& result);

}  // namespace gantry
