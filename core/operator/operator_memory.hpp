#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

namespace gantry {

class LinearOperator;

/// What a gradient step holds beside x, b and the column weights; see gradient_step.hpp.
struct StepWorkspace {
  int images = 1, ray_vectors = 1;    ///< scratch vectors of the image and of the rays
  std::size_t bytes = 0;              ///< everything else: tables, portions, norms
  std::size_t row_scaling_bytes = 0;  ///< R = diag(1 / row sums)
  friend bool operator==(const StepWorkspace&, const StepWorkspace&) = default;
};

/// The memory of an operator's products, beside the operands.
struct ProductMemory {
  std::size_t bytes = 0;
  /// The memory of the operator's own gradient step; none if the step is made of products.
  std::optional<StepWorkspace> gradient_step = {};
  std::size_t columns_bytes = 0;  ///< of the access to single columns (column_access.hpp)
  std::size_t scratch_bytes = 0;  ///< the part of `bytes` that is free again after a product
};

/// The sizes of an operator and the memory that it takes. Both are known before the operator is
/// made, except where the memory depends on nonzeros or on what several devices have free.
struct OperatorMemory {
  std::size_t domain_size = 0, cells_per_view = 0;
  int views = 0;
  std::size_t product_bytes = 0;  ///< of a product, beside the operands
  std::size_t columns_bytes = 0;  ///< of the access to single columns (column_access.hpp)
  std::size_t scratch_bytes = 0;  ///< the part of product_bytes that is free again after a product
  StepWorkspace gradient_step;

  std::size_t range_size() const { return cells_per_view * static_cast<std::size_t>(views); }
  /// The memory of the operator while no product is computed.
  std::size_t held_bytes() const { return product_bytes - scratch_bytes; }
  /// The most memory of the operator and of `bytes` that are held while no product is computed.
  std::size_t between_products(std::size_t bytes) const {
    return held_bytes() + std::max(scratch_bytes, bytes);
  }
};

/// Returns the sizes of an operator whose products take `products`, with the memory of its gradient
/// step.
OperatorMemory operator_memory(std::size_t domain_size, std::size_t cells_per_view, int views,
                               const ProductMemory& products);

/// Returns the sizes and the memory of an operator that has been made.
OperatorMemory memory_of(const LinearOperator& A);

}  // namespace gantry
