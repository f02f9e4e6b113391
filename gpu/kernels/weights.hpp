#pragma once

namespace gantry::device {

/// What a ray weighs: the pixels that it crosses (Siddon), or those about the point where it meets
/// the middle of a slice (Joseph). See Footprint in core/projectors/interval.hpp.
enum class Weights { crossing, interpolated };

}  // namespace gantry::device
