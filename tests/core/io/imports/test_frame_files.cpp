// Which files of a folder are projections, flats and darks, and what is missing.
#include "core/base/error.hpp"
#include "core/io/imports/file_series.hpp"
#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/names/natural_order.hpp"
#include "tests/core/io/imports/names/named_files.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDateTime>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestFrameFiles : public QObject, private NamedFiles {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void numbersInNamesCountByTheirValue() {
    const std::vector<std::string> sorted = {"a1", "a2", "a10", "a10b", "b1"};
    for (std::size_t i = 0; i < sorted.size(); ++i)
      for (std::size_t k = 0; k < sorted.size(); ++k)
        QCOMPARE(natural_less(sorted[i], sorted[k]), i < k);
    QVERIFY(natural_less("a2", "a010"));
    QVERIFY(!natural_less("a7", "a7"));
  }

  void kindsFollowFromNamesAndFolders() {
    for (const char* name : {"p_2.tif", "p_10.tif", "p_1.tif", "flats/f_1.tif", "Dark_01.TIF",
                             "white_3.tif", "angles.txt", "readme.md"})
      touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(names(files.projections),
             (std::vector<std::string>{"p_1.tif", "p_2.tif", "p_10.tif"}));
    QCOMPARE(names(files.flats), (std::vector<std::string>{"f_1.tif", "white_3.tif"}));
    QCOMPARE(names(files.darks), (std::vector<std::string>{"Dark_01.TIF"}));
    QCOMPARE(names(files.texts), (std::vector<std::string>{"angles.txt"}));
    QCOMPARE(files.positions, (std::vector<int>{0, 1, 9}));
    QVERIFY(files.notes.empty());
    QCOMPARE(missing_frames(files),
             (std::vector<std::string>{"frames 3 to 9 are missing between p_2.tif and p_10.tif"}));
  }

  /// As angles are written; beside them are fewer files of whole numbers.
  void decimalNumbersAreNumbers() {
    for (int i = 0; i < 24; ++i) touch(QStringLiteral("img_%1.tif").arg(7.5 * i, 0, 'f', 1));
    for (const char* name :
         {"other_1.tif", "other_2.tif", "ff_1.tif", "OpenBeam/1.tif", "dc_1.tif"})
      touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{24});
    QCOMPARE(files.decimals.size(), std::size_t{24});
    for (std::size_t i = 0; i < 24; ++i) QCOMPARE(files.decimals[i], 7.5 * static_cast<double>(i));
    QVERIFY(files.positions.empty());
    QCOMPARE(names(files.flats), (std::vector<std::string>{"1.tif", "ff_1.tif"}));
    QCOMPARE(names(files.darks), (std::vector<std::string>{"dc_1.tif"}));
    QCOMPARE(files.notes, (std::vector<std::string>{"2 files were left out: other_#.tif"}));
  }

  /// A comma or a p stands for the point where the numbers go on from degree to degree.
  void decimalNumbersMayHaveNoPoint_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<double>("step");
    for (const char* pattern : {"s_%1.tif", "tilt_-%1.tif", "s_%1deg.tif", "run2p1_%1.tif"})
      for (const double step : {0.1, 0.9, 4.5})
        QTest::addRow("%s, %g", pattern, step) << QString::fromLatin1(pattern) << step;
  }
  void decimalNumbersMayHaveNoPoint() {
    QFETCH(QString, pattern);
    QFETCH(double, step);
    for (const char* point : {",", "p"}) {
      init();
      std::vector<double> numbers;
      for (int i = 1; i < 80; ++i) {
        const QString text = QString::number(step * i, 'f', 1);
        numbers.push_back((pattern.contains(QLatin1String("_-")) ? -1 : 1) * text.toDouble());
        touch(pattern.arg(QString(text).replace(QLatin1Char('.'), QLatin1String(point))));
      }
      std::ranges::sort(numbers);
      const FrameFiles files = list();
      QCOMPARE(files.decimals, numbers);
      QVERIFY(files.positions.empty() && files.left_out.empty());
    }
  }

  /// Numbers of scans and of their frames do not go on evenly.
  void aCommaOrPBetweenTwoNumbersIsNoPoint() {
    for (const char* between : {",", "p"}) {
      init();
      for (int scan = 1; scan < 4; ++scan)
        for (int i = 0; i < 12; ++i) touch(QString::asprintf("s_%d%s%03d.tif", scan, between, i));
      const FrameFiles files = list();
      QVERIFY(files.decimals.empty());
      QCOMPARE(files.positions.size(), std::size_t{12});
      QCOMPARE(files.left_out.size(), std::size_t{2});
    }
  }

  /// As tilt series are named; a dash between a word and a number is no sign.
  void signsBelongToNumbers_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<int>("digits");
    QTest::addRow("decimals") << "img_%1.tif" << 1;
    QTest::addRow("whole") << "tilt_%1.tif" << 0;
    QTest::addRow("with a unit") << "proj (%1deg).tif" << 1;
  }
  void signsBelongToNumbers() {
    QFETCH(QString, pattern);
    QFETCH(int, digits);
    std::vector<double> numbers;
    for (int i = -12; i <= 12; ++i) {
      numbers.push_back(5 * i);
      touch(pattern.arg(5.0 * i, 0, 'f', digits));
    }
    QCOMPARE(list().decimals, numbers);
    QVERIFY(list().notes.empty());
    init();
    for (int i = 1; i < 9; ++i) touch(QStringLiteral("scan-%1.tif").arg(i));
    QVERIFY(list().decimals.empty());
    QCOMPARE(list().positions.back(), 7);
  }

  /// A number behind a point that belongs to the rest of the name counts frames.
  void aPointBeforeTheNumberOfAFrameIsNone() {
    for (int i = 1; i < 12; ++i)
      touch(QStringLiteral("run2.%1.tif").arg(i, 4, 10, QLatin1Char('0')));
    const FrameFiles files = list();
    QVERIFY(files.decimals.empty());
    QCOMPARE(files.positions.size(), std::size_t{11});
  }

  /// Too long to count files, they order them all the same.
  void timesOrderFrames() {
    std::vector<std::string> sorted;
    for (int i = 0; i < 12; ++i) {
      const QString name = QStringLiteral("f_%1.tif").arg(1703123456789LL + 137 * i + i % 3);
      sorted.push_back(name.toStdString());
      touch(name);
    }
    QCOMPARE(names(list().projections), sorted);
    QVERIFY(list().positions.empty() && list().notes.empty());
  }

  /// Numbers of seconds, or of hours, minutes and seconds together, do not count frames.
  void timesOfDayOrderFrames_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<int>("step_ms");
    for (const char* format :
         {"hh-mm-ss", "'t'yyyy-MM-dd_hh-mm-ss", "yyyyMMdd'T'hhmmss", "'img_'yyyyMMdd_hhmmss"})
      for (const int seconds : {3, 5, 7, 13, 61, 97, 120})
        QTest::addRow("%s, %d s", format, seconds) << QString::fromLatin1(format) << 1000 * seconds;
    QTest::addRow("thousandths") << "'img_'yyyyMMdd_hhmmss_zzz" << 700;
    QTest::addRow("thousandths of long steps") << "'img_'hhmmss_zzz" << 7013;
    QTest::addRow("thousandths within a minute") << "'img_'yyyyMMdd_hhmmss_zzz" << 310;
  }
  void timesOfDayOrderFrames() {
    QFETCH(QString, format);
    QFETCH(int, step_ms);
    const QDateTime midnight(QDate(2024, 4, 1), QTime(0, 0), Qt::UTC);
    for (const QDateTime& first : {midnight.addSecs(-14 * 3600), midnight.addSecs(-65)}) {
      init();
      std::vector<std::string> sorted;
      for (int i = 0; i < 90; ++i) {
        sorted.push_back(
            (first.addMSecs(static_cast<qint64>(i) * step_ms).toString(format) + ".tif")
                .toStdString());
        touch(QString::fromStdString(sorted.back()));
      }
      const FrameFiles files = list();
      QCOMPARE(names(files.projections), sorted);
      QVERIFY(files.positions.empty() && files.decimals.empty() && files.left_out.empty());
      QCOMPARE(files.notes.size(), std::size_t{1});
      QVERIFY(files.notes[0].starts_with("the projections are named by time"));
    }
  }

  void aLongStepBetweenTimesIsNamed() {
    const QTime first(10, 0, 0);
    for (int i = 0; i < 40; ++i)
      if (i != 20 && i != 21)
        touch(first.addSecs(7 * i + i % 2).toString(QStringLiteral("hh-mm-ss'.tif'")));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{38});
    QCOMPARE(files.notes.size(), std::size_t{2});
    QVERIFY(files.notes[1].starts_with("the time between 10-02-14.tif and 10-02-34.tif is longer"));
    init();  // about a minute apart, within an hour: nearly as even as numbers
    for (int i = 0; i < 40; ++i)
      touch(first.addSecs(61 * i - i % 3).toString(QStringLiteral("hhmmss'.tif'")));
    QVERIFY(list().positions.empty() && list().notes.size() == 1);
  }

  /// With separators and a date, or with few files in each minute, times may be uneven.
  void unevenTimesOrderFrames() {
    const QDateTime first(QDate(2024, 3, 31), QTime(10, 0), Qt::UTC);
    for (const char* format :
         {"yyyy-MM-dd_hh-mm-ss'.tif'", "yyyyMMddhhmmss_zzz'.tif'", "hh-mm-ss'.tif'"}) {
      init();
      std::vector<std::string> sorted;
      for (int i = 0; i < 40; ++i) {
        const QString name = first.addSecs(i * i * i / 2 + i).toString(QString::fromLatin1(format));
        sorted.push_back(name.toStdString());
        touch(name);
      }
      QCOMPARE(names(list().projections), sorted);
      QVERIFY(list().positions.empty());
      QCOMPARE(list().notes.size(), std::size_t{2});
    }
  }

  /// Other numbers that may be read as times of day: of frames, also with gaps, and of scans.
  void countersAreNoTimes() {
    const auto touch_number = [&](const QString& before, int number, int digits) {
      touch(QStringLiteral("%1%2.tif").arg(before).arg(number, digits, 10, QLatin1Char('0')));
    };
    for (int i = 0; i < 50; ++i)
      if (i != 10) touch_number(QStringLiteral("20240331_"), i, 6);
    QCOMPARE(list().positions.back(), 49);
    QCOMPARE(missing_frames(list()).size(), std::size_t{1});
    init();
    for (int i = 0; i < 8; ++i) touch_number(QStringLiteral("s_"), 50 * i, 6);
    QCOMPARE(list().positions.back(), 350);
    init();
    for (int i = 0; i < 40; ++i)
      if (i != 7) touch(QString::asprintf("s_%06d_%03d.tif", i, 100 + 13 * i % 17));
    QCOMPARE(list().positions.back(), 39);
    QCOMPARE(missing_frames(list()).size(), std::size_t{1});
    init();
    for (int scan = 1; scan < 4; ++scan)
      for (int i = 0; i < 40; ++i) touch_number(QStringLiteral("run_01_0%1_").arg(scan), i, 2);
    QCOMPARE(list().projections.size(), std::size_t{40});
    QCOMPARE(list().positions.size(), std::size_t{40});
    init();
    for (int i = 0; i < 40; ++i)
      if (i != 7)
        touch_number(QTime(10, 0).addSecs(7 * i).toString(QStringLiteral("hhmmss_")), i, 3);
    QCOMPARE(list().positions.back(), 39);
    QCOMPARE(missing_frames(list()).size(), std::size_t{1});
  }

  void flatsAndDarksMayLieInFoldersOfTheirFolders() {
    for (const char* name :
         {"proj/p_1.tif", "proj/p_2.tif", "proj/p_3.tif", "flats/before/1.tif", "flats/after/1.tif",
          "darks/x/1.tif", "recon/slices/p_1.tif", "scan2/flats/1.tif"})
      touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{3});
    QCOMPARE(files.flats.size(), std::size_t{2});
    QCOMPARE(files.darks.size(), std::size_t{1});
    QVERIFY(files.notes.empty());
  }

  void doubleFramesAndOtherFilesAreNamed() {
    for (const char* name : {"p_1.tif", "p_2.tif", "p_02.tif", "p_3.tif", "overview.tif"})
      touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(files.positions, (std::vector<int>{0, 1, 2}));
    QCOMPARE(files.projections.size(), std::size_t{3});
    QCOMPARE(files.notes,
             (std::vector<std::string>{"1 file was left out: overview.tif",
                                       "frame 2 is there twice: p_2.tif was left out"}));
  }

  /// As microscopes write them: a number that counts and an angle, or the time of each frame.
  void namesMayDifferInSeveralNumbers() {
    for (int i = 0; i < 24; ++i)
      touch(QStringLiteral("tomo_%1_%2.tif")
                .arg(i, 4, 10, QLatin1Char('0'))
                .arg(180.0 - 7.5 * i, 7, 'f', 3, QLatin1Char('0')));
    touch(QStringLiteral("overview.tif"));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{24});
    QCOMPARE(files.positions.size(), std::size_t{24});
    for (std::size_t i = 0; i < files.decimals.size(); ++i)
      QCOMPARE(files.decimals[i], 180 - 7.5 * static_cast<double>(i));
    QCOMPARE(files.decimals.size(), std::size_t{24});
    QCOMPARE(files.notes, (std::vector<std::string>{"1 file was left out: overview.tif"}));
    init();
    for (int i = 0; i < 9; ++i)
      if (i != 4) touch(QStringLiteral("frame%1_%2.tif").arg(i).arg(120311 + 7 * i));
    QCOMPARE(list().projections.size(), std::size_t{8});
    QCOMPARE(list().positions, (std::vector<int>{0, 1, 2, 3, 5, 6, 7, 8}));
    QCOMPARE(missing_frames(list()),
             (std::vector<std::string>{
                 "frame 4 is missing between frame3_120332.tif and frame5_120346.tif"}));
  }

  /// By their numbers as names have them, and by the files around the gaps.
  /// Several exposures of each projection: no two of them are a scan.
  void imagesThatNoNumberCountsAreRefused() {
    for (int i = 0; i < 9; ++i)
      for (int k = 0; k < 2; ++k) touch(QStringLiteral("proj_%1_%2.tif").arg(i).arg(k));
    EXPECT_THROWS(
        InputError, list(),
        "holds 18 images whose names have several numbers, none of which counts them all, "
        "such as proj_0_0.tif and proj_0_1.tif; keep one image for each projection");
    for (int i = 0; i < 9; ++i) touch(QStringLiteral("scan_%1.tif").arg(i));
    QCOMPARE(list().projections.size(), std::size_t{9});
  }

  void missingFramesAreNamed() {
    for (const char* name : {"p_0041.tif", "p_0043.tif", "p_0044.tif"}) touch(QLatin1String(name));
    QCOMPARE(missing_frames(list()),
             (std::vector<std::string>{"frame 0042 is missing between p_0041.tif and p_0043.tif"}));
    touch(QStringLiteral("p_0048.tif"));
    touch(QStringLiteral("p_0050.tif"));
    QCOMPARE(missing_frames(list()),
             (std::vector<std::string>{"frames 0042, 0045 to 0047 and 0049 are missing between "
                                       "p_0041.tif and p_0050.tif"}));
  }

  void imagesWithNothingInCommonAreRefused() {
    for (const char* name : {"a.tif", "b.tif", "c.tif", "d.tif"}) touch(QLatin1String(name));
    EXPECT_THROWS(InputError, list(), "4 images whose names do not differ by a number alone");
  }

  void whatIsGivenAsAFlatIsNoProjection() {
    for (int i = 0; i < 6; ++i) touch(QStringLiteral("s_%1.tif").arg(i));
    const std::string first = folder_->filePath(QStringLiteral("./s_0.tif")).toStdString(),
                      last = folder_->filePath(QStringLiteral("s_5.tif")).toStdString(),
                      folder = folder_->path().toStdString();
    const FrameFiles files = list_frame_files(folder, {".tif"}, {first, last});
    QCOMPARE(names(files.projections),
             (std::vector<std::string>{"s_1.tif", "s_2.tif", "s_3.tif", "s_4.tif"}));
    QCOMPARE(list_numbered_files(folder, "s_", {".tif"}, {first}).projections.size(),
             std::size_t{5});
  }

  /// A sample may be called white or dark; where there are flats and darks alone, the scan lacks.
  void aSampleMayBeNamedLikeAFlat() {
    for (int i = 0; i < 5; ++i) touch(QStringLiteral("dark_%1.tif").arg(i));
    QCOMPARE(list().projections.size(), std::size_t{5});
    QVERIFY(list().darks.empty());
    QCOMPARE(list().notes, (std::vector<std::string>{"all images are named as darks: they were "
                                                     "taken as the projections"}));
    touch(QStringLiteral("flat_0.tif"));
    EXPECT_THROWS(InputError, list(), "flats (1) and darks (5)");
  }

  void foldersWithoutFramesAreRefused() {
    EXPECT_THROWS(InputError, list(), "holds no projections");
    touch(QStringLiteral("flat_1.tif"));
    EXPECT_THROWS(InputError, list(), "holds no projections");
    EXPECT_THROWS(InputError, list_frame_files("/nowhere/at/all", {".tif"}), "is no folder");
    ImportRequest of_the_system;
    of_the_system.path = "/proc";
    EXPECT_THROWS(InputError, import_scan(of_the_system),
                  "/proc: is made up by the system and lies on no disk; choose a folder");
  }

  /// As programs of cameras divide long recordings into files of many pages.
  void aFileWithoutNumberBeginsASeries() {
    for (const char* name : {"s2@0002.tif", "s2.tif", "s2@0001.tif", "s1.tif", "flat.tif"})
      touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(names(files.projections),
             (std::vector<std::string>{"s2.tif", "s2@0001.tif", "s2@0002.tif"}));
    QCOMPARE(files.positions, (std::vector<int>{0, 1, 2}));
    QCOMPARE(files.notes, (std::vector<std::string>{"1 file was left out: s#.tif"}));
    QVERIFY(goes_on_in_others(folder_->filePath(QStringLiteral("s2.tif")).toStdString()));
    QVERIFY(!goes_on_in_others(folder_->filePath(QStringLiteral("s1.tif")).toStdString()));
  }
  void aSeriesOfTwoFilesIsOne() {
    for (const char* name : {"scan@0001.tif", "scan.tif"}) touch(QLatin1String(name));
    QCOMPARE(names(list().projections), (std::vector<std::string>{"scan.tif", "scan@0001.tif"}));
  }
  void aSeriesOfOmeTiffBeginsWithoutNumber() {
    for (const char* name : {"a_Pos0_1.ome.tif", "a_Pos0.ome.tif", "a_Pos0_2.ome.tif"})
      touch(QLatin1String(name));
    QCOMPARE(names(list().projections),
             (std::vector<std::string>{"a_Pos0.ome.tif", "a_Pos0_1.ome.tif", "a_Pos0_2.ome.tif"}));
  }
};

GANTRY_TEST(TestFrameFiles)
#include "test_frame_files.moc"
