#include "gui/matrix/matrix_blocks.hpp"

#include "core/base/error.hpp"
#include "gui/matrix/matrix_pictures.hpp"
#include "gui/widgets/image_plot.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

const char* const natural = "natural";

QString percent(double part) { return MatrixBlocksPage::tr("%1 %").arg(100 * part, 0, 'g', 3); }

}  // namespace

MatrixBlocksPage::MatrixBlocksPage(QWidget* parent)
    : QWidget(parent),
      before_(new ImagePlot(this)),
      after_(new ImagePlot(this)),
      summary_(new QLabel(this)) {
  before_->setObjectName(QStringLiteral("matrixBlocksBefore"));
  after_->setObjectName(QStringLiteral("matrixBlocksAfter"));
  for (ImagePlot* plot : {before_, after_})
    plot->setToolTip(
        tr("The darker a dot, the more of its blocks hold nonzeros; blocks without nonzeros "
           "(white) are not stored"));
  summary_->setObjectName(QStringLiteral("matrixBlocksSummary"));
  // The summary has two lines at any width, so that this page needs the same height as the other
  // pages.
  summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  summary_->setText(QStringLiteral("\n"));
  auto* choices = new QHBoxLayout;
  block_ = addChoice(QStringLiteral("matrixBlockSize"), block_size_param());
  order_ = addChoice(QStringLiteral("matrixBlockOrder"), block_order_param());
  order_->removeItem(order_->findText(QLatin1String(natural)));
  for (QComboBox* box : {block_, order_}) choices->addWidget(box);
  choices->addStretch(1);
  auto* plots = new QHBoxLayout;
  for (ImagePlot* plot : {before_, after_}) plots->addWidget(plot, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addLayout(choices);
  layout->addLayout(plots, 1);
  layout->addWidget(summary_);
  connect(after_, &ImagePlot::dotsChanged, this, &MatrixBlocksPage::wanted);
}

QComboBox* MatrixBlocksPage::addChoice(const QString& name, const ParamSpec& spec) {
  auto* box = new QComboBox(this);
  box->setObjectName(name);
  box->setToolTip(QString::fromStdString(spec.label + ": " + spec.help));
  for (const std::string& choice : spec.choices) box->addItem(QString::fromStdString(choice));
  connect(box, &QComboBox::currentIndexChanged, this, &MatrixBlocksPage::wanted);
  return box;
}

void MatrixBlocksPage::adopt(const Params& format_params) {
  for (const auto& [box, spec] :
       {std::pair{block_, block_size_param()}, {order_, block_order_param()}}) {
    const auto given = format_params.values().find(spec.key);
    if (given == format_params.values().end()) continue;
    const int at = box->findText(QString::fromStdString(format_param(given->second)));
    const QSignalBlocker quiet(box);
    if (at >= 0) box->setCurrentIndex(at);
  }
}

BlockQuestion MatrixBlocksPage::question() const {
  return {block_order_kind(order_->currentText().toStdString()),
          block_rays_of(block_->currentText().toStdString()), after_->dots()};
}

void MatrixBlocksPage::showBlocks(const MatrixBlocks& blocks) {
  const int rays = blocks.question.block_rays;
  const BlockCount &before = blocks.natural.count, &after = blocks.ordered.count;
  // Both pictures have one scale, so that they can be compared.
  const float fullest = std::max(std::ranges::max(blocks.natural.occupancy.share),
                                 std::ranges::max(blocks.ordered.occupancy.share));
  const auto show = [&](ImagePlot* plot, const QString& order, const BlocksInOrder& found) {
    plot->setTitle(
        tr("%1: %2 of the blocks").arg(order, percent(found.count.fraction_of_blocks(rays))));
    plot->setAxes(indexAxis(tr("block of pixels"), static_cast<int>(found.count.patches)),
                  indexAxis(tr("block of rays"), static_cast<int>(found.count.rows / rays)));
    plot->setImage(occupancy_picture(found.occupancy, fullest, palette()));
  };
  show(before_, tr(natural), blocks.natural);
  show(after_, order_->currentText(), blocks.ordered);
  summary_->setText(tr("%1 times fewer blocks; %2 of their entries are nonzeros, %3 in natural "
                       "order\nMemory in half precision: %4, in natural order %5")
                        .arg(before.blocks(rays) / after.blocks(rays), 0, 'f', 2)
                        .arg(percent(after.fill(rays)), percent(before.fill(rays)),
                             QString::fromStdString(
                                 format_bytes(static_cast<std::size_t>(after.bsr_bytes(rays)))),
                             QString::fromStdString(
                                 format_bytes(static_cast<std::size_t>(before.bsr_bytes(rays))))));
}

void MatrixBlocksPage::showNothing(const QString& why) {
  for (ImagePlot* plot : {before_, after_}) {
    plot->setImage({});
    plot->setTitle({});
    plot->setHint(why);
  }
  summary_->setText(QStringLiteral("\n"));
}

void MatrixBlocksPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  emit wanted();
}

}  // namespace gantry
