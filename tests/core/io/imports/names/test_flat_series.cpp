// When flats were taken, by their names.
#include "core/io/imports/names/flat_series.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

using namespace gantry;

class TestFlatSeries : public QObject {
  Q_OBJECT

 private slots:
  /// Of four projections, by the names of the flats.
  void namesTellWhenFlatsWereTaken_data() {
    QTest::addColumn<std::vector<std::string>>("paths");
    QTest::addColumn<std::vector<double>>("views");
    using Paths = std::vector<std::string>;
    using Views = std::vector<double>;
    QTest::addRow("words") << Paths{"d/flat_after_1.tif", "d/flat_before_1.tif"}
                           << Views{3.5, -0.5};
    QTest::addRow("words in one") << Paths{"Flat-Pre01.tif", "FlatPost01.tif"} << Views{};
    QTest::addRow("capitals") << Paths{"Flat_Pre01.tif", "Flat_Post01.tif"} << Views{-0.5, 3.5};
    QTest::addRow("folders") << Paths{"flats_before/1.tif", "flats_before/2.tif",
                                      "flats_after/1.tif"}
                             << Views{-0.5, -0.5, 3.5};
    QTest::addRow("KIT") << Paths{"d/flats/f_1.tif", "d/flats/f_2.tif", "d/flats2/f_1.tif"}
                         << Views{-0.5, -0.5, 3.5};
    QTest::addRow("a second folder") << Paths{"scan/flat.tif", "scan2/flat.tif"} << Views{};
    QTest::addRow("numbered series")
        << Paths{"flat_0_001.tif", "flat_0_002.tif", "flat_1_001.tif"} << Views{-0.5, -0.5, 3.5};
    QTest::addRow("series of files") << Paths{"flat_0.tif", "flat_1.tif"} << Views{-0.5, 3.5};
    QTest::addRow("ESRF") << Paths{"refHST0000.edf", "refHST0002.edf", "refHST0004.edf"}
                          << Views{-0.5, 1.5, 3.5};
    QTest::addRow("ESRF, one of several")
        << Paths{"ref0000_0000.edf", "ref0001_0000.edf", "ref0000_0004.edf", "ref0001_0004.edf"}
        << Views{-0.5, -0.5, 3.5, 3.5};
    QTest::addRow("ESRF, in between")
        << Paths{"ref0000_0000.edf", "ref0000_0002.edf", "ref0000_0004.edf", "refHST0002.edf"}
        << Views{-0.5, 1.5, 3.5, 1.5};
    QTest::addRow("ALS") << Paths{"rockbak_0000_0000.tif", "rockbak_0001_0000.tif",
                                  "rockbak_0000_0003.tif", "rockbak_0001_0003.tif"}
                         << Views{-0.5, -0.5, 2.5, 2.5};
    QTest::addRow("ESRF, after alone") << Paths{"ref0000_0004.edf"} << Views{3.5};
    QTest::addRow("a count of series")
        << Paths{"ref_0000_0001.tif", "ref_0000_0002.tif", "ref_0001_0001.tif", "ref_0001_0002.tif"}
        << Views{-0.5, -0.5, 3.5, 3.5};
    QTest::addRow("words, in a scan's folder of one")
        << Paths{"last/flat_after.tif", "last/flat_before.tif"} << Views{3.5, -0.5};
    QTest::addRow("series, in a scan's folder of a word")
        << Paths{"scan_after_repair/flat_0_1.tif", "scan_after_repair/flat_1_1.tif"}
        << Views{-0.5, 3.5};
    QTest::addRow("folders in a scan's folder of a word")
        << Paths{"last/flat_before/1.tif", "last/flat_after/1.tif"} << Views{-0.5, 3.5};
    QTest::addRow("a folder and the scan's of a word")
        << Paths{"last/flat_before.tif", "last/after/flat.tif"} << Views{-0.5, 3.5};
    QTest::addRow("one folder of flats")
        << Paths{"d/flats_before/1.tif", "d/flats_before/2.tif"} << Views{-0.5, -0.5};
    QTest::addRow("one series") << Paths{"flat_0.tif", "flat_1.tif", "flat_2.tif"} << Views{};
    QTest::addRow("two of one series") << Paths{"flat_1.tif", "flat_2.tif"} << Views{};
    QTest::addRow("one without a word") << Paths{"flat_before.tif", "flat.tif"} << Views{};
    QTest::addRow("none") << Paths{} << Views{};
  }
  void namesTellWhenFlatsWereTaken() {
    QFETCH(std::vector<std::string>, paths);
    QFETCH(std::vector<double>, views);
    QCOMPARE(views_of_flats(paths, 4), views);
  }

  /// Of 181 projections.
  void numbersOfProjectionsTellWhenFlatsWereTaken_data() {
    QTest::addColumn<std::vector<std::string>>("paths");
    QTest::addColumn<std::vector<double>>("views");
    using Paths = std::vector<std::string>;
    using Views = std::vector<double>;
    QTest::addRow("plain") << Paths{"flat_0000.tif", "flat_0090.tif", "flat_0180.tif"}
                           << Views{-0.5, 89.5, 180.5};
    QTest::addRow("behind all") << Paths{"flat0.tif", "flat181.tif"} << Views{-0.5, 180.5};
    QTest::addRow("several each") << Paths{"refHST0000_0.tif", "refHST0000_1.tif",
                                           "refHST0180_0.tif"}
                                  << Views{-0.5, -0.5, 180.5};
    QTest::addRow("series of each")
        << Paths{"flat_0_at0000.tif", "flat_1_at0000.tif", "flat_0_at0090.tif", "flat_1_at0180.tif"}
        << Views{-0.5, -0.5, 89.5, 180.5};
    QTest::addRow("not to the end") << Paths{"flat_0000.tif", "flat_0090.tif"} << Views{};
    QTest::addRow("not from the beginning") << Paths{"flat_0090.tif", "flat_0180.tif"} << Views{};
    QTest::addRow("beyond the end")
        << Paths{"flat_0000.tif", "flat_0180.tif", "flat_0360.tif"} << Views{};
    Paths count;
    for (int i = 0; i <= 180; ++i) count.push_back("flat_" + std::to_string(i) + ".tif");
    QTest::addRow("a count") << count << Views{};
  }
  void numbersOfProjectionsTellWhenFlatsWereTaken() {
    QFETCH(std::vector<std::string>, paths);
    QFETCH(std::vector<double>, views);
    QCOMPARE(views_of_flats(paths, 181), views);
  }
};

GANTRY_TEST(TestFlatSeries)
#include "test_flat_series.moc"
