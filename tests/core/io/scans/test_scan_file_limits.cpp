// What a scan file may make its reader do, and what its writer may not promise.
#include "core/base/error.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scan_folder.hpp"
#include "tests/support/test_program.hpp"

#include <chrono>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace gantry;
using namespace gantry::test;

namespace {

const std::string geometry_json = R"({"beam": "parallel", "detector_columns": 4,
 "column_pitch_mm": 1, "view_angles_deg": [0, 90]})";

std::string scan_json(const std::string& data_fields) {
  return R"({"format": "gantry-scan", "version": 1, "geometry": )" + geometry_json +
         R"(, "data": {"type": "float32", "byte_order": "little", "order": "view,row,column",
 "quantity": "line_integral", )" +
         data_fields + "}}";
}

/// A folder of scans with data in it, in a folder below and in one beside it.
class Places {
 public:
  Places() {
    const QByteArray data(32, '\0');
    for (const char* name : {"in", "in/below", "beside"}) QDir(root()).mkpath(name);
    for (const char* name : {"in/a.f32", "in/below/a.f32", "beside/a.f32"}) put(name, data);
  }
  QString root() const { return folder_.path(); }
  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no space");
  }
  /// Reads in/a.scan.json with these fields of "data".
  std::size_t read(const std::string& fields) const {
    put("in/a.scan.json", QByteArray::fromStdString(scan_json(fields)));
    return read_scan(path("in/a.scan.json")).line_integrals.size();
  }

 private:
  QTemporaryDir folder_;
};

}  // namespace

class TestScanFileLimits : public QObject {
  Q_OBJECT
 private slots:
  void dataStayInTheFolderUnlessAllowed() {
    const Places places;
    QCOMPARE(places.read(R"("file": "a.f32")"), std::size_t{8});
    QCOMPARE(places.read(R"("file": "below/../below/a.f32")"), std::size_t{8});
    const std::string absolute = "\"file\": \"" + places.path("in/a.f32") + "\"";
    QCOMPARE(places.read(absolute), std::size_t{8});
    const char* const message = "data.file: lies outside the folder of the scan file (";
    const std::string outside = R"("file": "../beside/a.f32")";
    EXPECT_THROWS(InputError, places.read(outside), message);
    EXPECT_THROWS(InputError, places.read(R"("file": "/dev/null")"), message);
    // a link leads outside, by the file or by its folder
    QVERIFY(symlink("../beside/a.f32", places.path("in/link.f32").c_str()) == 0);
    QVERIFY(symlink("../beside", places.path("in/way").c_str()) == 0);
    EXPECT_THROWS(InputError, places.read(R"("file": "link.f32")"), message);
    EXPECT_THROWS(InputError, places.read(R"("file": "way/a.f32")"), message);
    setenv("GANTRY_ALLOW_OUTSIDE", "1", 1);
    const std::size_t allowed = places.read(outside);
    unsetenv("GANTRY_ALLOW_OUTSIDE");
    QCOMPARE(allowed, std::size_t{8});
    // a link to the scan file: its data lie where the file lies, or where the link does
    places.read(R"("file": "a.f32")");
    QVERIFY(symlink("in", places.path("linked").c_str()) == 0);
    QCOMPARE(read_scan(places.path("linked/a.scan.json")).line_integrals.size(), std::size_t{8});
  }

  void keysAreGivenOnce() {
    EXPECT_THROWS(InputError, parse_json(R"({"a": 1, "b": 2, "a": 1})", "f"),
                  "f: a: is given twice; remove one of them");
    EXPECT_THROWS(InputError, parse_json(R"({"g": [{"h": {"x": 1, "x": 2}}]})", "f"),
                  "f: g.h.x: is given twice");
    QVERIFY(parse_json(R"([{"a": 1}, {"a": 2, "b": {"a": 3}}])", "f").size() == 2);
  }

