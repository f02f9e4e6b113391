#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/view_angles.hpp"
#include "core/io/volumes/volume_file.hpp"

#include <QDir>
#include <QString>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace gantry::test {

/// A scan of two discs by a parallel beam as another program stores it: a folder of TIFF images
/// with a flat and a dark, and no text that says how it was made.
struct TiffScan {
  int columns = 96, rows = 4, views = 61;
  double arc_deg = 180;   ///< from the first to the last view
  double centre = 50.25;  ///< column of the axis of rotation

  /// Line integral of two discs of Gaussian profile, at the centre of a cell.
  double line_integral(int view, int row, int column) const {
    const double t = column - centre, angle = view * arc_deg / (views - 1) * std::numbers::pi / 180;
    const auto disc = [&](double x, double y, double width) {
      const double at = x * std::cos(angle) + y * std::sin(angle);
      return std::exp(-0.5 * (t - at) * (t - at) / (width * width));
    };
    return disc(11, 3, 6 + row) + 0.6 * disc(-17, 8, 4);
  }

  /// Writes raw_000.tif and so on, flat_000.tif and dark_000.tif into a new folder.
  void write(const QString& folder) const {
    constexpr double dark = 100, beam = 10000;
    QDir().mkpath(folder);
    const auto write_frame = [&](const QString& name, const auto& value) {
      VolumeToWrite image;
      image.grid = VolumeGrid::centered(columns, rows, 1, {1, 1, 1});
      std::vector<float> values;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
          values.push_back(static_cast<float>(value(row, column)));
      image.mu = values;
      image.lengths_are_known = false;  // as of a detector that states no size
      write_volume((folder + QLatin1Char('/') + name).toStdString(), image);
    };
    for (int view = 0; view < views; ++view)
      write_frame(QStringLiteral("raw_%1.tif").arg(view, 3, 10, QLatin1Char('0')),
                  [&](int row, int column) {
                    // The first row of a file is the uppermost, the last one of a scan.
                    return dark + beam * std::exp(-line_integral(view, rows - 1 - row, column));
                  });
    write_frame(QStringLiteral("flat_000.tif"), [](int, int) { return dark + beam; });
    write_frame(QStringLiteral("dark_000.tif"), [](int, int) { return dark; });
  }
};

}  // namespace gantry::test
