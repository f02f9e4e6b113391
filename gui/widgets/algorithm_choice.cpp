#include "gui/widgets/algorithm_choice.hpp"

#include "gui/widgets/parameter_form.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace gantry {

AlgorithmChoice::AlgorithmChoice(const QString& name, QWidget* parent)
    : QObject(parent), box_(new QComboBox(parent)), form_(new ParameterForm(parent)) {
  box_->setObjectName(name);
  connect(box_, &QComboBox::activated, this,
          [this](int index) { emit chosen(box_->itemData(index).toString().toStdString()); });
  connect(form_, &ParameterForm::edited, this, &AlgorithmChoice::edited);
}

void AlgorithmChoice::addNone(const QString& label, const QString& formula) {
  all_.push_back({.key = {}, .label = label.toStdString(), .formula = formula.toStdString()});
}

void AlgorithmChoice::setShowsStudies(bool shows) {
  showsStudies_ = shows;
  form_->setShowsStudies(shows);
  fill(box_->currentData().toString().toStdString());
}

void AlgorithmChoice::offerOnly(std::function<bool(const std::string&)> condition) {
  condition_ = std::move(condition);
}

void AlgorithmChoice::setVisible(bool visible) {
  box_->setVisible(visible);
  title_->setVisible(visible);
  form_->setVisible(visible);
}

void AlgorithmChoice::fill(const std::string& chosen) {
  const QSignalBlocker quiet(box_);
  int row = 0;
  for (const AlgorithmInfo& info : all_) {
    const QString key = QString::fromStdString(info.key);
    const bool is_suitable =
        (!info.is_for_studies() || showsStudies_) && (!condition_ || condition_(info.key));
    const bool is_offered = is_suitable || info.key == chosen;
    if (!offerItem(*box_, row, QString::fromStdString(info.label), key, is_offered)) continue;
    const QString why = why_ ? why_(info.key) : QString(),
                  help = QString::fromStdString(info.help());
    box_->setItemData(row, why.isEmpty() ? help : why + QLatin1Char('\n') + help, Qt::ToolTipRole);
    // Qt::UserRole - 1 is QComboBox's role for the flags of an item: 0 disables it.
    box_->setItemData(row, why.isEmpty() ? QVariant() : QVariant(0), Qt::UserRole - 1);
    ++row;
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
  const auto info = std::ranges::find(all_, key, &AlgorithmInfo::key);
  const std::vector<ParamSpec> params =
      info == all_.end() ? std::vector<ParamSpec>{} : info->params;
  form_->show(params, values);
  form_->setVisible(!params.empty() && !box_->isHidden());
}

}  // namespace gantry
