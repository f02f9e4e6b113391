// NRRD volumes as the description of the format says: attached and detached, raw, packed and as
// text, in every space; what is written is read again.
#include "core/base/error.hpp"
#include "tests/core/io/files/packed_bytes.hpp"
#include "tests/core/io/volumes/counted_voxels.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// A header of 4 x 3 x 2 bytes; `more` are further lines.
QByteArray header(const QByteArray& more, const QByteArray& type = "uchar",
                  const QByteArray& encoding = "raw") {
  return "NRRD0004\n# a comment\ntype: " + type +
         "\ndimension: 3\nsizes: 4 3 2\nencoding: " + encoding + "\n" + more;
}

const QByteArray lps =
    "space: left-posterior-superior\nspace directions: (0.5,0,0) (0,0.75,0) (0,0,2)\n"
    "space origin: (-1.5,2.25,10)\n";
const VolumeGrid standard{4, 3, 2, {0.5, 0.75, 2}, {-1.5, 2.25, 10}};

}  // namespace

class TestNrrd : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string put(const QString& name, const QByteArray& bytes) const {
    write_file(folder_->filePath(name), bytes);
    return folder_->filePath(name).toStdString();
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void everyEncoding() {
    const QByteArray bytes = CountedVoxels::bytes();
    const std::string raw = put("raw.nrrd", header(lps) + "\n" + bytes);
    for (const std::string& path :
         {raw, put("gzip.nrrd", header(lps, "uint8", "gzip") + "\n" + gzip(bytes)),
          put("text.nrrd", header(lps, "unsigned char", "ascii") + "\n" + CountedVoxels::text()),
          put("ends.nrrd", header(lps).replace("\n", "\r\n") + "\r\n" + bytes)}) {
      const LoadedVolume volume = load_volume(path);
      QVERIFY2(CountedVoxels::are_in(volume), path.c_str());
      QVERIFY2(volume.grid == standard, path.c_str());
      QVERIFY2(volume.notes.empty(), path.c_str());
    }
    QVERIFY(has_same_slices(raw));
  }

  void everyFileOfValues() {
    put("v.raw", CountedVoxels::bytes());
    put("v.gz", gzip(CountedVoxels::bytes()));
    put("v.skip", "a line\nanother\nxyz" + CountedVoxels::bytes());
    put("s1", CountedVoxels::slice(0));
    put("s2", CountedVoxels::slice(1));
    int i = 0;
    for (const QByteArray& more :
         {QByteArray("data file: v.raw\n"), QByteArray("datafile: ./v.raw\n\n"),
          QByteArray("line skip: 2\nbyte skip: 3\ndata file: v.skip\n"),
          QByteArray("byte skip: -1\ndata file: v.skip\n"), QByteArray("data file: s%d 1 2 1 2\n"),
          QByteArray("data file: LIST\ns1\ns2\n")}) {
      const std::string path = put(QStringLiteral("v%1.nhdr").arg(i++), header(lps) + more);
      QVERIFY2(CountedVoxels::are_in(load_volume(path)), more.constData());
      QVERIFY2(has_same_slices(path), more.constData());
    }
    QVERIFY(CountedVoxels::are_in(
        load_volume(put("g.nhdr", header(lps, "uint8", "gz") + "data file: v.gz\n"))));
    EXPECT_THROWS(InputError, load_volume(put("n.nhdr", header(lps) + "data file: none\n")),
                  "n.nhdr: data file: names " + folder_->path().toStdString() +
                      "/none: there is no such file");
    // A slice that is too long, as one with a header of its own, is not taken from its beginning.
    put("s2", "head" + CountedVoxels::slice(1));
    const QByteArray list = "data file: LIST\ns1\ns2\n";
    EXPECT_THROWS(InputError, load_volume(put("h.nhdr", header(lps) + list)),
                  "bytes for a slice of " + std::to_string(CountedVoxels::slice(1).size()));
    QVERIFY(
        CountedVoxels::are_in(load_volume(put("k.nhdr", header(lps) + "byte skip: -1\n" + list))));
  }

