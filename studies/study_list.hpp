#pragma once

#include "studies/study.hpp"

namespace gantry {

/// Computes the convergence of ART and its parallel forms: Yu et al. 2019, Fig. 13 and Table 2.
StudyResult study_art_convergence(const StudyOptions& options);
/// Measures speed and accuracy of branchless distance-driven projection on this computer: Liu et
/// al. 2017, Tables II to V, Figs 7 to 11, curves of Figs 12 to 17, and substitutes for 18 and 19.
StudyResult study_branchless_dd(const StudyOptions& options);
/// Measures stochastic gradient descent and its rivals for low-dose scans on this computer: Li et
/// al. 2018, Table 2 and Figs 3, 7 and 9 to 11.
StudyResult study_cumbir(const StudyOptions& options);
/// Measures symmetric CSR, other matrix formats and parallel ART on this computer: Yu et al. 2019,
/// Tables 1 and 2, Figs 6, 13, 15 and 16, and iterations beside Figs 11, 12 and 17.
StudyResult study_cuart(const StudyOptions& options);
/// Computes distance-driven projection with tables of eight-bit fractions: Liu et al. 2017, Figs
/// 11, 12 and 15.
StudyResult study_dd_accuracy(const StudyOptions& options);
/// Measures SART with stored matrices on this computer: Chen et al., Tables 1 to 3 and a line of
/// Fig. 7.
StudyResult study_matrix_cbct(const StudyOptions& options);
/// Computes sizes of system matrices: Yu et al. 2019, Table 1; Chen et al., Table 1; Nourazar and
/// Goossens 2021, Table 2.
StudyResult study_nonzeros(const StudyOptions& options);
/// Counts the views to store of a scan with symmetries: Yu et al. 2019, 90 of 720.
StudyResult study_symmetry(const StudyOptions& options);
/// Measures the reconstruction of many slices at once with half precision and Tensor Cores on this
/// computer: Nourazar and Goossens 2021, Tables 2 to 7 and Fig. 8.
StudyResult study_tensor_cores(const StudyOptions& options);

}  // namespace gantry
