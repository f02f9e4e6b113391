#pragma once

#include "core/io/imports/import_scan.hpp"
#include "tests/core/io/dicom/dicom_folder.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace gantry::test {

/// Source and detector of a projection, as the format states them.
struct Position {
  double phi = 0, z = 0, rho = 500;   // of the focal centre
  double dphi = 0, dz = 0, drho = 0;  // of the focal spot from there
};

/// A scanner whose numbers can be written as floats without an error, and a ball in its bore.
struct Scanner {
  int columns = 40, rows = 6;
  double column_mm = 8, row_mm = 4, distance_mm = 1000;  // at the detector
  double central_column = 21.25, central_row = 3.5;      // from 1 on
  bool is_flat = false;
  double ball_x = 20, ball_y = -35, ball_z = 205, radius = 60, mu = 0.02;
  double slope = 1e-4, intercept = -0.5;

  /// The chord through the ball of the ray to a cell, counted from 1.
  double line_integral(const Position& p, int column, int row) const {
    const auto at = [](double rho, double phi, double z) {
      return Vec3{-rho * std::sin(phi), rho * std::cos(phi), z};
    };
    const Vec3 centre = at(p.rho, p.phi, p.z),
               spot = at(p.rho + p.drho, p.phi + p.dphi, p.z + p.dz);
    // With the detector at 6 o'clock (phi = 0) column 1 is the leftmost one, at the least x.
    const Vec3 inward = {std::sin(p.phi), -std::cos(p.phi), 0},
               right = {std::cos(p.phi), std::sin(p.phi), 0};
    const double along = (column - central_column) * column_mm;
    Vec3 cell = is_flat ? centre + distance_mm * inward + along * right
                        : centre + distance_mm * std::cos(along / distance_mm) * inward +
                              distance_mm * std::sin(along / distance_mm) * right;
    cell.z = p.z - (row - central_row) * row_mm;  // row 1 is the farthest from the table's base
    const Vec3 direction = normalized(cell - spot), to_ball = Vec3{ball_x, ball_y, ball_z} - spot;
    const double along_ray = dot(to_ball, direction),
                 beside = dot(to_ball, to_ball) - along_ray * along_ray;
    return 2 * mu * std::sqrt(std::max(0.0, radius * radius - beside));
  }

  /// The stored numbers of a projection.
  std::vector<int> stored(const Position& p, bool transposed = false) const {
    std::vector<int> values;
    const auto add = [&](int column, int row) {
      values.push_back(
          static_cast<int>(std::lround((line_integral(p, column, row) - intercept) / slope)));
    };
    if (transposed) {
      for (int column = 1; column <= columns; ++column)
        for (int row = 1; row <= rows; ++row) add(column, row);
    } else {
      for (int row = 1; row <= rows; ++row)
        for (int column = 1; column <= columns; ++column) add(column, row);
    }
    return values;
  }
  /// The file of a projection; `as_unknown`: private values have the representation UN.
  TinyDicom file(const Position& p, int instance, bool transposed = false,
                 bool as_unknown = false) const {
    TinyDicom dicom;
    const char* real = as_unknown ? "UN" : "FL";
    dicom.text(0x00200013, "IS", std::to_string(instance));
    dicom.text(0x00080018, "UI", "2.25." + std::to_string(5000 + instance));
    dicom.number(0x00280010, transposed ? columns : rows);
    dicom.number(0x00280011, transposed ? rows : columns);
    dicom.number(0x00280103, 0);
    dicom.text(0x00281052, "DS", "-0.5").text(0x00281053, "DS", "0.0001");
    for (const std::uint32_t group : {0x7029U, 0x7031U, 0x7033U, 0x7039U, 0x7041U})
      dicom.text(group << 16 | 0x10, "LO", "a module of CT-PD");  // reserves the elements
    dicom.reals(0x70291002, {static_cast<float>(column_mm)}, real);
    dicom.reals(0x70291006, {static_cast<float>(row_mm)}, real);
    dicom.text(0x7029100b, "CS", is_flat ? "FLAT" : "CYLINDRICAL");
    dicom.number(0x70291010, rows, as_unknown ? "UN" : "US");
    dicom.number(0x70291011, columns, as_unknown ? "UN" : "US");
    dicom.reals(0x70311001, {static_cast<float>(std::remainder(p.phi, 2 * M_PI))}, real);
    dicom.reals(0x70311002, {static_cast<float>(p.z)}, real);
    dicom.reals(0x70311003, {static_cast<float>(p.rho)}, real);
    dicom.reals(0x70311031, {static_cast<float>(distance_mm)}, real);
    dicom.reals(0x70311033, {static_cast<float>(central_column), static_cast<float>(central_row)},
                real);
    dicom.reals(0x7033100b, {static_cast<float>(p.dphi)}, real);
    dicom.reals(0x7033100c, {static_cast<float>(p.dz)}, real);
    dicom.reals(0x7033100d, {static_cast<float>(p.drho)}, real);
    dicom.text(0x70391009, "CS", "YES");
    dicom.text(0x70411001, "DS", "0.0192");
    dicom.pixels(stored(p, transposed));
    return dicom;
  }
};

inline constexpr int views = 24;

inline Position on_circle(int i) { return {.phi = 0.3 + 2 * M_PI * i / views, .z = 200}; }
inline Position on_helix(int i) { return {.phi = 0.3 + 2 * M_PI * i / 16, .z = 185 + 1.25 * i}; }
/// The same with numbers that 32-bit floats hold exactly.
inline Position on_exact_helix(int i) { return {.phi = -3 + 0.25 * i, .z = 185 + 1.25 * i}; }
/// Two positions of the focal spot in turn, along z and along the orbit.
inline Position flying(int i) {
  Position p = on_helix(i);
  p.dphi = i % 2 == 0 ? 0.0015 : -0.0015;
  p.dz = i % 2 == 0 ? 0 : -0.75;
  p.drho = i % 2 == 0 ? 0 : 5;
  return p;
}
inline Position uneven(int i) {
  Position p = on_circle(i);
  p.z += i % 3;
  return p;
}

using Orbit = Position (*)(int);

/// A folder for the projections of a test.
class CtPdFolder : protected DicomFolder {
 protected:
  void save_scan(const Scanner& scanner, Orbit orbit, bool transposed = false,
                 bool as_unknown = false, const std::string& syntax = "1.2.840.10008.1.2.1") const {
    for (int i = 0; i < views; ++i)  // names do not tell the order
      save(scanner.file(orbit(i), i + 1, transposed, as_unknown).syntax(syntax),
           "p" + std::to_string((7 * i) % views) + ".dcm");
  }
  ImportedScan imported() const { return imported(folder()); }
  static ImportedScan imported(const std::string& path) {
    ImportRequest request;
    request.path = path;
    return import_scan(request);
  }
  static const Assumption* assumed(const ImportedScan& scan, const std::string& what) {
    const auto found = std::ranges::find(scan.assumptions, what, &Assumption::what);
    return found == scan.assumptions.end() ? nullptr : &*found;
  }
};

}  // namespace gantry::test