  void valuesAreThoseOfTheText() {
    const std::string text =
        "\xEF\xBB\xBF"
        R"({"n": null, "t": [true, false], "i": -3, "u": 18446744073709551615, "d": 0.1,
            "s": "\u00e4\n", "e": [[], {}, ""]})";
    QVERIFY(parse_json(text, "f") == nlohmann::json::parse(text));
    EXPECT_THROWS(InputError, parse_json("{\"a\": 1,\n 2}", "f"), "line 2, column 2");
    EXPECT_THROWS(InputError, parse_json("{\"a\":\n 1e999}", "f"), "at line 2");
    EXPECT_THROWS(InputError, parse_json("{\"a\": 1} x", "f"), "is not valid JSON");
  }

  void nestingEnds() {
    const auto nested = [](int levels) {
      return std::string(static_cast<std::size_t>(levels), '[') +
             std::string(static_cast<std::size_t>(levels), ']');
    };
    QVERIFY(parse_json(nested(64), "f").is_array());
    EXPECT_THROWS(InputError, parse_json(nested(65), "f"), "nested deeper than 64 levels");
    EXPECT_THROWS(InputError, parse_json(std::string(10'000'000, '['), "f"), "64 levels");
    std::string objects;
    for (int i = 0; i < 100; ++i) objects += "{\"a\":";
    EXPECT_THROWS(InputError, parse_json(objects, "f"), "64 levels");
  }

  /// Values of few bytes take many times the text.
  void memoryEnds() {
    const auto list = [](const std::string& element, std::size_t count) {
      std::string text = "[";
      for (std::size_t i = 0; i < count; ++i) text += element + ",";
      return text + "0]";
    };
    for (const char* element : {"[]", "{}", "\"\""})
      EXPECT_THROWS(InputError, parse_json(list(element, 4'500'000), "f"), "GANTRY_ALLOW_LARGE=1");
    QVERIFY(parse_json(list("123.4567890123456", 500'000), "f").size() == 500'001);
  }

  void controlCharactersAreRefused() {
    const Places places;
    EXPECT_THROWS(InputError, places.read(R"("file": "a.f32\u0000.txt")"),
                  "data.file: holds a control character");
    EXPECT_THROWS(InputError, places.read(R"("file": "a\n.f32")"),
                  "data.file: holds a control character");
    EXPECT_THROWS(InputError, places.read("\"file\": \"\\u001b[2J\""),
                  "data.file: holds a control character");
    EXPECT_THROWS(InputError, read_scan("/no/such\x1b[2J\nfile"), "/no/such\\x1b[2J file: ");
  }

  void checksumAndLengthAreThoseOfTheData() {
    const Places places;
    // 32 zeros: CRC-32 190a55ad, by the table of ISO 3309
    QCOMPARE(places.read(R"("file": "a.f32", "bytes": 32, "crc32": "190a55ad")"), std::size_t{8});
    EXPECT_THROWS(InputError, places.read(R"("file": "a.f32", "bytes": 32, "crc32": "190a55ae")"),
                  "a.f32: holds other data than its header was written with (32 bytes with CRC-32 "
                  "190a55ad, not 32 bytes with CRC-32 190a55ae)");
    EXPECT_THROWS(InputError, places.read(R"("file": "a.f32", "bytes": 36, "crc32": "190a55ad")"),
                  "not 36 bytes");
    EXPECT_THROWS(InputError, places.read(R"("file": "a.f32", "bytes": 32, "crc32": "190a55a")"),
                  "data.crc32: is no CRC-32");
    EXPECT_THROWS(InputError, places.read(R"("file": "a.f32", "crc32": "190a55ad")"),
                  "data.bytes: is missing");
  }

  void namesReadBackOrAreRefused() {
    const Places places;
    places.read(R"("file": "a.f32")");
    const LoadedScan scan = read_scan(places.path("in/a.scan.json"));
    const std::string folder = places.path("in/");
    for (const char* name : {"a b", " a", "-a", "a%n", "\u00e4", "a\"b", "a\\b", "LIST"}) {
      const std::string path = folder + name + ".scan.json";
      require_writable_scan(path);
      write_scan(path, *scan.geometry, scan.line_integrals, "");
      const LoadedScan back = read_scan(path);
      QVERIFY2(back.line_integrals == scan.line_integrals && back.notes.empty(), name);
    }
    for (const std::string& name : {std::string("\xff"), std::string("a\nb"), std::string("a\x1b")})
      EXPECT_THROWS(UsageError, require_writable_scan(folder + name + ".scan.json"),
                    "choose another name");
    // the data's name is longer while they are written
    EXPECT_THROWS(OutputError, require_writable_scan(folder + std::string(245, 'n') + ".json"),
                  "choose a shorter name");
  }

  /// A writer that was interrupted between the two leaves new data under an old header.
  void aHeaderOlderThanItsDataIsANoteWhereNoChecksumTells() {
    const ScanFolder folder;
    folder.put_json(small_scan());
    folder.put_data(ramp(24));
    const auto now = std::filesystem::last_write_time(folder.path());
    const auto notes_at = [&](std::chrono::seconds age) {
      std::filesystem::last_write_time(folder.path("small.f32"), now);
      std::filesystem::last_write_time(folder.path(), now - age);
      return read_scan(folder.path()).notes;
    };
    using std::chrono::seconds;
    QCOMPARE(notes_at(seconds(60)),
             std::vector<std::string>{
                 "small.scan.json, which holds no checksum, is older than its data small.f32: the "
                 "two may not belong together; make or fetch both again, or, if they do, save the "
                 "header once more"});
    for (const int age : {1, 0, -60}) QVERIFY(notes_at(seconds(age)).empty());
    const LoadedScan scan = read_scan(folder.path());
    write_scan(folder.path(), *scan.geometry, scan.line_integrals, "");  // with a checksum
    QVERIFY(notes_at(seconds(60)).empty());
  }
};

GANTRY_TEST(TestScanFileLimits)
#include "test_scan_file_limits.moc"
