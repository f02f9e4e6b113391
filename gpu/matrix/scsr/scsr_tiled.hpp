#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/scsr/stored_views.hpp"

#include <memory>

namespace gantry {

/// How the backprojection W^T y is computed: by a stored transpose (gather); or along the stored
/// matrix rows, by atomic additions, in an order of colours without conflicts, or by unprotected
/// additions, which race as cuART's do (unsafe).
enum class ScsrTranspose { gather, atomics, colouring, unsafe };

/// half: weights and vectors in half precision. fused: residual and backprojection in one kernel.
struct TiledOptions {
  bool half, fused;
  ScsrTranspose transpose;
};

/// Returns the side of a tile, in pixels.
int tile_size(bool half);
/// Returns the number of entries that a lane reads at once; segments are padded to it.
std::size_t tile_vector(bool half);
/// Returns into how many parts the backprojection by colours divides the stored views of a tile;
/// each part has sums of its own.
int colour_parts(int tiles);

/// The stored views by tiles of the image (scsr_tiles.cuh).
class TiledStoredViews : public Matrix {
 public:
  /// Allocates memory for products with several slices of a stack at a time.
  virtual void make_room(int slices) const = 0;
};
std::unique_ptr<const TiledStoredViews> make_scsr_tiled(const CudaBackend& cuda,
                                                        const Projector& weights,
                                                        const StoredViews& stored,
                                                        const TiledOptions& options);

}  // namespace gantry
