#pragma once

// The arithmetic of CUDA projectors, run on the host, against the CPU's projectors: what can be
// known of them without a device.
#include "core/backend/cpu_backend.hpp"
#include "core/operator/projector.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/products.hpp"
#include "tests/support/scan_rows.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace gantry::test {

struct Products {
  std::vector<float> rays, image;
};

inline double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// A x and A^T y: the two against each other, and against the CPU's unless `pair_only`.
inline void compare(const Projector& A, const Products& found, const std::vector<float>& x,
                    const std::vector<float>& y, bool pair_only = false) {
  const double scale = std::sqrt(dot(found.rays, found.rays) * dot(y, y)),
               pair = std::abs(dot(found.rays, y) - dot(x, found.image));
  QVERIFY2(pair <= 1e-6 * scale, qPrintable(QString::number(pair / scale)));
  if (pair_only) return;
  Array Ax(A.backend(), A.range_size()), Aty(A.backend(), A.domain_size());
  A.forward(Array::from(A.backend(), x), Ax);
  A.adjoint(Array::from(A.backend(), y), Aty);
  const double rays = relative_rms(found.rays, Ax.host()),
               image = relative_rms(found.image, Aty.host());
  QVERIFY2(rays <= 1e-5, qPrintable(QString::number(rays)));
  QVERIFY2(image <= 1e-5, qPrintable(QString::number(image)));
}

/// Volumes as the kernels read them: [iy][ix][iz] with zeros around each line, and [ix][iy].
inline std::vector<float> padded_columns(const VolumeGrid& grid, const std::vector<float>& x,
                                         int padding) {
  std::vector<float> columns;
  for (int iy = 0; iy < grid.ny; ++iy)
    for (int ix = 0; ix < grid.nx; ++ix)
      for (int iz = -padding; iz < grid.nz + padding; ++iz)
        columns.push_back(iz < 0 || iz >= grid.nz ? 0.0F : x[grid.index(ix, iy, iz)]);
  return columns;
}
inline std::vector<float> turned_image(const VolumeGrid& grid, const std::vector<float>& x) {
  std::vector<float> turned;
  for (int ix = 0; ix < grid.nx; ++ix)
    for (int iy = 0; iy < grid.ny; ++iy) turned.push_back(x[grid.index(ix, iy, 0)]);
  return turned;
}

}  // namespace gantry::test
