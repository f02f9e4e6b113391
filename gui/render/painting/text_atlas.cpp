#include "gui/render/painting/text_atlas.hpp"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace gantry {

namespace {

constexpr int dpi = 72;        // one point is one device pixel
constexpr int white_side = 4;  // opaque corner, so that shapes and text share one draw call

struct FontFiles {
  std::string regular, bold;
};

/// Returns the files of an installed font with Greek letters and typographic signs, which the font
/// inside VTK lacks; empty names without such a font.
FontFiles findFont() {
  constexpr std::array<std::array<const char*, 2>, 7> known{{
      {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
       "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"},
      {"/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
       "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf"},
      {"/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf"},
      {"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
       "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf"},
      {"/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
       "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"},
      {"C:/Windows/Fonts/segoeui.ttf", "C:/Windows/Fonts/segoeuib.ttf"},
      {"/Library/Fonts/Arial.ttf", "/Library/Fonts/Arial Bold.ttf"},
  }};
  for (const auto& [regular, bold] : known) {
    std::error_code ignored;
    if (std::filesystem::exists(regular, ignored) && std::filesystem::exists(bold, ignored))
      return {regular, bold};
  }
  return {};
}

void apply(vtkTextProperty& property, int size_device, bool bold) {
  static const FontFiles font = findFont();
  if (font.regular.empty()) {
    property.SetFontFamilyToArial();
  } else {
    property.SetFontFamily(VTK_FONT_FILE);
    property.SetFontFile(bold ? font.bold.c_str() : font.regular.c_str());
  }
  property.SetFontSize(size_device);
  property.SetBold(bold);
  property.SetColor(1, 1, 1);
  property.SetOpacity(1);
}

}  // namespace

TextAtlas::TextAtlas() { clear(false); }

void TextAtlas::clear(bool larger) {
  if (larger) side_ *= 2;
  entries_.clear();
  coverage_.assign(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), 0);
  for (int y = 0; y < white_side; ++y)
    std::fill_n(coverage_.begin() + static_cast<std::ptrdiff_t>(y) * side_, white_side,
                std::uint8_t{255});
  shelf_x_ = white_side + 1;
  shelf_y_ = 0;
  shelf_height_ = white_side;
  ++version_;
}

std::pair<int, int> TextAtlas::measure(const std::string& text, int size_device, bool bold) {
  vtkTextRenderer* renderer = vtkTextRenderer::GetInstance();
  if (!renderer || text.empty()) return {0, 0};
  vtkNew<vtkTextProperty> property;
  apply(*property, size_device, bold);
  int box[4] = {0, -1, 0, -1};
  if (!renderer->GetBoundingBox(property, text, box, dpi, vtkTextRenderer::FreeType)) return {0, 0};
  return {box[1] - box[0] + 1, box[3] - box[2] + 1};
}

std::optional<TextAtlas::Entry> TextAtlas::reserve(int width, int height) {
  if (width > side_ || height > side_) return std::nullopt;
  if (shelf_x_ + width > side_) {
    shelf_y_ += shelf_height_ + 1;
    shelf_x_ = 0;
    shelf_height_ = 0;
  }
  if (shelf_y_ + height > side_) return std::nullopt;
  const Entry entry{shelf_x_, shelf_y_, width, height};
  shelf_x_ += width + 1;
  shelf_height_ = std::max(shelf_height_, height);
  return entry;
}

std::optional<TextAtlas::Entry> TextAtlas::place(const std::string& text, int size_device,
                                                 bool bold) {
  const auto key = std::make_tuple(text, size_device, bold);
  if (const auto known = entries_.find(key); known != entries_.end()) return known->second;
  vtkTextRenderer* renderer = vtkTextRenderer::GetInstance();
  vtkNew<vtkTextProperty> property;
  apply(*property, size_device, bold);
  vtkNew<vtkImageData> image;
  int size[2] = {0, 0};
  if (!renderer || text.empty() ||
      !renderer->RenderString(property, text, image, size, dpi, vtkTextRenderer::FreeType))
    return Entry{};
  const std::optional<Entry> entry = reserve(size[0], size[1]);
  if (!entry) return std::nullopt;
  const int* extent = image->GetExtent();
  for (int y = 0; y < size[1]; ++y)
    for (int x = 0; x < size[0]; ++x) {
      const auto* rgba = static_cast<const unsigned char*>(
          image->GetScalarPointer(extent[0] + x, extent[2] + y, 0));
      coverage_[static_cast<std::size_t>(entry->y + y) * static_cast<std::size_t>(side_) +
                static_cast<std::size_t>(entry->x + x)] = rgba[3];
    }
  ++version_;
  return entries_[key] = *entry;
}

}  // namespace gantry
