#include "core/io/imports/formats/hdf5/cil_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/vec3.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/arrays/hdf5_array.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace gantry {

namespace {

constexpr const char *data_path = "/entry1/tomo_entry/data/data",
                     *config = "/entry1/tomo_entry/config/",
                     *copy_again = "write the file again by CIL, or give the geometry (--geometry)";

/// Returns which axes of the data are those of views, rows and columns.
FrameAxes axes_of(const Hdf5File& file, const Hdf5Dataset& data) {
  FrameAxes axes;
  std::optional<std::size_t> column;
  const std::array<std::pair<const char*, std::optional<std::size_t>*>, 3> names = {
      {{"angle", &axes.view}, {"vertical", &axes.row}, {"horizontal", &column}}};
  for (std::size_t i = 0; i < data.size.size(); ++i) {
    const std::string label =
        file.text_attribute(data, "dim" + std::to_string(i)).value_or("nothing");
    const auto found = std::ranges::find(names, label, &decltype(names)::value_type::first);
    if (found == names.end() || *found->second)
      throw InputError(data.path + " has an axis of \"" + label.substr(0, 40) + "\" (dim" +
                           std::to_string(i) + ")",
                       file.path(), "write angle, vertical and horizontal of one channel by CIL");
    *found->second = i;
  }
  if (!column) throw InputError(data.path + " has no axis \"horizontal\"", file.path(), copy_again);
  axes.column = *column;
  return axes;
}

/// Reads the numbers that CIL states of the geometry. Vectors of two dimensions have no height.
class CilConfig {
 public:
  CilConfig(const Hdf5File& file, const Hdf5Dataset& data) : file_(file), data_(data) {}

  std::vector<double> list(const std::string& name) const {
    const Hdf5Dataset* found = file_.find(config + name);
    if (found == nullptr || !found->is_number || !found->list_length())
      throw InputError("states no numbers " + std::string(config) + name, file_.path(), copy_again);
    return file_.numbers(*found);
  }
  Vec3 vector(const std::string& name, Vec3 otherwise) const {
    return file_.find(config + name) == nullptr ? otherwise : vector(name);
  }
  Vec3 vector(const std::string& name) const {
    const std::vector<double> values = list(name);
    if (values.size() < 2 || values.size() > 3 ||
        !std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
      throw InputError(std::string(config) + name + " is no vector", file_.path(), copy_again);
    return {values[0], values[1], values.size() == 3 ? values[2] : 0};
  }
  Vec3 direction(const std::string& name, Vec3 otherwise) const {
    const Vec3 found = vector(name, otherwise);
    if (!(norm(found) > 0))
      throw InputError(std::string(config) + name + " has no direction", file_.path(), copy_again);
    return normalized(found);
  }
  /// Returns the angles by which the object turns, radians.
  std::vector<double> angles_rad() const {
    std::vector<double> angles = list("angles");
    const std::string path = std::string(config) + "angles",
                      unit = file_.text_attribute(path, "angle_unit").value_or("degree");
    if (unit != "degree" && unit != "radian")
      throw InputError(path + " is in \"" + unit.substr(0, 40) + "\"", file_.path(), copy_again);
    const double initial = file_.number_attribute(path, "initial_angle").value_or(0);
    for (double& angle : angles) angle = (angle + initial) * (unit == "degree" ? radians(1) : 1);
    return angles;
  }
  double pitch(const char* name, double otherwise) const {
    const double pitch = file_.number_attribute(data_.path, name).value_or(otherwise);
    if (!(pitch > 0))
      throw InputError(data_.path + " states no size of a cell (" + name + ")", file_.path(),
                       copy_again);
    return pitch;
  }
  bool has(const std::string& name) const { return file_.find(config + name) != nullptr; }
  std::string origin() const {
    return file_.text_attribute(data_, "panel_origin").value_or("bottom-left");
  }

 private:
  const Hdf5File& file_;
  const Hdf5Dataset& data_;
};

/// A turn that brings the axis of rotation upright, then one about it.
class UprightTurn {
 public:
  /// `axis` is of length 1.
  explicit UprightTurn(Vec3 axis) : axis_(axis), across_(cross(axis, {0, 0, 1})) {}

