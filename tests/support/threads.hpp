#pragma once

#include "core/backend/thread_count.hpp"
#include "core/operator/linear_operator.hpp"
#include "tests/support/scans.hpp"

#include <QtTest>

#include <utility>

namespace gantry::test {

/// Checks that compute() returns the same on one thread as on several, to the bit. The result must
/// have ==.
template <class Compute>
void expect_same_on_any_threads(const Compute& compute) {
  const auto on = [&](int threads) {
    const ThreadCount now(threads);
    return compute();
  };
  const auto alone = on(1);
  for (const int threads : {2, 3, 8})
    QVERIFY2(on(threads) == alone, qPrintable(QStringLiteral("%1 threads").arg(threads)));
}

/// Checks that both products are the same on one thread as on several, to the bit.
inline void expect_same_products_on_any_threads(const LinearOperator& A) {
  const Array x = Array::from(A.backend(), random_values(A.domain_size(), 22)),
              y = Array::from(A.backend(), random_values(A.range_size(), 23));
  expect_same_on_any_threads([&] {
    Array Ax(A.backend(), A.range_size()), Aty(A.backend(), A.domain_size());
    A.forward(x, Ax);
    A.adjoint(y, Aty);
    return std::make_pair(Ax.to_host(), Aty.to_host());
  });
}

}  // namespace gantry::test
