// Scan files that are read as they were meant, and written as they are read.
#include "core/base/error.hpp"
#include "core/io/scans/geometry_json.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scan_folder.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cstring>
#include <random>

using namespace gantry;
using namespace gantry::test;

namespace {

/// The value that a plain reading of the raw file finds.
float raw_value(const std::string& path, qint64 index) {
  QFile file(QString::fromStdString(path));
  float value = 0;
  if (!file.open(QIODevice::ReadOnly) || !file.seek(4 * index)) return std::nanf("");
  const QByteArray bytes = file.read(4);
  if (bytes.size() == 4) std::memcpy(&value, bytes.constData(), 4);
  return value;
}

bool mentions(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(notes, [&](const std::string& n) { return n.find(part) != n.npos; });
}

}  // namespace

class TestScanFile : public QObject {
  Q_OBJECT
 private slots:
  void realScans() {
    NEED_DATA("scans/htc2022_tb.scan.json");
    const LoadedScan fan = read_scan(data_path("scans/htc2022_tb.scan.json"));
    const ScanSpec& spec = fan.geometry->spec();
    QVERIFY(spec.beam == Beam::fan && spec.detector == DetectorShape::flat);
    QCOMPARE(fan.geometry->views(), 549);
    QCOMPARE(fan.geometry->columns(), 560);
    QCOMPARE(spec.source_to_isocenter_mm, 410.66);
    QCOMPARE(spec.source_to_detector_mm, 553.74);
    QCOMPARE(spec.central_column, 279.5);
    QCOMPARE(spec.view_angles_rad.front(), 27.0 * pi / 180);
    QCOMPARE(spec.view_angles_rad.back(), 334.0 * pi / 180);
    for (const std::size_t i : {0U, 280U, 150000U, 549U * 560U - 1})
      QCOMPARE(fan.line_integrals[i],
               raw_value(data_path("scans/htc2022_tb.f32"), static_cast<qint64>(i)));
    QVERIFY(fan.description.find("549 views with three gaps") != std::string::npos);
    QVERIFY(fan.license.find("CC BY 4.0") != std::string::npos);

    const LoadedScan parallel = read_scan(data_path("scans/dendrite.scan.json"));
    QVERIFY(parallel.geometry->beam() == Beam::parallel);
    QCOMPARE(parallel.geometry->views(), 360);
    QCOMPARE(parallel.geometry->columns(), 1260);
    QCOMPARE(parallel.geometry->spec().central_column, 627.0);
    EXPECT_NEAR(degrees(parallel.geometry->angle_rad(359)), 16919.961254, 1e-8);
    QCOMPARE(parallel.line_integrals[1260 * 7 + 3],
             raw_value(data_path("scans/dendrite.f32"), 1260 * 7 + 3));
    for (const char* name :
         {"scans/htc2022_tc_30deg.scan.json", "scans/htc2022_td_30deg.scan.json"})
      QCOMPARE(read_scan(data_path(name)).geometry->views(), 61);
  }

  void everyFieldArrives() {
    const ScanFolder folder;
    folder.put_json(small_scan());
    folder.put_data(ramp(24));
    const LoadedScan scan = read_scan(folder.path());
    const ScanSpec& spec = scan.geometry->spec();
    QVERIFY(spec.beam == Beam::fan);
    QCOMPARE(spec.source_to_isocenter_mm, 100.0);
    QCOMPARE(spec.source_to_detector_mm, 150.0);
    QCOMPARE(spec.detector_columns, 4);
    QCOMPARE(spec.detector_rows, 2);
    QCOMPARE(spec.column_pitch_mm, 2.0);
    QCOMPARE(spec.row_pitch_mm, 3.0);
    QCOMPARE(spec.central_column, 1.25);
    QCOMPARE(spec.central_row, 0.5);
    QCOMPARE(spec.view_angles_rad.size(), std::size_t{3});
    EXPECT_NEAR(spec.view_angles_rad[0], 0, 0);
    EXPECT_NEAR(spec.view_angles_rad[1], 90.5 * pi / 180, 1e-15);
    EXPECT_NEAR(spec.view_angles_rad[2], -30 * pi / 180, 1e-15);
    QCOMPARE(scan.line_integrals, ramp(24));
    QCOMPARE(scan.source, folder.path());
    QVERIFY(scan.notes.empty() && scan.description.empty());
  }

