// Files of thread mappings: read as they were written, and refused when they are of something else
// or damaged.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/mapping/mapping_file.hpp"
#include "core/mapping/mapping_key.hpp"
#include "core/mapping/ray_steps.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/unweighted_projector.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <cstring>
#include <utility>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int header_bytes = 88, version_at = 8, rays_at = 64;

std::uint64_t word_at(const QByteArray& bytes, int at) {
  std::uint64_t word = 0;
  for (int k = 7; k >= 0; --k) word = word << 8 | static_cast<unsigned char>(bytes[at + k]);
  return word;
}

}  // namespace

class TestMappingFile : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  QTemporaryDir folder_;
  ScanSpec spec_ = fan_spec(3, 40, 3);
  VolumeGrid grid_ = VolumeGrid::centered(32, 32, 1, {2, 2, 2});
  std::unique_ptr<Projector> A_;
  ThreadMapping mapping_;
  QByteArray bytes_;  // of the file of mapping_

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  std::unique_ptr<Projector> make(const ScanSpec& spec, const VolumeGrid& grid,
                                  const char* key = "siddon") {
    return catalog_.projectors.make(key, "cpu", backend_, share(spec), grid, {});
  }
  std::string put(const QByteArray& bytes) const {
    write_file(path("given.gmap"), bytes);
    return path("given.gmap");
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    A_ = make(spec_, grid_);
    mapping_ = map_threads(*A_, {}, [](double) {});
    save_mapping(path("right.gmap"), mapping_, *A_, {});
    bytes_ = bytes_of_file(path("right.gmap"));
  }

  void readAsWritten() {
    const ThreadMapping read = load_mapping(path("right.gmap"), *A_, {});
    QVERIFY(read.rays == mapping_.rays);
    QVERIFY(read.first_of_view == mapping_.first_of_view);
    QVERIFY(read.colour == mapping_.colour);
    QCOMPARE(read.colours, mapping_.colours);
  }

  /// The layout that the header documents, byte by byte.
  void theLayoutIsTheDocumentedOne() {
    QVERIFY(bytes_.startsWith("GANTRMAP"));
    QCOMPARE(word_at(bytes_, version_at), 2U);
    QCOMPARE(word_at(bytes_, rays_at - 16), 3U);
    QCOMPARE(word_at(bytes_, rays_at - 8), 40U);
    QCOMPARE(word_at(bytes_, rays_at), mapping_.rays.size());
    const int first_ray_at = header_bytes + 8 * 4;
    QCOMPARE(word_at(bytes_, first_ray_at),
             std::uint64_t{mapping_.rays[1]} << 32 | mapping_.rays[0]);
    QCOMPARE(static_cast<std::size_t>(bytes_.size()), static_cast<std::size_t>(first_ray_at) +
                                                          4 * mapping_.rays.size() +
                                                          4 * mapping_.colour.size());
  }

  void otherProblemsAreRefused() {
    const std::string file = path("right.gmap");
    ScanSpec turned = spec_;
    turned.view_angles_rad[1] += 1e-9;
    EXPECT_THROWS(InputError, load_mapping(file, *make(turned, grid_), {}), "of another scan");
    VolumeGrid moved = grid_;
    moved.origin_mm.x += 1e-6;
    EXPECT_THROWS(InputError, load_mapping(file, *make(spec_, moved), {}), "for another grid");
    EXPECT_THROWS(InputError, load_mapping(file, *make(spec_, grid_, "joseph"), {}),
                  "for another projector");
    EXPECT_THROWS(InputError, load_mapping(file, *A_, {.seed = 2}), "made with other options");
    EXPECT_THROWS(InputError, load_mapping(path("none.gmap"), *A_, {}), "cannot be read");
    EXPECT_THROWS(InputError, load_mapping(folder_.path().toStdString(), *A_, {}), "mapping");
  }

  /// Every number of the scan and the poses enters the key.
  void theKeyCoversTheScan() {
    using Change = void (*)(ScanSpec&);
    const Change changes[] = {
        [](ScanSpec& s) { s.source_to_isocenter_mm += 1e-6; },
        [](ScanSpec& s) { s.source_to_detector_mm += 1e-6; },
        [](ScanSpec& s) { s.detector = DetectorShape::arc; },
        [](ScanSpec& s) { s.beam = Beam::parallel; },
        [](ScanSpec& s) { ++s.detector_columns; },
        [](ScanSpec& s) { ++s.detector_rows; },
        [](ScanSpec& s) { s.column_pitch_mm += 1e-6; },
        [](ScanSpec& s) { s.row_pitch_mm += 1e-6; },
        [](ScanSpec& s) { s.central_column += 1e-6; },
        [](ScanSpec& s) { s.central_row += 1e-6; },
        [](ScanSpec& s) { s.view_angles_rad.pop_back(); },
        [](ScanSpec& s) { std::swap(s.view_angles_rad[0], s.view_angles_rad[1]); },
    };
    const MappingKey key = mapping_key(*A_, {});
    for (const Change change : changes) {
      ScanSpec spec = spec_;
      change(spec);
      const MappingKey other = mapping_key(*make(spec, grid_), {});
      QVERIFY(other.geometry != key.geometry);
      QVERIFY(other.all() != key.all());
      QCOMPARE(other.grid, key.grid);
      QCOMPARE(other.weights, key.weights);
      QCOMPARE(other.options, key.options);
    }
    const ScanCase free = pose_cases().front();
    // Rows in reverse order change none of the numbers that are derived from the poses.
    ScanSpec reversed = free.geometry->spec();
    reversed.poses[2].v_mm = -1.0 * reversed.poses[2].v_mm;
    const auto other = make(reversed, free.grid), plain = make(free.geometry->spec(), free.grid);
    QCOMPARE(other->geometry().spec().row_pitch_mm, plain->geometry().spec().row_pitch_mm);
    QVERIFY(mapping_key(*other, {}).geometry != mapping_key(*plain, {}).geometry);
    for (const MappingOptions& options :
         {MappingOptions{.columns_of_block = 32}, MappingOptions{.rows_of_block = 32},
          MappingOptions{.voxels_of_segment = 16}, MappingOptions{.seed = 2}})
      QVERIFY(mapping_key(*A_, options).options != key.options);
  }

  void cutShortAtAnyPlace() {
    for (const qsizetype size : {qsizetype{0}, qsizetype{5}, qsizetype{8}, qsizetype{60},
                                 qsizetype{header_bytes}, bytes_.size() / 2, bytes_.size() - 1})
      EXPECT_THROWS(InputError, load_mapping(put(bytes_.first(size)), *A_, {}),
                    size < 8 ? "is not a thread mapping" : "cut short");
    EXPECT_THROWS(InputError, load_mapping(put(bytes_ + "x"), *A_, {}), "too long");
  }

  /// A changed bit is noticed wherever it is; none leads to another mapping.
  void damageIsNoticed() {
    for (qsizetype at = 0; at < bytes_.size(); at += 7) {
      QByteArray damaged = bytes_;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      EXPECT_THROWS(InputError, load_mapping(put(damaged), *A_, {}), "given.gmap");
    }
    QByteArray damaged = bytes_;
    damaged[header_bytes + 50] = static_cast<char>(damaged[header_bytes + 50] ^ 1);
    EXPECT_THROWS(InputError, load_mapping(put(damaged), *A_, {}), "its checksum differs");
    // Counts that are far too large are refused before memory is taken for them.
    damaged = bytes_;
    std::memset(damaged.data() + rays_at, 0x7F, 8);
    EXPECT_THROWS(InputError, load_mapping(put(damaged), *A_, {}), "cut short");
  }

  void anotherVersionIsNamed() {
    QByteArray later = bytes_;
    later[version_at] = 9;
    EXPECT_THROWS(InputError, load_mapping(put(later), *A_, {}), "of version 9, not 2");
    EXPECT_THROWS(InputError, load_mapping(put("a text of no particular kind"), *A_, {}),
                  "is not a thread mapping of Gantry");
  }

  /// A list that is no mapping of the scan is refused, though its checksum is right.
  void everyRayMustBeThereOnce() {
    for (const std::uint32_t ray : {mapping_.rays[1], std::uint32_t{0xFFFFFFFF}, 119U, 4000000U}) {
      ThreadMapping wrong = mapping_;
      wrong.rays[0] = ray;
      save_mapping(path("wrong.gmap"), wrong, *A_, {});
      EXPECT_THROWS(InputError, load_mapping(path("wrong.gmap"), *A_, {}), "every ray once");
    }
    ThreadMapping shifted = mapping_;
    shifted.first_of_view[1] += 1;
    save_mapping(path("wrong.gmap"), shifted, *A_, {});
    EXPECT_THROWS(InputError, load_mapping(path("wrong.gmap"), *A_, {}), "every ray once");
  }

  void aProjectorWithoutWeightsIsRefused() {
    const UnweightedProjector none(*A_);
    EXPECT_THROWS(UsageError, map_threads(none, {}, [](double) {}), "single weights");
    EXPECT_THROWS(UsageError, WalkSteps{none}, "single weights");
    EXPECT_THROWS(UsageError, save_mapping(path("no.gmap"), mapping_, none, {}), "projector");
    QVERIFY(!QFile::exists(folder_.filePath("no.gmap")));
  }
};

GANTRY_TEST(TestMappingFile)
#include "test_mapping_file.moc"
