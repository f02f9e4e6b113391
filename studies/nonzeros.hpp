#pragma once

#include "core/geometry/bench_cases.hpp"
#include "studies/study.hpp"

namespace gantry {

// `sides` selects images by their pixels per side; empty: all sizes.

/// Adds Yu et al. 2019, Table 1: CSR and SCSR of area-integral matrices, counted at full size.
void add_area_matrix_sizes(StudyResult& result, const std::vector<int>& sides = {});
/// Adds Chen et al., Table 1: CSR and ELLR-T of Siddon matrices, counted at full size.
void add_siddon_matrix_sizes(StudyResult& result, const std::vector<int>& sides = {});
/// Adds Nourazar and Goossens 2021, Table 2, as two tables, the shares of zeros and the numbers of
/// nonzeros: distance-driven matrices, by overlaps and by linear interpolation, counted at full
/// size.
void add_footprint_matrix_sizes(StudyResult& result, const std::vector<int>& sides = {});
/// Returns the nonzeros of an image of side x side pixels by linear interpolation, as that table
/// has them.
double linear_nonzeros(int side);
/// Returns the scan that fits Chen et al.'s sizes best: for 256 pixels per side a parallel beam of
/// 180 views x 256 cells, for 512 a fan beam of 180 x 1024.
BenchCase siddon_case(int side);

}  // namespace gantry
