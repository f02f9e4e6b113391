// What is kept of a measured scan between two preparations of its data.
#include "core/geometry/detector_move.hpp"
#include "core/job/scans/measured_scan.hpp"
#include "core/job/scans/scan_cache.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/job/data_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>

#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Adds a number to all values, and writes down which one it was.
class Adding final : public Correction {
 public:
  Adding(const ScanGeometry& scan, double number) : Correction(scan), number_(number) {}
  static std::vector<double>& added() {
    static std::vector<double> numbers;
    return numbers;
  }

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt*) const override {
    for (float& value : line_integrals) value += static_cast<float>(number_);
    added().push_back(number_);
    return {"added " + format_param(number_)};
  }

  double number_;
};

std::unique_ptr<Correction> make_adding(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<Adding>(scan, params.real("number"));
}

CorrectionSpec adding(double number) { return {"adding", {{"number", number}}}; }

constexpr std::size_t scan_bytes = 6 * 20 * sizeof(float);

}  // namespace

class TestScanCache : public QObject, DataFixture {
  Q_OBJECT

  /// Returns the data of a scan, and the numbers that were added for them.
  std::shared_ptr<const ExperimentData> prepare_with(ScanCache& cache, const Experiment& e,
                                                     std::vector<double> expected) {
    Adding::added().clear();
    auto data = prepare_data(e, workshop_.catalog, workshop_.cpu(), nullptr, {}, {}, &cache);
    if (Adding::added() != expected) {
      QTest::qFail("other corrections were computed", __FILE__, __LINE__);
      for (const double number : Adding::added()) qInfo("computed: %g", number);
    }
    return data;
  }

  /// Checks data against those that are made without a cache.
  void same_as_without(const ExperimentData& data, const Experiment& e) {
    const auto anew = prepare(e);
    QVERIFY(data.line_integrals == anew->line_integrals);
    QVERIFY(data.notes == anew->notes);
    QVERIFY(data.assumptions == anew->assumptions);
    QCOMPARE(data.license, anew->license);
    QCOMPARE(data.lengths_are_known, anew->lengths_are_known);
    QCOMPARE(data.description, anew->description);
    QCOMPARE(data.noise_norm, anew->noise_norm);
  }

 private slots:
  void initTestCase() {
    workshop_.catalog.corrections.add(
        {"adding",
         "Adding",
         "Adds a number.",
         "",
         {{.key = "number", .label = "Number", .unit = "", .fallback = 1.0, .help = ""}}},
        "cpu", make_adding);
  }

  void onlyWhatFollowsAChangeIsComputed() {
    Experiment e = scan_experiment();
    ScanCache cache;
    e.corrections = {adding(1), adding(2), adding(3)};
    same_as_without(*prepare_with(cache, e, {1, 2, 3}), e);
    same_as_without(*prepare_with(cache, e, {}), e);
    e.corrections[1] = adding(5);
    same_as_without(*prepare_with(cache, e, {5, 3}), e);
    e.corrections[1] = adding(2);  // undone: both are kept
    same_as_without(*prepare_with(cache, e, {}), e);
    e.corrections.pop_back();
    same_as_without(*prepare_with(cache, e, {}), e);
    e.corrections.insert(e.corrections.begin(), adding(4));
    same_as_without(*prepare_with(cache, e, {4, 1, 2}), e);
  }

  /// Corrections may depend on the scan, reading does not.
  void anotherGeometryRepeatsTheCorrections() {
    Experiment e = scan_experiment();
    ScanCache cache;
    e.corrections = {adding(1)};
    prepare_with(cache, e, {1});
    e.geometry = fan_spec(6, 20, 4);
    e.geometry->central_column += 1;
    prepare_with(cache, e, {1});
    const auto data = prepare_with(cache, e, {});
    QCOMPARE(data->geometry->spec().central_column, e.geometry->central_column);
  }

  void aFileThatChangedIsReadAgain() {
    Experiment e = scan_experiment();
    ScanCache cache;
    e.corrections = {adding(1)};
    const auto before = prepare_with(cache, e, {1});
    const ScanGeometry geometry(fan_spec(6, 20, 4));
    write_scan(path("a.scan.json"), geometry, random_values(geometry.rays(), 8), "a scan");
    const auto after = prepare_with(cache, e, {1});
    QVERIFY(after->line_integrals != before->line_integrals);
    same_as_without(*after, e);
    QCOMPARE(cache.bytes(), 2 * scan_bytes);  // what the file held before is given up
    QVERIFY(QFile::remove(folder_.filePath("a.scan.json")));
    EXPECT_THROWS(InputError, prepare_with(cache, e, {}), "a.scan.json");
  }

