// Corrections of single values that take more from the data than they give say so.
#include "core/catalog/catalog.hpp"
#include "core/corrections/correction.hpp"
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestDoubtfulCurves : public QObject {
  Q_OBJECT
  Catalog catalog_;

 private slots:
  void initTestCase() { add_core(catalog_); }

  void whatIsLostIsSaid_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<double>("factor");  // of p, or of p^3
    QTest::addColumn<QString>("note");
    const QString falls = QStringLiteral(
        "this curve falls from p = 0.334 on, so that longer paths got smaller "
        "values; the data go up to 2");
    QTest::newRow("a curve that falls") << "beam_hardening" << -3.0 << falls;
    QTest::newRow("a curve that rises") << "beam_hardening" << 0.2 << QString();
    QTest::newRow("a curve that falls further on") << "beam_hardening" << -0.08 << QString();
    QTest::newRow("nothing left") << "scale" << 0.0 << "a factor of 0 leaves nothing of the data";
    QTest::newRow("another scale") << "scale" << 0.5 << QString();
  }
  void whatIsLostIsSaid() {
    QFETCH(const QString, key);
    QFETCH(const double, factor);
    QFETCH(const QString, note);
    SinogramCase scan;
    scan.views = 3;
    scan.columns = 4;
    std::vector<float> values(12, 0.5F);
    values[5] = 2;
    Params params;
    params.set(key == "scale" ? "factor" : "a3", factor);
    const auto notes =
        catalog_.corrections.make(key.toStdString(), "cpu", scan.geometry(), params)->apply(values);
    QCOMPARE(notes.size(), std::size_t{note.isEmpty() ? 1U : 2U});
    if (!note.isEmpty()) QCOMPARE(QString::fromStdString(notes[1]), note);
  }
};

GANTRY_TEST(TestDoubtfulCurves)
#include "test_doubtful_curves.moc"
