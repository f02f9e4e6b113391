#include "gui/track/gif_film.hpp"

#include "core/base/error.hpp"

#ifdef GANTRY_GIF
#include <gif_lib.h>
#endif

#include <algorithm>
#include <array>
#include <memory>

namespace gantry {

#ifdef GANTRY_GIF

bool can_write_films() { return true; }

namespace {

constexpr int greys = 64, reds = 5, greens = 6, blues = 6, colours = 256;
constexpr GifByteType unchanged = colours - 1;  // beyond the greys and colours in use

GifColorType colour_of(int index) {
  const auto level = [](int step, int steps) {
    return static_cast<GifByteType>(255 * step / (steps - 1));
  };
  if (index < greys) return {level(index, greys), level(index, greys), level(index, greys)};
  index = std::min(index - greys, reds * greens * blues - 1);
  return {level(index / (greens * blues), reds), level(index / blues % greens, greens),
          level(index % blues, blues)};
}

/// Returns the entry of the table nearest to a colour: a grey where its parts are nearly alike.
GifByteType nearest(QRgb pixel) {
  const int r = qRed(pixel), g = qGreen(pixel), b = qBlue(pixel);
  constexpr int alike = 12;
  if (std::max({r, g, b}) - std::min({r, g, b}) <= alike)
    return static_cast<GifByteType>((qGray(pixel) * (greys - 1) + 127) / 255);
  const auto step = [](int value, int steps) { return (value * (steps - 1) + 127) / 255; };
  return static_cast<GifByteType>(greys + (step(r, reds) * greens + step(g, greens)) * blues +
                                  step(b, blues));
}

int append(GifFileType* file, const GifByteType* bytes, int count) {
  static_cast<QByteArray*>(file->UserData)->append(reinterpret_cast<const char*>(bytes), count);
  return count;
}

void require(bool done) {
  if (!done) throw OutputError("the film cannot be encoded", "GIF", "export a figure instead");
}

/// Adds a picture. Pixels that are those of the picture before are written as transparent, which
/// takes few bytes; `shown` holds the present entry of each pixel.
void put_picture(GifFileType* file, const QImage& picture, int hundredths,
                 std::vector<GifPixelType>& shown) {
  GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, unchanged};
  std::array<GifByteType, 4> extension{};
  EGifGCBToExtension(&control, extension.data());
  require(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(extension.size()),
                           extension.data()) == GIF_OK);
  require(EGifPutImageDesc(file, 0, 0, picture.width(), picture.height(), false, nullptr) ==
          GIF_OK);
  const QImage rgb = picture.convertToFormat(QImage::Format_RGB32);
  std::vector<GifPixelType> line(static_cast<std::size_t>(rgb.width()));
  for (int y = 0; y < rgb.height(); ++y) {
    const auto* pixels = reinterpret_cast<const QRgb*>(rgb.constScanLine(y));
    GifPixelType* before = shown.data() + static_cast<std::ptrdiff_t>(y) * rgb.width();
    for (int x = 0; x < rgb.width(); ++x) {
      const GifByteType now = nearest(pixels[x]);
      line[static_cast<std::size_t>(x)] = now == before[x] ? unchanged : now;
      before[x] = now;
    }
    require(EGifPutLine(file, line.data(), rgb.width()) == GIF_OK);
  }
}

}  // namespace

QByteArray gif_film(const std::vector<QImage>& pictures, int milliseconds) {
  if (pictures.empty()) throw UsageError("a film needs pictures", {}, "start a run first");
  QByteArray bytes;
  int error = 0;
  // Closed also where a picture cannot be encoded.
  std::unique_ptr<GifFileType, void (*)(GifFileType*)> file(
      EGifOpen(&bytes, append, &error), [](GifFileType* open) { EGifCloseFile(open, nullptr); });
  require(file != nullptr);
  std::array<GifColorType, colours> table;
  for (int i = 0; i < colours; ++i) table[static_cast<std::size_t>(i)] = colour_of(i);
  const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map(
      GifMakeMapObject(colours, table.data()),
      [](ColorMapObject* made) { GifFreeMapObject(made); });
  EGifSetGifVersion(file.get(), true);
  require(EGifPutScreenDesc(file.get(), pictures.front().width(), pictures.front().height(), 8, 0,
                            map.get()) == GIF_OK);
  const std::array<GifByteType, 3> without_end = {1, 0, 0};
  require(EGifPutExtensionLeader(file.get(), APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
          EGifPutExtensionBlock(file.get(), 11, "NETSCAPE2.0") == GIF_OK &&
          EGifPutExtensionBlock(file.get(), 3, without_end.data()) == GIF_OK &&
          EGifPutExtensionTrailer(file.get()) == GIF_OK);
  const int hundredths = std::max(2, milliseconds / 10);
  const QSize size = pictures.front().size();
  std::vector<GifPixelType> shown(
      static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()), unchanged);
  for (std::size_t i = 0; i < pictures.size(); ++i)
    put_picture(file.get(), pictures[i].scaled(size),
                i + 1 < pictures.size() ? hundredths : last_picture_stays * hundredths, shown);
  file.reset();  // writes the end
  return bytes;
}

#else

bool can_write_films() { return false; }

QByteArray gif_film(const std::vector<QImage>&, int) {
  throw UsageError("this program was built without giflib", {}, "install giflib and build again");
}

#endif

}  // namespace gantry