  void aFileThatDidNotChangeIsNotRead() {
    Experiment e = scan_experiment();
    ScanCache cache;
    const auto steps = [&] {
      std::vector<std::string> said;
      const auto follow = [&](double, const std::string& what) { said.push_back(what); };
      prepare_data(e, workshop_.catalog, workshop_.cpu(), nullptr, follow, {}, &cache);
      return said;
    };
    e.corrections = {adding(1)};
    const std::vector<std::string> all{"Reading the scan", "Correcting: Adding"};
    QVERIFY(steps() == all);
    QVERIFY(steps().empty());
    e.corrections = {adding(2)};
    QVERIFY(steps() == std::vector<std::string>{"Correcting: Adding"});
  }

  void scansOfOtherFilesAreGivenUp() {
    Experiment e = scan_experiment(), other = e;
    ScanCache cache;
    e.corrections = other.corrections = {adding(1)};
    QDir(folder_.path()).mkdir("b");
    other.source.path = path("b/b.scan.json");
    const ScanGeometry geometry(fan_spec(6, 20, 4));
    write_scan(other.source.path, geometry, random_values(geometry.rays(), 4), "another scan");
    prepare_with(cache, e, {1});
    same_as_without(*prepare_with(cache, other, {1}), other);
    QCOMPARE(cache.bytes(), 2 * scan_bytes);
    prepare_with(cache, e, {1});
  }

  /// Two scans fit: what was used last stays, and the file is read again if it must be. The scan
  /// after its last correction takes the place of no other.
  void theLimitOfBytesIsKept() {
    Experiment e = scan_experiment();
    ScanCache two(2 * scan_bytes), none(scan_bytes - 1);
    e.corrections = {adding(1), adding(2), adding(3)};
    prepare_with(two, e, {1, 2, 3});
    QCOMPARE(two.bytes(), 2 * scan_bytes);
    e.corrections[2] = adding(4);
    same_as_without(*prepare_with(two, e, {4}), e);
    e.corrections[2] = adding(5);
    same_as_without(*prepare_with(two, e, {5}), e);
    e.corrections[1] = adding(6);
    same_as_without(*prepare_with(two, e, {6, 5}), e);
    QCOMPARE(two.bytes(), 2 * scan_bytes);
    e.corrections[0] = adding(7);
    same_as_without(*prepare_with(two, e, {7, 6, 5}), e);
    prepare_with(none, e, {7, 6, 5});
    prepare_with(none, e, {7, 6, 5});
    QCOMPARE(none.bytes(), std::size_t{0});
  }

  /// What is kept takes the memory of what is computed: of the free memory an eighth at most.
  void aScanIsKeptWhereMuchMemoryIsFree() {
    const Experiment e = scan_experiment();
    for (const bool fits : {false, true}) {
      MeasuredBackend cpu;
      cpu.limit_bytes = 8 * scan_bytes - (fits ? 0 : 1);
      ScanCache cache;
      const MeasuredScanReading reading({e.source.path, {}, {}, {}},
                                        {workshop_.catalog, cpu, &cache});
      MeasuredScan scan = reading.read();
      const std::vector<float> values = taken_line_integrals(scan);
      QCOMPARE(values.size() * sizeof(float), scan_bytes);
      reading.keep_copy(scan, values);
      QCOMPARE(cache.bytes(), fits ? scan_bytes : 0);
    }
  }

  /// What nothing changes any more is not copied: the data themselves are kept.
  void dataInUseAreKeptWithoutACopy() {
    Experiment e = scan_experiment();
    for (const auto& steps : {std::vector<CorrectionSpec>{}, {adding(3)}}) {
      e.corrections = steps;
      ScanCache cache;
      const auto data =
          prepare_with(cache, e, steps.empty() ? std::vector<double>{} : std::vector{3.0});
      const MeasuredScanReading reading({e.source.path, {}, {}, steps},
                                        {workshop_.catalog, workshop_.cpu(), &cache});
      QCOMPARE(reading.kept().line_integrals.get(), &data->line_integrals);
      QCOMPARE(reading.kept().scan->steps, steps.size());
      QVERIFY(reading.kept().scan->scan.line_integrals.empty());
      QVERIFY(reading.read().scan.line_integrals == data->line_integrals);
    }
    e.source.import_settings.padding = {2, PadValues::edge};  // changes the data
    ScanCache cache;
    const auto padded = prepare_with(cache, e, {3});
    e.source.import_settings.padding = {};
    same_as_without(*prepare_with(cache, e, {}), e);
  }

