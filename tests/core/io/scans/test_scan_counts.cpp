// Scan files that hold photon counts.
#include "core/base/error.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace gantry;

class TestScanCounts : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  QByteArray bytes(const char* name) const { return test::bytes_of_file(path(name)); }
  void put(const char* name, const QByteArray& content) const {
    test::write_file(path(name), content);
  }

 private slots:
  /// Counts are stored as counts and come back as the line integrals that they were made of.
  void countsAreWrittenAndRead() {
    const ScanGeometry geometry(test::fan_spec(3, 8, 4));
    std::vector<float> p(24), stored(24);
    for (std::size_t i = 0; i < 24; ++i) p[i] = 0.3F * static_cast<float>(i) - 0.5F;
    write_scan(path("c.scan.json"), geometry, p, "counted", {2e4, 7.5});
    const QByteArray data = bytes("c.f32");
    QCOMPARE(data.size(), qsizetype{96});
    std::memcpy(stored.data(), data.constData(), 96);
    for (std::size_t i = 0; i < 24; ++i)
      EXPECT_NEAR(stored[i] / (2e4 * std::exp(-static_cast<double>(p[i]))), 1, 1e-6);
    const LoadedScan back = read_scan(path("c.scan.json"));
    QCOMPARE(back.counting.photons_per_ray, 2e4);
    QCOMPARE(back.counting.electronic_sigma, 7.5);
    QVERIFY(back.notes.empty());
    for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(back.line_integrals[i], p[i], 2e-6);
    write_scan(path("l.scan.json"), geometry, p, "line integrals");
    QCOMPARE(read_scan(path("l.scan.json")).counting.photons_per_ray, 0.0);
  }

  /// The attenuation of water comes back; the default is not written, since it states nothing.
  void waterIsKept() {
    const ScanGeometry geometry(test::fan_spec(3, 8, 4));
    const std::vector<float> p(24, 0.5F);
    write_scan(path("w.scan.json"),
               {.geometry = geometry, .line_integrals = p, .mu_water = 0.0193});
    const QByteArray json = bytes("w.scan.json");
    QVERIFY(json.contains("\"mu_water\": 0.0193"));
    const LoadedScan back = read_scan(path("w.scan.json"));
    QCOMPARE(back.mu_water, 0.0193);
    QVERIFY(back.notes.empty());
    write_scan(path("d.scan.json"), {.geometry = geometry, .line_integrals = p, .mu_water = 0.02});
    QVERIFY(!bytes("d.scan.json").contains("mu_water"));
    for (const char* wrong : {"0", "-0.02", "1e9", "\"water\""}) {
      put("w.scan.json", QByteArray(json).replace("0.0193", wrong));
      EXPECT_THROWS(InputError, read_scan(path("w.scan.json")), "mu_water");
    }
  }

  /// Lengths in cells of unknown size stay so; those in mm are not remarked upon.
  void theUnitOfLengthsIsKept() {
    const ScanGeometry geometry(test::fan_spec(3, 8, 4));
    const std::vector<float> p(24, 0.5F);
    write_scan(path("c.scan.json"),
               {.geometry = geometry, .line_integrals = p, .lengths_are_known = false});
    const LoadedScan back = read_scan(path("c.scan.json"));
    QVERIFY(!back.lengths_are_known);
    QVERIFY(back.notes.empty());
    write_scan(path("m.scan.json"), {.geometry = geometry, .line_integrals = p});
    QVERIFY(!bytes("m.scan.json").contains("length_unit"));
    QVERIFY(read_scan(path("m.scan.json")).lengths_are_known);
    put("c.scan.json", bytes("c.scan.json").replace("\"cell\"", "\"inch\""));
    EXPECT_THROWS(InputError, read_scan(path("c.scan.json")), "length_unit");
    QVERIFY(!bytes("m.scan.json").contains("\"flat\": \"none\""));
    write_scan(path("without.scan.json"),
               {.geometry = geometry, .line_integrals = p, .lacks_flat = true});
    QVERIFY(read_scan(path("without.scan.json")).lacks_flat);
    QVERIFY(!read_scan(path("m.scan.json")).lacks_flat);
  }

  /// Counts of nothing and below are one photon, said in a note; never a value that is not finite.
  void starvedCountsAreSaid() {
    const ScanGeometry geometry(test::fan_spec(3, 8, 4));
    write_scan(path("s.scan.json"), geometry, std::vector<float>(24), "", {1e4, 12});
    std::vector<float> counts(24, 1e4F);
    counts[3] = 0;
    counts[5] = -20;
    put("s.f32", QByteArray(reinterpret_cast<const char*>(counts.data()), 96));
    const QByteArray json = bytes("s.scan.json");  // without the checksum, which comes last
    put("s.scan.json", json.left(json.indexOf(",\n  \"crc32\"")) + "}}");
    const LoadedScan scan = read_scan(path("s.scan.json"));
    EXPECT_NEAR(scan.line_integrals[3], std::log(1e4), 1e-5);
    EXPECT_NEAR(scan.line_integrals[5], std::log(1e4), 1e-5);
    QCOMPARE(scan.line_integrals[4], 0.0F);
    QCOMPARE(scan.notes.size(), std::size_t{1});
    QVERIFY(scan.notes[0].starts_with("2 readings below one photon"));
  }

  void countsOfNoDetectorAreRefused() {
    const ScanGeometry geometry(test::fan_spec(3, 8, 4));
    write_scan(path("d.scan.json"), geometry, std::vector<float>(24), "", {1e4, 0});
    const QByteArray json = bytes("d.scan.json");  // without the checksum of what was written
    put("d.scan.json", json.left(json.indexOf(",\n  \"crc32\"")) + "}}");
    const auto read = [&](const std::vector<float>& counts) {
      put("d.f32", QByteArray(reinterpret_cast<const char*>(counts.data()), 96));
      return read_scan(path("d.scan.json"));
    };
    std::vector<float> counts(24, 1e4F);
    counts[3] = 0;
    QCOMPARE(read(counts).notes.size(), std::size_t{1});  // a ray without a photon may be
    counts[13] = -1;
    EXPECT_THROWS(InputError, read(counts),
                  "d.f32: 1 count is negative, the first at view 1, row 0, column 5 (from 0)");
    counts[20] = -0.5F;
    EXPECT_THROWS(InputError, read(counts), "2 counts are negative, the first at view 1");
    counts[5] = 1e30F;
    EXPECT_THROWS(InputError, read(counts),
                  "1 count is above 1e15, the first at view 0, row 0, column 5");
    for (const float value : {0.0F, 0.5F, -3.0F})
      EXPECT_THROWS(InputError, read(std::vector<float>(24, value)),
                    "d.f32: all 24 counts are below one photon");
  }

  void whatCannotBeCountedIsRefused() {
    const ScanGeometry geometry(test::fan_spec(3, 8, 4));
    std::vector<float> p(24);
    p[7] = -60;
    EXPECT_THROWS(InputError, write_scan(path("n.scan.json"), geometry, p, "", {1e5, 0}),
                  "1 line integrals have no number of photons");
    QVERIFY(!QFile::exists(folder_.filePath("n.f32")));
    write_scan(path("n.scan.json"), geometry, std::vector<float>(24), "", {1e5, 3});
    put("n.scan.json",
        bytes("n.scan.json").replace("\"electronic_sigma\": 3", "\"electronic_sigma\": -3"));
    EXPECT_THROWS(InputError, read_scan(path("n.scan.json")), "data.electronic_sigma: is negative");
  }
};

GANTRY_TEST(TestScanCounts)
#include "test_scan_counts.moc"
