// Symmetric CSR of the published 512 x 512 matrix: nonzeros as an independent program counts them,
// bytes against CSR.
#include "core/backend/cpu_backend.hpp"
#include "core/matrix/symmetric/scsr.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/published_scan.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestScsrPublished : public QObject {
  Q_OBJECT

 private slots:
  void aMatrixTakesAnEighth_data() {
    QTest::addColumn<double>("eps");
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("blocking");
    QTest::addColumn<double>("stored");
    QTest::addColumn<double>("ratio");
    QTest::newRow("float32") << 0.0436 << "float32"
                             << "none" << 78607323.0 << 7.9;
    QTest::newRow("compact") << 0.0436 << "compact"
                             << "none" << 78607323.0 << 15.5;
    QTest::newRow("wide fan, compact") << 0.4621 << "compact"
                                       << "none" << 78210704.0 << 15.5;
    QTest::newRow("global-level") << 0.0436 << "float32"
                                  << "global" << 78607323.0 << 7.49;
    QTest::newRow("view-level") << 0.0436 << "float32"
                                << "view" << 78607323.0 << 7.45;
  }
  void aMatrixTakesAnEighth() {
    QFETCH(double, eps);
    QFETCH(QString, weights);
    QFETCH(QString, blocking);
    QFETCH(double, stored);
    QFETCH(double, ratio);
    CpuBackend backend;
    const StoredMatrix A(
        make_area_integral(backend, share(published_scan(512, eps, 720, 1024, 0.5)),
                           VolumeGrid::centered(512, 512, 1, {1, 1, 1}),
                           resolve_params({}, area_integral_params(), "")),
        make_scsr(resolve_params(
            {{"weights", weights.toStdString()}, {"blocking", blocking.toStdString()}},
            scsr_params(), "scsr")));
    const MatrixStorage& storage = A.storage();
    EXPECT_NEAR(static_cast<double>(storage.stored), stored, 1e-6 * stored);
    QCOMPARE(storage.nonzeros, 8 * storage.stored);
    const double csr = MatrixStorage::csr_bytes(static_cast<double>(storage.nonzeros),
                                                static_cast<double>(A.range_size())),
                 found = csr / static_cast<double>(storage.bytes(PartOf::matrix));
    qInfo("%.2f times less than CSR, padding %.2f %%", found,
          100.0 * static_cast<double>(storage.padding) / static_cast<double>(storage.stored));
    QVERIFY2(found >= ratio, qPrintable(QString::number(found)));
  }
};

GANTRY_TEST(TestScsrPublished)
#include "test_scsr_published.moc"