  /// A fourth axis of a single volume says nothing.
  void aFourthAxisOfOneIsPassedOver() {
    const QByteArray four =
                         header(
                             "space: LPS\nspace directions: (0.5,0,0) (0,0.75,0) (0,0,2) none\n"
                             "space origin: (-1.5,2.25,10)\n")
                             .replace("dimension: 3\nsizes: 4 3 2", "dimension: 4\nsizes: 4 3 2 1"),
                     bytes = "\n" + CountedVoxels::bytes();
    LoadedVolume volume = load_volume(put("f.nrrd", four + bytes));
    QVERIFY(CountedVoxels::are_in(volume) && volume.grid == standard && volume.notes.empty());
    volume = load_volume(put(
        "s.nrrd", header("spacings: 0.5 0.75 2 nan\naxis mins: 1 2 3 nan\n")
                          .replace("dimension: 3\nsizes: 4 3 2", "dimension: 4\nsizes: 4 3 2 1") +
                      bytes));
    QCOMPARE(volume.grid, (VolumeGrid{4, 3, 2, {0.5, 0.75, 2}, {1, 2, 3}}));
  }

  void byteOrders() {
    QByteArray little, big;
    for (const char byte : CountedVoxels::bytes()) {
      little += QByteArray(1, byte) + '\0';
      big += QByteArray(1, '\0') + byte;
    }
    QVERIFY(CountedVoxels::are_in(
        load_volume(put("l.nrrd", header(lps + "endian: little\n", "short") + "\n" + little))));
    QVERIFY(CountedVoxels::are_in(
        load_volume(put("b.nrrd", header(lps + "endian: big\n", "uint16") + "\n" + big))));
    EXPECT_THROWS(InputError, load_volume(put("n.nrrd", header(lps, "short") + "\n" + little)),
                  "n.nrrd: endian: is missing");
  }

  /// The first voxel of the file lies at (1, 2, 3) in its own space; axes run the other way in LPS.
  void everySpace_data() {
    QTest::addColumn<QByteArray>("space");
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("y");
    QTest::addColumn<QByteArray>("note");
    QTest::newRow("LPS") << QByteArray("left-posterior-superior") << 1 << 1 << QByteArray();
    QTest::newRow("RAS") << QByteArray("right-anterior-superior") << -1 << -1
                         << QByteArray("right, anterior, superior, were turned");
    QTest::newRow("LAS") << QByteArray("LAS") << 1 << -1
                         << QByteArray("left, anterior, superior, were turned");
    QTest::newRow("right-handed") << QByteArray("3D-right-handed") << 1 << 1 << QByteArray();
    QTest::newRow("left-handed") << QByteArray("3D-left-handed") << 1 << 1
                                 << QByteArray("mirrored");
    QTest::newRow("none") << QByteArray() << 1 << 1 << QByteArray("states no space");
  }
  void everySpace() {
    QFETCH(QByteArray, space);
    QFETCH(int, x);
    QFETCH(int, y);
    QFETCH(QByteArray, note);
    const QByteArray line = space.isEmpty() ? "space dimension: 3\n" : "space: " + space + "\n";
    const LoadedVolume volume =
        load_volume(put("s.nrrd", header(line + "space directions: (1,0,0) (0,1,0) (0,0,1)\n"
                                                "space origin: (1,2,3)\n") +
                                      "\n" + CountedVoxels::bytes()));
    const VolumeGrid& g = volume.grid;
    // The voxel of the file with the value 0 lies at its origin, that of 123 at the opposite
    // corner.
    EXPECT_NEAR(g.voxel_center_mm(x > 0 ? 0 : 3, y > 0 ? 0 : 2, 0).x, x, 1e-12);
    EXPECT_NEAR(g.voxel_center_mm(x > 0 ? 0 : 3, y > 0 ? 0 : 2, 0).y, 2 * y, 1e-12);
    QCOMPARE(volume.mu[g.index(x > 0 ? 0 : 3, y > 0 ? 0 : 2, 0)], 0.0F);
    QCOMPARE(volume.mu[g.index(x > 0 ? 3 : 0, y > 0 ? 2 : 0, 1)], 123.0F);
    QCOMPARE(note.isEmpty(), volume.notes.empty());
    QVERIFY(note.isEmpty() || mentions(volume, note.toStdString()));
  }

  /// Without an origin, the least positions place the volume: of cells, those of their edges.
  void leastPositionsPlaceTheVolume() {
    const QByteArray mins = "spacings: 0.5 0.75 2\naxis mins: -3 2.25 10\n",
                     bytes = "\n" + CountedVoxels::bytes();
    QCOMPARE(load_volume(put("n.nrrd", header(mins) + bytes)).grid.origin_mm, (Vec3{-3, 2.25, 10}));
    QCOMPARE(load_volume(put("c.nrrd", header(mins + "centers: cell node cell\n") + bytes))
                 .grid.origin_mm,
             (Vec3{-2.75, 2.25, 11}));
    QCOMPARE(load_volume(put("o.nrrd", header(lps + "axis mins: 1 2 3\n") + bytes)).grid.origin_mm,
             standard.origin_mm);
  }

