// NIfTI-1 volumes, whose headers are written here field by field as nifti1.h says.
#include "core/base/error.hpp"
#include "tests/core/io/files/packed_bytes.hpp"
#include "tests/core/io/volumes/counted_voxels.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>

#include <array>
#include <cmath>
#include <cstring>
#include <map>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A header of 4 x 3 x 2 bytes of 0.5 x 0.75 x 2 mm.
class Header {
 public:
  explicit Header(bool is_big = false) : is_big_(is_big) {
    bytes_.fill('\0', 352);
    set<std::int32_t>(0, 348);
    for (const auto& [at, value] :
         std::map<int, std::int16_t>{{40, 3}, {42, 4}, {44, 3}, {46, 2}, {70, 2}, {72, 8}})
      set(at, value);
    for (const auto& [at, value] :
         std::map<int, float>{{76, 1}, {80, 0.5F}, {84, 0.75F}, {88, 2}, {108, 352}})
      set(at, value);
    bytes_[123] = 2;  // mm
    std::memcpy(bytes_.data() + 344, "n+1", 4);
  }
  template <class Number>
  Header& set(int at, Number value) {
    QByteArray raw(sizeof value, '\0');
    std::memcpy(raw.data(), &value, sizeof value);
    if (is_big_) std::reverse(raw.begin(), raw.end());
    bytes_.replace(at, raw.size(), raw);
    return *this;
  }
  /// Sets the matrix of sform, row by row.
  Header& sform(const std::vector<float>& rows) {
    set<std::int16_t>(254, 1);
    for (std::size_t i = 0; i < rows.size(); ++i) set(280 + 4 * static_cast<int>(i), rows[i]);
    return *this;
  }
  /// Sets the quaternion and the offset of qform.
  Header& qform(const std::vector<float>& values) {
    set<std::int16_t>(252, 1);
    for (std::size_t i = 0; i < values.size(); ++i) set(256 + 4 * static_cast<int>(i), values[i]);
    return *this;
  }
  QByteArray with(const QByteArray& voxels) const { return bytes_ + voxels; }

 private:
  bool is_big_;
  QByteArray bytes_;
};

/// Directions and place as SimpleITK reads them in LPS: x and y turned over.
const std::vector<float> plain = {-0.5F, 0, 0, 1.5F, 0, -0.75F, 0, -2.25F, 0, 0, 2, 10};
const VolumeGrid standard{4, 3, 2, {0.5, 0.75, 2}, {-1.5, 2.25, 10}};

}  // namespace

class TestNifti : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string put(const QString& name, const QByteArray& bytes) const {
    write_file(folder_->filePath(name), bytes);
    return folder_->filePath(name).toStdString();
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void axesInLps() {
    for (const bool is_big : {false, true}) {
      const std::string path =
          put("a.nii", Header(is_big).sform(plain).with(CountedVoxels::bytes()));
      const LoadedVolume volume = load_volume(path);
      QVERIFY(CountedVoxels::are_in(volume));
      QCOMPARE(volume.grid, standard);
      QVERIFY(mentions(volume, "right, anterior, superior, were turned"));
      QCOMPARE(volume.notes.size(), std::size_t{1});
      QVERIFY(has_same_slices(path));
    }
  }

  void headerAndValuesMayBeTwoFiles() {
    QByteArray header = Header().sform(plain).set(108, 0.0F).with({}).first(348);
    std::memcpy(header.data() + 344, "ni1", 4);
    const std::string path = put("v.hdr", header);
    EXPECT_THROWS(InputError, load_volume(path), "there is no");
    const std::string data = put("v.img", CountedVoxels::bytes());
    for (const std::string& named : {path, data}) {
      const LoadedVolume volume = load_volume(named);
      QVERIFY(CountedVoxels::are_in(volume));
      QCOMPARE(volume.grid, standard);
      QVERIFY(has_same_slices(named));
    }
    put("v.hdr", QByteArray(348, 'x'));
    EXPECT_THROWS(InputError, load_volume(data), "is no header of NIfTI-1");
  }

  /// Axes along +x, +y and +z in RAS are backwards in LPS.
  void axesInRas() {
    const LoadedVolume volume = load_volume(put(
        "a.nii",
        Header().sform({0.5F, 0, 0, 1, 0, 0.75F, 0, 2, 0, 0, 2, 3}).with(CountedVoxels::bytes())));
    const VolumeGrid& g = volume.grid;
    QCOMPARE(volume.mu[g.index(3, 2, 0)], 0.0F);
    QCOMPARE(volume.mu[g.index(0, 0, 1)], 123.0F);
    QCOMPARE(g.voxel_center_mm(3, 2, 0), (Vec3{-1, -2, 3}));
  }

