#include "gui/widgets/algorithm_choice.hpp"

#include "gui/widgets/palette.hpp"
#include "gui/widgets/parameter_form.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>

namespace gantry {

namespace {

/// Adds a line that names the entries below and cannot be chosen.
void addHeading(QComboBox& box, const QString& text) {
  box.addItem(text);
  auto* item = qobject_cast<QStandardItemModel*>(box.model())->item(box.count() - 1);
  item->setFlags(Qt::NoItemFlags);
  item->setForeground(mutedText(box.palette()));  // a disabled entry would be too pale to read
  QFont font = box.font();
  font.setItalic(true);
  item->setFont(font);
}

}  // namespace

AlgorithmChoice::AlgorithmChoice(const QString& name, QWidget* parent)
    : QObject(parent), box_(new QComboBox(parent)), form_(new ParameterForm(parent)) {
  box_->setObjectName(name);
  connect(box_, &QComboBox::activated, this,
          [this](int index) { emit chosen(box_->itemData(index).toString().toStdString()); });
  connect(form_, &ParameterForm::edited, this, &AlgorithmChoice::edited);
  connect(form_, &ParameterForm::dragged, this, &AlgorithmChoice::dragged);
  connect(form_, &ParameterForm::sweepWanted, this, &AlgorithmChoice::sweepWanted);
}

void AlgorithmChoice::addNone(const QString& label, const QString& formula) {
  all_.push_back({{.key = {}, .label = label.toStdString(), .formula = formula.toStdString()}, {}});
}

void AlgorithmChoice::addUnder(const QString& heading, const AlgorithmInfo& info) {
  const auto behind = std::ranges::find(all_.rbegin(), all_.rend(), heading, &Item::heading);
  all_.insert(behind == all_.rend() ? all_.end() : behind.base(), {info, heading});
}

void AlgorithmChoice::setShowsStudies(bool shows) {
  showsStudies_ = shows;
  form_->setShowsStudies(shows);
  fill(box_->currentData().toString().toStdString());
}

void AlgorithmChoice::setOffersTrials(ParameterForm::Sliders sliders) {
  form_->setOffersTrials(sliders);
}

void AlgorithmChoice::offerOnly(std::function<bool(const std::string&)> condition) {
  condition_ = std::move(condition);
}

void AlgorithmChoice::setVisible(bool visible) {
  box_->setVisible(visible);
  title_->setVisible(visible);
  form_->setVisible(visible);
}

bool AlgorithmChoice::isOffered(const AlgorithmInfo& info, const std::string& chosen) const {
  const bool is_suitable =
      (!info.is_for_studies() || showsStudies_) && (!condition_ || condition_(info.key));
  return is_suitable || info.key == chosen;
}

void AlgorithmChoice::fill(const std::string& chosen) {
  const QSignalBlocker quiet(box_);
  box_->clear();
  QString heading;
  for (const auto& [info, its_heading] : all_) {
    if (!isOffered(info, chosen)) continue;
    if (its_heading != heading) addHeading(*box_, its_heading);
    heading = its_heading;
    const int row = box_->count();
    box_->addItem(QString::fromStdString(info.label), QString::fromStdString(info.key));
    const QString why = why_ ? why_(info.key) : QString(),
                  help = QString::fromStdString(info.help());
    box_->setItemData(row, why.isEmpty() ? help : why + QLatin1Char('\n') + help, Qt::ToolTipRole);
    // Qt::UserRole - 1 is QComboBox's role for the flags of an item: 0 disables it.
    if (!why.isEmpty()) box_->setItemData(row, QVariant(0), Qt::UserRole - 1);
  }
  box_->setCurrentIndex(box_->findData(QString::fromStdString(chosen)));
}

void AlgorithmChoice::addTo(QFormLayout* layout, const QString& label, const QString& help) {
  title_ = new QLabel(label, box_->parentWidget());
  title_->setBuddy(box_);
  title_->setToolTip(help);
  box_->setToolTip(help);
  layout->addRow(title_, box_);
  layout->addRow(form_);
}

void AlgorithmChoice::show(const std::string& key, const Params& values) {
  fill(key);
  const auto item =
      std::ranges::find_if(all_, [&](const Item& one) { return one.info.key == key; });
  const std::vector<ParamSpec> params =
      item == all_.end() ? std::vector<ParamSpec>{} : item->info.params;
  form_->show(params, values);
  form_->setVisible(!params.empty() && !box_->isHidden());
}

}  // namespace gantry