  /// So do the least and greatest positions without spacings.
  void positionsImplySpacings() {
    const QByteArray ends = "axis mins: -1.5 2.25 10\naxis maxs: 0.5 4.5 14\n",
                     bytes = "\n" + CountedVoxels::bytes();
    LoadedVolume volume =
        load_volume(put("c.nrrd", header(ends + "centerings: cell cell cell\n") + bytes));
    QVERIFY(norm(volume.grid.spacing_mm - Vec3{0.5, 0.75, 2}) < 1e-12);
    QVERIFY(norm(volume.grid.origin_mm - Vec3{-1.25, 2.625, 11}) < 1e-12);
    QVERIFY(!mentions(volume, "spacing"));
    volume = load_volume(put("n.nrrd", header(ends + "centerings: node node node\n") + bytes));
    QVERIFY(norm(volume.grid.spacing_mm - Vec3{2.0 / 3, 1.125, 4}) < 1e-12);
    volume = load_volume(put("s.nrrd", header(ends + "spacings: 0.5 nan 3\n") + bytes));
    QVERIFY(norm(volume.grid.spacing_mm - Vec3{0.5, 1.125, 3}) < 1e-12);
  }

  /// Without directions, too, the axes are those of the space.
  void spacingsInEverySpace_data() { everySpace_data(); }
  void spacingsInEverySpace() {
    QFETCH(QByteArray, space);
    QFETCH(int, x);
    QFETCH(int, y);
    const QByteArray line = space.isEmpty() ? "space dimension: 3\n" : "space: " + space + "\n";
    const LoadedVolume volume =
        load_volume(put("s.nrrd", header(line + "spacings: 1 1 1\nspace origin: (1,2,3)\n") + "\n" +
                                      CountedVoxels::bytes()));
    QCOMPARE(mentions(volume, "states no space directions: its axes were taken as those"),
             !space.isEmpty());
    const VolumeGrid& g = volume.grid;
    QCOMPARE(g.voxel_center_mm(x > 0 ? 0 : 3, y > 0 ? 0 : 2, 0), (Vec3{1.0 * x, 2.0 * y, 3}));
    QCOMPARE(volume.mu[g.index(x > 0 ? 0 : 3, y > 0 ? 0 : 2, 0)], 0.0F);
    QCOMPARE(volume.mu[g.index(x > 0 ? 3 : 0, y > 0 ? 2 : 0, 1)], 123.0F);
  }

  void unitsThatDifferAreRefused() {
    const QByteArray bytes = "\n" + CountedVoxels::bytes();
    for (const QByteArray& units : {QByteArray("space units: \"mm\" \"mm\" \"um\"\n"),
                                    QByteArray("units: \"mm\" \"cm\" \"mm\"\n")})
      EXPECT_THROWS(InputError, load_volume(put("u.nrrd", header(lps + units) + bytes)),
                    "units: is \"\"mm\" ");
    const LoadedVolume volume =
        load_volume(put("v.nrrd", header("spacings: 1 1 1\nunits: \"\" \"cm\" \"cm\"\n") + bytes));
    QCOMPARE(volume.grid.spacing_mm, (Vec3{10, 10, 10}));
  }

