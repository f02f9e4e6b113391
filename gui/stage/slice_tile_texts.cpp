// The part of SliceTile that says what it shows: titles, captions, and the values under the mouse.
#include "gui/stage/slice_tile.hpp"
#include "gui/views/slice_view.hpp"

#include <QAction>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace gantry {

QString SliceTile::nameOf(int partner) const {
  const auto found = std::ranges::find(partners_, partner, &std::pair<int, QString>::first);
  return found == partners_.end() ? QString() : found->second;
}

/// Returns the title where the pictures have these names: both, where two are shown.
QString SliceTile::titleOf(const QString& own, const QString& partner) const {
  using Kind = TileContent::Kind;
  switch (content_.kind) {
    case Kind::blink:
      return blinks_ ? tr("%1, in turn with %2").arg(partner, own)
                     : tr("%1, in turn with %2").arg(own, partner);
    case Kind::swipe:
      return tr("%1 | %2").arg(own, partner);
    case Kind::difference:
      return tr("%1 − %2").arg(own, partner);
    case Kind::edges:
      return tr("Edges: %1").arg(own);
    case Kind::beside_edges:
      return tr("%1 | Edges").arg(own);
    case Kind::image:
      break;
  }
  return own;
}

QString SliceTile::fullTitle() const { return titleOf(title_, nameOf(content_.partner)); }

void SliceTile::applyTitle() {
  const auto forms_of = [this](int id) {
    const auto found = shortNames_.find(id);
    return found != shortNames_.end() ? found->second : QStringList();
  };
  const QStringList own = forms_of(id_), partner = forms_of(content_.partner);
  const auto form = [](const QStringList& forms, qsizetype i, const QString& whole) {
    return forms.isEmpty() ? whole : forms[std::min(i, forms.size() - 1)];
  };
  std::vector<std::string> shorter;
  for (qsizetype i = 0; i < std::max(own.size(), partner.size()); ++i)
    shorter.push_back(
        titleOf(form(own, i, title_), form(partner, i, nameOf(content_.partner))).toStdString());
  view_->setTitle(fullTitle().toStdString(), blinks_ ? std::nullopt : colour_, shorter);
  // Iteration and seconds are those of the run, not of its partner.
  view_->setStatus(blinks_ ? std::string() : status_.toStdString());
}

/// Shows the whole title over a header that may have room for a part of it.
bool SliceTile::eventFilter(QObject* object, QEvent* event) {
  if (object == view_ && event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const RectPx& header = view_->slice().layout().header;
    if (header.contains(help->x(), help->y())) {
      QToolTip::showText(help->globalPos(), fullTitle(), view_);
      return true;
    }
  }
  return QFrame::eventFilter(object, event);
}

QString SliceTile::readout(const PointMm& at) const {
  const ViewState& s = state();
  if (shown_ == nullptr || !shown_->contains(at.u, at.v)) return {};
  const double mu = shown_->value_at(at.u, at.v);
  const char* const u_name = s.axis() == Axis::sagittal ? "y" : "x";
  const char* const v_name = s.axis() == Axis::axial ? "y" : "z";
  QString text = QStringLiteral("%1 %2  %3 %4")
                     .arg(QLatin1String(u_name))
                     .arg(at.u, 0, 'f', s.lengthDecimals())
                     .arg(QLatin1String(v_name), s.lengthText(at.v));
  if (showsEdges())
    text += tr("   v %1").arg(mu, 0, 'f', 3);
  else if (showsDifference())
    text += tr("   Δμ %1 %2 (%3 HU), water %4")
                .arg(mu, 0, 'g', 4)
                .arg(s.muUnit())
                .arg(1000 * mu / s.muWater(), 0, 'f', 0)
                .arg(s.muWater());
  else
    text += QStringLiteral("   ") + s.textOf(mu);
  const bool right_of_divider = content_.has_divider() && divider_mm_ && at.u > *divider_mm_;
  if (right_of_divider && needsEdges()) {
    const double v = other_image_ == nullptr ? 0 : other_image_->value_at(at.u, at.v);
    return title_ + tr(", edge field:  v %1").arg(v, 0, 'f', 3);
  }
  const QString name = blinks_ || right_of_divider ? nameOf(content_.partner) : title_;
  return name + QStringLiteral(":  ") + text;
}

QString SliceTile::caption() const {
  const ViewState& s = state();
  QString text = title_;
  if (showsDifference()) {
    QString what = contentAction(content_)->text();
    what[0] = what[0].toLower();
    return text + tr(", %1; colours from %2 to %3 %4")
                      .arg(what)
                      .arg(-0.5 * s.differenceWindow(), 0, 'g', 3)
                      .arg(0.5 * s.differenceWindow(), 0, 'g', 3)
                      .arg(s.muUnit());
  }
  if (showsEdges()) return text + tr(", edge field; grey from 0 to 1");
  if (needsEdges()) text += tr(", and its edge field from 0 to 1 right of the line");
  if (content_.kind == TileContent::Kind::blink && blinks_) text = nameOf(content_.partner);
  if (content_.kind == TileContent::Kind::swipe)
    text = tr("%1, and %2 right of the line").arg(title_, nameOf(content_.partner));
  return text + greyText();
}

QString SliceTile::greyText() const {
  QString text = state().greyText();
  if (slice_count(grid_, state().axis()) > 1) text += tr("; slice %1").arg(plane().index);
  return text;
}

}  // namespace gantry
