// The angles of the projections of a scan of another program.
#include "core/base/error.hpp"
#include "core/io/imports/angle_list.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace gantry;
using namespace gantry::test;

class TestAngleList : public QObject {
  Q_OBJECT
  std::vector<Assumption> assumptions_;

  std::vector<double> angles(const std::vector<double>& lines, const FrameNumbers& numbers) {
    assumptions_.clear();
    return angles_of_frames(lines, numbers, {"a.txt"}, assumptions_);
  }

 private slots:
  void theFirstNumberOfALineIsTheAngle() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    write_file(file, "# angles\n0.5, 17\r\n\n  -1e1\n+2\n# end");
    QCOMPARE(read_angle_lines(file), (std::vector<double>{0.5, -10, 2}));
    write_file(file, "nothing\n");
    EXPECT_THROWS(InputError, read_angle_lines(file), "holds no numbers");
    write_file(file, "# angles\n1\n\nnan\n");
    EXPECT_THROWS(InputError, read_angle_lines(file), "line 4 is no angle");
    write_file(file, "angles of scan 5\n0\n2\nabc\n4\n");
    EXPECT_THROWS(InputError, read_angle_lines(file), "line 4 is no angle");
    write_file(file, "angles of scan 5\n0\n90deg\n180\u00b0\n");
    QCOMPARE(read_angle_lines(file), (std::vector<double>{0, 90, 180}));
  }

  /// As programs write a vector that is a row.
  void aListMayLieAlongOneLine() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    for (const char* text : {"0 1.5 3 4.5 6 7.5 9 10.5\n", "0,1.5,3,4.5,6,7.5,9,10.5"}) {
      write_file(file, text);
      QCOMPARE(read_angle_lines(file), (std::vector<double>{0, 1.5, 3, 4.5, 6, 7.5, 9, 10.5}));
    }
  }

  /// Of Windows' editors.
  void aByteOrderMarkIsNoText() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    write_file(file, "\xEF\xBB\xBF-88.2\r\n-86.2\r\n");
    QCOMPARE(read_angle_lines(file), (std::vector<double>{-88.2, -86.2}));
  }

  /// Of Windows' editors and spreadsheets, whichever byte comes first.
  void textMayBeUtf16() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    write_file(file, QByteArray("\xFF\xFE-\0"
                                "8\0.\0"
                                "5\0\xB0\0\n\0"
                                "9\0\n\0",
                                18));
    QCOMPARE(read_angle_lines(file), (std::vector<double>{-8.5, 9}));
    write_file(file, QByteArray("\xFE\xFF\0-\0"
                                "8\0.\0"
                                "5\0\xB0\0\n\0"
                                "9",
                                16));
    QCOMPARE(read_angle_lines(file), (std::vector<double>{-8.5, 9}));
    write_file(file, QByteArray("\xFF\xFE\xFF\xFE"
                                "7\0\n\0",
                                8));  // programs may mark it twice
    QCOMPARE(read_angle_lines(file), (std::vector<double>{7}));
  }

  /// Read as columns, they would silently lose their fractions.
  void commasOfDecimalsAreRefused() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    for (const char* text : {"-88,2000\n-86,2000\n-84,2001\n", "0,5\n1,0\n1,5\n",
                             "0, 4,5000\n1, 5,2500\n2, 6,0000\n"}) {
      write_file(file, text);
      EXPECT_THROWS(InputError, read_angle_lines(file),
                    "line 1 has a comma that may be of a decimal or between columns");
    }
    for (const char* text :
         {"0,1\n1,3\n2,5\n", "angle,t\n1,9\n3,8\n5,7\n", "x,angle\n9,1.0\n7,3.0\n"}) {
      write_file(file, text);
      read_angle_lines(file);
    }
  }

  /// As spreadsheets write them, above all where decimals have a comma.
  void numbersMayHaveQuotesAndDecimalCommas_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("has_commas");
    QTest::addRow("quotes") << QByteArray("\"4.5\"\n\"5.0\"\n\"5.5\"\n") << false;
    QTest::addRow("quoted columns") << QByteArray(
                                           "\"name\",\"angle\"\n\"a, 1\",\"4.5\"\n"
                                           "\"a, 2\",\"5.0\"\n\"a, 3\",\"5.5\"\n")
                                    << false;
    QTest::addRow("semicolons") << QByteArray("name;4,500\nmane;5,000\nenam;5,5\n") << true;
    QTest::addRow("files") << QByteArray("a_1.tif;4,5\na_2.tif;5\na_3.tif;5,5\n") << true;
    QTest::addRow("after a count") << QByteArray("0;4,5\n1;5,0\n2;5,5\n") << true;
    QTest::addRow("named") << QByteArray("t;Winkel [Grad]\n9;4,5\n9;5,0\n8;5,5\n") << true;
    QTest::addRow("tabulators") << QByteArray("0\t4,5\n1\t5,0\n2\t5,5\n") << true;
    QTest::addRow("blanks") << QByteArray("Nr Winkel\n0 4,5\n1 5,0\n2 5,5\n") << true;
    QTest::addRow("whole numbers among them") << QByteArray("1 4,5\n2 5\n3 5,5\n") << true;
    QTest::addRow("quotes and commas") << QByteArray("\"4,5\"\n\"5,0\"\n\"5,5\"\n") << true;
    QTest::addRow("quotes between commas")
        << QByteArray("a,\"4,5\"\nb,\"5,0\"\nc,\"5,5\"\n") << true;
  }
  void numbersMayHaveQuotesAndDecimalCommas() {
    QFETCH(QByteArray, text);
    QFETCH(bool, has_commas);
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.csv").toStdString();
    write_file(file, text);
    std::vector<Assumption> assumptions;
    QCOMPARE(read_angle_lines(file, &assumptions), (std::vector<double>{4.5, 5, 5.5}));
    QCOMPARE(std::ranges::any_of(
                 assumptions, [](const Assumption& one) { return one.value == "behind a comma"; }),
             has_commas);
  }

  /// Few angles, or such over a small arc, do not tell it.
  void theUnitBesideTheNameOfAnglesCounts() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.csv").toStdString();
    const double degree = 180 / std::acos(-1.0);
    for (const auto& [text, unit] : {std::pair("nr,angle_rad\n0,0\n1,0.5\n2,1\n", degree),
                                     {"# theta [rad]\n0\n0.5\n1\n", degree},
                                     {"0\n0.5\n1\n", 1.0}}) {
      write_file(file, text);
      assumptions_.clear();
      const std::vector<double> found = angles_in_file(file, {3}, assumptions_);
      for (std::size_t i = 0; i < 3; ++i)
        QVERIFY(std::abs(found[i] - 0.5 * static_cast<double>(i) * unit) < 1e-9);
    }
    QByteArray small = "angle (deg)\n";
    for (int i = 0; i < 10; ++i) small += QByteArray::number(0.5 * i) + '\n';
    write_file(file, small);
    QCOMPARE(angles_in_file(file, {10}, assumptions_).back(), 4.5);
    write_file(file, "angle (rad)\n0\n90\n180\n");
    EXPECT_THROWS(InputError, angles_in_file(file, {3}, assumptions_), "states radians");
  }

  void aTableHasAColumnOfAngles_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("column");
    QTest::addRow("named") << QByteArray("index,angle,t\n0,1,9\n1,3,8\n2,5,7\n") << 2;
    QTest::addRow("named in a comment") << QByteArray("# t theta\n9 1\n9 3\n8 5\n") << 2;
    QTest::addRow("the first is named") << QByteArray("angle,t\n1,9\n3,8\n5,7\n") << 1;
    QTest::addRow("after a count") << QByteArray("0;1\n1;3\n2;5\n") << 2;
    QTest::addRow("after a count from 1") << QByteArray("1 1\n2 3\n3 5\n") << 2;
    QTest::addRow("after names") << QByteArray("001.tif 1\n002.tif 3\n003.tif 5\n") << 2;
    QTest::addRow("after names and a count") << QByteArray("a 0 1\nb 1 3\nc 2 5\n") << 3;
    QTest::addRow("after numbers of frames") << QByteArray("nr,pos\n10,1\n12,3\n14,5\n") << 2;
    QTest::addRow("after a time") << QByteArray("time,rotation\n9,1\n8,3\n7,5\n") << 2;
    QTest::addRow("after seconds") << QByteArray("time [s];x [deg]\n9;1\n8;3\n7;5\n") << 2;
    QTest::addRow("phi") << QByteArray("Nr;time;phi\n0;9;1\n1;8;3\n2;7;5\n") << 3;
    QTest::addRow("no time") << QByteArray("current,y\n9,1\n8,3\n7,5\n") << 2;
    QTest::addRow("a whole word") << QByteArray("theta_std,theta\n9,1\n8,3\n7,5\n") << 2;
    QTest::addRow("not tilted") << QByteArray("tilt angle;rotation\n9;1\n8;3\n7;5\n") << 2;
    QTest::addRow("beside dates")
        << QByteArray(
               "time,angle,current\n2024-03-01 10:00:00,1,200.1\n2024-03-01 "
               "10:00:09.5,3,200.2\n2024-03-01 "
               "10:00:18,5,200.1\n")
        << 2;
    QTest::addRow("beside dates alone")
        << QByteArray("2024-03-01 10:00:00,1\n2024-03-01 10:00:09,3\n2024-03-01 10:00:18,5\n") << 3;
    QTest::addRow("words") << QByteArray("Image Nr  Angle (deg)\n5 1\n6 3\n7 5\n") << 2;
  }
  void aTableHasAColumnOfAngles() {
    QFETCH(QByteArray, text);
    QFETCH(int, column);
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.csv").toStdString();
    write_file(file, text);
    std::vector<Assumption> assumptions;
    QCOMPARE(read_angle_lines(file, &assumptions), (std::vector<double>{1, 3, 5}));
    QCOMPARE(assumptions.size(), std::size_t{column > 1 ? 1U : 0U});
    if (column > 1) QCOMPARE(assumptions[0].value, std::to_string(column));
  }

  /// The wrong one would give a wrong image without a word.
  void columnsBetweenWhichNothingDecidesAreRefused() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    for (const char* text : {"10.5 1\n12.5 3\n14 5\n", "100 1\n101 3.5\n102 5\n",
                             "target angle\tread angle\n1\t1.1\n3\t3.1\n5\t5.1\n"}) {
      write_file(file, text);
      EXPECT_THROWS(InputError, read_angle_lines(file),
                    "has several columns that may hold the angles");
    }
    EXPECT_THROWS(UnclearAnglesError, read_angle_lines(file),
                  "1 (target angle) and 2 (read angle); name the right one, or number it from 1 "
                  "(--angle-column)");
    write_file(file, "time [s];current\n1;2\n3;4\n5;6\n");
    EXPECT_THROWS(InputError, read_angle_lines(file), "has no column that may hold the angles");
  }

  /// Also against what the names of the columns say.
  void theColumnCanBeChosen() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    const auto chosen = [&](const QByteArray& text, const std::string& column) {
      write_file(file, text);
      assumptions_.clear();
      return angles_in_file(file, {3}, assumptions_, column);
    };
    const std::vector<double> first = {10.5, 12.5, 14}, second = {1, 3, 5};
    QCOMPARE(chosen("10.5 1\n12.5 3\n14 5\n", "1"), first);
    QCOMPARE(chosen("10.5 1\n12.5 3\n14 5\n", "2"), second);
    QVERIFY(assumptions_.size() == 1 && assumptions_[0].what == unit_of_angles);
    for (const char* column : {"Read Angle", "2"})
      QCOMPARE(chosen("target angle\tread angle\n10.5\t1\n12.5\t3\n14\t5\n", column), second);
    QCOMPARE(chosen("angle;time\n10.5;1\n12.5;3\n14;5\n", "time"), second);
    // A column that counts the frames still orders them, unless it is the angle.
    QCOMPARE(chosen("frame,a,b\n2,14,5\n0,10.5,1\n1,12.5,3\n", "a"), first);
    QCOMPARE(chosen("frame,a\n5,7\n1,7\n3,8\n", "frame"), (std::vector<double>{5, 1, 3}));
    EXPECT_THROWS(InputError, chosen("angle;time\n10;1\n12;3\n14;5\n", "3"),
                  "has no column \"3\"; name one (--angle-column), or number it from 1; there are "
                  "2: angle, time");
    EXPECT_THROWS(InputError, chosen("a,angle,angle\n1,10,11\n2,12,13\n3,14,15\n", "angle"),
                  "columns 2 and 3 are both called \"angle\"; number the column");
    EXPECT_THROWS(InputError, chosen("1\n3\n5\n", "theta"), "there is 1 column: 1");
    QCOMPARE(read_angle_lines(file, nullptr, "1"), second);
  }

  void aUnitThatIsStatedAnywhereCounts_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<double>("degrees_of_one");
    QTest::addColumn<bool>("is_one_line");
    const double radian = 180 / std::acos(-1.0);
    for (const bool is_one_line : {false, true}) {
      const char* lines = is_one_line ? "one line" : "lines";
      QTest::addRow("radians, %s", lines)
          << QByteArray("angles (rad)\n") << QByteArray() << radian << is_one_line;
      QTest::addRow("degrees, %s", lines)
          << QByteArray("# degrees\n") << QByteArray() << 1.0 << is_one_line;
      QTest::addRow("milliradians, %s", lines)
          << QByteArray("angle_mrad\n") << QByteArray() << radian / 1000 << is_one_line;
    }
    QTest::addRow("a line above") << QByteArray("unit: rad\nangle\n") << QByteArray() << radian
                                  << false;
    QTest::addRow("degrees on each line") << QByteArray() << QByteArray(" deg") << 1.0 << false;
    QTest::addRow("radians on each line") << QByteArray() << QByteArray(" rad") << radian << false;
  }
  void aUnitThatIsStatedAnywhereCounts() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(double, degrees_of_one);
    QFETCH(bool, is_one_line);
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    QByteArray text = before;
    for (int i = 0; i < 10; ++i)
      text += QByteArray::number(0.5 * i) + after + (is_one_line ? ' ' : '\n');
    write_file(file, text);
    const std::vector<double> found = angles_in_file(file, {10}, assumptions_);
    for (std::size_t i = 0; i < found.size(); ++i)
      QVERIFY(std::abs(found[i] - 0.5 * static_cast<double>(i) * degrees_of_one) < 1e-9);
  }

  /// Angles in whole degrees, written with decimals or beside a column that never changes.
  void aStepOfOneDegreeIsNoCount() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    for (const char* text : {"0.0 7\n1.0 7\n2.0 7\n", "0 7\n1 7\n2 7\n", "0\n1\n2\n"}) {
      write_file(file, text);
      QCOMPARE(read_angle_lines(file), (std::vector<double>{0, 1, 2}));
    }
  }

  void framesMayBeNumberedInAnotherOrder_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<std::vector<double>>("angles");
    const std::vector<double> sorted = {10, 20, 30}, by_line = {30, 10, 20};
    QTest::addRow("named") << QByteArray("frame,angle\n2,30\n0,10\n1,20\n") << sorted;
    QTest::addRow("every other frame") << QByteArray("frame,angle\n9,30\n5,10\n7,20\n") << sorted;
    for (const char* name :
         {"index", "Nr", "Nr.", "#", "", "image_no", "\"Index\"", "No. of frame"})
      QTest::addRow("named %s", name) << QByteArray(name) + ";angle\n2;30\n0;10\n1;20\n" << sorted;
    QTest::addRow("numbers with gaps") << QByteArray("Nr,angle\n7,30\n1,10\n2,20\n") << sorted;
    QTest::addRow("angle with another name") << QByteArray("nr;deg\n7;30\n4;10\n5;20\n") << sorted;
    QTest::addRow("another name") << QByteArray("scan;rotation\n2;30\n0;10\n1;20\n") << sorted;
    QTest::addRow("a title") << QByteArray("# scan of a tooth\n2 30\n0 10\n1 20\n") << sorted;
    QTest::addRow("positions of a motor")
        << QByteArray("angle;steps\n30;3000\n10;1000\n20;2000\n") << by_line;
    QTest::addRow("angles from 0")
        << QByteArray("angle t\n0 500\n90 510\n45 505\n") << std::vector<double>{0, 90, 45};
    QTest::addRow("not named") << QByteArray("2 30\n0 10\n1 20\n") << sorted;
    QTest::addRow("not named, from 1") << QByteArray("3 30\n1 10\n2 20\n") << sorted;
    QTest::addRow("counts of photons")
        << QByteArray("angle,image_intensity\n30,9000\n10,7000\n20,8500\n") << by_line;
    QTest::addRow("monitor of the beam")
        << QByteArray("angle,I0\n30,93\n10,91\n20,92\n") << by_line;
    QTest::addRow("another monitor")
        << QByteArray("frame,angle,N_0\n0,30,93\n1,10,91\n2,20,92\n") << by_line;
    QTest::addRow("letters") << QByteArray("i,angle\n2,30\n0,10\n1,20\n") << sorted;
    QTest::addRow("angles before something else")
        << QByteArray("phi x\n30 5\n10 6\n20 7\n") << by_line;
  }
  void framesMayBeNumberedInAnotherOrder() {
    QFETCH(QByteArray, text);
    QFETCH(std::vector<double>, angles);
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.csv").toStdString();
    write_file(file, text);
    assumptions_.clear();
    QCOMPARE(angles_in_file(file, {3}, assumptions_), angles);
    const bool is_told = std::ranges::any_of(assumptions_, [](const Assumption& one) {
      return one.value.find("in the order of") != std::string::npos;
    });
    QCOMPARE(is_told, std::ranges::is_sorted(angles));
  }

  void anglesBelongToFramesByTheirNumbers() {
    QCOMPARE(angles({0, 10, 20}, {3}), (std::vector<double>{0, 10, 20}));
    QVERIFY(assumptions_.empty());
    QCOMPARE(angles({0, 10, 20, 30}, {3, {0, 2, 3}}), (std::vector<double>{0, 20, 30}));
    QCOMPARE(assumptions_.size(), std::size_t{1});
    // Where the scan is known to be of six projections, of which the first and the last are missing
    const FrameNumbers numbers{3, {1, 2, 4}, 6};
    QCOMPARE(angles({0, 10, 20, 30, 40, 50}, numbers), (std::vector<double>{10, 20, 40}));
    QCOMPARE(angles({10, 20, 30, 40}, numbers), (std::vector<double>{10, 20, 40}));
    QCOMPARE(angles({10, 20, 40}, numbers), (std::vector<double>{10, 20, 40}));
    EXPECT_THROWS(InputError, angles({0, 10, 20, 30, 40}, numbers), "has 5 angles for 3 frames");
  }

  /// One that is missing among the files need not be the one that is missing in the table.
  void numbersWithGapsAreThoseOfFiles() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.csv").toStdString();
    FrameNumbers numbers{4, {0, 1, 3, 4}};
    numbers.first_number = 7;
    const auto found = [&](const QByteArray& text) {
      write_file(file, text);
      assumptions_.clear();
      return angles_in_file(file, numbers, assumptions_);
    };
    const std::vector<double> expected = {70, 80, 100, 110};
    QCOMPARE(found("nr,angle\n7,70\n8,80\n10,100\n11,110\n"), expected);
    QCOMPARE(found("nr,angle\n6,60\n7,70\n8,80\n10,100\n11,110\n"), expected);
    QCOMPARE(found("nr,angle\n4,110\n0,70\n1,80\n3,100\n"), expected);  // from 0
    QCOMPARE(found("nr,angle\n1,70\n2,80\n4,100\n5,110\n7,0\n"), expected);
    EXPECT_THROWS(InputError, found("nr,angle\n7,70\n9,90\n10,100\n11,110\n"),
                  "numbers 4 projections with gaps, but not as the 4 that are there");
    QCOMPARE(found("nr,angle\n0,70\n1,80\n2,100\n3,110\n"), expected);  // a count of lines
  }

  /// As instruments write them that take flats and darks before and after the scan.
  void repeatedEndsAreThoseOfFlatsAndDarks() {
    QCOMPARE(angles({-5, -5, -5, 0, 5, 5}, {3}), (std::vector<double>{-5, 0, 5}));
    QCOMPARE(assumptions_.size(), std::size_t{1});
    QCOMPARE(angles({-5, -5, 0, 4.9999, 5, 5}, {3}), (std::vector<double>{-5, 0, 4.9999}));
    EXPECT_THROWS(InputError, angles({0, 1, 2, 3}, {3}), "has 4 angles for 3 frames");
    EXPECT_THROWS(InputError, angles({}, {3}), "has 0 angles for 3 frames");
  }

  /// The view that closes the turn has a line, but no frame; the lines that are left out are said.
  void theClosingAngleMayBeMore() {
    for (const double turn : {180.0, -360.0, std::acos(-1.0), 2000 * std::acos(-1.0)})
      for (const double first : {0.0, -88.2}) {
        std::vector<double> lines;
        for (int i = 0; i <= 90; ++i) lines.push_back(first + turn * i / 90);
        assumptions_.clear();
        const std::vector<double> found =
            angles_of_frames(lines, {90}, {"list"}, assumptions_, true);
        QCOMPARE(found, std::vector<double>(lines.begin(), lines.end() - 1));
        QCOMPARE(assumptions_.size(), std::size_t{1});
        QVERIFY(assumptions_[0].why.starts_with(
            "list has 91 lines for 90 frames, and the last one only closes the turn"));
        // A frame is missing, by its number.
        FrameNumbers numbers{89};
        for (int i = 0; i < 90; ++i)
          if (i != 40) numbers.positions.push_back(i);
        const std::vector<double> others =
            angles_of_frames(lines, numbers, {"list"}, assumptions_, true);
        QCOMPARE(others[40], lines[41]);
        QCOMPARE(others.size(), std::size_t{89});
        EXPECT_THROWS(InputError, angles(lines, {89}), "has 91 angles for 89 frames");
        lines.back() += turn / 180;
        EXPECT_THROWS(InputError, angles(lines, {90}), "has 91 angles for 90 frames");
      }
    EXPECT_THROWS(InputError, angles({0, 10, 90, 180}, {3}), "has 4 angles for 3 frames");
  }

  /// Flats after the scan are often taken where it began, or out of its way.
  void linesAfterTheScanAreLeftOut() {
    QCOMPARE(angles({0, 10, 20, 30, 40, 0, 0, 0}, {5}), (std::vector<double>{0, 10, 20, 30, 40}));
    QCOMPARE(assumptions_.back().value,
             std::string("those of the first lines, without the last 3"));
    EXPECT_THROWS(InputError, angles({0, 10, 20, 30, 40, 0, 0}, {4}), "has 7 angles for 4 frames");
    EXPECT_THROWS(InputError, angles({10, 20, 30, 40, 40}, {3}), "has 5 angles for 3 frames");
    EXPECT_THROWS(InputError, angles({0, 10, 20, 30, 0}, {4}), "has 5 angles for 4 frames");
  }

  /// As laboratories write them that sort the views of a scan, or log the order of the readout.
  void anglesGoToTheFilesThatATableNames_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addRow("names") << QByteArray("image,angle\np_3.tif,30\np_1.tif,10\np_2.tif,20\n");
    QTest::addRow("stems") << QByteArray("p_2 20\np_1 10\np_3 30\n");
    QTest::addRow("the name last") << QByteArray("20 x/p_2.tif\n10 x/p_1.tif\n30 x/p_3.tif\n");
    QTest::addRow("other extension") << QByteArray("P_2.RAW;20\nP_1.RAW;10\nP_3.RAW;30\n");
    QTest::addRow("folders") << QByteArray(
        "/d/raw/p_2.tif 20\n/d/raw/p_3.tif 30\n/d/raw/p_1.tif 10\n");
    QTest::addRow("of Windows") << QByteArray(
        "file;angle [deg]\r\n\"D:\\my scan\\p_2.tif\";20\r\n"
        "D:\\my scan\\p_3.tif;30\r\nD:\\my scan\\p_1.tif;10\r\n");
    QTest::addRow("flats too") << QByteArray(
        "image,angle\nf_1.tif,0\np_3.tif,30\np_2.tif,20\n"
        "p_1.tif,10\nf_2.tif,0\n");
    QTest::addRow("a flat of the same name")
        << QByteArray("image,angle\nflat/p_3.tif,0\ns/p_3.tif,30\ns/p_2.tif,20\ns/p_1.tif,10\n");
    QTest::addRow("numbers of frames") << QByteArray("frame,angle\n2,20\n3,30\n1,10\n");
  }
  void anglesGoToTheFilesThatATableNames() {
    QFETCH(QByteArray, text);
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.csv").toStdString();
    write_file(file, text);
    FrameNumbers numbers{3};
    numbers.files = {"s/p_1.tif", "s/p_2.tif", "s/p_3.tif"};
    assumptions_.clear();
    QCOMPARE(angles_in_file(file, numbers, assumptions_), (std::vector<double>{10, 20, 30}));
    QVERIFY(std::ranges::any_of(assumptions_,
                                [](const Assumption& one) { return one.what == "angles"; }));
  }

  void filesWithoutALineAreNamed() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.csv").toStdString();
    FrameNumbers numbers{3};
    numbers.files = {"p_1.tif", "p_2.tif", "p_3.tif"};
    write_file(file, "image,angle\np_3.tif,30\np_1.tif,10\n");
    EXPECT_THROWS(UnclearAnglesError, angles_in_file(file, numbers, assumptions_),
                  "no line for 1 of 3, p_2.tif");
    write_file(file, "p_3.tif 30\np_1.tif 10\np_2.tif 20\np_1.tif 11\n");
    EXPECT_THROWS(InputError, angles_in_file(file, numbers, assumptions_),
                  "line 4 gives p_1.tif another angle");
    assumptions_.clear();
    write_file(file, "q_3.tif 30\nq_1.tif 10\nq_2.tif 20\n");
    QCOMPARE(angles_in_file(file, numbers, assumptions_), (std::vector<double>{30, 10, 20}));
    QVERIFY(assumptions_.back().why.find("are those of no projection") != std::string::npos);
    // Files of several frames
    write_file(file, "file;page;angle\nq_2.tif;1;30\nq_1.tif;1;10\nq_1.tif;2;20\n");
    assumptions_.clear();
    QCOMPARE(angles_in_file(file, {3}, assumptions_), (std::vector<double>{30, 10, 20}));
    QVERIFY(std::ranges::any_of(assumptions_, [](const Assumption& one) {
      return one.value == "in the order of the lines" &&
             one.why.find("no files of their own") != std::string::npos;
    }));
  }

  void radiansAreKnownByTheirSpan() {
    std::vector<double> radians;
    for (int i = 0; i < 100; ++i) radians.push_back(0.0314159265358979 * i);
    const auto degrees = angles(radians, {100});
    EXPECT_NEAR(degrees[50], 90, 1e-9);
    QCOMPARE(assumptions_.back().value, std::string("radians"));
    QCOMPARE(angles({0, 1, 2}, {3}), (std::vector<double>{0, 1, 2}));  // too few to tell
    QCOMPARE(assumptions_.back().value, std::string("degrees"));
    // Ends of half a turn and of a whole one, without the end, tell it all the same.
    EXPECT_NEAR(angles({0, 1.570796, 3.141593}, {3})[1], 90, 1e-4);
    EXPECT_NEAR(angles({0, 1.570796, 3.141593, 4.712389}, {4})[2], 180, 1e-4);
    std::vector<double> small;
    for (int i = 0; i < 40; ++i) small.push_back(0.03 * i);
    QCOMPARE(angles(small, {40}), small);
    QVERIFY(assumptions_.back().why.find("radians would be 67.0361 degrees") != std::string::npos);
    const std::vector<double> few = {0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5};
    QVERIFY(angles(few, {8}) != few);
    assumptions_.clear();
    QCOMPARE(angles_of_frames(few, {8}, {"a.txt"}, assumptions_, true), few);  // stated degrees
    QVERIFY(assumptions_.empty());
  }

  void anArcIsDividedByTheNumbersOfTheFrames() {
    QCOMPARE(angles_over_arc(180, true, {3}), (std::vector<double>{0, 90, 180}));
    QCOMPARE(angles_over_arc(180, false, {3}), (std::vector<double>{0, 60, 120}));
    QCOMPARE(angles_over_arc(180, true, {2, {0, 3}}), (std::vector<double>{0, 180}));
    // Numbers that count in twos
    QCOMPARE(angles_over_arc(180, false, {3, {0, 4, 6}}), (std::vector<double>{0, 90, 135}));
    QCOMPARE(angles_over_arc(180, true, {3, {0, 4, 6}, 10}), (std::vector<double>{0, 80, 120}));
    QCOMPARE(angles_over_arc(180, true, {2, {1, 3}, 5}), (std::vector<double>{45, 135}));
  }
};

GANTRY_TEST(TestAngleList)
#include "test_angle_list.moc"
