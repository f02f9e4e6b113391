// Which blocks of the matrix hold nonzeros, in the window: counted anew from the weights.
#include "tests/gui/matrix/matrix_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QLabel>
#include <QTabWidget>

#include <set>
#include <utility>
#include <vector>

using namespace gantry;
using namespace gantry::test;

class TestMatrixBlocks : public MatrixFixture {
  Q_OBJECT

 private slots:
  void init() { openWindow(); }
  void cleanup() { closeWindow(); }

  /// In natural order a block is 16 neighbouring rays x 16 neighbouring pixels of a line.
  void blocksAreCountedBeforeAndAfter() {
    openSmall();
    openExplorer();
    QVERIFY(!explorer().probe().blocks().has_value());  // as long as nobody looks
    auto& pages = find<QTabWidget>("matrixPages");
    pages.setCurrentIndex(2);
    settle();
    find<QComboBox>("matrixBlockSize").setCurrentText(QStringLiteral("16x16"));
    settle();
    std::set<std::pair<int, std::size_t>> blocks;
    std::size_t nonzeros = 0;
    for (int v = 0; v < 60; ++v)
      for (int u = 0; u < 64; ++u)
        for (const auto& [voxel, weight] : row(v, u)) {
          blocks.emplace((v * 64 + u) / 16, voxel / 16);
          ++nonzeros;
        }
    const auto& found = explorer().probe().blocks();
    QVERIFY(found.has_value());
    QCOMPARE(found->question.block_rays, 16);
    QCOMPARE(found->natural.count.blocks(16), static_cast<double>(blocks.size()));
    QCOMPARE(found->natural.count.nonzeros, static_cast<double>(nonzeros));
    QCOMPARE(found->ordered.count.nonzeros, static_cast<double>(nonzeros));
    QVERIFY(found->ordered.count.blocks(16) < 0.8 * static_cast<double>(blocks.size()));
    const double all = 60 * 64 / 16 * 4096 / 16;
    const QString share = QString::number(100 * static_cast<double>(blocks.size()) / all, 'g', 3);
    QVERIFY2(plot("matrixBlocksBefore").title().contains(share),
             qPrintable(plot("matrixBlocksBefore").title()));
    // Drawn are the dots beneath which there are such blocks, and no others.
    const QImage picture = plot("matrixBlocksBefore").image();
    std::vector<bool> expected(static_cast<std::size_t>(picture.width() * picture.height()));
    const int height = picture.height(), groups = 120;
    for (const auto& [rays, patch] : blocks) {
      int y = 0;
      while (groups * (y + 1) / height <= rays / 2) ++y;
      expected[static_cast<std::size_t>(y * picture.width()) +
               patch * static_cast<std::size_t>(picture.width()) / 256] = true;
    }
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        QCOMPARE(!isBlank(picture.pixelColor(x, y)),
                 expected[static_cast<std::size_t>(y * picture.width() + x)]);
    QVERIFY(!find<QLabel>("matrixBlocksSummary").text().isEmpty());
    // The same for another order.
    const double folded = found->ordered.count.blocks(16);
    find<QComboBox>("matrixBlockOrder").setCurrentText(QStringLiteral("pseudo-morton"));
    settle();
    QVERIFY(explorer().probe().blocks()->ordered.count.blocks(16) >= folded);
    QCOMPARE(explorer().probe().blocks()->natural.count.blocks(16),
             static_cast<double>(blocks.size()));
  }

  void blocksAreThoseOfTheRunsFormat() {
    openSmall([](Experiment& e) {
      e.runs.front().format = "bsr";
      e.runs.front().format_params = {{"block", std::string("32x16")},
                                      {"order", std::string("pseudo-morton")}};
    });
    openExplorer();
    QCOMPARE(find<QComboBox>("matrixBlockSize").currentText(), QStringLiteral("32x16"));
    QCOMPARE(find<QComboBox>("matrixBlockOrder").currentText(), QStringLiteral("pseudo-morton"));
  }

  void aConeHasNoBlocksAndSaysSo() {
    openSmall([](Experiment& e) {
      e.source.phantom = "shepp_logan_ks";
      e.geometry->beam = Beam::cone;
      e.geometry->detector_rows = 5;
      e.geometry->central_row = 2;
      e.geometry->row_pitch_mm = 8;
      e.grid = VolumeGrid::centered(32, 32, 5, {8, 8, 8});
    });
    openExplorer();
    find<QTabWidget>("matrixPages").setCurrentIndex(2);
    settle();
    QVERIFY(!explorer().probe().blocks().has_value());
    QVERIFY2(plot("matrixBlocksBefore").hint().contains(QStringLiteral("parallel or fan beam")),
             qPrintable(plot("matrixBlocksBefore").hint()));
    QVERIFY(!plot("matrixSparsity").image().isNull());  // the rest is there
  }
};

GANTRY_TEST(TestMatrixBlocks)
#include "test_matrix_blocks.moc"
