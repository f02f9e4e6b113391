// RTK's geometry against the matrices that its files hold, and against closed forms.
#include "core/base/error.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QRegularExpression>
#include <QTemporaryDir>

#include <array>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

using Matrix = std::array<double, 12>;
constexpr KnownDetector detector{64, 48, 0.8};

/// RTK's y is the axis of rotation.
Vec3 to_rtk(Vec3 world) { return {world.x, world.z, -world.y}; }

/// Checks that points on the rays to some cells land, by the matrix, in the middle of these cells.
void expect_matrix(const ScanSpec& spec, std::size_t view, const Matrix& m) {
  const View& pose = spec.poses[view];
  for (const double column : {0.0, 21.5, 63.0})
    for (const double row : {0.0, 30.25, 47.0}) {
      const Vec3 cell = pose.detector_mm + (column - spec.central_column) * pose.u_mm +
                        (row - spec.central_row) * pose.v_mm;
      for (const double part : {0.3, 0.7}) {
        const Vec3 p = to_rtk(pose.source_mm + part * (cell - pose.source_mm));
        const auto times = [&](std::size_t line) {
          return m[4 * line] * p.x + m[4 * line + 1] * p.y + m[4 * line + 2] * p.z +
                 m[4 * line + 3];
        };
        EXPECT_NEAR(times(0) / times(2), (column - 31.5) * detector.pixel_mm, 1e-6);
        EXPECT_NEAR(times(1) / times(2), (row - 23.5) * detector.pixel_mm, 1e-6);
      }
    }
}

std::vector<Matrix> matrices_in(const QString& xml) {
  static const QRegularExpression element(QStringLiteral("<Matrix>([^<]*)</Matrix>"));
  std::vector<Matrix> matrices;
  for (auto at = element.globalMatch(xml); at.hasNext();) {
    const QStringList words = at.next().captured(1).simplified().split(' ');
    Matrix matrix{};
    for (std::size_t i = 0; i < matrix.size(); ++i)
      matrix[i] = words[static_cast<qsizetype>(i)].toDouble();
    matrices.push_back(matrix);
  }
  return matrices;
}

QByteArray document(const QByteArray& inner, const QByteArray& version = "3") {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY>\n<RTKThreeDCircularGeometry version=\"" +
         version + "\">\n" + inner + "</RTKThreeDCircularGeometry>\n";
}
constexpr const char* distances =
    "<SourceToIsocenterDistance>1000</SourceToIsocenterDistance>\n"
    "<SourceToDetectorDistance>1536</SourceToDetectorDistance>\n";

}  // namespace

