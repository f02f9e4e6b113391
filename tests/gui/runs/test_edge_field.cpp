// The edge field of a prior in the window: offered by runs that have one, shown from 0 to 1, saved.
#include "core/io/volumes/volume_file.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QSignalSpy>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestEdgeField : public QObject {
  Q_OBJECT

 private slots:
  void edgeFieldIsAViewOfItsOwn() {
    WindowFixture w;
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) {
      run.solver = "wls_pcg";
      run.solver_params = {};
      run.backend = "cpu";
      run.iterations = 6;
    }
    few.runs[1].prior = "mumford_shah";
    w.model().reset(few, {});
    w.controller().prepareData();
    for (const int id : w.model().runIds()) w.controller().start(id);
    for (const int id : w.model().runIds()) WAIT_FOR(w.state(id) == RunState::finished);

    SliceBoard& board = w.window->board();
    const auto offers_edges = [&](int id) {
      return std::ranges::any_of(board.tile(id)->contents(), [](const QAction* action) {
        return action->text() == QStringLiteral("Edge field");
      });
    };
    QVERIFY(!offers_edges(w.run(0)) && offers_edges(w.run(1)));

    SliceTile* tile = board.tile(w.run(1));
    tile->showEdges();
    QVERIFY(tile->showsEdges() && !tile->showsDifference());
    QVERIFY(board.request().edges);
    WAIT_FOR(tile->view().slice().image() != nullptr &&
             tile->view().slice().image() ==
                 board.slice(tile->id(), SliceTile::Content::edges, Axis::axial, 0));
    const std::vector<float> v = tile->view().slice().image()->values;
    QVERIFY(std::ranges::all_of(v, [](float edge) { return edge > 0 && edge <= 1; }));
    QVERIFY(std::ranges::min(v) < 0.5F);  // the skull
    QVERIFY(std::ranges::max(v) > 0.9F);
    QCOMPARE(tile->view().slice().window(), 1.0);
    QCOMPARE(tile->view().slice().level(), 0.5);
    QVERIFY(tile->caption().contains(QStringLiteral("edge field")));
    QVERIFY(tile->readout({0, 0}).contains(QStringLiteral("v ")));

    // Beside the estimate, each on its side of a line in the middle, both in the same window.
    tile->show({TileContent::Kind::beside_edges, -1});
    QVERIFY(tile->needsEdges() && board.request().edges);
    const auto estimate = board.slice(tile->id(), SliceTile::Content::image, Axis::axial, 0);
    const SliceScene& scene = tile->view().slice();
    const auto width = static_cast<std::size_t>(estimate->width);
    const std::size_t left = 32 * width + 20, right = 32 * width + 44;
    const auto edge_in_window = [&] { return scene.level() + scene.window() * (v[right] - 0.5); };
    WAIT_FOR(scene.image() != nullptr);
    QVERIFY(scene.divider().has_value());
    QCOMPARE(scene.image()->values[left], estimate->values[left]);
    EXPECT_NEAR(scene.image()->values[right], edge_in_window(), 1e-6);
    w.window->viewState().setWindowLevel(2 * scene.window(), scene.level());
    EXPECT_NEAR(scene.image()->values[right], edge_in_window(), 1e-6);
    QVERIFY(tile->caption().contains(QStringLiteral("edge field from 0 to 1 right of the line")));
    const double u = estimate->u0_mm + 44 * estimate->du_mm;
    QVERIFY(tile->readout({u, 0}).contains(QStringLiteral("edge field:  v ")));
    tile->showEdges();

    // Saved, as it is shown.
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("edges.mha"));
    w.window->files().saveEdgeField(w.run(1), file);
    WAIT_FOR(QFileInfo::exists(file));
    QCOMPARE(load_volume(file.toStdString()).mu, v);
    QSignalSpy failures(&w.window->files(), &FileActions::failed);
    w.window->files().saveEdgeField(w.run(0), folder.filePath(QStringLiteral("none.mha")));
    QCOMPARE(failures.size(), 1);
    QVERIFY(failures[0][1].toString().contains(QStringLiteral("the run has none")));
    w.window->files().saveEdgeField(w.run(1), folder.filePath(QStringLiteral("edges")));  // DICOM
    QCOMPARE(failures.size(), 2);
    QVERIFY(failures[1][1].toString().contains(QStringLiteral("an edge field has no unit")));

    // The difference to another run, and back to the estimate.
    tile->setDifference(true);
    QVERIFY(tile->showsDifference() && !tile->showsEdges());
    tile->setDifference(false);
    QVERIFY(!tile->showsEdges());
  }
};

GANTRY_TEST(TestEdgeField)
#include "test_edge_field.moc"
