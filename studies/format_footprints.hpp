#pragma once

#include "studies/matrix_workshop.hpp"

#include <functional>

namespace gantry {

/// How many times less than CSR a format takes in print, for the case of this number; nothing where
/// that was not printed.
using PrintedRatio = std::function<StudyCell(const MatrixMethod& method, std::size_t size)>;

/// Every format of every backend before anything is built: what decides whether it fits.
void add_estimated_footprints(const MatrixWorkshop& workshop, const std::vector<BenchCase>& cases,
                              const PrintedRatio& printed, StudyResult& result);

/// Every format of a backend, built for one case; printed ones also go into the summary.
void add_built_footprints(MatrixWorkshop& workshop, const std::string& backend,
                          const BenchCase& setting, std::size_t size, const PrintedRatio& printed,
                          StudyResult& result);

}  // namespace gantry