class TestRtkGeometry : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string path() const { return folder_.filePath("geometry.xml").toStdString(); }
  StatedGeometry read(const QByteArray& bytes) const {
    write_file(path(), bytes);
    return read_stated_geometry(path(), detector);
  }
  static QByteArray sample() {
    return bytes_of_file(data_path("scans-in/geom_rtk_xml/rtk_geometry_doc_example.xml"));
  }

 private slots:
  void aFlatDetectorHasTheMatricesOfTheFile() {
    NEED_DATA("scans-in/geom_rtk_xml");
    QString xml = QString::fromUtf8(sample());
    xml.remove(QRegularExpression(QStringLiteral("<Radius.*Detector>")));
    const StatedGeometry stated = read(xml.toUtf8());
    QVERIFY(stated.notes.empty());
    QVERIFY(stated.spec.trajectory == Trajectory::poses && stated.spec.beam == Beam::cone);
    const std::vector<Matrix> matrices = matrices_in(xml);
    QCOMPARE(stated.spec.poses.size(), matrices.size());
    for (std::size_t view = 0; view < matrices.size(); ++view)
      expect_matrix(stated.spec, view, matrices[view]);
  }

  /// In the sample the detector is a cylinder about the source.
  void aCylinderAboutTheSourceIsAnArc() {
    NEED_DATA("scans-in/geom_rtk_xml");
    const StatedGeometry stated = read(sample());
    QVERIFY(stated.spec.detector == DetectorShape::arc);
    QVERIFY(stated.spec.trajectory == Trajectory::circular);
    EXPECT_NEAR(stated.spec.source_to_isocenter_mm, 1000, 1e-9);
    EXPECT_NEAR(stated.spec.source_to_detector_mm, 1536, 1e-9);
    EXPECT_NEAR(degrees(stated.spec.view_angles_rad[0]), 271.847274780273, 1e-9);
    EXPECT_NEAR(degrees(stated.spec.view_angles_rad[1]), 271.852905273438, 1e-9);
    EXPECT_NEAR(stated.spec.central_column, 31.5 + 117.056503295898 / 0.8, 1e-9);
    EXPECT_NEAR(stated.spec.central_row, 23.5 + 1.01195001602173 / 0.8, 1e-9);
    QCOMPARE(stated.notes.size(), std::size_t{1});  // 0.33 um of wobble between the two
    QVERIFY(stated.notes[0].find("less than a hundredth of a cell") != std::string::npos);
  }

  void otherCylindersAreRefused() {
    const QByteArray begin =
        QByteArray("<RadiusCylindricalDetector>1536</RadiusCylindricalDetector>\n") + distances;
    EXPECT_THROWS(InputError,
                  read(document(QByteArray(begin).replace("Detector>1536", "Detector>900") +
                                "<Projection/>")),
                  "cylindrical detector of radius 900 mm");
    EXPECT_THROWS(InputError, read(document(begin + "<InPlaneAngle>1</InPlaneAngle><Projection/>")),
                  "cylindrical detector that is tilted");
    EXPECT_THROWS(
        InputError,
        read(document(begin + "<Projection/><Projection><ProjectionOffsetX>1</ProjectionOffsetX>"
                              "</Projection>")),
        "cylindrical detector whose offsets change by 1 mm");
    const StatedGeometry plain = read(document(begin + "<Projection/>"));
    QVERIFY(plain.spec.detector == DetectorShape::arc && plain.notes.empty());
    QVERIFY(plain.spec.beam == Beam::cone);
    QVERIFY(read_stated_geometry(path(), {64, 1, 0.8}).spec.beam == Beam::fan);
  }

  /// All nine parameters at once, against the matrix of RTK's documentation, multiplied out here.
  void everyParameterCounts() {
    const double sid = 700, sdd = 1100, g = 0.7, o = 0.2, i = -0.4, sx = 5, sy = -3, px = 20,
                 py = 12;
    using Rows = std::vector<std::vector<double>>;
    const auto product = [](const Rows& a, const Rows& b) {
      Rows c(a.size(), std::vector<double>(b[0].size()));
      for (std::size_t r = 0; r < a.size(); ++r)
        for (std::size_t k = 0; k < b.size(); ++k)
          for (std::size_t n = 0; n < b[0].size(); ++n) c[r][n] += a[r][k] * b[k][n];
      return c;
    };
    const Rows turn = product(product({{std::cos(-i), -std::sin(-i), 0, 0},
                                       {std::sin(-i), std::cos(-i), 0, 0},
                                       {0, 0, 1, 0},
                                       {0, 0, 0, 1}},
                                      {{1, 0, 0, 0},
                                       {0, std::cos(-o), -std::sin(-o), 0},
                                       {0, std::sin(-o), std::cos(-o), 0},
                                       {0, 0, 0, 1}}),
                              {{std::cos(-g), 0, std::sin(-g), 0},
                               {0, 1, 0, 0},
                               {-std::sin(-g), 0, std::cos(-g), 0},
                               {0, 0, 0, 1}});
    const Rows all =
        product(product({{1, 0, sx - px}, {0, 1, sy - py}, {0, 0, 1}},
                        {{-sdd, 0, 0, 0}, {0, -sdd, 0, 0}, {0, 0, 1, -sid}}),
                product({{1, 0, 0, -sx}, {0, 1, 0, -sy}, {0, 0, 1, 0}, {0, 0, 0, 1}}, turn));
    Matrix matrix{};
    for (std::size_t k = 0; k < 12; ++k) matrix[k] = all[k / 4][k % 4];
    const auto element = [](const char* name, double value) {
      return QByteArray("<") + name + ">" + QByteArray::number(value, 'g', 17) + "</" + name +
             ">\n";
    };
    const QByteArray inner =
        element("SourceToIsocenterDistance", sid) + element("SourceToDetectorDistance", sdd) +
        element("SourceOffsetX", sx) + element("SourceOffsetY", sy) +
        element("ProjectionOffsetX", px) + element("ProjectionOffsetY", py) + "<Projection>\n" +
        element("GantryAngle", degrees(g)) + element("OutOfPlaneAngle", degrees(o)) +
        element("InPlaneAngle", degrees(i));
    const StatedGeometry stated = read(document(inner + "</Projection>\n", "2"));
    expect_matrix(stated.spec, 0, matrix);
    QVERIFY(stated.notes.empty());
    // A matrix of other parameters is noted, and the parameters stand.
    const StatedGeometry other =
        read(document(inner + "<Matrix>1 0 0 0 0 1 0 0 0 0 1 0</Matrix></Projection>\n"));
    QVERIFY(other.spec == stated.spec);
    QCOMPARE(other.notes.size(), std::size_t{1});
    QVERIFY(other.notes[0].find("the matrices of 1 of 1 projections") != std::string::npos);
  }

  /// A file of matrices alone has the geometry that its parameters have.
  void matricesAlone() {
    NEED_DATA("scans-in/geom_rtk_xml");
    QString xml = QString::fromUtf8(sample());
    xml.remove(QRegularExpression(QStringLiteral("<Radius.*Detector>")));
    const std::vector<Matrix> matrices = matrices_in(xml);
    xml.remove(QRegularExpression(
        QStringLiteral("<(Source|GantryAngle|ProjectionOffset)[A-Za-z]*>[^<]*</[A-Za-z]*>")));
    QVERIFY(!xml.contains("GantryAngle") && !xml.contains("Distance"));
    const StatedGeometry stated = read(xml.toUtf8());
    QVERIFY(stated.spec.beam == Beam::cone);
    QCOMPARE(stated.spec.poses.size(), matrices.size());
    for (std::size_t view = 0; view < matrices.size(); ++view)
      expect_matrix(stated.spec, view, matrices[view]);
    EXPECT_NEAR(norm(stated.spec.poses[0].u_mm), detector.pixel_mm, 1e-9);
    QCOMPARE(stated.notes.size(), std::size_t{1});
    QVERIFY(stated.notes[0].ends_with("GantryAngle: its matrices were taken"));
  }

  /// Elements that RTK does not know may be parameters that are misspelled.
  void unknownElements() {
    const QByteArray views =
        "<Projection><GantryAngle>0</GantryAngle></Projection>"
        "<Projection><GantryAngle>90</GantryAngle></Projection>";
    EXPECT_THROWS(
        InputError,
        read(document(QByteArray(distances).replace("DetectorDistance", "Detector") + views)),
        "states no SourceToDetectorDistance, but SourceToDetector, which RTK does not know");
    EXPECT_THROWS(
        InputError,
        read(document(distances + QByteArray(views).replace("GantryAngle", "Gantryangle"))),
        "states no GantryAngle, but Gantryangle");
    const StatedGeometry more = read(document(distances + QByteArray("<Kv>80</Kv>") + views));
    QCOMPARE(more.notes.size(), std::size_t{1});
    QCOMPARE(more.notes[0], std::string("left out, since RTK does not know it: Kv"));
    const StatedGeometry still =
        read(document(distances + QByteArray("<Projection/><Projection/>")));
    QVERIFY(still.notes.at(0).starts_with("the file states no GantryAngle: all 2 views"));
    const StatedGeometry plain = read(document(
        distances + QByteArray("<CollimationUInf>5</CollimationUInf><!-- a comment -->") + views));
    QVERIFY(plain.notes.empty());
  }

  void impossibleDistances_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("panel");
    QTest::addColumn<QString>("said");
    const auto add = [](const char* source, const char* panel, const char* said) {
      QTest::addRow("%s, %s", source, panel) << QByteArray(source) << QByteArray(panel) << said;
    };
    add("1500", "900", "in 1 of 1 views the origin");
    add("-500", "900", "SourceToIsocenterDistance is -500 mm in projection 1; give");
    add("0", "900", "SourceToIsocenterDistance is 0 mm in projection 1; give");
    add("500", "-900", "SourceToDetectorDistance is -900 mm in projection 1; give");
    add("500", "500", "");
  }
  void impossibleDistances() {
    QFETCH(const QByteArray, source);
    QFETCH(const QByteArray, panel);
    QFETCH(const QString, said);
    const QByteArray text =
        document(QByteArray(distances).replace("1000", source).replace("1536", panel) +
                 "<Projection><GantryAngle>20</GantryAngle></Projection>");
    if (said.endsWith("give")) {
      EXPECT_THROWS(InputError, read(text), said.toStdString());
      return;
    }
    const std::vector<std::string> notes = read(text).notes;
    QCOMPARE(notes.size(), std::size_t{said.isEmpty() ? 0U : 1U});
    QVERIFY(notes.empty() || notes[0].starts_with(said.toStdString()));
  }

  /// Without a distance of the detector the beam is parallel, and hits it at right angles.
  void aParallelBeam() {
    const StatedGeometry stated = read(
        document("<SourceToIsocenterDistance>500</SourceToIsocenterDistance>\n"
                 "<Projection><GantryAngle>90</GantryAngle><ProjectionOffsetX>4</ProjectionOffsetX>"
                 "</Projection>"));
    QVERIFY(stated.spec.beam == Beam::parallel);
    QVERIFY(stated.spec.trajectory == Trajectory::circular);
    const ScanGeometry geometry(stated.spec);
    const View pose = geometry.view(0);
    const Vec3 ray = normalized(pose.detector_mm - pose.source_mm);
    EXPECT_NEAR(norm(ray - Vec3{-1, 0, 0}), 0, 1e-12);  // at 90 degrees the source is at +x
    EXPECT_NEAR(norm(pose.u_mm - Vec3{0, 0.8, 0}), 0, 1e-12);
    EXPECT_NEAR(ViewRays(geometry, 0).detector_point_mm(31.5, 23.5).y, 4, 1e-9);
  }

  void whatIsMissingIsNamed() {
    write_file(path(), document(QByteArray(distances) + "<Projection/>"));
    EXPECT_THROWS(InputError, read_geometry(path()), "does not state the size of the detector");
    EXPECT_THROWS(InputError, read_stated_geometry(path(), {64, 48, 0}), "distance of detector");
    EXPECT_THROWS(InputError, read(document(distances)), "holds no projections");
    EXPECT_THROWS(InputError, read(document("<Projection/>", "1")), "is version \"1\"");
    EXPECT_THROWS(InputError,
                  read(document("<Projection><GantryAngle>x</GantryAngle></Projection>")),
                  "projection 1: GantryAngle does not hold 1 number");
  }

  void cutFiles() {
    write_file(path(), document(QByteArray(distances) +
                                "<Projection><GantryAngle>12.5</GantryAngle></Projection>\n"
                                "<Projection><GantryAngle>13.5</GantryAngle></Projection>\n"));
    read_cut_files(path(), [&] { read_stated_geometry(path(), detector); });
  }
};

GANTRY_TEST(TestRtkGeometry)
#include "test_rtk_geometry.moc"
