// What the catalogue says of the solvers to those who do not know them.
#include "core/catalog/catalog.hpp"
#include "tests/support/test_program.hpp"

#include <QRegularExpression>
#include <QtTest>

#include <set>

using namespace gantry;

class TestSolverCatalog : public QObject {
  Q_OBJECT

 private slots:
  /// The card of a run has one short line for it: a verb in the third person, plain words after it.
  void everySolverHasAnIdeaOfItsOwn() {
    Catalog catalog;
    add_core(catalog);
    static const QRegularExpression plain(
        QStringLiteral("^[a-z]+s [A-Za-z', -]+$"));  // no formula, no full stop
    std::set<std::string> ideas;
    for (const auto& solver : catalog.solvers.entries()) {
      const QByteArray said = QByteArray::fromStdString(solver.key + ": \"" + solver.idea + "\"");
      QVERIFY2(solver.idea.size() >= 10 && solver.idea.size() <= 44, said);
      QVERIFY2(plain.match(QString::fromStdString(solver.idea)).hasMatch(), said);
      QVERIFY2(ideas.insert(solver.idea).second, said);
    }
    QVERIFY(!ideas.empty());
  }
};

GANTRY_TEST(TestSolverCatalog)
#include "test_solver_catalog.moc"
