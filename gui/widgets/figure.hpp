#pragma once

#include "charts/painting/drawing.hpp"
#include "core/io/files/atomic_file.hpp"

#include <QImage>
#include <QString>

namespace gantry {

/// A picture for a file or the clipboard, and the caption that belongs below it.
struct PanelFigure {
  QImage picture;
  QString caption;
  /// The same with texts and marks as shapes, for files that can be enlarged; empty: the picture
  /// alone.
  Drawing drawing = {};
};

/// Pixels along an edge of a figure for each pixel on the screen.
inline constexpr double figureScale = 2;

/// Returns a picture with its caption below on white, as for a paper or a report.
QImage figure_with_caption(const QImage& picture, const QString& caption);

/// Returns the formats of save_figure(), as file dialogs take them.
QString figure_filters();
/// Writes a figure with its caption, completely or not at all, as the extension of the path says:
/// .pdf, .svg (in both, texts stay texts, and lines stay sharp), otherwise .png, which is appended
/// where it is missing. Returns the path. Throws OutputError.
QString save_figure(const PanelFigure& figure, const QString& path,
                    FileAccess access = FileAccess::usual);

/// Writes a PNG file, completely or not at all; `access` sets the permissions of a new file. Throws
/// OutputError.
void save_png(const QImage& image, const QString& path, FileAccess access = FileAccess::usual);

/// Writes bytes as a file, completely or not at all; `access` sets the permissions of a new file.
/// Throws OutputError.
void save_bytes(const QByteArray& bytes, const QString& path,
                FileAccess access = FileAccess::usual);

/// Writes a text file, completely or not at all; `access` sets the permissions of a new file.
/// Throws OutputError.
void save_text(const QString& text, const QString& path, FileAccess access = FileAccess::usual);

}  // namespace gantry
