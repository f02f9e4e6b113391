#pragma once

#include "tests/support/small_files.hpp"

#include <QMap>
#include <QStringList>

#include <cmath>
#include <vector>

namespace gantry::test {

/// A MetaImage file of float32, read without the program's own reader. [iz][iy][ix].
struct PlainVolume {
  int nx = 0, ny = 0, nz = 0;
  double dx_mm = 0, dy_mm = 0, x0_mm = 0, y0_mm = 0;  ///< pixel sizes; centre of the first voxel
  std::vector<float> values;

  float at(int ix, int iy) const {
    return values[static_cast<std::size_t>(iy) * static_cast<std::size_t>(nx) +
                  static_cast<std::size_t>(ix)];
  }
  double x_mm(double ix) const { return x0_mm + ix * dx_mm; }
  double y_mm(double iy) const { return y0_mm + iy * dy_mm; }
};

/// Empty when the file is not what the program should have written.
inline PlainVolume read_plain(const QString& path) {
  const QByteArray bytes = bytes_of_file(path);
  const QByteArray last = "ElementDataFile = LOCAL\n";
  const qsizetype end = bytes.indexOf(last);
  if (end < 0) return {};
  QMap<QString, QStringList> fields;
  for (const QString& line : QString::fromUtf8(bytes.left(end)).split('\n', Qt::SkipEmptyParts))
    fields[line.section(" = ", 0, 0)] = line.section(" = ", 1).split(' ');
  if (fields["ElementType"] != QStringList("MET_FLOAT") || fields["DimSize"].size() != 3) return {};
  PlainVolume volume;
  volume.nx = fields["DimSize"][0].toInt();
  volume.ny = fields["DimSize"][1].toInt();
  volume.nz = fields["DimSize"][2].toInt();
  volume.dx_mm = fields["ElementSpacing"][0].toDouble();
  volume.dy_mm = fields["ElementSpacing"][1].toDouble();
  volume.x0_mm = fields["Offset"][0].toDouble();
  volume.y0_mm = fields["Offset"][1].toDouble();
  volume.values = floats_in(bytes.mid(end + last.size()));
  const bool whole =
      volume.values.size() == static_cast<std::size_t>(volume.nx) * volume.ny * volume.nz;
  return whole ? volume : PlainVolume{};
}

/// Root mean square difference of the pixels whose centres lie within a circle about the axis.
inline double rmse_in_circle(const PlainVolume& a, const PlainVolume& b, double radius_mm) {
  double sum = 0, count = 0;
  for (int iy = 0; iy < a.ny; ++iy)
    for (int ix = 0; ix < a.nx; ++ix)
      if (std::hypot(a.x_mm(ix), a.y_mm(iy)) <= radius_mm) {
        const double difference = static_cast<double>(a.at(ix, iy)) - b.at(ix, iy);
        sum += difference * difference;
        count += 1;
      }
  return std::sqrt(sum / count);
}

}  // namespace gantry::test
