#pragma once

#include "studies/matrix_workshop.hpp"

namespace gantry::cuart {

// Each adds its tables and charts to the result, and its lines to the workshop's summary.

void sizes(MatrixWorkshop& workshop, StudyResult& result);        ///< Table 1, Fig. 16
void profiles(MatrixWorkshop& workshop, StudyResult& result);     ///< Fig. 6
void times(MatrixWorkshop& workshop, StudyResult& result);        ///< Figs 11, 12 and 17
void convergence(MatrixWorkshop& workshop, StudyResult& result);  ///< Figs 13 to 15, Table 2
void plateau(MatrixWorkshop& workshop, StudyResult& result);      ///< whole reconstructions

/// The cases near512, near1024, near2048, those that are wanted, at the scale of a backend, in
/// eighths of a turn.
std::vector<BenchCase> settings(const MatrixWorkshop& workshop, const std::string& backend);
/// The first, second or third of them, whether it is wanted or not.
BenchCase setting_of(const MatrixWorkshop& workshop, const std::string& backend, std::size_t size);
/// Which of them a part looks at that looks at one: the first that is asked for, else 1024^2.
std::size_t one_size(const MatrixWorkshop& workshop);
/// near1024 with its first view on the axis, as Fig. 6 numbers them.
BenchCase on_axis();

}  // namespace gantry::cuart
