// The registry of projection formats: recognition, round trips, messages. Every format is taken
// from the registry, so that a new one is tested as well.
#include "core/base/error.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>

using namespace gantry;
using namespace gantry::test;

namespace fs = std::filesystem;

class TestProjectionFormats : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::string path(const std::string& name) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(folder_->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }

  const ScanGeometry geometry_{fan_spec(5, 8, 4)};
  std::vector<float> values() const {
    std::vector<float> all(geometry_.rays());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = 0.05F * static_cast<float>(i);
    return all;
  }
  void add_rows() const {
    QTest::addColumn<QString>("key");
    for (const ProjectionFormat& format : projection_formats().entries())
      QTest::newRow(format.key.c_str()) << QString::fromStdString(format.key);
  }
  static const ProjectionFormat& format() {
    return projection_formats().at(QTest::currentDataTag());
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void whatIsWrittenIsReadAgain_data() { add_rows(); }
  void whatIsWrittenIsReadAgain() {
    if (!format().read || !format().write) QSKIP("the format is not both read and written");
    for (std::string extension : format().extensions)
      for (const bool upper : {false, true}) {
        if (upper)
          std::ranges::transform(extension, extension.begin(), [](unsigned char c) {
            return static_cast<char>(std::toupper(c));
          });
        const std::string name = path((upper ? "UPPER" : "lower") + extension);
        require_writable_scan(name);
        write_scan(name, geometry_, values(), "a scan");
        for (const std::string& file : files_of_scan(name))
          QVERIFY2(fs::exists(file), file.c_str());
        QCOMPARE(projection_formats().recognise(name).format->key, format().key);
        const LoadedScan read = read_scan(name);
        QCOMPARE(read.line_integrals, values());
        QVERIFY(read.geometry->spec() == geometry_.spec());
        QVERIFY(read_geometry(name) == geometry_.spec());
        const std::string data = data_path_in_scan(name);
        if (format().data_path) QVERIFY2(fs::exists(data), data.c_str());
      }
  }

  void aWrongExtensionDoesNotMatter_data() { add_rows(); }
  void aWrongExtensionDoesNotMatter() {
    if (!format().read || !format().write || !format().magic || format().is_folder)
      QSKIP("no file that is recognised by its first bytes");
    const std::string name = path("scan" + format().extensions.front());
    write_scan(name, geometry_, values(), "");
    for (const char* extension : {"", ".txt", ".mha"}) {
      const std::string renamed = path(std::string("renamed") + extension);
      fs::copy_file(name, renamed);
      QVERIFY(projection_formats().recognise(renamed).certainty == Certainty::certain);
      QCOMPARE(read_scan(renamed).line_integrals, values());
    }
  }

  void anUnknownFileIsToldTheKnownFormats() {
    put("note.doc", "Dear diary\n");
    const std::string known = "; use one of " + described(projection_formats().readable());
    EXPECT_THROWS(InputError, read_scan(path("note.doc")),
                  "note.doc: has no known projection format" + known);
    EXPECT_THROWS(InputError, read_geometry(path("note.doc")),
                  "note.doc: has no known scan or geometry format" + known);
    EXPECT_THROWS(InputError, read_scan(path("absent")), "absent: does not exist");
    EXPECT_THROWS(InputError, read_scan(path("")), "is a folder, not a file; use one of ");
    EXPECT_THROWS(UsageError, write_scan(path("a.mha"), geometry_, values(), ""),
                  "is not a name for a scan; name it " + scan_names_to_write());
    EXPECT_THROWS(UsageError, files_of_scan(path("a")), "is not a name for a scan");
    QVERIFY(data_path_in_scan(path("note.txt")).empty());
  }

  void unknownOptionsAreRefused_data() { add_rows(); }
  void unknownOptionsAreRefused() {
    if (!format().read || !format().write) QSKIP("the format is not both read and written");
    const std::string name = path("scan" + format().extensions.front());
    write_scan(name, geometry_, values(), "");
    Params params;
    params.set("no_such_option", 1.0);
    EXPECT_THROWS(UsageError, read_scan(name, params), "no_such_option");
  }
};

GANTRY_TEST(TestProjectionFormats)
#include "test_projection_formats.moc"
