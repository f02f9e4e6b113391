#include "core/io/geometries/table_kinds.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/geometries/projection_matrices.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <span>

namespace gantry {

namespace {

bool are_near(double a, double b, double factor) { return a < factor * b && b < factor * a; }

/// Whether steps along columns and rows are about at right angles, and about as long.
bool are_cells(Vec3 u, Vec3 v) {
  return norm(u) > 0 && norm(v) > 0 && are_near(norm(u), norm(v), 4) &&
         std::abs(dot(u, v)) < 0.2 * norm(u) * norm(v);
}

/// The 12 numbers of a view as vectors.
struct Vectors {
  Vec3 first, middle, u, v;

  explicit Vectors(std::span<const double> n)
      : first{n[0], n[1], n[2]},
        middle{n[3], n[4], n[5]},
        u{n[6], n[7], n[8]},
        v{n[9], n[10], n[11]} {}
  /// Whether the detector has cells and faces a direction.
  bool face(Vec3 direction) const {
    constexpr double faces = 0.5;  // cosine of the angle
    return are_cells(u, v) &&
           std::abs(dot(direction, normalized(cross(u, v)))) > faces * norm(direction);
  }
};

/// Whether the vectors make sense as of a source: the detector faces it, many cells away.
bool may_be_of_source(const Vectors& of) {
  const Vec3 away = of.middle - of.first;
  return of.face(away) && norm(away) > 4 * norm(of.u);
}

/// Whether they make sense as of parallel rays: these have length 1, as in the vectors that ASTRA
/// makes, and the origin does not lie between their start, as if it were a source, and the
/// detector.
bool may_be_parallel(const Vectors& of) {
  constexpr double rounding = 1e-3;
  return std::abs(norm(of.first) - 1) < rounding && of.face(of.first) &&
         dot(of.middle, of.first) > -rounding * norm(of.u);
}

/// Whether 12 numbers make sense as a matrix: of a source, and cells like those above.
bool may_be_matrix(std::span<const double> n, const ScanSpec& detector) {
  try {
    const View view = pose_of_matrix(n, detector, 1, {});
    return are_cells(view.u_mm, view.v_mm) && std::isfinite(norm(view.source_mm));
  } catch (const InputError&) {
    return false;
  }
}

std::string lower_name(const std::string& path) {
  return lower_case(std::filesystem::path(path).stem().string());
}

bool has_any(const std::string& name, std::initializer_list<const char*> parts) {
  return std::ranges::any_of(
      parts, [&](const char* part) { return name.find(part) != std::string::npos; });
}

bool names_matrices(const std::string& name) {
  return has_any(name, {"matri", "pmat", "projmat", "proj_mat"});
}

bool names_vectors(const std::string& name) {
  if (name.find("vector") != std::string::npos) return true;
  for (std::size_t at = name.find("vec"); at != std::string::npos; at = name.find("vec", at + 1)) {
    std::size_t end = at + 3;
    if (end < name.size() && name[end] == 's') ++end;
    if (end == name.size() || std::isalpha(static_cast<unsigned char>(name[end])) == 0) return true;
  }
  return false;
}

}  // namespace

TableKind kind_of_table(const NumberTable& table, const std::string& path,
                        const KnownDetector& known) {
  const std::string name = lower_name(path);
  ScanSpec detector;
  detector.central_column = 0.5 * (known.columns - 1);
  detector.central_row = 0.5 * (known.rows - 1);
  bool may_source = true, may_parallel = true, may_matrices = true;
  for (std::size_t i = 0; i < table.lines(); ++i) {
    const Vectors vectors(table.line(i));
    may_source = may_source && may_be_of_source(vectors);
    may_parallel = may_parallel && may_be_parallel(vectors);
    may_matrices = may_matrices && may_be_matrix(table.line(i), detector);
  }
  const bool says_vectors = names_vectors(name), says_matrices = names_matrices(name),
             may_vectors = may_source || may_parallel;
  const bool is_told =
      may_vectors != may_matrices || (may_vectors && says_vectors != says_matrices);
  if (!is_told)
    throw InputError(std::string("holds 12 numbers for each view, which ") +
                         (may_vectors ? "may be vectors of ASTRA or matrices"
                                      : "make no sense as vectors of ASTRA or as matrices"),
                     path, "name it NAME.cone_vec.txt or NAME.matrices.txt (of arrays, .npy)");
  if (may_matrices && !(may_vectors && says_vectors)) return TableKind::matrices;
  const bool is_source = may_source && (!may_parallel || has_any(name, {"cone"}));
  return is_source ? TableKind::cone_vectors : TableKind::parallel_vectors;
}

bool names_geometry(const std::string& path) {
  const std::string name = lower_name(path);
  return names_vectors(name) || names_matrices(name) || has_any(name, {"geom"});
}

}  // namespace gantry