  void whatIsNotStatedIsSaid() {
    const QByteArray bytes = "\n" + CountedVoxels::bytes();
    LoadedVolume volume = load_volume(put("a.nrrd", header("spacings: 0.5 0.75 2\n") + bytes));
    QCOMPARE(volume.grid, VolumeGrid::centered(4, 3, 2, {0.5, 0.75, 2}));
    QVERIFY(mentions(volume, "states no space") && mentions(volume, "no space origin"));
    volume = load_volume(put("b.nrrd", header("spacings: nan nan nan\n") + bytes));
    QVERIFY(mentions(volume, "states no spacings: voxels of 1 mm"));
    volume = load_volume(put("f.nrrd", header("spacings: 0.5 0.75 nan\n") + bytes));
    QCOMPARE(volume.grid.spacing_mm, (Vec3{0.5, 0.75, 0.5}));
    QVERIFY(mentions(volume, "states no spacing along z: it was taken as 0.5 mm, that along x"));
    QVERIFY(!mentions(volume, "spacing along x: it") && !mentions(volume, "voxels of 1 mm"));
    volume = load_volume(put("g.nrrd", header("spacings: nan 0.75 2\n") + bytes));
    QCOMPARE(volume.grid.spacing_mm, (Vec3{0.75, 0.75, 2}));
    QVERIFY(mentions(volume, "states no spacing along x: it was taken as 0.75 mm, that along y"));
    volume = load_volume(
        put("c.nrrd", header("spacings: 5 5 5\nspace units: \"um\" \"um\" \"um\"\n") + bytes));
    EXPECT_NEAR(volume.grid.spacing_mm.x, 0.005, 1e-12);
    volume = load_volume(put("d.nrrd", header("space: LPS\nspace directions: (0.8,0.6,0) "
                                              "(-0.6,0.8,0) (0,0,1)\n") +
                                           bytes));
    QVERIFY(mentions(volume, "oblique (space directions)"));
    const std::string sheared = put("h.nrrd", header("space: LPS\nspace directions: (0.5,0,0) "
                                                     "(0,0.6,0) (0,0.2,0.75)\n") +
                                                  bytes);
    volume = load_volume(sheared);
    QVERIFY(mentions(volume, "sheared, by 14.9 degrees (space directions)"));
    EXPECT_NEAR(volume.grid.spacing_mm.z, 0.75, 1e-12);  // of slices, not along the axis
    QVERIFY(has_same_slices(sheared));
    volume = load_volume(put("e.nrrd", header(lps) + bytes + "more"));
    QVERIFY(CountedVoxels::are_in(volume));
    QVERIFY(mentions(volume, "4 bytes behind the voxels were left out"));
  }

