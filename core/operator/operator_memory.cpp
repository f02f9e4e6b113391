#include "core/operator/operator_memory.hpp"

#include "core/operator/column_access.hpp"
#include "core/operator/gradient_step.hpp"

namespace gantry {

OperatorMemory operator_memory(std::size_t domain_size, std::size_t cells_per_view, int views,
                               const ProductMemory& products) {
  OperatorMemory memory{domain_size,
                        cells_per_view,
                        views,
                        products.bytes,
                        products.columns_bytes,
                        products.scratch_bytes,
                        {}};
  memory.gradient_step = products.gradient_step.value_or(
      StepWorkspace{1, 1, products.bytes, memory.range_size() * sizeof(float)});
  return memory;
}

OperatorMemory memory_of(const LinearOperator& A) {
  ProductMemory products{.bytes = A.workspace_bytes(), .scratch_bytes = A.scratch_bytes()};
  if (const auto* own = dynamic_cast<const MakesGradientSteps*>(&A))
    products.gradient_step = own->gradient_step_workspace();
  OperatorMemory memory = operator_memory(A.domain_size(), A.cells_per_view(), A.views(), products);
  if (const auto* gives = dynamic_cast<const GivesColumns*>(&A))
    memory.columns_bytes = gives->columns_bytes();
  return memory;
}

}  // namespace gantry
