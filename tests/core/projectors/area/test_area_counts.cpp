// Nonzeros of the published 1024^2 and 2048^2 matrices of the area-integral model, against the
// counts of an independent program. The larger ones pass 2^31.
#include "core/projectors/area/area_integral.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/published_scan.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestAreaCounts : public QObject {
  Q_OBJECT

 private slots:
  void countsOfAWholeMatrix_data() {
    QTest::addColumn<int>("side");
    QTest::addColumn<double>("eps");
    QTest::addColumn<double>("first_step");
    QTest::addColumn<int>("views_counted");
    QTest::addColumn<qint64>("weights");
    QTest::newRow("1024, first view on the axis") << 1024 << 0.0436 << 0.0 << 720 << 1613033072LL;
    QTest::newRow("2048, first view on the axis") << 2048 << 0.0436 << 0.0 << 720 << 4647340256LL;
    QTest::newRow("1024, stored eighth") << 1024 << 0.0436 << 0.5 << 90 << 201629745LL;
    QTest::newRow("2048, stored eighth") << 2048 << 0.0436 << 0.5 << 90 << 580918445LL;
    QTest::newRow("1024, wide fan") << 1024 << 0.4621 << 0.0 << 720 << 1606684400LL;
    QTest::newRow("2048, wide fan, stored eighth") << 2048 << 0.4621 << 0.5 << 90 << 579332231LL;
  }
  void countsOfAWholeMatrix() {
    QFETCH(int, side);
    QFETCH(double, eps);
    QFETCH(double, first_step);
    QFETCH(int, views_counted);
    QFETCH(qint64, weights);
    const ScanGeometry scan(published_scan(side, eps, 720, 1024, first_step));
    const VolumeGrid grid = VolumeGrid::centered(side, side, 1, {1, 1, 1});
    std::int64_t found = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : found)
    for (int v = 0; v < views_counted; ++v) found += count_area_weights(scan, grid, v);
    EXPECT_NEAR(static_cast<double>(found), static_cast<double>(weights),
                1e-6 * static_cast<double>(weights));
  }
};

GANTRY_TEST(TestAreaCounts)
#include "test_area_counts.moc"
