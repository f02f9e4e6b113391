#include "gui/views/stage_look.hpp"

#include "gui/render/painting/window_texts.hpp"

#include <QPalette>
#include <QWidget>

namespace gantry {

StageLook& StageLook::get() {
  static StageLook look;
  return look;
}

void StageLook::setLight(bool light) {
  if (light == light_) return;
  light_ = light;
  emit changed();
}

void StageLook::setTextScale(double factor) {
  if (factor == gantry::textScale()) return;
  gantry::setTextScale(factor);
  emit changed();
}

QColor StageLook::ground() const {
  return light_ ? QColor(0xd8, 0xda, 0xde) : QColor(0x0e, 0x0f, 0x12);
}

QColor StageLook::beyondPicture() const { return light_ ? QColor(0xf2, 0xf3, 0xf5) : Qt::black; }

QColor StageLook::paper() const { return light_ ? Qt::white : QColor(0x1e, 0x1e, 0x1e); }

void setStageGround(QWidget& widget) {
  const auto apply = [&widget] {
    QPalette palette = widget.palette();
    palette.setColor(QPalette::Window, StageLook::get().ground());
    widget.setPalette(palette);
  };
  apply();
  widget.setAutoFillBackground(true);
  QObject::connect(&StageLook::get(), &StageLook::changed, &widget, apply);
}

}  // namespace gantry
