#pragma once

#include "studies/matrix_study_context.hpp"

namespace gantry::cuart {

// Each part adds its tables and charts to the result, and its lines to the context's summary.

void sizes(MatrixStudyContext& context, StudyResult& result);     ///< Table 1, Fig. 16
void profiles(MatrixStudyContext& context, StudyResult& result);  ///< Fig. 6
void times(MatrixStudyContext& context, StudyResult& result);     ///< iterations; Fig. 17
/// Section 3.2.
void permutation(MatrixStudyContext& context, StudyResult& result);
void launches(MatrixStudyContext& context, StudyResult& result);  ///< Algorithm 2
/// Figs 11 and 12.
void reconstructions(MatrixStudyContext& context, StudyResult& result);
void convergence(MatrixStudyContext& context, StudyResult& result);  ///< Figs 13 and 15, Table 2
void plateau(MatrixStudyContext& context, StudyResult& result);      ///< whole reconstructions

/// Returns those of the cases near512, near1024 and near2048 that are selected, at the scale of a
/// backend; the number of views is a multiple of 8.
std::vector<BenchCase> settings(const MatrixStudyContext& context, const std::string& backend);
/// Returns the case near512, near1024 or near2048 (`size` 0, 1, 2), whether it is selected or not.
BenchCase setting_of(const MatrixStudyContext& context, const std::string& backend,
                     std::size_t size);
/// Returns the index (0, 1, 2) of the size for parts that use a single size: that of the first
/// selected size, otherwise that of 1024^2.
std::size_t one_size(const MatrixStudyContext& context);
/// Returns near1024 with its first view on the axis, as the views of Fig. 6 are numbered.
BenchCase on_axis();

}  // namespace gantry::cuart