  /// A turn by 180 degrees about z is the quaternion (0, 0, 0, 1): x and y run backwards in RAS, as
  /// they do in LPS.
  void quaternions() {
    const LoadedVolume volume = load_volume(
        put("q.nii", Header().qform({0, 0, 1, 1.5F, -2.25F, 10}).with(CountedVoxels::bytes())));
    QVERIFY(CountedVoxels::are_in(volume));
    QCOMPARE(volume.grid, standard);
    // A quarter about z: the file's x axis is y of RAS, its y axis -x.
    const float half = std::sqrt(0.5F);
    const LoadedVolume turned = load_volume(
        put("t.nii", Header().qform({0, 0, half, 0, 0, 0}).with(CountedVoxels::bytes())));
    QCOMPARE(turned.grid.nx, 3);
    QCOMPARE(turned.grid.ny, 4);
    // In LPS the file's x axis is -y and its y axis +x.
    QCOMPARE(turned.mu[turned.grid.index(2, 0, 1)], 123.0F);
    QCOMPARE(turned.mu[turned.grid.index(0, 3, 0)], 0.0F);
    EXPECT_NEAR(turned.grid.spacing_mm.x, 0.75, 1e-6);
    // pixdim[0] = -1 turns the third axis over.
    const LoadedVolume left = load_volume(put(
        "l.nii",
        Header().set(76, -1.0F).qform({0, 0, 1, 1.5F, -2.25F, 10}).with(CountedVoxels::bytes())));
    QCOMPARE(left.mu[left.grid.index(0, 0, 1)], 0.0F);
  }

  void packedAndScaled() {
    const QByteArray packed =
        gzip(Header().sform(plain).set(112, 2.0F).set(116, -7.0F).with(CountedVoxels::bytes()));
    const LoadedVolume volume = load_volume(put("a.nii.gz", packed));
    QVERIFY(CountedVoxels::are_in(volume, 2, -7));
    QCOMPARE(volume.grid, standard);
    QVERIFY(!open_slices(put("b.nii.gz", packed)));
    QVERIFY(CountedVoxels::are_in(load_volume(put("c.txt", packed)), 2, -7));  // by its bytes
    const std::string wrong = wrong_after_cuts(*folder_, "cut.nii.gz", packed);
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  /// In m and µm, the same place in mm.
  void unitsOfLengths_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<float>("mm");
    QTest::newRow("m") << 1 << 1000.0F;
    QTest::newRow("mm") << 2 << 1.0F;
    QTest::newRow("um, and s for time") << 3 + 8 << 1e-3F;
  }
  void unitsOfLengths() {
    QFETCH(int, code);
    QFETCH(float, mm);
    std::vector<float> rows = plain;
    for (float& value : rows) value /= mm;
    Header of_sform, of_qform;
    of_sform.sform(rows);
    of_qform.qform({0, 0, 1, 1.5F / mm, -2.25F / mm, 10 / mm});
    for (Header header : {of_sform, of_qform}) {
      header.set(123, static_cast<std::uint8_t>(code));
      header.set(80, 0.5F / mm).set(84, 0.75F / mm).set(88, 2 / mm);
      const LoadedVolume volume = load_volume(put("u.nii", header.with(CountedVoxels::bytes())));
      QVERIFY(CountedVoxels::are_in(volume));
      QVERIFY(norm(volume.grid.spacing_mm - standard.spacing_mm) < 1e-5);
      QVERIFY(norm(volume.grid.origin_mm - standard.origin_mm) < 1e-4);
      QCOMPARE(volume.notes.size(), std::size_t{1});
    }
  }

  void scaledSlices() {
    const std::string path = put(
        "s.nii", Header().sform(plain).set(112, 2.0F).set(116, -7.0F).with(CountedVoxels::bytes()));
    QVERIFY(CountedVoxels::are_in(load_volume(path), 2, -7));
    QVERIFY(has_same_slices(path));
  }

  /// Sizes of voxels that sform alone states contradict nothing.
  void sizesInSformAlone() {
    const LoadedVolume volume = load_volume(
        put("a.nii", Header().sform(plain).set(80, 0.0F).set(84, 0.0F).set(88, 0.0F).with(
                         CountedVoxels::bytes())));
    QCOMPARE(volume.grid, standard);
    QCOMPARE(volume.notes.size(), std::size_t{1});
    const LoadedVolume unknown = load_volume(put(
        "b.nii", Header().qform({0, 0, 1, 0, 0, 0}).set(88, 0.0F).with(CountedVoxels::bytes())));
    QVERIFY(mentions(unknown, "no size of voxels along axis 3: 1 mm"));
    QVERIFY(!mentions(unknown, "contradicts"));
  }

  /// A single slice need not say where the next one would lie.
  void aSliceWithoutAThirdColumn() {
    const std::vector<float> rows = {-0.5F, 0, 0, 1.5F, 0, -0.75F, 0, -2.25F, 0, 0, 0, 10};
    for (const float size : {2.0F, 0.0F}) {
      const LoadedVolume volume = load_volume(
          put("flat.nii", Header().sform(rows).set<std::int16_t>(46, 1).set(88, size).with(
                              CountedVoxels::slice(0))));
      QCOMPARE(volume.grid,
               (VolumeGrid{4, 3, 1, {0.5, 0.75, size > 0 ? 2.0 : 1.0}, {-1.5, 2.25, 10}}));
      QCOMPARE(volume.mu[11], 23.0F);
      QCOMPARE(volume.notes.size(), std::size_t{1});
    }
  }

