// The headers of ESRF's data format: where one frame ends and the next begins.
#include "core/base/error.hpp"
#include "core/io/files/arrays/edf_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A frame of 3 x 2 bytes with these lines in its header, and what follows the numbers.
QByteArray frame(const QByteArray& lines, const QByteArray& numbers,
                 const QByteArray& behind = {}) {
  QByteArray text = "{\nDataType = UnsignedByte ;\nDim_1 = 3 ;\nDim_2 = 2 ;\n" + lines;
  text.resize(510, ' ');
  return text + "}\n" + numbers + behind;
}

}  // namespace

class TestEdfFile : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string put(const QByteArray& bytes) const {
    write_file(folder_.filePath("a.edf"), bytes);
    return folder_.filePath("a.edf").toStdString();
  }

 private slots:
  /// Binary data may be longer than the frame; the next header follows them.
  void paddedFrames() {
    const QByteArray padded = "EDF_BinarySize = 512 ;\n", padding(506, 'x');
    const std::string path = put(frame(padded, "abcdef", padding) + frame({}, "ghijkl") +
                                 frame(padded, "mnopqr", padding));
    const std::vector<EdfFrame> frames = read_edf_headers(path);
    QCOMPARE(frames.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<float> values(6);
      read_edf_frame(frames[i], values);
      for (std::size_t k = 0; k < 6; ++k) QCOMPARE(values[k], static_cast<float>('a' + 6 * i + k));
    }
  }

  void sizesAreWholeNumbers_data() {
    QTest::addColumn<QByteArray>("line");
    for (const char* line : {"Dim_2 = 2x", "Size = 6.5", "EDF_HeaderSize = 512x",
                             "EDF_BinarySize = -512", "Dim_3 = one"})
      QTest::newRow(line) << QByteArray(line);
  }
  void sizesAreWholeNumbers() {
    QFETCH(QByteArray, line);
    const std::string key = line.left(line.indexOf(' ')).toStdString();
    EXPECT_THROWS(InputError, read_edf_headers(put(frame(line + " ;\n", "abcdef"))),
                  "a.edf: " + key + ": is \"");
  }
};

GANTRY_TEST(TestEdfFile)
#include "test_edf_file.moc"
