#pragma once

#include "studies/matrix_study_context.hpp"

#include <functional>

namespace gantry {

/// Returns the printed memory ratio CSR / format of the case with index `size`; an empty cell where
/// none is printed.
using PrintedRatio = std::function<StudyCell(const MatrixMethod& method, std::size_t size)>;

/// Adds a table with the estimated memory of every format of every backend, in GB and as CSR /
/// format, before anything is built.
void add_estimated_footprints(const MatrixStudyContext& context,
                              const std::vector<BenchCase>& cases, const PrintedRatio& printed,
                              StudyResult& result);

/// Adds a table with the memory of every format of a backend, built for one case; formats with a
/// printed ratio also go into the summary.
void add_built_footprints(MatrixStudyContext& context, const std::string& backend,
                          const BenchCase& setting, std::size_t size, const PrintedRatio& printed,
                          StudyResult& result);

}  // namespace gantry
