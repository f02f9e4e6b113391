#pragma once

#include "core/job/experiment_data.hpp"

#include <QString>

namespace gantry {

/// Returns what data are, in one line, with the names of corrections that forms have: the
/// descriptions of files hold their keys, by which programs find them.
QString shown_description(const ExperimentData& data, const Catalog& catalog);

}  // namespace gantry
