// Tables of angles whose lines themselves call their numbers.
#include "core/io/imports/angle_list.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestLabelledColumns : public QObject {
  Q_OBJECT

 private slots:
  /// The logs of IMAT, as text and as CSV, call each number on its line.
  void aWordBeforeANumberCallsIt() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    const std::vector<double> expected = {0, 2.5, 3, 9.25};
    const auto is_read = [&](const QByteArray& header, const QByteArray& line) {
      QByteArray text = header;
      for (std::size_t i = 0; i < expected.size(); ++i)
        text += QByteArray(line)
                    .replace("NUMBER", QByteArray::number(static_cast<int>(3 + i)))
                    .replace("ANGLE", QByteArray::number(expected[i]))
                    .replace("COUNTS", QByteArray::number(4577907 + 1000 * static_cast<int>(i)));
      write_file(file, text);
      return read_angle_lines(file) == expected;
    };
    QVERIFY(
        is_read(" TIME STAMP  IMAGE TYPE   IMAGE COUNTER   COUNTS BM3 before image   COUNTS "
                "BM3 after image\n\n",
                "Sun Feb 10 00:22:04 2019   Projection:  NUMBER  angle: ANGLE   Monitor 3 "
                "before:  COUNTS   Monitor 3 after:  COUNTS\n"));
    QVERIFY(
        is_read("TIME STAMP,IMAGE TYPE,IMAGE COUNTER,COUNTS BM3 before image,COUNTS BM3 after "
                "image\n",
                "Sun Feb 10 00:22:04 2019,Projection,NUMBER,angle: ANGLE,counts before: "
                "COUNTS,counts_after: COUNTS\n"));
    QVERIFY(is_read("", "time= COUNTS theta= ANGLE\n"));
    // Fields that hold a word and its number, as many as the columns that the first line names.
    QVERIFY(is_read("TIME STAMP,IMAGE TYPE,IMAGE COUNTER,BEFORE,AFTER\n",
                    "Sun Feb 10 00:22:04 2019,Projection:  NUMBER,angle: ANGLE,Monitor 3 before:  "
                    "COUNTS,Monitor 3 after:  COUNTS\n"));
    // Without a blank behind the word; a time has colons, too.
    QVERIFY(is_read("", "angle:ANGLE\n"));
    QVERIFY(is_read("", "theta=ANGLE\n"));
    QVERIFY(is_read("", "time:10:22:04 Projection:NUMBER angle:ANGLE\n"));
    QVERIFY(is_read("", "Sun Feb 10 00:22:04 2019 angle:ANGLE\n"));
    // Numbers without a word are counts and times.
    for (const char* line :
         {"image NUMBER angle=ANGLE\n", "NUMBER angle=ANGLE current=COUNTS\n",
          "2024-03-01 10:00:12 INFO image NUMBER angle=ANGLE done\n", "NUMBER, theta=ANGLE\n"})
      QVERIFY2(is_read("", line), line);
    // An object in JSON on each line.
    QVERIFY(is_read("", R"({"index": NUMBER, "angle": ANGLE})"
                        "\n"));
    QVERIFY(is_read("", R"({"index":NUMBER,"angle":ANGLE})"
                        "\n"));
    QVERIFY(is_read("", R"({"file": "a.tif", "angle": ANGLE},)"
                        "\n"));
  }

  void twoWordsOfAnglesAreNamed() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.txt").toStdString();
    write_file(file, "target angle: 0.1 angle: 0\ntarget angle: 2.1 angle: 2.0\n");
    EXPECT_THROWS(AngleColumnsError, read_angle_lines(file),
                  "several columns that may hold the angles, such as 3 (angle) and 5 (angle); name "
                  "the right one, or number it from 1");
    QCOMPARE(read_angle_lines(file, nullptr, "5"), (std::vector<double>{0, 2}));
  }
};

GANTRY_TEST(TestLabelledColumns)
#include "test_labelled_columns.moc"
