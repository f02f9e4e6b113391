// The edge field of a prior in the window: offered by runs that have one, and shown from 0 to 1.
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>

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
    const auto items = [&](int id) {
      return board.tile(id)->findChild<QComboBox*>(QStringLiteral("tileMode"));
    };
    QCOMPARE(items(w.run(0))->findText(QStringLiteral("Edge field")), -1);
    QVERIFY(items(w.run(1))->findText(QStringLiteral("Edge field")) > 0);

    SliceTile* tile = board.tile(w.run(1));
    tile->showEdges();
    QVERIFY(tile->showsEdges() && !tile->showsDifference());
    QVERIFY(board.request().edges);
    WAIT_FOR(tile->view().slice().image() != nullptr &&
             tile->view().slice().image() ==
                 board.slice(tile->id(), SliceTile::Content::edges, Axis::axial, 0));
    const std::vector<float>& v = tile->view().slice().image()->values;
    QVERIFY(std::ranges::all_of(v, [](float edge) { return edge > 0 && edge <= 1; }));
    QVERIFY(std::ranges::min(v) < 0.5F);  // the skull
    QVERIFY(std::ranges::max(v) > 0.9F);
    QCOMPARE(tile->view().slice().window(), 1.0);
    QCOMPARE(tile->view().slice().level(), 0.5);
    QVERIFY(tile->caption().contains(QStringLiteral("edge field")));
    QVERIFY(tile->readout({0, 0}).contains(QStringLiteral("v ")));

    // The difference to another run, and back to the estimate.
    tile->setDifference(true);
    QVERIFY(tile->showsDifference() && !tile->showsEdges());
    tile->setDifference(false);
    QVERIFY(!tile->showsEdges());
  }
};

GANTRY_TEST(TestEdgeField)
#include "test_edge_field.moc"
