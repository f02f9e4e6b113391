#pragma once

#include "core/backend/backend_list.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/job/reconstruction_job.hpp"
#include "tests/support/same_numbers.hpp"
#include "tests/support/scans.hpp"

#include <QtTest>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

/// Algorithms and devices, as a program without a graphics processor has them.
struct Workshop {
  Catalog catalog;
  BackendList backends;

  Workshop() {
    add_core(catalog);
    backends.add("cpu", std::make_unique<CpuBackend>());
  }
  Backend& cpu() { return backends.resolve("cpu"); }
};

/// A disc of 24 mm with a hole, seen by a small fan with noise; the disc itself is the reference.
inline std::shared_ptr<const ExperimentData> small_data(Workshop& workshop, int views = 12) {
  auto data = std::make_shared<ExperimentData>();
  data->geometry = share(fan_spec(views, 24, 4));
  data->grid = VolumeGrid::centered(16, 16, 1, {3, 3, 3});
  std::vector<float> disc(data->grid.voxels());
  for (int iy = 0; iy < 16; ++iy)
    for (int ix = 0; ix < 16; ++ix) {
      const Vec3 p = data->grid.voxel_center_mm(ix, iy, 0);
      const bool inside = std::hypot(p.x, p.y) < 20 && std::hypot(p.x - 6, p.y) > 5;
      disc[data->grid.index(ix, iy, 0)] = inside ? 0.02F : 0.0F;
    }
  const auto A = workshop.catalog.projectors.make("siddon", "cpu", workshop.cpu(), data->geometry,
                                                  data->grid, {});
  const Array x = Array::from(workshop.cpu(), disc);
  Array y(workshop.cpu(), A->range_size());
  A->forward(x, y);
  data->line_integrals = y.to_host();
  const std::vector<float> noise = random_values(y.size(), 5, -0.01F, 0.01F);
  for (std::size_t i = 0; i < noise.size(); ++i) data->line_integrals[i] += noise[i];
  data->reference = make_reference(data->grid, std::move(disc), "truth");
  return data;
}

inline RunSpec run_spec(const std::string& solver, int iterations,
                        const std::string& projector = "siddon") {
  RunSpec run;
  run.solver = solver;
  run.projector = projector;
  run.iterations = iterations;
  return run;
}

inline std::vector<HistoryEntry> finish(ReconstructionJob& job) {
  std::vector<HistoryEntry> history;
  while (!job.finished())
    if (auto entry = job.advance()) history.push_back(std::move(*entry));
  return history;
}

/// A x, made for a test alone.
inline std::vector<float> product(Workshop& workshop, const ExperimentData& data,
                                  const std::vector<float>& mu) {
  const auto A = workshop.catalog.projectors.make("siddon", "cpu", workshop.cpu(), data.geometry,
                                                  data.grid, {});
  Array y(workshop.cpu(), A->range_size());
  A->forward(Array::from(workshop.cpu(), mu), y);
  return y.to_host();
}

inline double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    square += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
  return std::sqrt(square);
}
inline double norm(const std::vector<float>& a) {
  return distance(a, std::vector<float>(a.size()));
}

/// What a run comes to when nobody disturbs it.
struct Calm {
  std::vector<HistoryEntry> history;
  std::vector<float> mu;
};
inline Calm calm_run(const RunSpec& spec, std::shared_ptr<const ExperimentData> data,
                     const Workshop& workshop, MetricsSpec metrics = {}) {
  ReconstructionJob job(spec, std::move(data), metrics, workshop.catalog, workshop.backends,
                        nullptr);
  Calm result;
  result.history = finish(job);
  result.mu = job.solution();
  return result;
}

}  // namespace gantry::test
