#pragma once

namespace gantry::device {

/// Which pixels of a layer a ray weighs: those that the ray crosses (Siddon), or the two around the
/// point where the ray meets the middle of the layer (Joseph). See Footprint in
/// core/projectors/siddon_joseph/siddon_joseph.hpp.
enum class RayWeighting { crossing, interpolated };

}  // namespace gantry::device
