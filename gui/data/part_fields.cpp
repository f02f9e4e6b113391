#include "gui/data/part_fields.hpp"

#include "core/io/imports/frame_part.hpp"
#include "gui/widgets/number_box.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <optional>

namespace gantry {

namespace {

constexpr int turnAsFound = -1, turnMirrored = 1, turnReversed = 2;

}  // namespace

PartFields::PartFields(QFormLayout* form)
    : QObject(form->parentWidget()),
      form_(form),
      frames_{addFrames(QStringLiteral("importFlatFrames"), tr("Flat frames"),
                        tr("Flats among the frames of the projections, counted from 0"),
                        &ImportSettings::flat_frames),
              addFrames(QStringLiteral("importDarkFrames"), tr("Dark frames"),
                        tr("Darks among the frames of the projections, counted from 0"),
                        &ImportSettings::dark_frames)},
      ranges_{addRange(QStringLiteral("importColumns"), tr("Columns"),
                       tr("Columns of the images, from 0, that are imported"), &FramePart::columns),
              addRange(QStringLiteral("importRows"), tr("Rows"),
                       tr("Rows of the images, from 0 at the top, that are imported"),
                       &FramePart::rows)},
      bin_(addCount(QStringLiteral("importBin"), tr("Cells joined"),
                    tr("Cells along both sides of the groups that become one cell"), 1, 64,
                    [](ImportSettings& s) -> int& { return s.part.bin; })),
      every_(addCount(QStringLiteral("importEvery"), tr("Of projections, 1 in"),
                      tr("Every so many projections, one is imported"), 1, 1000000,
                      [](ImportSettings& s) -> int& { return s.part.every; })),
      pad_(addCount(QStringLiteral("importPad"), tr("Padding"),
                    tr("Columns that are added at each end of the detector, after all corrections: "
                       "FBP and FDK show less of a bright rim where the object is wider than the "
                       "detector. Iterative methods take them as measured"),
                    0, 32767, [](ImportSettings& s) -> int& { return s.padding.columns; })) {
  pad_->setSpecialValueText(tr("none"));
  addPadding();
  addTurn();
}

QLineEdit* PartFields::addLine(const QString& name, const QString& label, const QString& hint,
                               const QString& tip, const QString& pattern) {
  auto* line = new QLineEdit(form_->parentWidget());
  line->setObjectName(name);
  line->setAccessibleName(label);
  line->setPlaceholderText(hint);
  line->setToolTip(tip);
  line->setValidator(new QRegularExpressionValidator(QRegularExpression(pattern), line));
  form_->addRow(label, line);
  return line;
}

PartFields::Frames PartFields::addFrames(const QString& name, const QString& label,
                                         const QString& tip,
                                         std::vector<CellRange> ImportSettings::*frames) {
  static const QString one = QStringLiteral("\\d{1,7}(:\\d{0,7})?");
  auto* line =
      addLine(name, label, tr("none; or from:to"), tr("%1; 0:9,100:109, for example").arg(tip),
              QStringLiteral("(%1(,%1)*)?").arg(one));
  connect(line, &QLineEdit::editingFinished, this, [this, line, label, frames] {
    const auto typed = ranges_from(line->text().toStdString(), label.toStdString());
    if (typed != shown_.*frames)
      emit edited(tr("Change %1").arg(label), [=](ImportSettings& s) { s.*frames = typed; });
  });
  return {frames, line};
}

PartFields::Range PartFields::addRange(const QString& name, const QString& label,
                                       const QString& tip, CellRange FramePart::*range) {
  auto* line = addLine(name, label, tr("all; or from:to"), tr("%1; 100:899, for example").arg(tip),
                       QStringLiteral("(\\d{0,6}:\\d{0,6})?"));
  connect(line, &QLineEdit::editingFinished, this, [this, line, label, range] {
    const CellRange typed = range_from(line->text().toStdString(), label.toStdString());
    if (typed != shown_.part.*range)
      emit edited(tr("Change %1").arg(label), [=](ImportSettings& s) { s.part.*range = typed; });
  });
  return {range, line};
}

QSpinBox* PartFields::addCount(const QString& name, const QString& label, const QString& tip,
                               int least, int most, const Count& count) {
  auto* box = new WholeBox(form_->parentWidget());
  box->setObjectName(name);
  box->setAccessibleName(label);
  box->setRange(least, most);
  box->setToolTip(tip);
  form_->addRow(label, box);
  connect(box, &QSpinBox::valueChanged, this, [this, label, count](int value) {
    emit edited(tr("Change %1").arg(label), [=](ImportSettings& s) { count(s) = value; });
  });
  return box;
}

QComboBox* PartFields::addCombo(const QString& name, const QString& label, const QString& tip) {
  auto* combo = new QComboBox(form_->parentWidget());
  combo->setObjectName(name);
  combo->setAccessibleName(label);
  combo->setToolTip(tip);
  form_->addRow(label, combo);
  return combo;
}

void PartFields::addTurn() {
  turn_ = addCombo(QStringLiteral("importTurn"), tr("Turned"),
                   tr("By how much images are turned clockwise before all else"));
  turn_->addItem(tr("as found"), turnAsFound);
  turn_->addItem(tr("not turned"), 0);
  for (const int degrees : {90, 180, 270})
    turn_->addItem(tr("%1° clockwise").arg(degrees), degrees);
  mirror_ = addCombo(QStringLiteral("importMirror"), tr("Mirrored or reversed"),
                     tr("Mirrored: left and right of the images are exchanged, once they are "
                        "turned. Reversed: the last image belongs to the first angle or vectors"));
  mirror_->addItem(tr("neither"), 0);
  mirror_->addItem(tr("mirrored"), turnMirrored);
  mirror_->addItem(tr("reversed"), turnReversed);
  mirror_->addItem(tr("mirrored and reversed"), turnMirrored | turnReversed);
  for (QComboBox* combo : {turn_, mirror_})
    connect(combo, &QComboBox::activated, this, [this] {
      const int degrees = turn_->currentData().toInt(), kinds = mirror_->currentData().toInt();
      std::optional<FrameTurn> turn;
      if (degrees != turnAsFound || kinds != 0)
        turn = FrameTurn{std::max(0, degrees), (kinds & turnMirrored) != 0,
                         (kinds & turnReversed) != 0};
      emit edited(tr("Change how images are turned"), [turn](ImportSettings& s) { s.turn = turn; });
    });
}

void PartFields::addPadding() {
  padWith_ = addCombo(QStringLiteral("importPadWith"), tr("Padded with"),
                      tr("What the columns show that are added to the detector"));
  padWith_->addItem(tr("fading edge"), static_cast<int>(PadValues::fade));
  padWith_->addItem(tr("edge value"), static_cast<int>(PadValues::edge));
  padWith_->addItem(tr("0"), static_cast<int>(PadValues::zero));
  connect(padWith_, &QComboBox::activated, this, [this](int index) {
    const auto values = static_cast<PadValues>(padWith_->itemData(index).toInt());
    emit edited(tr("Change what pads"), [values](ImportSettings& s) { s.padding.values = values; });
  });
}

void PartFields::show(const ImportSettings& settings) {
  shown_ = settings;
  for (const Range& one : ranges_)
    one.line->setText(QString::fromStdString(text_of(settings.part.*one.range)));
  for (const Frames& one : frames_)
    one.line->setText(QString::fromStdString(text_of(settings.*one.frames)));
  const QSignalBlocker q1(bin_), q2(every_), q3(pad_);
  bin_->setValue(settings.part.bin);
  every_->setValue(settings.part.every);
  pad_->setValue(settings.padding.columns);
  padWith_->setCurrentIndex(padWith_->findData(static_cast<int>(settings.padding.values)));
  padWith_->setEnabled(settings.padding.columns > 0);
  const FrameTurn turn = settings.turn.value_or(FrameTurn{turnAsFound});
  turn_->setCurrentIndex(turn_->findData(turn.clockwise_deg));
  mirror_->setCurrentIndex(mirror_->findData((turn.is_mirrored ? turnMirrored : 0) |
                                             (turn.is_reversed ? turnReversed : 0)));
}

}  // namespace gantry
