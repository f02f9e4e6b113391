// Bad cells are found beside zingers, which are no fault of the cells that they hit.
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <random>
#include <set>

using namespace gantry;
using namespace gantry::test;

class TestBadCellsZingers : public QObject {
  Q_OBJECT
 private slots:
  /// Cells of half the response, and zingers as of neutrons, in few views and in many.
  void zingersMakeNoCellBad_data() {
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("rate");
    QTest::addRow("180 views") << 180 << 5e-4;
    QTest::addRow("720 views") << 720 << 3e-4;
  }
  void zingersMakeNoCellBad() {
    QFETCH(int, views);
    QFETCH(double, rate);
    SinogramCase scan{.views = views, .rows = 16, .columns = 128, .noise = 0.01};
    std::vector<float> values = scan.line_integrals();
    std::mt19937 engine(3);
    std::uniform_int_distribution<int> view(0, views - 1), row(0, 15), column(0, 127);
    std::uniform_real_distribution<float> height(0.5F, 3);
    for (int i = 0; i < static_cast<int>(rate * static_cast<double>(values.size())); ++i)
      values[scan.index(view(engine), row(engine), column(engine))] -= height(engine);
    std::set<std::size_t> bad;
    while (bad.size() < 12) bad.insert(scan.index(0, row(engine), column(engine)));
    const auto cells = static_cast<std::size_t>(scan.rows * scan.columns);
    for (const std::size_t cell : bad)
      for (std::size_t at = cell; at < values.size(); at += cells) values[at] += 0.69F;
    const std::vector<float> before = values;
    Catalog catalog;
    add_core(catalog);
    catalog.corrections.make("bad_cells", "cpu", scan.geometry(), {})->apply(values, nullptr);
    std::set<std::size_t> found;
    for (std::size_t at = 0; at < values.size(); ++at)
      if (values[at] != before[at]) found.insert(at % cells);
    QVERIFY(std::ranges::includes(found, bad));
    QVERIFY2(found.size() <= bad.size() + 2, QByteArray::number(static_cast<int>(found.size())));
  }
};

GANTRY_TEST(TestBadCellsZingers)
#include "test_bad_cells_zingers.moc"
