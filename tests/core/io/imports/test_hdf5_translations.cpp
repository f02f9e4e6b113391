// Translations of the sample in HDF5: a ball that was moved while it turned, measured in the frame
// of the room, lies still in the geometry that is imported.
#include "core/base/error.hpp"
#include "core/io/imports/import_json.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr double radius_mm = 3, beam = 60000;
constexpr Vec3 centre_mm{2.5, -1.5, 0.5};

/// A scan of the ball in the frame of the room, of which NeXus tells: x to the left as one looks
/// along the beam, y up, z along the beam.
struct BallScan {
  int views = 24, rows = 14, columns = 32;
  double pixel_mm = 1, source_mm = 0, detector_mm = 0;  ///< distances to the axis; 0: parallel
  double axis_column = 15.5;
  double arc_deg = 360;
  std::vector<double> x, y, z;  ///< translations, mm

  explicit BallScan(int count = 24) : views(count) {
    x.assign(static_cast<std::size_t>(count), 0);
    y = z = x;
  }
  double angle_rad(int view) const { return radians(arc_deg * view / views); }
  /// The thickness of the ball along the ray to a cell, [view][row][column], the first row on top.
  double thickness_mm(int view, int row, int column) const {
    const auto i = static_cast<std::size_t>(view);
    const double t = angle_rad(view), c = std::cos(t), s = std::sin(t);
    // The object turns clockwise as seen from above, by which the source goes the other way.
    const Vec3 ball{c * centre_mm.x + s * centre_mm.y - x[i],
                    -s * centre_mm.x + c * centre_mm.y + z[i], centre_mm.z + y[i]};
    const double across = (column - axis_column) * pixel_mm,
                 up = (0.5 * (rows - 1) - row) * pixel_mm;
    const Vec3 cell{across, detector_mm, up},
        from = source_mm > 0 ? Vec3{0, -source_mm, 0} : Vec3{across, -1, up};
    const Vec3 along = normalized(cell - from), to_ball = ball - from;
    const double square =
        radius_mm * radius_mm - dot(to_ball, to_ball) + dot(to_ball, along) * dot(to_ball, along);
    return square > 0 ? 2 * std::sqrt(square) : 0;
  }
  std::vector<double> counts() const {
    std::vector<double> all;
    for (int view = 0; view < views; ++view)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
          all.push_back(beam * std::exp(-0.2 * thickness_mm(view, row, column)));
    return all;
  }
};

/// How the lists of translations are called and stored.
struct Names {
  const char *x = "/entry/sample/x_translation", *y = "/entry/sample/y_translation",
             *z = "/entry/sample/z_translation";
  const char* unit = "mm";
  double offset = 0;  ///< that the zero of the motors adds
};

/// Leaves the names of translations to lists that a test adds.
const Names elsewhere{.x = "/lists/a", .y = "/lists/b", .z = "/lists/c"};

std::vector<double> jitter(int count, double most, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> any(-most, most);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(any(engine));
  return values;
}

}  // namespace

