#include "gui/render/geometry_scene.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pixels.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestGeometryScene : public QObject {
  Q_OBJECT

  static ScanSpec spec(Beam beam, DetectorShape shape = DetectorShape::flat) {
    ScanSpec s;
    s.beam = beam;
    s.detector = shape;
    s.source_to_isocenter_mm = 500;
    s.source_to_detector_mm = 900;
    s.detector_columns = 200;
    s.detector_rows = beam == Beam::cone ? 80 : 1;
    s.column_pitch_mm = 2;
    s.row_pitch_mm = 2;
    s.central_column = 99.5;
    s.central_row = 0.5 * (s.detector_rows - 1);
    s.view_angles_rad = angles_from_degrees(0, 1, 360);
    return s;
  }
  static std::shared_ptr<const ScanGeometry> geometry(const ScanSpec& s) {
    return std::make_shared<ScanGeometry>(s);
  }
  static VolumeGrid grid() { return VolumeGrid::centered(100, 100, 40, {1.5, 1.5, 1.5}); }

  static const Sketch::Label* label(const Sketch& sketch, const std::string& text) {
    const auto found = std::ranges::find(sketch.labels, text, &Sketch::Label::text);
    return found == sketch.labels.end() ? nullptr : &*found;
  }
  static bool near(Vec3 a, Vec3 b, double tolerance = 1e-6) { return norm(a - b) <= tolerance; }

 private slots:
  void initTestCase() { NEEDS_DISPLAY(); }

  void sourceAndDetectorStandWhereTheGeometrySays() {
    const auto scan = geometry(spec(Beam::cone));
    const Sketch sketch = sketchScan(*scan, grid(), 90, Theme::on(rgb(0x1E1E1E)));
    // At 90 degrees the source stands at (SID, 0, 0), after the definition of the gantry angle.
    QVERIFY(near(sketch.balls.front().centre, {500, 0, 0}, 1e-9));
    // The four corners of the detector: x = -(SDD - SID), y and z at half its width and height.
    for (const double y : {-200.0, 200.0})
      for (const double z : {-80.0, 80.0})
        QVERIFY(std::ranges::any_of(sketch.lines, [&](const Sketch::Line& line) {
          return near(line.points.front(), {500, 0, 0}) && near(line.points.back(), {-400, y, z});
        }));
  }

  void arrowsPointTheWayThingsCount() {
    const auto scan = geometry(spec(Beam::cone));
    for (const int view : {0, 77, 200}) {
      const Sketch sketch = sketchScan(*scan, grid(), view, Theme::on(rgb(0xFFFFFF)));
      const View pose = scan->view(view);
      const auto along = [&](const char* name) {
        const Sketch::Label* l = label(sketch, name);
        return l ? normalized(l->at - l->away_from) : Vec3{};
      };
      QVERIFY(near(along("x"), {1, 0, 0}) && near(along("y"), {0, 1, 0}) &&
              near(along("z"), {0, 0, 1}));
      QVERIFY(near(along("u"), normalized(pose.u_mm)));
      QVERIFY(near(along("v"), normalized(pose.v_mm)));
      // Growing angle: where the source goes next.
      const Vec3 next = scan->view(view + 32).source_mm - scan->view(view + 31).source_mm;
      QVERIFY(dot(along("t"), normalized(next)) > 0.99);
    }
  }

  void arcDetectorIsAnArcAboutTheSource() {
    const auto scan = geometry(spec(Beam::fan, DetectorShape::arc));
    const Sketch sketch = sketchScan(*scan, grid(), 10, Theme::on(rgb(0x1E1E1E)));
    const Vec3 source = scan->view(10).source_mm;
    int on_arc = 0;
    for (const Sketch::Line& line : sketch.lines)
      if (line.bold && line.points.size() > 20)
        for (const Vec3& p : line.points)
          if (std::abs(std::hypot(p.x - source.x, p.y - source.y) - 900) < 1e-6) ++on_arc;
    QVERIFY(on_arc >= 2 * 40);
  }

  void parallelBeamHasNoSource() {
    ScanSpec s = spec(Beam::parallel);
    const auto scan = geometry(s);
    const Sketch sketch = sketchScan(*scan, grid(), 30, Theme::on(rgb(0x1E1E1E)));
    QVERIFY(sketch.balls.empty());
    QVERIFY(!label(sketch, "S"));
    QVERIFY(label(sketch, "D") && label(sketch, "t"));
    const Vec3 direction = scan->ray(30, 50, 0).direction;
    int rays = 0;
    for (const Sketch::Line& line : sketch.lines)
      if (line.points.size() == 2 && norm(line.points[1] - line.points[0]) > 200 &&
          near(normalized(line.points[1] - line.points[0]), direction))
        ++rays;
    QVERIFY(rays >= 5);
  }

  void helixRises() {
    ScanSpec s = spec(Beam::cone);
    s.trajectory = Trajectory::helical;
    s.helical_feed_mm_per_turn = 120;
    s.view_angles_rad = angles_from_degrees(-360, 2, 361);
    const auto scan = geometry(s);
    const Sketch sketch = sketchScan(*scan, grid(), 0, Theme::on(rgb(0x1E1E1E)));
    QVERIFY(near(sketch.balls.front().centre, scan->view(0).source_mm));
    QVERIFY(std::ranges::any_of(sketch.lines, [](const Sketch::Line& line) {
      return line.points.size() > 100 && std::abs(line.points.front().z + 120) < 1e-6 &&
             std::abs(line.points.back().z - 120) < 1e-6;
    }));
  }

  /// A tilted detector stands where its pose says; there is no gantry angle to show.
  void posesAreDrawnAsGiven() {
    for (const ScanCase& c : pose_cases()) {
      const Sketch sketch = sketchScan(*c.geometry, c.grid, 4, Theme::on(rgb(0x1E1E1E)));
      const View pose = c.geometry->view(4);
      const bool cone = c.geometry->beam() == Beam::cone;
      QVERIFY(!label(sketch, "t"));
      QCOMPARE(label(sketch, "S") != nullptr, cone);
      const auto along = [&](const char* name) {
        const Sketch::Label* l = label(sketch, name);
        return l ? normalized(l->at - l->away_from) : Vec3{};
      };
      QVERIFY(near(along("u"), normalized(pose.u_mm)));
      QVERIFY(near(along("v"), normalized(pose.v_mm)));
      const Vec3 corner = ViewRays(*c.geometry, 4).detector_point_mm(-0.5, -0.5);
      QVERIFY(std::ranges::any_of(sketch.faces, [&](const Sketch::Face& face) {
        return near(face.corners.front(), corner);
      }));
      // The sources in their order.
      if (cone)
        QVERIFY(std::ranges::any_of(sketch.lines, [&](const Sketch::Line& line) {
          return line.points.size() == 9 && near(line.points[7], c.geometry->view(7).source_mm);
        }));
    }
  }

  void boundsHoldEveryView() {
    std::vector<ScanCase> cases = pose_cases();
    for (const Beam beam : {Beam::parallel, Beam::fan, Beam::cone})
      cases.push_back({"", geometry(spec(beam)), grid()});
    ScanSpec helical = spec(Beam::cone);
    helical.trajectory = Trajectory::helical;
    helical.helical_feed_mm_per_turn = 300;
    cases.push_back({"", geometry(helical), grid()});
    for (const ScanCase& c : cases) {
      const auto& scan = c.geometry;
      const SketchBounds bounds = sketchBounds(*scan, c.grid);
      for (int view = 0; view < scan->views(); view += std::max(1, scan->views() / 8))
        for (const Sketch::Line& line :
             sketchScan(*scan, c.grid, view, Theme::on(rgb(0x1E1E1E))).lines)
          for (const Vec3& p : line.points)
            QVERIFY2(norm(p - bounds.centre()) < 1.15 * bounds.reach(),
                     qPrintable(QStringLiteral("%1: %2 mm of %3")
                                    .arg(QString::fromStdString(describe(*scan)))
                                    .arg(norm(p - bounds.centre()))
                                    .arg(bounds.reach())));
    }
  }

  void sourceIsDrawnAtItsPlace() {
    GeometryScene scene;
    scene.setGeometry(geometry(spec(Beam::cone)), grid());
    for (const double scale : {1.0, 2.0})
      for (const int view : {0, 60, 290}) {
        scene.setView(view);
        const int w = static_cast<int>(400 * scale), h = static_cast<int>(300 * scale);
        const RgbImage image = renderOffscreen(scene, w, h, scale);
        scene.resize(w, h, scale);
        scene.prepare();
        const PointPx p = scene.worldToDisplay(scene.sketch().balls.front().centre);
        QVERIFY(p.x > 0 && p.x < 400 && p.y > 0 && p.y < 300);
        const Rgb c = image.at(static_cast<int>(p.x * scale), static_cast<int>(p.y * scale));
        QVERIFY2(c.r > 140 && c.g > 100 && c.b < 90,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(c.r).arg(c.g).arg(c.b)));
      }
  }

  void everythingIsInSightAtEveryShape() {
    GeometryScene scene;
    scene.setGeometry(geometry(spec(Beam::cone, DetectorShape::arc)), grid());
    for (const auto& [w, h] : {std::pair{420, 320}, {200, 400}, {500, 150}, {160, 120}})
      for (int view = 0; view < 360; view += 40) {
        scene.setView(view);
        scene.resize(w, h, 1);
        scene.prepare();
        for (const Sketch::Line& line : scene.sketch().lines)
          for (const Vec3& world : line.points) {
            const PointPx p = scene.worldToDisplay(world);
            QVERIFY(p.x > 0 && p.x < w && p.y > 0 && p.y < h);
          }
      }
  }

  void orbitTurnsAndResets() {
    GeometryScene scene;
    scene.setGeometry(geometry(spec(Beam::fan)), grid());
    scene.resize(300, 300, 1);
    scene.prepare();
    const PointPx before = scene.worldToDisplay({200, 0, 0});
    scene.camera().orbit(90, 10);
    scene.camera().zoom(1.5);
    scene.prepare();
    const PointPx turned = scene.worldToDisplay({200, 0, 0});
    QVERIFY(std::hypot(turned.x - before.x, turned.y - before.y) > 20);
    scene.camera().orbit(0, 1000);  // stops above the pole
    scene.prepare();
    QVERIFY(scene.worldToDisplay({0, 0, 0}).x > 0);
    scene.camera().reset();
    scene.prepare();
    EXPECT_NEAR(scene.worldToDisplay({200, 0, 0}).x, before.x, 1e-6);
  }

  void withoutAScanItSaysSo() {
    GeometryScene scene;
    scene.setHint("Choose a geometry");
    scene.setBackground(rgb(0xFFFFFF));
    const RgbImage image = renderOffscreen(scene, 300, 200);
    QVERIFY(countNear(image, scene.theme().muted, 60) > 50);
    scene.setView(5);
    QCOMPARE(scene.view(), 0);
    scene.setGeometry(geometry(spec(Beam::fan)), grid());
    scene.setView(9999);
    QCOMPARE(scene.view(), 359);
    scene.setGeometry(nullptr, grid());
    renderOffscreen(scene, 300, 200);
  }
};

GANTRY_TEST(TestGeometryScene)
#include "test_geometry_scene.moc"