  void defaultsAndAngleRanges() {
    const ScanFolder folder;
    folder.put_data(ramp(24));
    QJsonObject json = small_scan();
    for (const char* field :
         {"geometry.central_column", "geometry.central_row", "geometry.trajectory"})
      json = with(json, field, QJsonValue::Undefined);
    json = with(json, "geometry.view_angles_deg",
                QJsonObject{{"first", 5}, {"step", 0.1}, {"count", 3}});
    json = with(json, "geometry.detector_rows", 2.0);
    folder.put_json(json);
    const ScanSpec spec = read_scan(folder.path()).geometry->spec();
    QCOMPARE(spec.central_column, 1.5);
    QCOMPARE(spec.central_row, 0.5);
    QVERIFY(spec.trajectory == Trajectory::circular);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(spec.view_angles_rad[i], (5 + 0.1 * static_cast<double>(i)) * pi / 180, 1e-15);
    // a parallel beam needs no distances
    for (const char* field :
         {"geometry.source_to_isocenter_mm", "geometry.source_to_detector_mm", "geometry.detector"})
      json = with(json, field, QJsonValue::Undefined);
    folder.put_json(with(json, "geometry.beam", "parallel"));
    QVERIFY(read_scan(folder.path()).geometry->beam() == Beam::parallel);
    // nor does a single row need its count and pitch
    json = with(json, "geometry.detector_rows", QJsonValue::Undefined);
    json = with(json, "geometry.row_pitch_mm", QJsonValue::Undefined);
    folder.put_json(with(json, "geometry.beam", "parallel"));
    folder.put_data(ramp(12));
    QCOMPARE(read_scan(folder.path()).geometry->rows(), 1);
    folder.put_json(with(json, "geometry.beam", "cone"));
    EXPECT_THROWS(InputError, read_scan(folder.path()), "geometry.detector: is missing");
  }

  void typesAndByteOrders() {
    const ScanFolder folder;
    const std::vector<float> expected = ramp(24);
    for (const bool big : {false, true}) {
      QJsonObject json = with(small_scan(), "data.byte_order", big ? "big" : "little");
      folder.put_json(json);
      folder.put_data(expected, big);
      QCOMPARE(read_scan(folder.path()).line_integrals, expected);
      folder.put_json(with(json, "data.type", "float64"));
      folder.put_data(std::vector<double>(expected.begin(), expected.end()), big);
      QCOMPARE(read_scan(folder.path()).line_integrals, expected);

      json = with(with(json, "data.type", "uint16"), "data.quantity", "counts");
      folder.put_json(with(json, "data.photons_per_ray", 50000));
      std::vector<std::uint16_t> counts;
      for (int i = 0; i < 24; ++i)
        counts.push_back(static_cast<std::uint16_t>(i < 2 ? i : 60000 - 2000 * i));
      folder.put_data(counts, big);
      const LoadedScan scan = read_scan(folder.path());
      EXPECT_NEAR(scan.line_integrals[0], std::log(50000.0), 1e-5);
      for (std::size_t i = 1; i < 24; ++i)
        EXPECT_NEAR(scan.line_integrals[i], -std::log(counts[i] / 50000.0), 1e-5);
      QVERIFY(mentions(scan.notes, "1 reading below one photon was"));
    }
  }

  void unknownFieldsAreNoted() {
    const ScanFolder folder;
    folder.put_data(ramp(24));
    QJsonObject json = with(small_scan(), "geometry.central_colum", 3);
    json = with(with(json, "author", "x"), "data.compression", "none");
    folder.put_json(json);
    const LoadedScan scan = read_scan(folder.path());
    for (const char* field : {"geometry.central_colum", "author", "data.compression"})
      QVERIFY(mentions(scan.notes, "the field " + std::string(field) + " is not known"));
    QCOMPARE(scan.notes.size(), std::size_t{3});
  }

  void valuesThatNoDetectorMeasuresAreQuestioned() {
    const ScanFolder folder;
    folder.put_json(small_scan());
    std::vector<float> values(24, 39.0F);
    folder.put_data(values);
    QCOMPARE(read_scan(folder.path()).notes, std::vector<std::string>());
    values[7] = 1089.4F;
    folder.put_data(values);
    QVERIFY(mentions(read_scan(folder.path()).notes, "the line integrals reach 1089, which no"));
    values[7] = -9.0F;  // noise of single photons
    folder.put_data(values);
    QCOMPARE(read_scan(folder.path()).notes, std::vector<std::string>());
    values[7] = -200;
    folder.put_data(values);
    QVERIFY(mentions(read_scan(folder.path()).notes, "the line integrals fall to -200, far more"));
  }

