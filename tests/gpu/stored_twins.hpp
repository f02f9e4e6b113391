#pragma once

// Stored matrices of a CUDA device beside those of the CPU, and what becomes of their products.
#include "core/matrix/matrix_format.hpp"
#include "tests/gpu/cuda_twin.hpp"
#include "tests/support/expect.hpp"

namespace gantry::test {

struct StoredTwins : CudaTwins {
  std::unique_ptr<StoredMatrix> stored_on_cpu(const std::string& format, const Params& params,
                                              const ScanCase& c, const std::string& projector) {
    return stored(on_cpu(projector, c), "cpu", format, params);
  }
  std::unique_ptr<StoredMatrix> stored_on_device(const std::string& format, const Params& params,
                                                 const ScanCase& c, const std::string& projector) {
    return stored(on_device(projector, c), "cuda", format, params);
  }

 private:
  std::unique_ptr<StoredMatrix> stored(std::unique_ptr<Projector> weights, const char* backend,
                                       const std::string& format, const Params& params) {
    return std::make_unique<StoredMatrix>(
        std::move(weights), bench.catalog.matrix_formats.make(format, backend, params));
  }
};

/// Finite, and as far from what is expected as the tolerance, in the mean of squares.
inline void expect_close(std::span<const float> found, std::span<const float> expected,
                         double tolerance, const std::string& what) {
  for (const float value : found) QVERIFY2(std::isfinite(value), what.c_str());
  const double error = relative_rms(found, expected);
  QVERIFY2(error <= tolerance,
           qPrintable(QString::fromStdString(what) + ": " + QString::number(error)));
}

/// Products with all views, the last one, and every third.
inline void expect_products_of(const Projector& exact, const Projector& A, double tolerance,
                               const std::string& what) {
  const auto x = random_values(A.domain_size(), 1), y = random_values(A.range_size(), 2);
  for (const ViewSubset& views : {A.all(), ViewSubset{A.views() - 1, 1, 1},
                                  ViewSubset::interleaved(A.views() > 2 ? 2 : 0, 3, A.views())}) {
    expect_close(forward_of(A, x, views), forward_of(exact, x, views), tolerance,
                 what + ", forward");
    expect_close(adjoint_of(A, y, views), adjoint_of(exact, y, views), tolerance, what + ", back");
    if (QTest::currentTestFailed()) return;
  }
}

/// Compares them to the bit.
inline void expect_the_same_every_time(const Projector& A) {
  const auto x = random_values(A.domain_size(), 1), y = random_values(A.range_size(), 2);
  QVERIFY(forward_of(A, x, A.all()) == forward_of(A, x, A.all()));
  QVERIFY(adjoint_of(A, y, A.all()) == adjoint_of(A, y, A.all()));
}

/// Values of slices that follow each other in runs: as many as pixels, or as cells of a view.
struct SliceRuns {
  std::size_t run, slices;

  std::size_t slice(std::size_t i) const { return i / run % slices; }
  std::vector<float> of(std::size_t wanted, std::span<const float> values) const {
    std::vector<float> part;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (slice(i) == wanted) part.push_back(values[i]);
    return part;
  }
  void scale(std::vector<float>& values, std::span<const float> by) const {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= by[slice(i)];
  }
};
inline SliceRuns slices_of_images(const Projector& A) {
  const auto slices = static_cast<std::size_t>(A.grid().nz);
  return {A.domain_size() / slices, slices};
}
inline SliceRuns slices_of_rays(const Projector& A) {
  const auto slices = static_cast<std::size_t>(A.grid().nz);
  return {A.cells_per_view() / slices, slices};
}

}  // namespace gantry::test