  /// What an import concluded and noted stays with the scan, whichever of its steps was kept.
  void whatAnImportConcludedStays() {
    std::vector<float> values = random_values(8 * 3 * 5, 4);
    values[7] = std::numeric_limits<float>::quiet_NaN();  // which a note tells
    write_file(QString::fromStdString(path("p.npy")),
               npy("<f4", "(8, 3, 5)", little_endian(std::span<const float>(values))));
    Experiment e = scan_experiment();
    e.source.path = path("p.npy");
    e.source.import_settings.arc_deg = 180;
    e.source.import_settings.normalise.are_line_integrals = true;
    ScanCache cache;
    const auto read = prepare_with(cache, e, {});
    QVERIFY(!read->assumptions.empty() && !read->notes.empty() && !read->lengths_are_known);
    e.corrections = {adding(1), adding(2)};
    same_as_without(*prepare_with(cache, e, {1, 2}), e);
    e.corrections[1] = adding(3);
    same_as_without(*prepare_with(cache, e, {3}), e);
    e.corrections.pop_back();
    same_as_without(*prepare_with(cache, e, {}), e);
    e.corrections.clear();
    same_as_without(*prepare_with(cache, e, {}), e);
    // A detector that is tilted has poses, whose pitch is derived: the size stays unknown.
    e.geometry = with_moved_detector(read->geometry->spec(), {.roll_rad = 0.013});
    QVERIFY(!prepare_with(cache, e, {})->lengths_are_known);
    e.geometry = read->geometry->spec();
    e.geometry->column_pitch_mm *= 1.01;
    QVERIFY(prepare_with(cache, e, {})->lengths_are_known);
  }

  /// Files that the experiment names count wherever they lie, with or without a data set.
  void filesThatTheExperimentNamesAreLookedAt() {
    const QString source = QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz/beside/hdf5_frames/");
    for (const char* name : {"projections", "named"}) QDir(folder_.path()).mkdir(name);
    const auto copy = [&](const char* name) {
      QFile::remove(folder_.filePath(name));
      QVERIFY(QFile::copy(source + "several.h5", folder_.filePath(name)));
    };
    const auto write_angles = [&](const char* text) {
      QFile file(folder_.filePath("named/angles.txt"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
    };
    copy("projections/a.h5");
    copy("named/flats.h5");
    write_angles("0\n36\n72\n108\n144\n");
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = path("projections/a.h5");
    e.source.import_settings.data_sets.projections = "/scan/raw";
    e.source.import_settings.flats = {path("named/flats.h5:/scan/white")};
    e.source.import_settings.angles = path("named/angles.txt");
    e.source.import_settings.centre = 4;
    ScanCache cache;
    const auto reads = [&] {
      bool is_read = false;
      const auto follow = [&](double, const std::string&) { is_read = true; };
      prepare_data(e, workshop_.catalog, workshop_.cpu(), nullptr, follow, {}, &cache);
      return is_read;
    };
    QVERIFY(reads());
    QVERIFY(!reads());
    copy("named/flats.h5");
    QVERIFY(reads());
    write_angles("0\n35\n70\n105\n140.5\n");
    QVERIFY(reads());
    QVERIFY(!reads());
  }

  /// So do they of a part of one of Gantry's own scans.
  void filesThatAPartOfAScanNamesAreLookedAt() {
    Experiment e = scan_experiment();
    e.source.import_settings.part.every = 2;
    QDir(folder_.path()).mkdir("named");
    ScanCache cache;
    const auto with_pitch = [&](double pitch_mm) {
      ScanSpec spec = fan_spec(6, 20, 4);
      spec.column_pitch_mm = pitch_mm;
      const ScanGeometry geometry(spec);
      write_scan(path("named/g.scan.json"), geometry, random_values(geometry.rays(), 4), "other");
      e.source.import_settings.geometry = path("named/g.scan.json");
      return prepare_with(cache, e, {})->geometry->spec().column_pitch_mm;
    };
    QCOMPARE(with_pitch(3), 3.0);
    QCOMPARE(with_pitch(5), 5.0);
  }

  /// Of imported scans, all files in the folder count.
  void filesOfAFolderAreLookedAt() {
    QDir(folder_.path()).mkdir("tiffs");
    const auto put = [&](const char* name, const char* text) {
      QFile file(folder_.filePath(QStringLiteral("tiffs/") + name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
    };
    put("1.tif", "a");
    put("2.tif", "b");
    const auto before = stamps_beside(path("tiffs"), {});
    QCOMPARE(before.size(), std::size_t{2});
    QVERIFY(stamps_beside(path("tiffs/1.tif"), {}) == before);
    put("2.tif", "bc");
    QVERIFY(stamps_beside(path("tiffs"), {}) != before);
    const std::string one = path("tiffs/1.tif"), two = path("tiffs/2.tif");
    QDir(folder_.path()).mkdir("none");
    QCOMPARE(stamps_beside(path("none"), {two, one}).size(), std::size_t{2});
    QVERIFY(stamps_beside(path("none"), {two, one}) == stamps_beside(path("none"), {one, two}));
    put("3.tif", "d");
    QCOMPARE(stamps_beside(path("tiffs"), {""}).size(), std::size_t{3});
    QVERIFY(stamps_beside(path("tiffs"), {path("tiffs/none.txt")}).empty());
    QVERIFY(stamps_of({path("nowhere")}).empty());
  }
};

GANTRY_TEST(TestScanCache)
#include "test_scan_cache.moc"