  void writtenScansReadBack() {
    const ScanFolder folder;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit;
    ScanSpec spec;
    spec.beam = Beam::cone;
    spec.detector = DetectorShape::arc;
    spec.trajectory = Trajectory::helical;
    spec.source_to_isocenter_mm = 541.3;
    spec.source_to_detector_mm = 949.1;
    spec.detector_columns = 5;
    spec.detector_rows = 3;
    spec.column_pitch_mm = 1.0239;
    spec.row_pitch_mm = 1.0963;
    spec.central_column = 0.1 + 0.2;
    spec.central_row = -0.75;
    spec.helical_feed_mm_per_turn = 38.7;
    for (int i = 0; i < 200; ++i) spec.view_angles_rad.push_back(radians(1000 * unit(random)));
    const ScanGeometry geometry(spec);
    write_scan(folder.path("a.scan.json"), geometry, ramp(3000), "two\nlines, \"quoted\" µ");
    QCOMPARE(folder.names(), (QStringList{"a.f32", "a.scan.json"}));
    const LoadedScan scan = read_scan(folder.path("a.scan.json"));
    QVERIFY(scan.geometry->spec() == spec);
    QCOMPARE(scan.line_integrals, ramp(3000));
    QCOMPARE(scan.description, std::string("two\nlines, \"quoted\" µ"));
    QVERIFY(scan.notes.empty());
    QVERIFY(read_geometry(folder.path("a.scan.json")) == spec);
    // little-endian floats in order, nothing else
    QCOMPARE(raw_value(folder.path("a.f32"), 2999), ramp(3000)[2999]);
    QCOMPARE(QFileInfo(QString::fromStdString(folder.path("a.f32"))).size(), qint64{12000});
    // a description that is not UTF-8, such as an old path, does no harm
    write_scan(folder.path("a.scan.json"), geometry, std::vector<float>(3000, 2.0F), "M\xfcller");
    QVERIFY(read_scan(folder.path("a.scan.json")).description.ends_with("ller"));
    QCOMPARE(read_scan(folder.path("a.scan.json")).line_integrals[7], 2.0F);
  }

  void howDataWereSimulatedIsKept() {
    const ScanFolder folder;
    folder.put_data(ramp(24));
    folder.put_json(small_scan());
    const ScanGeometry geometry(read_geometry(folder.path()));
    const std::vector<float> data = ramp(geometry.rays());
    VolumeGrid grid = VolumeGrid::centered(7, 5, 3, {0.1, 1.0 / 3, 2});
    grid.origin_mm.x += 0.7;
    for (const SimulationRecord& record :
         {SimulationRecord{{}, 4, {}}, SimulationRecord{"joseph", 2, grid}}) {
      write_scan(folder.path("a.scan.json"), geometry, data, "", {}, record);
      const LoadedScan scan = read_scan(folder.path("a.scan.json"));
      QVERIFY(scan.simulation && *scan.simulation == record);
      QVERIFY(scan.notes.empty());
    }
    write_scan(folder.path("a.scan.json"), geometry, data, "");
    QVERIFY(!read_scan(folder.path("a.scan.json")).simulation);
  }

  void badRecordsOfASimulationAreRefused() {
    const ScanFolder folder;
    folder.put_data(ramp(24));
    const auto refused = [&](const QJsonObject& record, const char* message) {
      QJsonObject json = small_scan();
      json["simulation"] = record;
      folder.put_json(json);
      EXPECT_THROWS(InputError, read_scan(folder.path()), message);
    };
    refused({{"model", "guess"}}, "simulation.model: \"guess\" is not known");
    refused({{"model", "exact"}, {"subrays", 0}}, "simulation.subrays");
    refused({{"model", "projector"}}, "simulation.projector: is missing");
    refused({{"model", "projector"}, {"projector", "siddon"}}, "simulation.grid: is missing");
  }

