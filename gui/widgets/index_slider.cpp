#include "gui/widgets/index_slider.hpp"

#include "gui/widgets/number_box.hpp"
#include "gui/widgets/wrapping_layout.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>

namespace gantry {

IndexSlider::IndexSlider(const QString& name, const QString& tip, const QString& widest,
                         QWidget* parent)
    : QWidget(parent),
      slider_(new QSlider(Qt::Horizontal, this)),
      number_(new WholeBox(this)),
      text_(new QLabel(this)) {
  auto* title = new QLabel(name, this);
  title->setBuddy(number_);
  number_->setRange(0, 0);
  slider_->setRange(0, 0);
  slider_->setMinimumWidth(60);
  for (QWidget* part : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(number_)}) {
    part->setToolTip(tip);
    part->setAccessibleName(name);
  }
  text_->setMinimumWidth(fontMetrics().horizontalAdvance(widest));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(title);
  row->addWidget(slider_, 1);
  row->addWidget(number_);
  row->addWidget(text_);
  connect(slider_, &QSlider::valueChanged, this, [this](int value) {
    const QSignalBlocker quiet(number_);
    number_->setValue(value);
    emit changed(value);
  });
  connect(number_, &QSpinBox::valueChanged, slider_, &QSlider::setValue);
}

int IndexSlider::value() const { return slider_->value(); }
int IndexSlider::count() const { return slider_->maximum() + 1; }

void IndexSlider::setCount(int count) {
  const QSignalBlocker quiet(number_);
  number_->setMaximum(std::max(0, count - 1));
  slider_->setMaximum(std::max(0, count - 1));
  setVisible(count > 1);
}

void IndexSlider::setValue(int value) { slider_->setValue(value); }
void IndexSlider::setText(const QString& text) { text_->setText(text); }

QWidget* barOfSliders(const QList<IndexSlider*>& sliders, QWidget* parent) {
  auto* bar = new QWidget(parent);
  auto* row = new WrappingLayout(bar);
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(16);
  for (IndexSlider* slider : sliders) {
    slider->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    row->addWidget(slider);
  }
  return bar;
}

}  // namespace gantry
