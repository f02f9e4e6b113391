// The axis of rotation as the command line finds it.
#include "core/alignment/centre_from_data.hpp"
#include "core/alignment/detector_tilt.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/cli/command.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace gantry;
using namespace gantry::test;

class TestCliAlign : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  std::string path(const char* name) const {
    return folder_.filePath(QLatin1String(name)).toStdString();
  }

  /// Writes a scan with its axis at column 61.2 whose file states 63.5.
  void write(const char* name, double arc_deg) const {
    const auto head = phantom("forbild_head");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(1.1 * std::max(half.x, half.y), 0, 128);  // rows end in air
    spec.view_angles_rad = angles_from_degrees(0, arc_deg / 90, 90);
    spec.central_column = 61.2;
    const ScanGeometry real(spec);
    std::vector<float> p(real.rays());
    project_exactly(*head, real, 1, p);
    spec.central_column = 63.5;
    write_scan(path(name), ScanGeometry(spec), p, "a head");
  }

  /// Returns a parallel beam on 128 columns, wide enough for an object.
  static ScanSpec spec_of(const Phantom& object, int rows, double central_column,
                          std::vector<double> view_angles_rad) {
    const Vec3 half = object.half_extent_mm();
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = 128;
    spec.detector_rows = rows;
    spec.column_pitch_mm = spec.row_pitch_mm = 2.6 * std::max(half.x, half.y) / 128;
    spec.central_column = central_column;
    spec.central_row = 0.5 * (rows - 1);
    spec.view_angles_rad = std::move(view_angles_rad);
    return spec;
  }

 private slots:
  void theAxisIsSaidAndWritten() {
    write("s.scan.json", 360);
    QFile file(folder_.filePath("s.scan.json"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray licensed =
        file.readAll().replace("\"description\"", "\"license\": \"CC0\", \"description\"");
    QVERIFY(licensed.contains("CC0") && file.resize(0) && file.seek(0));
    QCOMPARE(file.write(licensed), licensed.size());
    file.close();
    const Answer said = cli("align s.scan.json");
    EXPECT_DONE(said);
    QVERIFY2(said.output.startsWith("central column 61.") &&
                 said.output.contains(", and the scan states 63.5; from 90 comparisons"),
             said.text().constData());
    QCOMPARE(QDir(folder_.path()).entryList(QDir::Files).size(), 2);  // nothing was written
    EXPECT_DONE(cli("align s.scan.json --out a.scan.json"));
    const LoadedScan before = read_scan(path("s.scan.json")),
                     after = read_scan(path("a.scan.json"));
    EXPECT_NEAR(after.geometry->spec().central_column, 61.2, 0.1);
    QVERIFY(after.line_integrals == before.line_integrals);
    QCOMPARE(after.description, std::string("a head (CC0)"));
  }

  void theMethodIsChosen_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("basis");
    QTest::addRow("conjugate") << "conjugate"
                               << "90 comparisons of views";
    QTest::addRow("sharpness") << "sharpness"
                               << "the sharpest of ";
  }
  void theMethodIsChosen() {
    QFETCH(QString, method);
    QFETCH(QString, basis);
    write("m.scan.json", 360);
    const Answer said = cli("align m.scan.json --method " + method);
    EXPECT_DONE(said);
    const QString first = said.output.section('\n', 0, 0);
    QVERIFY2(first.contains("from " + basis), said.text().constData());
    EXPECT_NEAR(first.section(' ', 2, 2).remove(',').toDouble(), 61.2, 0.25);
    QVERIFY2(!said.errors.contains("but sharpness"), said.text().constData());
  }

  void wrongMethodsAndRangesAreRefused() {
    write("w.scan.json", 360);
    const auto refused = [&](const QString& arguments, const char* part) {
      const Answer answer = cli("align w.scan.json " + arguments);
      QCOMPARE(answer.code, 2);
      QVERIFY2(answer.errors.contains(part), answer.text().constData());
      QCOMPARE(answer.error_lines().size(), 1);
    };
    refused("--method guess",
            "use one of opposite, conjugate, consistency, fourier, mass, sharpness");
    refused("--range 60:66:1", "give --strip FOLDER too");
    refused("--strip s --range 60:66", "write it as FIRST:LAST:STEP");
    refused("--strip s --range 66:60:1", "is no range of columns");
    refused("--strip s --range 0:60:0.01", "more than 1000 slices");
    refused("--tilt", "give --out SCAN too");
    const Answer fan = cli("align w.scan.json --method opposite");
    QCOMPARE(fan.code, 1);
    QVERIFY2(fan.errors.contains("by opposite, which needs a parallel beam"),
             fan.text().constData());
    const Answer mass = cli("align w.scan.json --method mass");
    QVERIFY2(mass.errors.contains("; here the scan is of another kind, or of less than 90 degrees"),
             mass.text().constData());
    const Answer flat = cli("align w.scan.json --tilt --out t.scan.json");
    QCOMPARE(flat.code, 1);
    QVERIFY2(flat.errors.contains("do not tell the tilt"), flat.text().constData());
    QVERIFY(!QFile::exists(folder_.filePath("t.scan.json")));
  }

  /// The slice of the right column is the reconstruction by FBP of the scan that was aligned there.
  void aStripHoldsSlicesNamedByTheirColumns() {
    write("p.scan.json", 360);
    const Answer said =
        cli("align p.scan.json --method conjugate --strip slices --range 60:62:0.5");
    EXPECT_DONE(said);
    QVERIFY2(said.output.contains("wrote 5 slices to slices"), said.text().constData());
    const QStringList names = QDir(folder_.filePath("slices")).entryList(QDir::Files, QDir::Name);
    QCOMPARE(names, (QStringList{"column_0060.00.tif", "column_0060.50.tif", "column_0061.00.tif",
                                 "column_0061.50.tif", "column_0062.00.tif"}));
    LoadedScan scan = read_scan(path("p.scan.json"));
    ScanSpec spec = scan.geometry->spec();
    spec.central_column = 61;
    write_scan(path("at61.scan.json"), ScanGeometry(spec), scan.line_integrals, "a head");
    const LoadedVolume slice = load_volume(path("slices/column_0061.00.tif"));
    EXPECT_DONE(cli(QStringLiteral("reconstruct at61.scan.json --solver fbp --set "
                                   "solver.window=hann --grid %1,%1 --voxel %2 --out fbp.mha")
                        .arg(slice.grid.nx)
                        .arg(slice.grid.spacing_mm.x, 0, 'g', 12)));
    const LoadedVolume fbp = load_volume(path("fbp.mha"));
    QCOMPARE(slice.mu.size(), fbp.mu.size());
    float largest = 0, difference = 0;
    for (std::size_t i = 0; i < fbp.mu.size(); ++i) {
      largest = std::max(largest, fbp.mu[i]);
      difference = std::max(difference, std::abs(fbp.mu[i] - slice.mu[i]));
    }
    QVERIFY2(difference < 1e-3F * largest, qPrintable(QString::number(difference / largest)));
  }

  /// Slices of a scan whose cells are of unknown size have cells in the place of mm.
  void aStripInCellsIsSaidToBe() {
    write("known.scan.json", 360);
    const LoadedScan scan = read_scan(path("known.scan.json"));
    write_scan(path("cells.scan.json"), {.geometry = *scan.geometry,
                                         .line_integrals = scan.line_integrals,
                                         .description = "a head",
                                         .lengths_are_known = false});
    const QString range = " --strip slices --range 61:62:1";
    const Answer known = cli("align known.scan.json" + range);
    EXPECT_DONE(known);
    QVERIFY2(!known.errors.contains("mm in the file are cells"), known.text());
    const Answer cells = cli("align cells.scan.json" + range);
    QVERIFY2(cells.code == 0, cells.text());
    QVERIFY2(cells.errors.contains("slices: the size of the scan's cells is not known: mm in the "
                                   "file are cells"),
             cells.text());
    // So are the files that are made of these.
    for (const QString& names :
         {QStringLiteral("slices/column_0061.00.tif a.mha"), QStringLiteral("a.mha b.nrrd"),
          QStringLiteral("b.nrrd c.nii"), QStringLiteral("c.nii d.tif")}) {
      const Answer made = cli("convert " + names);
      QVERIFY2(made.code == 0 && made.errors.contains("a scan whose cells are of unknown size"),
               made.text());
    }
  }

  /// A circle whose detector is shifted in each view, whose file states another axis.
  void theAxisOfShiftedViews_data() {
    QTest::addColumn<bool>("cone");
    QTest::addColumn<bool>("from_the_top");
    QTest::addRow("cone") << true << false;
    QTest::addRow("cone, rows from the top") << true << true;
    QTest::addRow("parallel") << false << false;
  }
  void theAxisOfShiftedViews() {
    QFETCH(bool, cone);
    QFETCH(bool, from_the_top);
    const auto head = phantom("forbild_head_3d");
    ScanSpec spec = spec_of(*head, 24, 61.2, angles_from_degrees(0, 4, 90));
    if (cone) {
      spec.beam = Beam::cone;
      spec.source_to_isocenter_mm = 20 * head->half_extent_mm().x;
      spec.source_to_detector_mm = 1.05 * spec.source_to_isocenter_mm;
    }
    std::vector<CellShift> shifts;
    for (int view = 0; view < 90; ++view)
      shifts.push_back({3 + 2 * std::sin(2.3 * view), std::cos(1.7 * view)});
    ScanSpec poses = with_shifted_detector(spec, shifts);
    if (from_the_top)
      for (View& pose : poses.poses) pose.v_mm = -1.0 * pose.v_mm;
    std::vector<float> p(ScanGeometry(poses).rays());
    project_exactly(*head, ScanGeometry(poses), 1, p);
    poses.central_column = 63.5;
    write_scan(path("shifted.scan.json"), ScanGeometry(poses), p, "a head");
    const Answer said = cli("align shifted.scan.json --out found.scan.json --strip strip");
    EXPECT_DONE(said);
    EXPECT_NEAR(said.output.section(' ', 2, 2).remove(',').toDouble(), 61.2, 0.1);
    QVERIFY2(said.output.contains(", and the scan states 63.5; from "), said.text().constData());
    QCOMPARE(QDir(folder_.filePath("strip")).entryList(QDir::Files).size(), 11);
    const LoadedScan found = read_scan(path("found.scan.json"));
    QVERIFY(found.line_integrals == p);
    EXPECT_NEAR(found.geometry->spec().central_column, 61.2, 0.1);
    const Ray one = found.geometry->ray(7, 40, 3),
              truth =
                  ScanGeometry(poses).ray(7, 40 + 63.5 - found.geometry->spec().central_column, 3);
    EXPECT_NEAR(norm(one.direction - truth.direction), 0, 1e-9);
    EXPECT_NEAR(norm(cross(one.origin_mm - truth.origin_mm, truth.direction)), 0, 1e-6);
  }

  /// The slice of a column is that of the scan that states it.
  void aStripOfShiftedViewsCountsTheColumnsOfTheScan() {
    const auto head = phantom("forbild_head_3d");
    const ScanSpec spec = spec_of(*head, 8, 61.2, angles_from_degrees(0, 2, 90));
    ScanSpec poses = with_shifted_detector(spec, std::vector<CellShift>(90, {2, 0}));
    std::vector<float> p(ScanGeometry(poses).rays());
    project_exactly(*head, ScanGeometry(poses), 1, p);
    write_scan(path("q.scan.json"), ScanGeometry(poses), p, "a head");
    ScanSpec circle = spec;
    circle.central_column -= 2;
    write_scan(path("c.scan.json"), ScanGeometry(circle), p, "a head");
    EXPECT_DONE(cli("align q.scan.json --strip of_poses --range 61.2:61.2:1"));
    EXPECT_DONE(cli("align c.scan.json --strip of_circle --range 59.2:59.2:1"));
    const LoadedVolume one = load_volume(path("of_poses/column_0061.20.tif")),
                       other = load_volume(path("of_circle/column_0059.20.tif"));
    QCOMPARE(one.mu.size(), other.mu.size());
    for (std::size_t i = 0; i < one.mu.size(); ++i) EXPECT_NEAR(one.mu[i], other.mu[i], 1e-6);
  }

  void posesThatAreNoCircleAreRefused() {
    const auto head = phantom("forbild_head_3d");
    const ScanGeometry tilted(with_moved_detector(
        spec_of(*head, 8, 62.3, angles_from_degrees(0, 15, 24)), {.roll_rad = radians(0.8)}));
    std::vector<float> p(tilted.rays());
    project_exactly(*head, tilted, 1, p);
    write_scan(path("rolled.scan.json"), tilted, p, "a head");
    const Answer answer = cli("align rolled.scan.json --strip no --range 60:62:1");
    QCOMPARE(answer.code, 1);
    QVERIFY2(answer.errors.contains("has free poses that are no circle"),
             answer.text().constData());
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY(!QDir(folder_.filePath("no")).exists());
  }

  void aTiltIsSaidAndWritten() {
    const auto head = phantom("forbild_head_3d");
    ScanSpec spec = spec_of(*head, 64, 62.3, angles_from_degrees(0, 15, 24));
    const ScanGeometry tilted(with_moved_detector(spec, {.roll_rad = radians(0.8)}));
    std::vector<float> p(tilted.rays());
    project_exactly(*head, tilted, 2, p);
    spec.central_column = 63.5;
    write_scan(path("tilted.scan.json"), ScanGeometry(spec), p, "a head");
    const Answer said =
        cli("align tilted.scan.json --method opposite --tilt --out poses.scan.json");
    EXPECT_DONE(said);
    const QString line = said.output.section('\n', 1, 1);
    QVERIFY2(line.startsWith("tilt of the detector "), said.text().constData());
    EXPECT_NEAR(line.section(' ', 4, 4).toDouble(), 0.8, 0.02);
    const LoadedScan written = read_scan(path("poses.scan.json"));
    const View& found = written.geometry->spec().poses.at(7);
    const View& truth = tilted.spec().poses.at(7);
    EXPECT_NEAR(norm(found.u_mm - truth.u_mm), 0, 4e-4 * norm(truth.u_mm));
    EXPECT_NEAR(norm(found.v_mm - truth.v_mm), 0, 4e-4 * norm(truth.v_mm));
    EXPECT_NEAR(written.geometry->spec().central_column, 62.3, 0.1);
    // Free poses get a projector that takes them, unless another one is named.
    const QString reconstruct = "reconstruct poses.scan.json --grid 16,16,4 --iterations 2 --out ";
    const Answer made = cli(reconstruct + "poses.mha");
    EXPECT_DONE(made);
    QVERIFY2(made.output.contains("assumed projector: siddon (distance_driven does not take"),
             made.text().constData());
    const Answer refused = cli(reconstruct + "no.mha --projector distance_driven");
    QVERIFY2(refused.code != 0 && refused.errors.contains("not free poses"),
             refused.text().constData());
  }

  /// Rays from both sides tell the tilt of this scan with an error of more than 0.02 degrees.
  void theTiltOfAConeIsRefined() {
    const auto head = phantom("shepp_logan_ks");
    const ScanSpec spec = fine_cone();
    ScanSpec stated = spec;
    stated.central_column = 159.5;
    write_scan(
        path("cone.scan.json"), ScanGeometry(stated),
        measured(*head, ScanGeometry(with_moved_detector(spec, {.roll_rad = radians(-0.7)})), 1e4),
        "a head");
    const Answer said = cli("align cone.scan.json --tilt --out poses.scan.json");
    EXPECT_DONE(said);
    const QString line = said.output.section('\n', 1, 1);
    QVERIFY2(line.contains(", from the residual of a reconstruction; "), said.text().constData());
    EXPECT_NEAR(line.section(' ', 4, 4).toDouble(), -0.7, 0.02);
    QVERIFY(line.section(' ', 8, 8).remove(',').toDouble() < 0.02);
    const Answer unrefined = cli("align cone.scan.json");
    QVERIFY2(unrefined.output.contains(", from rays measured from both sides; "),
             unrefined.text().constData());
  }

  /// The detector is not tilted: what noise tells is less than its error, and nothing is moved.
  void aTiltThatMayBeNoneIsNotWritten() {
    const auto head = phantom("forbild_head_3d");
    const ScanSpec spec = spec_of(*head, 32, 62.3, angles_from_degrees(0, 15, 24));
    const ScanGeometry scan(spec);
    std::vector<float> p(scan.rays());
    project_exactly(*head, scan, 2, p);
    write_scan(path("straight.scan.json"), scan, p, "a head");
    const Answer said = cli("align straight.scan.json --tilt --out still.scan.json");
    QCOMPARE(said.code, 0);
    QVERIFY2(said.errors.contains("standard errors: the scan is written without it"),
             said.text().constData());
    const LoadedScan written = read_scan(path("still.scan.json"));
    QVERIFY(written.geometry->spec().poses.empty());
    EXPECT_NEAR(written.geometry->spec().central_column, 62.3, 0.1);
  }

  /// Noise alone pretends a tilt of two standard errors, which are a fifth of a degree.
  void aDoubtfulTiltIsNotWritten() {
    ScanSpec spec = spec_of(*phantom("forbild_head_3d"), 24, 73.2, angles_from_degrees(7, 2, 180));
    spec.source_to_isocenter_mm = 250;
    spec.source_to_detector_mm = 500;
    spec.detector_columns = 96;
    spec.column_pitch_mm = spec.row_pitch_mm = 1.3333;
    spec.beam = Beam::cone;
    const ScanGeometry scan(spec);
    write_scan(path("fan.scan.json"), scan, std::vector<float>(scan.rays()), "air");
    EXPECT_DONE(
        cli("simulate --phantom shepp_logan_ks --set phantom.size_mm=60 --geometry fan.scan.json "
            "--photons 1e4 --seed 3 --out noisy.scan.json"));
    const Answer said = cli("align noisy.scan.json --method conjugate --tilt --out none.scan.json");
    QCOMPARE(said.code, 0);
    const QString line = said.output.section('\n', 1, 1);
    QVERIFY2(line.startsWith("tilt of the detector "), said.text().constData());
    const double tilt = line.section(' ', 4, 4).toDouble(),
                 error = line.section(' ', 8, 8).remove(',').toDouble();
    QVERIFY2(error > 0.02 && tilt > 2 * error && tilt < 3 * error, said.text().constData());
    QVERIFY2(said.errors.contains("the tilt is less than 3 standard errors"),
             said.text().constData());
    QVERIFY(read_scan(path("none.scan.json")).geometry->spec().poses.empty());
  }

  /// What stands still on the detector would draw the axis and the tilt towards itself.
  void deadCellsDoNotTurnTheAxis() {
    const auto head = phantom("forbild_head_3d");
    const ScanSpec spec = spec_of(*head, 32, 61.2, angles_from_degrees(0, 2, 180));
    const ScanGeometry scan(spec);
    std::vector<float> p(scan.rays());
    project_exactly(*head, scan, 2, p);
    for (const std::size_t cell : {5 * 128 + 90, 12 * 128 + 40, 20 * 128 + 100, 25 * 128 + 70})
      for (std::size_t at = cell; at < p.size(); at += scan.cells()) p[at] = 13.8F;
    write_scan(path("dead.scan.json"), scan, p, "a head");
    const Answer said = cli("align dead.scan.json --out whole.scan.json");
    EXPECT_DONE(said);
    EXPECT_NEAR(said.output.section(' ', 2, 2).remove(',').toDouble(), 61.2, 0.01);
    const QString line = said.output.section('\n', 1, 1);
    QVERIFY2(line.startsWith("tilt of the detector "), said.text().constData());
    EXPECT_NEAR(line.section(' ', 4, 4).toDouble(), 0, 0.02);
    QVERIFY(read_scan(path("whole.scan.json")).line_integrals == p);  // as they were measured
  }

  /// The last view, the only one with an opposite, is displaced by six columns.
  void disagreementIsSaidInOneLine() {
    const auto head = phantom("forbild_head");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = 128;
    spec.column_pitch_mm = spec.row_pitch_mm = 2.8 * std::max(half.x, half.y) / 128;
    spec.central_column = 61.2;
    spec.view_angles_rad = angles_from_degrees(0, 2, 91);
    const ScanGeometry real(spec);
    std::vector<float> p(real.rays());
    project_exactly(*head, real, 1, p);
    std::rotate(p.end() - 128, p.end() - 6, p.end());
    write_scan(path("odd.scan.json"), real, p, "a head");
    const Answer said = cli("align odd.scan.json");
    QCOMPARE(said.code, 0);
    QVERIFY2(said.output.startsWith("central column 64.") &&
                 said.output.contains(" (not certain: sharpness finds 61."),
             said.text().constData());
    QCOMPARE(said.error_lines().size(), 1);
    static const QRegularExpression line(
        "opposite finds column 64\\.[0-9]+, but sharpness 61\\.[0-9]+; compare slices");
    QVERIFY2(line.match(said.errors).hasMatch(), said.text().constData());
    const Answer one = cli("align odd.scan.json --method sharpness");
    QVERIFY2(one.output.startsWith("central column 61.") && one.errors.isEmpty(),
             one.text().constData());
  }

  /// An uneven beam and cells of unequal gain are in all views, and pretend an axis.
  void withoutAFlatTheAxisIsThatOfTheImport() {
    const auto head = phantom("forbild_head");
    const ScanGeometry real(spec_of(*head, 1, 61.2, angles_from_degrees(0, 2, 180)));
    std::vector<float> p(real.rays());
    project_exactly(*head, real, 1, p);
    for (float& value : p) value *= 0.12F;
    add_uneven_beam(p, real.columns());
    for (const bool lacks_flat : {true, false})
      write_scan(path(lacks_flat ? "none.scan.json" : "flat.scan.json"),
                 {.geometry = real, .line_integrals = p, .lacks_flat = lacks_flat});
    const auto told = centre_without_flat(real, p);
    QVERIFY(told && told->is_certain && told->is_of_changes);
    const Answer none = cli("align none.scan.json --out again.scan.json"),
                 flat = cli("align flat.scan.json");
    QCOMPARE(none.code, 0);
    const auto column = [](const Answer& answer) {
      return answer.output.section(' ', 2, 2).remove(',').toDouble();
    };
    EXPECT_NEAR(column(none), told->estimate.column, 1e-3);
    QVERIFY(std::abs(column(none) - 61.2) < 0.1 && std::abs(column(flat) - 61.2) > 0.1);
    QVERIFY2(!none.output.contains("not certain"), none.text().constData());
    QVERIFY(read_scan(path("again.scan.json")).lacks_flat);
  }

  void whatTellsNoAxisIsRefused() {
    write("sixth.scan.json", 60);
    const Answer answer = cli("align sixth.scan.json --out no.scan.json");
    QCOMPARE(answer.code, 1);
    QVERIFY2(answer.errors.contains("sixth.scan.json: the data do not tell the axis"),
             answer.text().constData());
    QVERIFY(!QFile::exists(folder_.filePath("no.scan.json")));
  }
};

GANTRY_TEST(TestCliAlign)
#include "test_cli_align.moc"