class TestHdf5Translations : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path() const { return folder_->filePath("t.nxs").toStdString(); }

  void write(const BallScan& ball, const Names& names = {},
             const std::function<void(const Hdf5Writer&)>& add_more = {},
             const BallScan* lists = nullptr) const {
    const Hdf5Writer file(path());
    const auto views = static_cast<std::size_t>(ball.views), frames = views + 1;
    const std::vector<hsize_t> size = {frames, static_cast<hsize_t>(ball.rows),
                                       static_cast<hsize_t>(ball.columns)};
    std::vector<double> counts(static_cast<std::size_t>(ball.rows * ball.columns), beam);
    std::vector<std::uint16_t> keys(frames);
    keys[0] = 1;  // a flat, at which the sample is far away
    std::ranges::copy(ball.counts(), std::back_inserter(counts));
    file.add("/entry/detector/data", size, counts);
    file.add("/entry/detector/image_key", {frames}, keys);
    file.add("/entry/detector/x_pixel_size", {1}, std::vector<double>{ball.pixel_mm}, "mm");
    std::vector<double> angles = {0};
    for (int view = 0; view < ball.views; ++view) angles.push_back(degrees(ball.angle_rad(view)));
    file.add("/entry/sample/rotation_angle", {frames}, angles, "deg");
    const auto add = [&](const char* name, const std::vector<double>& moves) {
      std::vector<double> list = {1000};
      for (const double move : moves) list.push_back(move + names.offset);
      file.add(name, {frames}, list, names.unit);
    };
    const BallScan& said = lists != nullptr ? *lists : ball;
    add(names.x, said.x);
    add(names.y, said.y);
    add(names.z, said.z);
    if (add_more) add_more(file);
  }
  ImportRequest request(const BallScan& ball) const {
    ImportRequest request;
    request.path = path();
    request.centre = ball.axis_column;
    request.source_to_axis_mm = ball.source_mm;
    request.source_to_detector_mm = ball.source_mm > 0 ? ball.source_mm + ball.detector_mm : 0;
    return request;
  }
  /// The greatest difference of the line integrals to those of a ball that lies still.
  static double largest_error(const ImportedScan& imported, Vec3 ball_mm) {
    const ScanGeometry& geometry = *imported.scan.geometry;
    double largest = 0;
    std::size_t at = 0;
    for (int view = 0; view < geometry.views(); ++view)
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 0; column < geometry.columns(); ++column) {
          const Ray ray = geometry.ray(view, column, row);
          const Vec3 off = cross(ball_mm - ray.origin_mm, ray.direction);
          const double square = radius_mm * radius_mm - dot(off, off),
                       expected = square > 0 ? 0.2 * 2 * std::sqrt(square) : 0;
          largest = std::max(largest, std::abs(expected - imported.scan.line_integrals[at++]));
        }
    return largest;
  }
  /// Returns from what the import says that it has the axis of rotation.
  static std::string reason_of_centre(const ImportedScan& imported) {
    for (const Assumption& one : imported.assumptions)
      if (one.what == "centre of rotation") return one.why;
    return {};
  }
  /// The mean of the translations, which is no move.
  static Vec3 mean_place(const BallScan& ball) {
    const auto mean = [](const std::vector<double>& values) {
      double sum = 0;
      for (const double value : values) sum += value;
      return sum / static_cast<double>(values.size());
    };
    return {mean(ball.x), mean(ball.y), mean(ball.z)};
  }
  /// A ball whose translations have no mean, so that its place is known.
  static BallScan moved_ball() {
    BallScan ball;
    ball.x = jitter(ball.views, 4, 1);
    ball.y = jitter(ball.views, 2, 2);
    ball.z = jitter(ball.views, 3, 3);
    const Vec3 mean = mean_place(ball);
    for (double& value : ball.x) value -= mean.x;
    for (double& value : ball.y) value -= mean.y;
    for (double& value : ball.z) value -= mean.z;
    return ball;
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void theObjectLiesStill_data() {
    QTest::addColumn<double>("source_mm");
    QTest::addRow("parallel beam") << 0.0;
    QTest::addRow("cone beam") << 60.0;
  }
  void theObjectLiesStill() {
    QFETCH(double, source_mm);
    BallScan ball = moved_ball();
    ball.source_mm = source_mm;
    ball.detector_mm = source_mm > 0 ? 12 : 0;
    write(ball);
    const ImportedScan scan = import_scan(request(ball));
    QVERIFY(scan.scan.geometry->spec().trajectory == Trajectory::poses);
    QVERIFY2(largest_error(scan, centre_mm) < 1e-5,
             QByteArray::number(largest_error(scan, centre_mm)));
    QVERIFY(std::ranges::any_of(scan.assumptions, [](const Assumption& one) {
      return one.what == "moves of the object" && one.why == "the axes of NeXus (McStas)" &&
             one.value.starts_with("/entry/sample/x_translation, over ") &&
             one.value.find("to the left as seen from the source") != std::string::npos;
    }));
    ImportRequest still = request(ball);
    still.only_turns = true;
    const ImportedScan circle = import_scan(still);
    QVERIFY(circle.scan.geometry->spec().trajectory == Trajectory::circular);
    QVERIFY(largest_error(circle, centre_mm) > 0.1);
    QVERIFY(has_part(circle.scan.notes, "was left out, as was asked"));
  }

  /// The zero of a motor is arbitrary.
  void aConstantTranslationChangesNothing() {
    BallScan ball = moved_ball();
    write(ball);
    const ScanSpec expected = import_scan(request(ball)).scan.geometry->spec();
    Names shifted;
    shifted.offset = 25;
    write(ball, shifted);
    const ScanSpec spec = import_scan(request(ball)).scan.geometry->spec();
    for (std::size_t i = 0; i < expected.poses.size(); ++i)
      for (const Vec3 off : {spec.poses[i].source_mm - expected.poses[i].source_mm,
                             spec.poses[i].detector_mm - expected.poses[i].detector_mm})
        QVERIFY(norm(off) < 1e-9);
    ball.x = ball.y = ball.z = std::vector<double>(ball.x.size(), 7);
    write(ball);
    const ImportedScan still = import_scan(request(ball));
    QVERIFY(still.scan.geometry->spec().trajectory == Trajectory::circular);
    QVERIFY(still.scan.notes.empty());
  }

  void theAxesAreThoseOfTheFile() {
    const BallScan ball = moved_ball();
    const Names esrf{"/entry/sample/y_translation", "/entry/sample/z_translation",
                     "/entry/sample/x_translation"};
    const auto error = [&](const Names& names, TranslationAxes axes,
                           const std::function<void(const Hdf5Writer&)>& add_more) {
      write(ball, names, add_more);
      ImportRequest asked = request(ball);
      asked.translations = axes;
      return largest_error(import_scan(asked), centre_mm);
    };
    const auto with = [](const char* name, const char* text) {
      return [=](const Hdf5Writer& file) { file.add_attribute("/entry", name, text); };
    };
    constexpr const char* system = "NeXus_Coordinate_System";
    constexpr auto as_stated = TranslationAxes::as_stated;
    QVERIFY(error({}, as_stated, with(system, "McStas")) < 1e-5);
    QVERIFY(error(esrf, as_stated, with("version", "1.4")) < 1e-5);  // of nxtomo, before McStas
    QVERIFY(error(esrf, as_stated, with(system, "ESRF")) < 1e-5);
    QVERIFY(error(esrf, TranslationAxes::esrf, {}) < 1e-5);
    QVERIFY(error({}, TranslationAxes::nexus, with("version", "1.4")) < 1e-5);
    QVERIFY(error(esrf, as_stated, {}) > 0.1);
    write(ball, {}, with(system, "lab"));
    const ImportedScan unknown = import_scan(request(ball));
    QVERIFY(unknown.scan.geometry->spec().trajectory == Trajectory::circular);
    QVERIFY(has_part(unknown.scan.notes, "since its axes, lab, are not known"));
  }

  /// Images that show left on the right: what the lists call a move to the left is one to the
  /// right for them.
  void imagesThatAreTurnedOver() {
    const BallScan ball = moved_ball();
    BallScan mirrored = ball;
    for (double& move : mirrored.x) move = -move;
    const auto error = [&](const char* name, double value, const char* unit = "") {
      write(
          ball, {},
          [&](const Hdf5Writer& file) { file.add(name, {1}, std::vector<double>{value}, unit); },
          &mirrored);
      return largest_error(import_scan(request(ball)), centre_mm);
    };
    QVERIFY(error("/entry/detector/transformations/ry", 180) < 1e-5);
    QVERIFY(error("/entry/detector/transformations/ry", pi, "rad") < 1e-5);
    QVERIFY(error("/entry/detector/x_flipped", 1) < 1e-5);
    QVERIFY(error("/entry/detector/transformations/ry", 0) > 0.1);
    const auto contradicted = [&](const char* way) {
      const std::string note =
          std::string("fit each other better with the moves of the object ") + way + " reversed";
      return has_part(import_scan(request(ball)).scan.notes, note.c_str());
    };
    QVERIFY(contradicted("across the beam") && !contradicted("upwards"));
    write(ball);
    QVERIFY(!contradicted("across the beam") && !contradicted("upwards"));
    for (double& move : mirrored.y) move = -move;
    mirrored.x = ball.x;
    write(ball, {}, {}, &mirrored);
    QVERIFY(!contradicted("across the beam") && contradicted("upwards"));
    mirrored.y = ball.y;
    for (double& move : mirrored.x) move = -move;
    QVERIFY(error("/entry/detector/transformations/rx", 180) > 0.1);
  }

  /// A cone beam whose sample rises evenly is a helix.
  void aHelix() {
    BallScan ball(48);
    ball.arc_deg = 720;
    ball.source_mm = 60;
    ball.detector_mm = 12;
    for (int view = 0; view < ball.views; ++view)
      ball.y[static_cast<std::size_t>(view)] = -2 + 5.0 * ball.angle_rad(view) / (2 * pi);
    write(ball);
    const ImportedScan scan = import_scan(request(ball));
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.trajectory == Trajectory::helical);
    EXPECT_NEAR(spec.helical_feed_mm_per_turn, -5, 1e-6);  // the source sinks past the object
    // At the angle 0 the source of a helix is at the height 0; there the object was 2 mm below.
    QVERIFY2(largest_error(scan, centre_mm + Vec3{0, 0, -2}) < 1e-5,
             QByteArray::number(largest_error(scan, centre_mm + Vec3{0, 0, -2})));
  }

  /// The axis is found as if the object only turned: its moves are 20 columns wide.
  void theAxisIsFoundBesideTheMoves() {
    BallScan ball(60);
    ball.columns = 64;
    ball.axis_column = 33.8;
    ball.x = jitter(ball.views, 10, 4);
    const Vec3 mean = mean_place(ball);
    for (double& move : ball.x) move -= mean.x;
    write(ball);
    ImportRequest open = request(ball);
    open.centre.reset();
    const ImportedScan scan = import_scan(open);
    EXPECT_NEAR(scan.scan.geometry->spec().central_column, 33.8, 0.1);
    QVERIFY(scan.scan.geometry->spec().trajectory == Trajectory::poses);
    QVERIFY(reason_of_centre(scan).ends_with(" pairs of views half a turn apart"));
  }

  /// In a cone beam, views half a turn apart are no mirror images: single rays are compared.
  void theAxisOfAConeBeamIsFoundFromItsRays() {
    BallScan ball(60);
    ball.columns = 64;
    ball.axis_column = 33.8;
    ball.source_mm = 120;
    ball.detector_mm = 12;
    write(ball);
    ImportRequest open = request(ball);
    open.centre.reset();
    const ImportedScan scan = import_scan(open);
    EXPECT_NEAR(scan.scan.geometry->spec().central_column, 33.8, 0.1);
    QVERIFY(reason_of_centre(scan).ends_with(" views that were measured from both sides"));
  }

  /// A move along the beam changes the magnification, which displaces what is seen at the edge that
  /// is further from the middle: here that of the columns, 16 cells, not that of the rows, 7.
  void aMoveAlongTheBeamCountsAtTheFurtherEdge() {
    BallScan ball;
    ball.source_mm = 60;
    ball.detector_mm = 12;
    const auto trajectory_of = [&](double range_mm) {
      for (std::size_t view = 0; view < ball.z.size(); ++view)
        ball.z[view] = (view % 2 == 0 ? 0.5 : -0.5) * range_mm;
      write(ball);
      return import_scan(request(ball)).scan.geometry->spec().trajectory;
    };
    QVERIFY(trajectory_of(0.1 * 60 / 14) == Trajectory::poses);
    QVERIFY(trajectory_of(0.1 * 60 / 18) == Trajectory::circular);
  }

  /// Each view keeps its own move where others are left out.
  void aPartOfTheViews() {
    const BallScan ball = moved_ball();
    write(ball);
    ImportRequest part = request(ball);
    part.part.every = 3;
    part.part.columns = {4, 29};
    part.part.rows = {2, 12};
    const ImportedScan scan = import_scan(part);
    QCOMPARE(scan.scan.geometry->views(), 8);
    QVERIFY(largest_error(scan, centre_mm) < 1e-5);
  }

  void whatCannotBeAppliedIsSaid() {
    const BallScan ball = moved_ball();
    const auto says = [&](const Names& names, const BallScan& lists, const char* part) {
      write(ball, names, {}, &lists);
      return has_part(import_scan(request(ball)).scan.notes, part);
    };
    Names without_unit;
    without_unit.unit = "";
    QVERIFY(says(without_unit, ball, "since no unit of length is stated"));
    BallScan lists = ball;
    for (const double wrong : {std::nan(""), 1e300, -HUGE_VAL}) {
      lists.x[3] = wrong;
      QVERIFY(says({}, lists, "since some of its values are no numbers"));
    }
    for (auto* moves : {&lists.x, &lists.y, &lists.z})
      for (double& move : *moves) move = 0.01 * std::sin(move);
    lists.x[3] = 0;
    QVERIFY(says({}, lists, "since it displaces the shadow by less than a tenth of a cell"));
    QVERIFY(import_scan(request(ball)).scan.geometry->spec().trajectory == Trajectory::circular);
    write(ball, {}, [](const Hdf5Writer& file) {
      file.add_text("/entry/detector/x_flipped", "true", false);
    });
    QVERIFY(has_part(import_scan(request(ball)).scan.notes,
                     "since whether the images are turned over cannot be read"));
    write(ball, {}, [](const Hdf5Writer& file) {  // of another scan
      file.add_text("/other/detector/x_flipped", "true", false);
    });
    QVERIFY(import_scan(request(ball)).scan.geometry->spec().trajectory == Trajectory::poses);
  }

  /// Where flats have no translations, and in the shapes in which programs store a column.
  void oneTranslationPerProjection() {
    const BallScan ball = moved_ball();
    const auto views = static_cast<hsize_t>(ball.views);
    write(ball, elsewhere, [&](const Hdf5Writer& file) {
      file.add("/entry/sample/x_translation", {views}, ball.x, "mm");
      file.add("/entry/sample/y_translation", {views, 1}, ball.y, "mm");
      file.add("/entry/sample/z_translation", {1, views}, ball.z, "mm");
    });
    const ImportedScan scan = import_scan(request(ball));
    QVERIFY(largest_error(scan, centre_mm) < 1e-5);
    QVERIFY(std::ranges::any_of(scan.assumptions, [](const Assumption& one) {
      return one.value.find("x_translation, one value per projection, over") != std::string::npos;
    }));
  }

  /// A list of another length or type is refused by name, unless only the turn is wanted.
  void listsThatDoNotFitAreRefused() {
    const BallScan ball = moved_ball();
    ImportRequest only_turns = request(ball);
    only_turns.only_turns = true;
    const auto expect_refusal = [&](const char* fault,
                                    const std::function<void(const Hdf5Writer&)>& add) {
      write(ball, elsewhere, add);
      EXPECT_THROWS(InputError, import_scan(request(ball)), fault);
      QVERIFY(has_part(import_scan(only_turns).scan.notes, fault));
    };
    expect_refusal("/entry/sample/x_translation has 7 values for 24 frames, or 25 with those of no",
                   [](const Hdf5Writer& file) {
                     file.add("/entry/sample/x_translation", {7}, std::vector<double>(7, 1), "mm");
                   });
    expect_refusal(
        "/entry/sample/z_translation holds no plain numbers",
        [](const Hdf5Writer& file) { file.add_records("/entry/sample/z_translation", 25); });
    write(ball, elsewhere, [](const Hdf5Writer& file) {  // where it stood, which is no move
      file.add("/entry/sample/x_translation", {1}, std::vector<double>{3}, "mm");
    });
    QVERIFY(import_scan(request(ball)).scan.geometry->spec().trajectory == Trajectory::circular);
  }

  void theExperimentHoldsTheAxes() {
    for (const auto axes :
         {TranslationAxes::as_stated, TranslationAxes::nexus, TranslationAxes::esrf}) {
      ImportSettings settings;
      settings.translations = axes;
      settings.only_turns = axes == TranslationAxes::as_stated;
      const nlohmann::json json = to_json(settings, "/");
      QVERIFY(import_from_json(JsonFields(json, "e.json"), "/") == settings);
    }
    const nlohmann::json wrong = {{"translations", "lab"}};
    EXPECT_THROWS(InputError, import_from_json(JsonFields(wrong, "e.json"), "/"), "translations");
    const nlohmann::json both = {{"translations", "esrf"}, {"only_turns", true}};
    EXPECT_THROWS(InputError, import_from_json(JsonFields(both, "e.json"), "/"),
                  "give translations or only_turns");
  }

  /// DataExchange does not define what x_translation is; the user may.
  void dataExchangeHasNoAxes() {
    const BallScan ball = moved_ball();
    {
      const Hdf5Writer file(path());
      const auto views = static_cast<std::size_t>(ball.views);
      file.add("/exchange/data", {views, 14, 32}, ball.counts());
      file.add("/exchange/data_white", {1, 14, 32}, std::vector<double>(14 * 32, beam));
      std::vector<double> angles;
      for (int view = 0; view < ball.views; ++view) angles.push_back(degrees(ball.angle_rad(view)));
      file.add("/exchange/theta", {views}, angles, "deg");
      file.add("/measurement/sample/x_translation", {views}, ball.x, "mm");
      file.add("/measurement/sample/y_translation", {views}, ball.y, "mm");
      file.add("/measurement/sample/z_translation", {views}, ball.z, "mm");
    }
    ImportRequest asked = request(ball);
    asked.pixel_mm = 1;
    const ImportedScan circle = import_scan(asked);
    QVERIFY(circle.scan.geometry->spec().trajectory == Trajectory::circular);
    QVERIFY(has_part(circle.scan.notes, "DataExchange does not define along which axes it moves"));
    asked.translations = TranslationAxes::nexus;
    QVERIFY(largest_error(import_scan(asked), centre_mm) < 1e-5);
    asked.pixel_mm = 0;
    const ImportedScan unknown = import_scan(asked);
    QVERIFY(unknown.scan.geometry->spec().trajectory == Trajectory::circular);
    QVERIFY(has_part(unknown.scan.notes, "since the size of a cell is not known; --pixel"));
  }
};

GANTRY_TEST(TestHdf5Translations)
#include "test_hdf5_translations.moc"
