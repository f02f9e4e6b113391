#pragma once

namespace gantry {

/// The object name of the forms over a panel of the track, which an audience is not shown.
inline constexpr const char* trackForms = "trackForms";

}  // namespace gantry