  void geometriesReadBackExactly() {
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = 7;
    spec.column_pitch_mm = spec.row_pitch_mm = 0.1;
    for (const auto& [first, step, count] : {std::tuple{0.0, 0.25, 720},
                                             {0.18, 0.36585365853658536, 984},
                                             {27.0, 0.5, 277},
                                             {-180.0, 1.0 / 3, 1080}}) {
      spec.view_angles_rad = angles_from_degrees(first, step, count);
      const std::string text = format_geometry(spec);
      QVERIFY(parse_geometry(text, "text") == spec);
      QVERIFY2(text.find("\"count\": " + std::to_string(count)) != text.npos, text.c_str());
    }
    // whatever the angles are, they come back to the last digit or next to it
    std::mt19937 random(2);
    std::uniform_real_distribution<double> unit(-7, 7);
    for (double& angle : spec.view_angles_rad) angle = unit(random);
    const ScanSpec back = parse_geometry(format_geometry(spec), "text");
    for (std::size_t i = 0; i < spec.view_angles_rad.size(); ++i)
      EXPECT_NEAR(back.view_angles_rad[i] / spec.view_angles_rad[i], 1, 2.3e-16);
    // short angles stay short
    spec.view_angles_rad = {radians(0.1), radians(27.5), radians(16740.453966)};
    QVERIFY(format_geometry(spec).find("16740.453966") != std::string::npos);
    // and a whole scan file gives its geometry
    QVERIFY(parse_geometry("{\"geometry\":" + format_geometry(spec) + "}", "text") == spec);
  }

  void posesReadBackExactly() {
    ScanSpec spec;
    spec.beam = Beam::cone;
    spec.trajectory = Trajectory::poses;
    spec.detector_columns = 4;
    spec.detector_rows = 2;
    spec.central_column = 1.3;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit;
    const auto vector = [&] { return Vec3{unit(random), unit(random), unit(random)}; };
    for (int i = 0; i < 5; ++i)
      spec.poses.push_back({vector() + Vec3{0, -100.0 / 3, 0}, vector() + Vec3{0, 50, 0},
                            vector() + Vec3{6, 0, 0}, vector() + Vec3{0, 0, 6}});
    const ScanGeometry geometry(spec);
    const ScanFolder folder;
    write_scan(folder.path("a.scan.json"), geometry, ramp(40), "");
    const LoadedScan scan = read_scan(folder.path("a.scan.json"));
    QVERIFY(scan.geometry->spec() == geometry.spec());
    QVERIFY(scan.geometry->spec().poses == spec.poses);
    QVERIFY(scan.notes.empty());
    QCOMPARE(scan.line_integrals, ramp(40));
  }

  void posesAreReadByHand() {
    const std::string text = R"({"beam": "cone", "trajectory": "poses", "detector_columns": 3,
      "detector_rows": 2, "column_pitch_mm": 9, "poses": [
      {"source_mm": [0, -100, 4], "detector_mm": [0, 50, 4], "u_mm": [2, 0, 0], "v_mm": [0, 0, 3]},
      {"source_mm": [100, 0, 5], "detector_mm": [-50, 0, 5], "u_mm": [0, 2, 0], "v_mm": [0, 0, 3]}
      ]})";
    std::vector<std::string> notes;
    const ScanSpec spec = parse_geometry(text, "hand", &notes);
    QVERIFY(spec.poses[1] == (View{{100, 0, 5}, {-50, 0, 5}, {0, 2, 0}, {0, 0, 3}}));
    QCOMPARE(spec.central_column, 1.0);
    QCOMPARE(spec.central_row, 0.5);
    EXPECT_NEAR(spec.view_angles_rad[1], pi / 2, 1e-15);
    QCOMPARE(spec.column_pitch_mm, 2.0);
    QCOMPARE(spec.row_pitch_mm, 3.0);
    QCOMPARE(notes,
             std::vector<std::string>{"the field column_pitch_mm is not known and was left out"});
    const auto refuse = [&](const char* from, const char* to, const char* message) {
      const std::string changed =
          QString::fromStdString(text).replace(QString(from), QString(to)).toStdString();
      EXPECT_THROWS(InputError, parse_geometry(changed, "hand"), message);
    };
    refuse("[100, 0, 5]", "[100, 0]", "hand: poses[1].source_mm: is not a list of three");
    refuse("[100, 0, 5]", "[100, \"0\", 5]", "poses[1].source_mm: holds what is not a number");
    refuse("\"u_mm\": [0, 2, 0], ", "", "hand: poses[1].u_mm: is missing; give [x, y, z] in mm");
    refuse("[0, 2, 0]", "[0, 0, 0]", "hand: poses[1].u_mm is no step from cell to cell");
    refuse("\"poses\": [", "\"poses\": 3, \"x\": [", "hand: poses: is not a list");
    refuse("\"poses\": [", "\"poses\": [], \"x\": [", "hand: poses: is empty");
    refuse("\"poses\": [", "\"x\": [", "hand: poses: is missing");
    refuse("\"cone\"", "\"fan\"", "hand: a fan beam has no free poses");
  }
};

GANTRY_TEST(TestScanFile)
#include "test_scan_file.moc"