  void badHeadersAreNamed_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("message");
    const auto add = [](const char* from, const char* to, const char* message) {
      QTest::addRow("%s", message) << QByteArray(from) << QByteArray(to) << QByteArray(message);
    };
    add("dimension: 3", "dimension: 4", "dimension: is \"4\"; only volumes");
    add("dimension: 3\nsizes: 4 3 2", "dimension: 4\nsizes: 4 3 1 2", "dimension: is \"4\"; only");
    add("dimension: 3\n", "", "dimension: is missing");
    add("sizes: 4 3 2", "sizes: 4 3", "sizes: is \"4 3\"");
    add("sizes: 4 3 2", "sizes: 4 3 0", "sizes: is \"4 3 0\"");
    add("sizes: 4 3 2", "sizes: 4 3 3", "ends after 24 of 36 voxels");
    add("sizes: 4 3 2", "sizes: 60000 60000 60000", "ends after 24 of 216000000000000 voxels");
    add("type: uchar", "type: block", "type: is \"block\"");
    add("encoding: raw", "encoding: bzip2", "encoding: is \"bzip2\"; use raw, gzip or ascii");
    add("encoding: raw", "encoding: gzip", "damaged");
    add("(0,0.75,0)", "none", "space directions: is");
    add("(0,0.75,0)", "(0,0,0)", "give vectors that are not 0");
    add("(-1.5,2.25,10)", "(1,2)", "space origin: is");
    add("left-posterior-superior", "scanner-xyz-time", "space: is \"scanner-xyz-time\"");
    add("# a comment", "no colon", "holds a line without a colon");
  }
  void badHeadersAreNamed() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, message);
    QByteArray bytes = header(lps) + "\n" + CountedVoxels::bytes();
    QVERIFY(bytes.contains(from));
    const std::string path = put("bad.nrrd", bytes.replace(from, to));
    EXPECT_THROWS(InputError, load_volume(path), message.toStdString());
  }

  void packedDataCannotClaimAllMemory() {
    const QByteArray claims =
        header(lps, "uchar", "gzip").replace("4 3 2", "2000 2000 2000") + "\n";
    const std::string path = put("bomb.nrrd", claims + gzip(CountedVoxels::bytes()));
    EXPECT_THROWS(InputError, load_volume(path), "of memory");
  }

  void cutFilesAreRefused() {
    const QByteArray bytes = CountedVoxels::bytes();
    for (const QByteArray& whole :
         {header(lps) + "\n" + bytes, header(lps, "uchar", "gzip") + "\n" + gzip(bytes),
          header(lps, "uchar", "ascii") + "\n" + CountedVoxels::text()}) {
      const std::string wrong = wrong_after_cuts(*folder_, "cut.nrrd", whole);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  void whatIsWrittenIsRead() {
    std::vector<float> mu(24);
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] = 0.001F * static_cast<float>(i);
    VolumeToWrite volume;
    volume.grid = {4, 3, 2, {0.1, 1.0 / 3, 2.5}, {-7.25, 1e-9, 12345.678}};
    volume.mu = mu;
    const std::string path = folder_->filePath("own.nrrd").toStdString();
    write_volume(path, volume);
    const LoadedVolume back = load_volume(path);
    QVERIFY(back.grid == volume.grid && back.mu == mu && back.notes.empty());
    volume.as_hu = true;
    volume.mu_water = 0.0195;
    write_volume(path, volume);
    const LoadedVolume hu = load_volume(path);
    QVERIFY(hu.from_hu && hu.mu_water == 0.0195);
    for (std::size_t i = 0; i < mu.size(); ++i) EXPECT_NEAR(hu.mu[i], mu[i], 1e-8);
    QVERIFY(has_same_slices(path));
  }

  /// The factor from the numbers of the file to 1/mm, or to HU.
  void unitsOfValues_data() {
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<bool>("are_hu");
    QTest::addColumn<double>("factor");
    QTest::newRow("HU") << QByteArray("sample units: HU\n") << true << 1.0;
    QTest::newRow("words") << QByteArray("sampleunits: \"Hounsfield Units\"\n") << true << 1.0;
    QTest::newRow("1/mm") << QByteArray("sample units: 1/mm\n") << false << 1.0;
    QTest::newRow("1/cm") << QByteArray("sample units: cm^-1\n") << false << 0.1;
    QTest::newRow("own key") << QByteArray("sample units: HU\ngantry_values:=1/mm\n") << false
                             << 1.0;
    QTest::newRow("none") << QByteArray() << false << 1.0;
    QTest::newRow("another") << QByteArray("sample units: counts\n") << false << 1.0;
  }
  void unitsOfValues() {
    QFETCH(const QByteArray, lines);
    QFETCH(const bool, are_hu);
    QFETCH(const double, factor);
    const std::string path = put("u.nrrd", header(lps + lines) + "\n" + CountedVoxels::bytes());
    const LoadedVolume volume = load_volume(path);
    QCOMPARE(volume.from_hu, are_hu);
    EXPECT_NEAR(volume.mu[23], are_hu ? mu_from_hu(123, default_mu_water) : factor * 123, 1e-6);
    QCOMPARE(mentions(volume, "values in counts, which is neither"), lines.contains("counts"));
    QCOMPARE(volume.notes.size(), std::size_t{lines.contains("counts") ? 1U : 0U});
    QVERIFY(has_same_slices(path));
  }

  /// Blanks behind the mark of a key belong to no number.
  void numbersBehindBlanks() {
    const LoadedVolume volume =
        load_volume(put("b.nrrd", header(lps + "gantry_values:=HU\n"
                                               "gantry_mu_water_per_mm:=  +0.025 1/mm\n") +
                                      "\n" + CountedVoxels::bytes()));
    QVERIFY(volume.from_hu);
    QCOMPARE(volume.mu_water, 0.025);
  }

  /// A head whose slices lie in 93 files: three headers name them, in three ways.
  void threeHeadersOfOneHead() {
    NEED_DATA("volumes-in/vol_headsq_raw_slices");
    const auto sample = [](const std::string& name) {
      return data_path("volumes-in/vol_headsq_raw_slices/" + name);
    };
    std::vector<float> expected;
    for (int slice = 1; slice <= 93; ++slice) {
      const QByteArray bytes = bytes_of_file(sample("quarter." + std::to_string(slice)));
      for (qsizetype i = 0; i + 1 < bytes.size(); i += 2)
        expected.push_back(static_cast<float>(static_cast<unsigned char>(bytes[i]) +
                                              256 * static_cast<unsigned char>(bytes[i + 1])));
    }
    for (const char* name : {"headsq.nhdr", "headsq_list.mhd", "headsq_pattern.mhd"}) {
      const LoadedVolume head = load_volume(sample(name));
      QVERIFY2(head.mu == expected, name);
      QVERIFY2((head.grid == VolumeGrid{64, 64, 93, {3.2, 3.2, 1.5}, {0, 0, 0}}), name);
      QVERIFY2(head.notes.empty(), name);
      QVERIFY2(has_same_slices(sample(name)), name);
    }
  }
};

GANTRY_TEST(TestNrrd)
#include "test_nrrd.moc"
