// MetaImage volumes whose slices lie in several files, by a list or by a pattern of names, and
// volumes whose numbers are text.
#include "core/base/error.hpp"
#include "tests/core/io/volumes/counted_voxels.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// A header of 4 x 3 x 2 bytes; `data` is its last field, `more` are lines before it.
QByteArray header(const QByteArray& data, const QByteArray& more = {}) {
  return "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementSpacing = 1 2 3\nOffset = 0 0 0\n"
         "TransformMatrix = 1 0 0 0 1 0 0 0 1\nElementType = MET_UCHAR\n" +
         more + "ElementDataFile = " + data + "\n";
}

}  // namespace

class TestSliceFiles : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string put(const QString& name, const QByteArray& bytes) const {
    write_file(folder_->filePath(name), bytes);
    return folder_->filePath(name).toStdString();
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void listsAndPatterns() {
    put("first of all", CountedVoxels::slice(0));
    put("second", CountedVoxels::slice(1));
    put("s 08.raw", CountedVoxels::slice(0));
    put("s 12.raw", CountedVoxels::slice(1));
    put("t8", "7 bytes" + CountedVoxels::slice(0));
    put("t7", "7 bytes" + CountedVoxels::slice(1));
    put("both", CountedVoxels::bytes());
    int i = 0;
    for (const QByteArray& text :
         {header("LIST\nfirst of all\n  second  "), header("LIST 2\r\nfirst of all\r\nsecond\r"),
          header("s %02d.raw 8 12 4"), header("s %02d.raw\t8 12\t4"),
          header("t%d 8 7 -1", "HeaderSize = 7\n"), header("t%d 8 7 -1", "HeaderSize = -1\n"),
          header("LIST\nboth")}) {
      const std::string path = put(QStringLiteral("v%1.mhd").arg(i++), text);
      const LoadedVolume volume = load_volume(path);
      QVERIFY2(CountedVoxels::are_in(volume), text.constData());
      QVERIFY(volume.notes.empty());
      QVERIFY(has_same_slices(path));
    }
  }

  /// Names far beyond the length of any other header.
  void aLongList() {
    put("a", "7");
    put("b", "8");
    const QByteArray far = QByteArray("./").repeated(1500);
    QByteArray names;
    for (int i = 0; i < 400; ++i) names += far + (i % 2 == 0 ? "a\n" : "b\n");
    QVERIFY(names.size() > 1 << 20);
    const std::string meta = put("v.mhd", header("LIST\n").replace("4 3 2", "1 1 400") + names);
    const std::string nrrd = put("v.nhdr",
                                 "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 1 1 400\nencoding: "
                                 "raw\ndata file: LIST\n" +
                                     names);
    for (const std::string& path : {meta, nrrd}) {
      const LoadedVolume volume = load_volume(path);
      QCOMPARE(volume.mu.size(), std::size_t{400});
      for (std::size_t i = 0; i < 400; ++i) QCOMPARE(volume.mu[i], i % 2 == 0 ? 55.0F : 56.0F);
    }
  }

  void aWrongFileIsNamed() {
    put("a", CountedVoxels::slice(0));
    put("b", CountedVoxels::slice(1).chopped(1));
    put("c", CountedVoxels::slice(1) + "x");
    const auto refused = [&](const QByteArray& text, const char* message) {
      EXPECT_THROWS(InputError, load_volume(put("v.mhd", text)), message);
    };
    refused(header("LIST\na\nb"), "b: holds 11 bytes of data for 12 voxels of 1 bytes");
    refused(header("LIST\na\nc"), "c: holds 13 bytes of data for 12 voxels of 1 bytes");
    refused(header("LIST\na\nd"), "d: there is no such file");
    refused(header("LIST\na\nd"), "v.mhd: ElementDataFile: names ");
    refused(header("%d.raw 1 2 1"), "1.raw: there is no such file");
    refused(header("LIST\na\na\na"), "ElementDataFile: names 3 files for 2 slices");
    refused(header("LIST\n"), "ElementDataFile: lists 0 files");
    refused(header("LIST\na\nc", "CompressedData = True\n"),
            "ElementDataFile: spreads packed values or text over files");
    QVERIFY(mentions(load_volume(put("v.mhd", header("LIST\na\na"))), "names a more than once"));
  }

  void numbersAsText() {
    const QByteArray text = header("LOCAL", "BinaryData = False\n");
    const std::string path = put("v.mha", text + CountedVoxels::text());
    QVERIFY(CountedVoxels::are_in(load_volume(path)));
    QVERIFY(!open_slices(path));
    // MetaIO packs binary data alone, but states that packing was asked for.
    QVERIFY(CountedVoxels::are_in(
        load_volume(put("p.mha", header("LOCAL", "BinaryData = False\nCompressedData = True\n") +
                                     CountedVoxels::text()))));
    EXPECT_THROWS(InputError,
                  load_volume(put("e.mha", text + CountedVoxels::text().trimmed().chopped(1))),
                  "ends within its last number or right behind it");
    put("v.txt", CountedVoxels::text());
    QVERIFY(
        CountedVoxels::are_in(load_volume(put("v.mhd", header("v.txt", "BinaryData = False\n")))));
    put("v.txt", CountedVoxels::text().trimmed());
    const LoadedVolume open = load_volume(put("v.mhd", header("v.txt", "BinaryData = False\n")));
    QVERIFY(CountedVoxels::are_in(open));
    QVERIFY(std::ranges::any_of(open.notes, [](const std::string& note) {
      return note.starts_with("no line end follows the last number");
    }));
    EXPECT_THROWS(InputError, load_volume(put("a.mha", text + CountedVoxels::text() + "5")),
                  "holds more than 24 numbers");
    EXPECT_THROWS(InputError,
                  load_volume(put("b.mha", text + CountedVoxels::text().replace("103", "x103"))),
                  "\"x103\" is no number");
    const std::string wrong = wrong_after_cuts(*folder_, "cut.mha", text + CountedVoxels::text());
    QVERIFY2(wrong.empty(), wrong.c_str());
  }
};

GANTRY_TEST(TestSliceFiles)
#include "test_slice_files.moc"