  void whatIsNotStatedOrContradictsIsSaid() {
    LoadedVolume volume = load_volume(put("a.nii", Header().with(CountedVoxels::bytes())));
    QVERIFY(CountedVoxels::are_in(volume));
    QVERIFY(mentions(volume, "states no orientation"));
    std::vector<float> wider = plain;
    wider[0] = -0.6F;
    volume = load_volume(
        put("b.nii",
            Header().sform(wider).qform({0, 0, 1, 1.5F, -2.25F, 10}).with(CountedVoxels::bytes())));
    EXPECT_NEAR(volume.grid.spacing_mm.x, 0.6, 1e-6);
    QVERIFY(mentions(volume, "qform and sform differ"));
    QVERIFY(mentions(volume, "0.5 mm by pixdim"));
    Header without_unit;
    without_unit.sform(plain).set<std::uint8_t>(123, 0);
    QVERIFY(mentions(load_volume(put("c.nii", without_unit.with(CountedVoxels::bytes()))),
                     "states no unit of lengths"));
  }

  void badHeadersAreNamed() {
    const QByteArray bytes = CountedVoxels::bytes();
    const auto refused = [&](const Header& header, const char* message) {
      EXPECT_THROWS(InputError, load_volume(put("bad.nii", header.with(bytes))), message);
    };
    refused(Header().set<std::int16_t>(40, 4).set<std::int16_t>(48, 5), "dim: states 4 dimensions");
    refused(Header().set<std::int16_t>(42, -4), "dim: states 3 dimensions, of -4 elements");
    refused(Header().set<std::int16_t>(70, 32), "datatype: is 32");
    refused(Header().set(108, -1.0F), "vox_offset: is -1");
    refused(Header().set<std::int16_t>(46, 30000), "bad.nii: ends after 24 of 360000 voxels");
    refused(Header().sform(std::vector<float>(12)), "holds a direction of no length");
    EXPECT_THROWS(InputError, load_volume(put("none.nii", QByteArray(400, '\0'))),
                  "is no NIfTI-1 file");
  }

  void aWrittenVolumeComesBack_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("plain") << QStringLiteral("w.nii");
    QTest::newRow("packed") << QStringLiteral("w.nii.gz");
  }
  /// With its place, its values in HU and the water behind them; qform and sform say the same.
  void aWrittenVolumeComesBack() {
    QFETCH(const QString, name);
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(4, 3, 2, {0.5, 0.75, 2});
    volume.grid.origin_mm = {-3, 7, 11};
    std::vector<float> values(24);
    for (std::size_t i = 0; i < 24; ++i) values[i] = 0.001F * static_cast<float>(i);
    volume.mu = values;
    volume.as_hu = true;
    volume.mu_water = 0.0193;
    const std::string path = folder_->filePath(name).toStdString();
    write_volume(path, volume);
    const LoadedVolume back = load_volume(path);
    QCOMPARE(back.grid, volume.grid);
    QVERIFY(back.from_hu);
    EXPECT_NEAR(back.mu_water, 0.0193, 1e-9);
    for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(back.mu[i], values[i], 1e-7);
    QVERIFY(!mentions(back, "contradicts"));
    QVERIFY(!mentions(back, "states no"));
    if (name.endsWith(QLatin1String(".gz"))) return;
    // x to the right and y to the front, as nifti1.h says, from files whose x and y run against it
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.peek(70).right(14), QByteArray(14, '\0'));  // intent_p1 to intent_code: none
    const QByteArray bytes = file.readAll();
    std::array<float, 12> rows{};
    std::memcpy(rows.data(), bytes.data() + 280, sizeof rows);
    const std::array<float, 12> expected{-0.5F, 0, 0, 3, 0, -0.75F, 0, -7, 0, 0, 2, 11};
    QVERIFY(rows == expected);
    // Codes of qform and sform: no scanner says where the volume lies, unless it is a patient's.
    QCOMPARE(bytes.mid(252, 4), QByteArray("\2\0\2\0", 4));
    volume.is_in_patient = true;
    write_volume(path, volume);
    QCOMPARE(bytes_of_file(path).mid(252, 4), QByteArray("\1\0\1\0", 4));
  }

  void axesThatAreTooLongAreRefused() {
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(40000, 1, 1, {1, 1, 1});
    const std::vector<float> values(40000);
    volume.mu = values;
    EXPECT_THROWS(OutputError,
                  write_volume(folder_->filePath(QStringLiteral("long.nii")).toStdString(), volume),
                  "at most 32767 voxels");
    QVERIFY(!QFile::exists(folder_->filePath(QStringLiteral("long.nii"))));
  }

  void cutFilesAreRefused() {
    const std::string wrong =
        wrong_after_cuts(*folder_, "cut.nii", Header().sform(plain).with(CountedVoxels::bytes()));
    QVERIFY2(wrong.empty(), wrong.c_str());
  }
};

GANTRY_TEST(TestNifti)
#include "test_nifti.moc"
