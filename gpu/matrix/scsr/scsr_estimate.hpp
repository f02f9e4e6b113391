#pragma once

#include "gpu/matrix/scsr/scsr_tiled.hpp"

#include <string>

namespace gantry {

/// Return estimates of the bytes of the matrix of a plane: by tiles, the memory that
/// make_room(slices) adds to these, and in dense blocks, for `blocking` "global" or "view".
/// `fused`: with what one launch of both products needs.
std::size_t scsr_tiled_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                             const TiledOptions& options);
std::size_t scsr_room_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                            const TiledOptions& options, int slices);
std::size_t scsr_dense_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                             const std::string& blocking, bool fused);

}  // namespace gantry
