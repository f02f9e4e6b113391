// Files of CIL's NEXUSDataWriter: source, detector, axes and scaled numbers as they state them; the
// object turns by CIL's angles.
#include "core/base/error.hpp"
#include "core/io/imports/import_scan.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/imports/formats/off_centre_ball.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace gantry;
using namespace gantry::test;

class TestCilScan : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string path() const { return folder_.filePath(QStringLiteral("a.nxs")).toStdString(); }

  /// What a file of CIL says; vectors of its config are those of cone_of_ball().
  struct Written {
    std::vector<const char*> labels = {"angle", "vertical", "horizontal"};
    const char *origin = "bottom-left", *unit = "degree", *type = "AcquisitionData";
    bool is_parallel = false, is_scaled = false;
    Vec3 axis{0, 0, 0};  ///< everything is moved by as much
    double initial_angle = 0;
  };

  void write(const ScanGeometry& geometry, const Written& written) const {
    const ScanSpec& spec = geometry.spec();
    const std::vector<float> integrals = OffCentreBall::integrals(geometry);
    const auto views = static_cast<std::size_t>(geometry.views()),
               rows = static_cast<std::size_t>(geometry.rows()),
               columns = static_cast<std::size_t>(geometry.columns());
    const std::string origin = written.origin;
    const auto size_of = [&](const std::string& label) {
      return label == "angle" ? views : label == "vertical" ? rows : columns;
    };
    std::vector<hsize_t> size;
    for (const char* label : written.labels) size.push_back(size_of(label));
    std::vector<double> values(integrals.size());
    for (std::size_t v = 0; v < views; ++v)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
          std::size_t at = 0;
          for (const std::string label : written.labels)
            at = at * size_of(label) + (label == "angle" ? v : label == "vertical" ? r : c);
          const std::size_t row = origin.starts_with("top") ? rows - 1 - r : r,
                            column = origin.ends_with("right") ? columns - 1 - c : c;
          values[at] = double{integrals[(v * rows + row) * columns + column]};
        }
    Hdf5Writer file(path());
    constexpr const char* data = "/entry1/tomo_entry/data/data";
    if (written.is_scaled) {
      std::vector<std::uint16_t> numbers;
      for (const double value : values)
        numbers.push_back(static_cast<std::uint16_t>(std::lround(value * 2e5 + 300)));
      file.add(data, size, numbers);
      file.add_attribute(data, "scale", std::vector<double>{2e5});
      file.add_attribute(data, "offset", std::vector<double>{300});
    } else {
      file.add(data, size, values);
    }
    file.add_attribute("/", "creator", std::string("NEXUSDataWriter.py"));
    file.add_attribute(data, "data_type", std::string(written.type));
    for (std::size_t i = 0; i < written.labels.size(); ++i)
      file.add_attribute(data, ("dim" + std::to_string(i)).c_str(), std::string(written.labels[i]));
    file.add_attribute(data, "panel_origin", origin);
    file.add_attribute(data, "pixel_size_h", std::vector<double>{spec.column_pitch_mm});
    file.add_attribute(data, "pixel_size_v", std::vector<double>{spec.row_pitch_mm});
    write_config(file, spec, written);
  }

  static void write_config(const Hdf5Writer& file, const ScanSpec& spec, const Written& written) {
    const std::string config = "/entry1/tomo_entry/config/";
    const auto add = [&](const std::string& name, Vec3 vector) {
      file.add((config + name).c_str(), {3}, std::vector<double>{vector.x, vector.y, vector.z});
    };
    const double across = (0.5 * (spec.detector_columns - 1) - spec.central_column) *
                          spec.column_pitch_mm,
                 up = (0.5 * (spec.detector_rows - 1) - spec.central_row) * spec.row_pitch_mm,
                 behind = written.is_parallel
                              ? 0
                              : spec.source_to_detector_mm - spec.source_to_isocenter_mm;
    add("detector/position", Vec3{across, behind, up} + written.axis);
    add("detector/direction_x", {1, 0, 0});
    add("detector/direction_y", {0, 0, 1});
    if (written.is_parallel)
      add("ray/direction", {0, 1, 0});
    else
      add("source/position", Vec3{0, -spec.source_to_isocenter_mm, 0} + written.axis);
    add("rotation_axis/position", written.axis);
    add("rotation_axis/direction", {0, 0, 1});
    std::vector<double> angles;
    for (const double angle : spec.view_angles_rad)
      angles.push_back(-(std::string(written.unit) == "degree" ? degrees(angle) : angle) -
                       written.initial_angle);
    const std::string path_of_angles = config + "angles";
    file.add(path_of_angles.c_str(), {angles.size()}, angles);
    file.add_attribute(path_of_angles.c_str(), "angle_unit", std::string(written.unit));
    file.add_attribute(path_of_angles.c_str(), "initial_angle",
                       std::vector<double>{written.initial_angle});
  }

  ImportedScan imported() const {
    ImportRequest request;
    request.path = path();
    return import_scan(request);
  }
  void expect_ball(const ScanGeometry& geometry, const Written& written,
                   double tolerance = 1e-5) const {
    write(geometry, written);
    const ImportedScan found = imported();
    QCOMPARE(found.scan.geometry->views(), geometry.views());
    if (std::string(written.origin) == Written().origin) {  // else columns run the other way
      const Ray a = found.scan.geometry->ray(5, 3, 20), b = geometry.ray(5, 3, 20);
      EXPECT_NEAR(norm(a.direction - b.direction), 0, 1e-6);
    }
    OffCentreBall::expect_in(*found.scan.geometry, found.scan.line_integrals, tolerance);
  }

 private slots:
  void cone_data() {
    QTest::addColumn<int>("kind");
    int kind = 0;
    for (const char* name : {"usual", "ASTRA's order", "radians", "top right", "moved axis",
                             "16 bit", "initial angle"})
      QTest::newRow(name) << kind++;
  }
  void cone() {
    QFETCH(const int, kind);
    Written written;
    if (kind == 1) written.labels = {"vertical", "angle", "horizontal"};
    if (kind == 2) written.unit = "radian";
    if (kind == 3) written.origin = "top-right";
    if (kind == 4) written.axis = {5, -3, 2};
    if (kind == 5) written.is_scaled = true;
    if (kind == 6) written.initial_angle = 30;
    expect_ball(ScanGeometry(cone_of_ball()), written, kind == 5 ? 1e-4 : 1e-5);
  }

  /// As many views as rows, in ASTRA's order: the labels tell them apart.
  void asManyViewsAsRows() {
    ScanSpec spec = cone_of_ball();
    spec.view_angles_rad.clear();
    for (int i = 0; i < spec.detector_rows; ++i)
      spec.view_angles_rad.push_back(2 * pi * i / spec.detector_rows);
    Written written;
    written.labels = {"vertical", "angle", "horizontal"};
    expect_ball(ScanGeometry(spec), written);
  }

  void parallel() {
    ScanSpec spec = cone_of_ball();
    spec.beam = Beam::parallel;
    spec.source_to_isocenter_mm = spec.source_to_detector_mm = 0;
    Written written;
    written.is_parallel = true;
    expect_ball(ScanGeometry(spec), written);
    QVERIFY(imported().scan.geometry->beam() == Beam::parallel);
  }

  void whatCannotBeTakenIsSaid() {
    const ScanGeometry cone(cone_of_ball());
    Written written;
    written.type = "ImageData";
    write(cone, written);
    EXPECT_THROWS(InputError, imported(), "holds a volume of CIL");
    written = {};
    written.labels[0] = "channel";
    write(cone, written);
    EXPECT_THROWS(InputError, imported(), "an axis of \"channel\"");
    write(cone, {});
    read_cut_files(path(), [&] { imported(); });
  }
};

GANTRY_TEST(TestCilScan)
#include "test_cil_scan.moc"
