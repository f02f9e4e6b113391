#pragma once

#include "core/io/imports/formats/ct_pd_views.hpp"

namespace gantry {

/// Takes angles for degrees that are no radians by the number of projections in a turn that the
/// files state, and says so. Adds a note for each statement of the files that the positions of the
/// projections contradict; the positions are taken. The views are in the order of InstanceNumber.
void compare_statements(CtPdSeries& series);

}  // namespace gantry
