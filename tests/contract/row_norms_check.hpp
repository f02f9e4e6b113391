#pragma once

#include "core/operator/row_norms.hpp"
#include "tests/support/expect.hpp"

#include <QtTest>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace gantry::test {

/// Returns ||a_i||^2 of all rays, from the single weights.
inline std::vector<double> squared_rows(const Projector& A) {
  std::vector<double> squares;
  RowWeights row;
  for (int view = 0; view < A.views(); ++view) {
    const auto view_rows = A.row_source()->view_rows(view);
    for (int r = 0; r < A.geometry().rows(); ++r)
      for (int c = 0; c < A.geometry().columns(); ++c) {
        view_rows->weights(c, r, row);
        double square = 0;
        for (const double weight : row.weight) square += weight * weight;
        squares.push_back(square);
      }
  }
  return squares;
}

/// Checks the inverse squared norms of rows against the single weights. `compared` becomes the
/// number of rays whose norm is not negligible.
inline void expect_row_norms(const Projector& A, std::size_t& compared) {
  const std::vector<float> inverse = inverse_squared_row_norms(A).to_host();
  const std::vector<double> squares = squared_rows(A);
  QCOMPARE(squares.size(), inverse.size());
  const auto hits = squares.size() - static_cast<std::size_t>(std::ranges::count(squares, 0.0));
  const double total = std::accumulate(squares.begin(), squares.end(), 0.0),
               negligible =
                   hits == 0 ? 0 : negligible_squared_norm * total / static_cast<double>(hits);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (inverse[i] == 0) {  // the ray misses the grid or touches its edge
      QVERIFY(squares[i] <= 1.001 * negligible);
      continue;
    }
    ++compared;
    EXPECT_NEAR(squares[i] * inverse[i], 1, 1e-5);
  }
  QVERIFY(2 * compared >= hits);
}

}  // namespace gantry::test
