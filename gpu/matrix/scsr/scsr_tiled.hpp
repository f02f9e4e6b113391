#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/scsr/stored_views.hpp"

#include <memory>

namespace gantry {

/// How W^T y is summed.
enum class ScsrTranspose { gather, atomics, colouring, unsafe };

struct TiledOptions {
  bool half, fused;
  ScsrTranspose transpose;
};

/// Pixels along a tile.
int tile_size(bool half);
/// A transpose by colours goes through the views of a tile in so many parts, each with sums of its
/// own.
int colour_parts(int tiles);

/// The stored stored views by tiles of the image (scsr_tiles.cuh).
class TiledStoredViews : public Matrix {
 public:
  /// For several slices of a stack at once.
  virtual void make_room(int slices) const = 0;
};
std::unique_ptr<const TiledStoredViews> make_scsr_tiled(const CudaBackend& cuda,
                                                        const Projector& weights,
                                                        const StoredViews& stored,
                                                        const TiledOptions& options);

}  // namespace gantry
