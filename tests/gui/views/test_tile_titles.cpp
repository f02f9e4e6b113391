// Titles of tiles where they find no room.
#include "gui/stage/tile_titles.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

using namespace gantry;

class TestTileTitles : public QObject {
  Q_OBJECT
 private slots:
  void whatTellsATitleFromOthersStays_data() {
    QTest::addColumn<QStringList>("titles");
    QTest::addColumn<QStringList>("forms");  // of the first title
    const auto row = [](const char* name, const QStringList& titles, const QStringList& forms) {
      QTest::addRow("%s", name) << titles << forms;
    };
    row("the only one of its method", {"SART, λ 0.5, CSR", "SIRT, λ 1"}, {"SART …"});
    row("another value", {"FISTA, Huber, weight 0.1", "FISTA, Huber, weight 0.2"},
        {"FISTA, weight 0.1 …", "… weight 0.1"});
    row("another format", {"SART, λ 0.5, CSR", "SART, λ 0.5"}, {"SART, CSR …", "… CSR"});
    row("nothing to leave out", {"SART, λ 0.5", "SART, λ 1"}, {"… λ 0.5"});
    row("fewer settings than the other", {"SART, λ 0.5", "SART, λ 0.5, CSR"}, {"SART …"});
    row("no settings", {"FBP", "SIRT, λ 1"}, {});
    row("numbered", {"SIRT, λ 1 (2)", "SIRT, λ 1"}, {"… λ 1 (2)"});
  }
  void whatTellsATitleFromOthersStays() {
    QFETCH(QStringList, titles);
    QFETCH(QStringList, forms);
    QCOMPARE(short_forms(titles).front(), forms);
  }

  /// At each length, no two titles of one method become the same.
  void shortFormsDiffer() {
    const QStringList titles = {"SART, λ 0.5, CSR", "SART, λ 1, CSR", "SART, λ 1"};
    const auto forms = short_forms(titles);
    QCOMPARE(forms.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j)
        QVERIFY(forms[i].front() != forms[j].front() && forms[i].back() != forms[j].back());
  }
};

GANTRY_TEST(TestTileTitles)
#include "test_tile_titles.moc"
