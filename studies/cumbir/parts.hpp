#pragma once

#include "studies/cumbir/cumbir_context.hpp"

namespace gantry::cumbir {

// Each part adds its tables and charts to the result, and its lines to the context's summary.

void scans(CumbirContext& context, StudyResult& result);     ///< Table 2
void strength(CumbirContext& context, StudyResult& result);  ///< the weights of the priors
/// The weights of the priors of stochastic gradient descent alone, over a wider range.
void strength_of_sgd(CumbirContext& context, StudyResult& result);
void workers(CumbirContext& context, StudyResult& result);   ///< Figs 3, 6, 7 and 8
void mapping(CumbirContext& context, StudyResult& result);   ///< Figs 4, 9 and 10
void variants(CumbirContext& context, StudyResult& result);  ///< section 7.4
void overall(CumbirContext& context, StudyResult& result);   ///< Fig. 11
void stored(CumbirContext& context, StudyResult& result);    ///< GPU-ICD with a stored matrix

/// The criterion of convergence: an error of at most this many times the least that any of the
/// compared methods reaches.
constexpr double criterion = 1.05;

}  // namespace gantry::cumbir
