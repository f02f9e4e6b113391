// Sequences in sequences: 64 levels are read, one more is refused, whichever way they are written.
#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/nested_dicom.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QTemporaryDir>

#include <thread>

using namespace gantry;
using namespace gantry::test;

namespace {

int depth_of(const DicomAttributes& item) {
  int deepest = 0;
  for (const auto& [tag, items] : item.sequences)
    for (const DicomAttributes& inner : items) deepest = std::max(deepest, 1 + depth_of(inner));
  return deepest;
}

}  // namespace

Q_DECLARE_METATYPE(gantry::test::NestedAs)

class TestDicomNesting : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::string folder() const { return folder_->path().toStdString(); }
  std::string path(const std::string& name) const { return folder() + "/" + name; }
  std::string write(const QByteArray& bytes, const std::string& name = "nested.dcm") const {
    QFile file(QString::fromStdString(path(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) < 0) qFatal("cannot write");
    return path(name);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  void aLimitedDepthIsRead_data() {
    QTest::addColumn<NestedAs>("as");
    QTest::newRow("defined lengths") << NestedAs::defined;
    QTest::newRow("undefined lengths") << NestedAs::undefined;
    QTest::newRow("implicit") << NestedAs::implicit;
    QTest::newRow("big endian") << NestedAs::big_endian;
    QTest::newRow("deflated") << NestedAs::deflated;
    QTest::newRow("unknown representation") << NestedAs::unknown;
    QTest::newRow("private") << NestedAs::private_group;
  }
  void aLimitedDepthIsRead() {
    QFETCH(NestedAs, as);
    const int public_levels = as == NestedAs::private_group ? 0 : 64;
    const auto header = read_dicom_header(write(NestedDicom(as, 64).bytes()));
    QVERIFY(header.has_value());
    QCOMPARE(header->data.text(dicom::modality), std::string("CT"));
    QCOMPARE(depth_of(header->data), public_levels);
    for (const int depth : {65, 100, 200000}) {
      // The bytes of levels with lengths are copied once for each level around them.
      const std::string file =
          write(NestedDicom(as, as == NestedAs::defined || as == NestedAs::deflated
                                    ? std::min(depth, 5000)
                                    : depth)
                    .bytes());
      EXPECT_THROWS(InputError, read_dicom_header(file), "has sequences more than 64 deep");
      EXPECT_THROWS(InputError, load_dicom(file), "nested.dcm: has sequences more than 64 deep");
    }
  }

  void itemsThatEndBeforeTheirContentsAreNoWayAround() {
    for (const int depth : {20000, 200000})
      EXPECT_THROWS(InputError,
                    read_dicom_header(write(NestedDicom(NestedAs::short_items, depth).bytes())),
                    "has sequences more than 64 deep");
  }

  void theTransferSyntaxMayStandAnywhere_data() {
    QTest::addColumn<int>("before");
    QTest::addColumn<bool>("length");
    QTest::newRow("beyond 4096 bytes") << 6000 << true;
    QTest::newRow("group longer than 65535 bytes") << 70000 << true;
    QTest::newRow("group longer than 1 MB") << 1100000 << true;
    QTest::newRow("no group length") << 6000 << false;
  }
  void theTransferSyntaxMayStandAnywhere() {
    QFETCH(int, before);
    QFETCH(bool, length);
    const auto file = [&](int depth) {
      NestedDicom nested(NestedAs::deflated, depth);
      nested.syntax_after(before);
      if (!length) nested.without_group_length();
      return write(nested.bytes());
    };
    const auto header = read_dicom_header(file(64));
    QVERIFY(header.has_value());
    QCOMPARE(depth_of(header->data), 64);
    for (const int depth : {65, 5000})
      EXPECT_THROWS(InputError, read_dicom_header(file(depth)), "has sequences more than 64 deep");
  }

  void theCallersStackDoesNotMatter() {
    // The threads of a program have what its environment gives them; 8 MB are taken apart.
    std::string message;
    const std::string file = write(NestedDicom(NestedAs::undefined, 200000).bytes());
    std::thread([&] {
      try {
        read_dicom_header(file);
      } catch (const InputError& error) {
        message = error.what();
      }
    }).join();
    QVERIFY2(message.find("more than 64 deep") != std::string::npos, message.c_str());
  }

  void aFileThatOnlyStartsLikeDicomIsPassedOver() {
    const QByteArray bare = NestedDicom(NestedAs::implicit, 1000).data_set();
    QVERIFY(!read_dicom_header(write(bare, "bare")).has_value());
  }

  void aDeepFileBesideGoodOnesCostsItselfAlone() {
    write(NestedDicom(NestedAs::short_items, 20000).bytes(), "a_deep.dcm");
    write(NestedDicom(NestedAs::deflated, 5000).syntax_after(6000).bytes(), "z_deep.dcm");
    for (int i = 0; i < 3; ++i) write(TinyDicom().at(2 * i, i).bytes(), "s" + std::to_string(i));
    const LoadedVolume volume = load_dicom(folder());
    QCOMPARE(volume.grid.nz, 3);
    QVERIFY(has_note(volume, "a_deep.dcm: has sequences more than 64 deep"));
    QVERIFY(has_note(volume, "z_deep.dcm: has sequences more than 64 deep"));
    EXPECT_THROWS(InputError, load_dicom(path("a_deep.dcm")), "more than 64 deep");
  }
};

GANTRY_TEST(TestDicomNesting)
#include "test_dicom_nesting.moc"