  Vec3 of(Vec3 p, double angle_rad) const {
    const Vec3 up = upright(p);
    const double c = std::cos(angle_rad), s = std::sin(angle_rad);
    return {c * up.x - s * up.y, s * up.x + c * up.y, up.z};
  }

 private:
  /// The shortest turn from the axis to z (Rodrigues' formula).
  Vec3 upright(Vec3 p) const {
    if (axis_.z < -1 + 1e-12) return {p.x, -p.y, -p.z};
    return p + cross(across_, p) + 1 / (1 + axis_.z) * cross(across_, cross(across_, p));
  }
  Vec3 axis_, across_;
};

/// Returns source and detector of all views.
StatedGeometry geometry_of_cil(const CilConfig& cil, const KnownDetector& cells,
                               const std::string& path) {
  const Vec3 zero = cil.vector("rotation_axis/position"),
             across = cil.direction("detector/direction_x", {1, 0, 0}),
             up = cil.direction("detector/direction_y", {0, 0, 1}),
             detector = cil.vector("detector/position") - zero;
  const std::string origin = cil.origin();
  const double column_mm = cil.pitch("pixel_size_h", 0),
               row_mm = cil.pitch("pixel_size_v", column_mm);
  const bool is_cone = cil.has("source/position");
  const Vec3 u = (origin.ends_with("right") ? -column_mm : column_mm) * across,
             v = (origin.starts_with("top") ? -row_mm : row_mm) * up,
             source = is_cone ? cil.vector("source/position") - zero
                              : detector - cil.direction("ray/direction", {0, 1, 0});
  const UprightTurn turn(cil.direction("rotation_axis/direction", {0, 0, 1}));
  StatedGeometry stated;
  stated.spec = poses_on_detector(cells, path, copy_again);
  if (!is_cone) stated.spec.beam = Beam::parallel;
  for (const double angle : cil.angles_rad())
    stated.spec.poses.push_back({turn.of(source, -angle), turn.of(detector, -angle),
                                 turn.of(u, -angle), turn.of(v, -angle)});
  stated.assumptions.push_back({"unit of lengths", "mm", "CIL's geometries have no unit"});
  stated.spec = ScanGeometry(std::move(stated.spec), path).spec();
  stated.has_rows_of_files = true;
  note_object_outside(stated);
  make_circle(stated);
  return stated;
}

}  // namespace

const Hdf5Dataset* data_of_cil(const Hdf5File& file) {
  const Hdf5Dataset* data = file.find(data_path);
  if (data == nullptr || !data->is_number || image_keys_of(file, *data) != nullptr) return nullptr;
  const std::string creator = file.text_attribute("/", "creator").value_or("");
  return creator.starts_with("NEXUSDataWriter") ? data : nullptr;
}

RawScan cil_scan(const std::shared_ptr<const Hdf5File>& file, const Hdf5Dataset& data,
                 const ImportRequest& request, FrameAxes& axes) {
  if (file->text_attribute(data, "data_type").value_or("") != "AcquisitionData")
    throw InputError("holds a volume of CIL (ImageData), no projections", file->path(),
                     "give the file of the projections");
  if (!request.axes.empty() || request.images == ImageContent::sinograms)
    throw UsageError("is a file of CIL, which names its axes", request.path,
                     "leave out the order of axes");
  RawScan scan;
  axes = axes_of(*file, data);
  scan.projections = frames_of_array(hdf5_array(file, data), axes);
  scan.begins_lowest = true;
  scan.assumptions.push_back({"projections", data.path, "the file is of CIL"});
  say_scaling(data, scan.assumptions);
  const int frames = scan.projections->frames();
  scan.angles_deg =
      angles_for(request, {frames}, scan.assumptions, [] { return std::vector<double>{}; });
  if (!request.geometry.empty()) return scan;
  StatedGeometry stated = geometry_of_cil(
      CilConfig(*file, data),
      {.columns = scan.projections->columns(), .rows = scan.projections->rows()}, file->path());
  scan.begins_lowest = stated.has_rows_of_files;
  scan.geometry = std::move(stated.spec);
  std::ranges::move(stated.assumptions, std::back_inserter(scan.assumptions));
  std::ranges::move(stated.notes, std::back_inserter(scan.notes));
  return scan;
}

}  // namespace gantry
