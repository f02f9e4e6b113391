#pragma once

#include "core/geometry/bench_cases.hpp"
#include "studies/study.hpp"

namespace gantry {

// Of images with these pixels a side only, where there are some.

/// Yu et al. 2018, Table 1: CSR and SCSR of area-integral matrices, counted at full size.
void add_area_matrix_sizes(StudyResult& result, const std::vector<int>& sides = {});
/// Chen et al., Table 1: CSR and ELLR-T of Siddon matrices, counted at full size.
void add_siddon_matrix_sizes(StudyResult& result, const std::vector<int>& sides = {});
/// Nourazar and Goossens 2021, Table 2: distance-driven matrices, by overlaps and by two taps,
/// counted at full size.
void add_footprint_matrix_sizes(StudyResult& result, const std::vector<int>& sides = {});
/// The scans that fit its sizes best: 256 pixels a side (parallel, 180 x 256), 512 (fan, 180 x
/// 1024).
BenchCase siddon_case(int side);

}  // namespace gantry
