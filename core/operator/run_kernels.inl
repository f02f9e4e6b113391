// The loops declared in run_kernels.hpp. This file is included once per instruction set, with
// GANTRY_ISA as the name of the namespace.

namespace gantry::GANTRY_ISA {

namespace {

using RunLanes = float __attribute__((vector_size(run_length * sizeof(float))));

inline RunLanes load_run(const float* from) {
  RunLanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/// Returns the weights of a run, followed by zeros.
inline RunLanes weights_of_run(const float* weight, std::uint32_t run) {
  static constexpr float used[2 * run_length - 1] = {1, 1, 1, 1, 0, 0, 0};
  return load_run(weight) * load_run(used + (run_length - length_of_run(run)));
}

template <bool Weighted, bool OfStack>
double sum_of_runs(ColumnRuns runs, const RayVectors& rays) {
  const auto ray_of = [&runs](std::uint32_t run) {
    const std::size_t ray = run >> run_length_bits;
    return OfStack ? runs.first_row_ray[ray] + runs.ray_offset : ray;
  };
  // The last runs may reach beyond the vectors.
  const std::uint32_t* inside = runs.end;
  while (inside != runs.run && ray_of(inside[-1]) + run_length > rays.rays) --inside;
  // A partial sum for each ray of a run keeps an addition from waiting for the one before.
  using Sums = double __attribute__((vector_size(run_length * sizeof(double))));
  Sums sums{};
  for (; runs.run != inside; ++runs.run) {
    const std::size_t ray = ray_of(*runs.run);
    RunLanes term = weights_of_run(runs.weight, *runs.run) *
                    (load_run(rays.residual + ray) + load_run(rays.change + ray));
    if (Weighted) term *= load_run(rays.weights + ray);
    sums += __builtin_convertvector(term, Sums);
    runs.weight += length_of_run(*runs.run);
  }
  double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; runs.run != runs.end; ++runs.run) {
    const std::size_t first = ray_of(*runs.run), count = length_of_run(*runs.run);
    for (std::size_t ray = first; ray < first + count; ++ray)
      sum += static_cast<double>(*runs.weight++ * (rays.residual[ray] + rays.change[ray]) *
                                 (Weighted ? rays.weights[ray] : 1.0F));
  }
  return sum;
}

double slope_of_runs(const ColumnRuns& runs, const RayVectors& rays) {
  if (runs.first_row_ray != nullptr)
    return rays.weights != nullptr ? sum_of_runs<true, true>(runs, rays)
                                   : sum_of_runs<false, true>(runs, rays);
  return rays.weights != nullptr ? sum_of_runs<true, false>(runs, rays)
                                 : sum_of_runs<false, false>(runs, rays);
}

ColumnRuns subtract_runs(ColumnRuns runs, float step, float* change,
                         const unsigned char* is_marked) {
  for (; runs.run != runs.end; ++runs.run) {
    const std::size_t ray = runs.ray_of(*runs.run);
    if (!is_marked[ray / rays_of_block] || !is_marked[(ray + run_length - 1) / rays_of_block])
      break;
    const RunLanes lanes = load_run(change + ray) - weights_of_run(runs.weight, *runs.run) * step;
    __builtin_memcpy(change + ray, &lanes, sizeof lanes);
    runs.weight += length_of_run(*runs.run);
  }
  return runs;
}

}  // namespace

extern const RunKernels run_table;
const RunKernels run_table = {slope_of_runs, subtract_runs};

}  // namespace gantry::GANTRY_ISA
