#pragma once

namespace gantry::device {

/// What a ray weighs: the pixels that it crosses (Siddon), or those about the point where it meets
/// the middle of a slice (Joseph). See Footprint in
/// core/projectors/siddon_joseph/siddon_joseph.hpp.
enum class RayWeighting { crossing, interpolated };

}  // namespace gantry::device
