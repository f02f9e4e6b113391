// What the contract of solvers works with.
#pragma once

#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/run.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/scans.hpp"

#include <cmath>
#include <map>

namespace gantry::test {

inline bool all_finite(const Array& x) {
  return std::ranges::all_of(x.to_host(), [](float value) { return std::isfinite(value); });
}

/// The most by which results of a method differ that lets the order of threads decide which
/// corrections a ray sees; a fraction. In a run of the contract on an H200 the largest was 0.24.
constexpr double of_chance = 0.4;
/// Checks that two results are equal to the bit or, of a method that is not repeatable, nearly.
inline void expect_same(double found, double expected, bool to_the_bit) {
  if (to_the_bit)
    QCOMPARE(found, expected);
  else
    EXPECT_NEAR(found, expected, of_chance * std::abs(expected));
}
inline void expect_same(const Array& found, const Array& expected, bool to_the_bit) {
  if (to_the_bit)
    QCOMPARE(found.to_host(), expected.to_host());
  else
    QVERIFY(distance(found, expected) <= of_chance * length(expected));
}

/// Scans, data and rows for the tests of solvers on a backend.
class SolverBench : public QObject {
 protected:
  explicit SolverBench(ContractBench bench) : bench_(std::move(bench)) {}

  ContractBench bench_;
  const Catalog& catalog_ = bench_.catalog;
  Backend& backend_ = *bench_.backend;
  const std::string& on_ = bench_.key;
  std::shared_ptr<const ScanGeometry> geometry_ = share(fan_spec(30, 48, 3));
  VolumeGrid grid_ = VolumeGrid::centered(32, 32, 1, {2, 2, 2});
  std::unique_ptr<Projector> A_;
  Array truth_, b_, noisy_;

  /// A projector with its data of the truth, exact and noisy.
  struct Scan {
    std::unique_ptr<Projector> A;
    Array b, noisy;
  };
  std::map<std::string, Scan> scans_;  // by projector
  Penalties penalties_{catalog_, on_};

  const std::vector<ScanCase> kinds_ = kinds_of_scan();

  /// Returns one scan of each beam on each trajectory.
  static std::vector<ScanCase> kinds_of_scan() {
    std::vector<ScanCase> kinds;
    for (const auto& cases : {scan_cases(), pose_cases()})
      for (const ScanCase& c : cases)
        if (std::ranges::none_of(kinds, [&](const ScanCase& other) {
              return other.geometry->beam() == c.geometry->beam() &&
                     other.geometry->spec().trajectory == c.geometry->spec().trajectory;
            }))
          kinds.push_back(c);
    return kinds;
  }
  /// Returns whether the words after "use" name a solver of the catalogue that accepts the scan.
  bool names_a_solver_for(const std::string& message, const ScanGeometry& scan) const {
    static const QRegularExpression after_use(QStringLiteral("\\buse\\b(.*)$")),
        no_word(QStringLiteral("\\W+"));
    const QStringList words =
        after_use.match(QString::fromStdString(message)).captured(1).split(no_word);
    return std::ranges::any_of(catalog_.solvers.entries(), [&](const auto& entry) {
      return entry.traits.scans.include(scan) && words.contains(QString::fromStdString(entry.key));
    });
  }
  /// Makes the first projector of the backend that accepts the scan; null if there is none.
  std::unique_ptr<Projector> projector_for(const ScanCase& c) {
    for (const auto* entry : catalog_.projectors.on(on_))
      if (entry->traits_on(on_).scans.include(*c.geometry))
        return entry->make(on_, backend_, c.geometry, c.grid, {});
    return nullptr;
  }

  static double norm(const Array& x) { return length(x); }
  // A method that takes priors is tested with each of them: the key "fista/huber" is the method and
  // the prior.
  static std::string solver_of(const std::string& key) { return key.substr(0, key.find('/')); }
  static std::string prior_of(const std::string& key) {
    return key.find('/') == std::string::npos ? std::string() : key.substr(key.find('/') + 1);
  }
  const SolverTraits& traits(const std::string& key) {
    return catalog_.solvers.at(solver_of(key)).traits;
  }
  std::unique_ptr<Solver> solver(const std::string& key, const Params& params = {}) {
    return catalog_.solvers.make(solver_of(key), on_, params);
  }
  Problem problem(const std::string& key, const Projector& A, const Array& b,
                  const Array* x0 = nullptr) {
    Problem one{.A = &A, .b = &b, .x0 = x0};
    if (const std::string prior = prior_of(key); !prior.empty())
      one.penalty = penalties_.make(prior, A);
    return one;
  }
  Array after(const std::string& key, const Params& params, int iterations,
              const Problem& problem) {
    const auto s = solver(key, params);
    run(*s, problem, {iterations, 0}, {});
    return s->solution().clone();
  }

  /// Makes a projector by its key, on a fan. Methods for cones only are tested with "siddon in a
  /// cone": a cone of one row and one slice, which is nearly a fan.
  std::unique_ptr<Projector> projector(const std::string& key, ScanSpec spec,
                                       const VolumeGrid& grid) {
    if (key == in_a_cone) spec.beam = Beam::cone;
    return catalog_.projectors.make(key == in_a_cone ? of_rays() : key, on_, backend_, share(spec),
                                    grid, {});
  }
  static constexpr const char* in_a_cone = "siddon in a cone";

  /// Returns the exact pair that most tests use, and the projector for methods that need single
  /// rays. A backend without such projectors uses those of the CPU.
  std::string usual() const {
    return catalog_.projectors.has("distance_driven", on_) ? "distance_driven"
                                                           : "hosted_distance_driven";
  }
  std::string of_rays() const {
    return catalog_.projectors.has("siddon", on_) ? "siddon" : usual();
  }
  const Scan& scan(const QString& key) {
    Scan& found = scans_[key.toStdString()];
    if (found.A == nullptr) {
      found.A = projector(key.toStdString(), geometry_->spec(), grid_);
      found.b = Array(backend_, found.A->range_size());
      found.A->forward(truth_, found.b);
      found.noisy = Array::from(backend_, random_values(found.A->range_size(), 31, -0.02F, 0.02F));
      backend_.axpby(1, found.b, 1, found.noisy);
    }
    return found;
  }

  /// Rows of a method that takes priors: with each, with those that hold no edge field, without.
  enum class Priors { each, without_edges, none };
  std::vector<std::string> with_priors(const Registry<Solver>::Entry& entry,
                                       Priors priors = Priors::each) {
    std::vector<std::string> keys;
    for (const auto* prior : catalog_.priors.on(on_))
      if (entry.traits.takes(prior->traits) &&
          !(priors == Priors::without_edges && prior->traits.has_edges))
        keys.push_back(entry.key + "/" + prior->key);
    return entry.traits.prior == PriorUse::none ? std::vector{entry.key} : keys;
  }
  static bool reads_weights(const SolverTraits& solver) {
    return solver.needs_rows || solver.needs_columns;
  }
  static bool gives_weights(const SolverTraits& solver, const ProjectorTraits& projector) {
    return (!solver.needs_rows || projector.has_rows) &&
           (!solver.needs_columns || projector.has_columns);
  }
  /// Adds rows for the wanted solvers, with the usual projector; with all projectors that give
  /// single weights for methods that need them.
  void addRows(const auto& wanted, Priors priors = Priors::each) {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("with");
    for (const auto* entry : catalog_.solvers.on(on_)) {
      if (!wanted(*entry)) continue;
      if (!entry->traits.scans.include(*geometry_)) {
        QTest::addRow("%s on %s", entry->key.c_str(), in_a_cone)
            << QString::fromStdString(entry->key) << QString(in_a_cone);
        continue;
      }
      for (const auto* other : catalog_.projectors.on(on_)) {
        const auto A = projector(other->key, geometry_->spec(), grid_);
        if (!A->matched() ||
            (reads_weights(entry->traits) ? !gives_weights(entry->traits, other->traits_on(on_))
                                          : other->key != usual()))
          continue;
        for (const std::string& key :
             priors == Priors::none ? std::vector{entry->key} : with_priors(*entry, priors))
          QTest::addRow("%s on %s", key.c_str(), other->key.c_str())
              << QString::fromStdString(key) << QString::fromStdString(other->key);
      }
    }
  }
  static bool is_iterative(const Registry<Solver>::Entry& entry) { return !entry.traits.is_direct; }
  static bool has_param(const Registry<Solver>::Entry& entry, const std::string& key) {
    return std::ranges::find(entry.params, key, &ParamSpec::key) != entry.params.end();
  }
  void solverRows(Priors priors = Priors::each) {
    addRows([](const auto&) { return true; }, priors);
  }
  void iterativeRows() { addRows(is_iterative); }

  /// Checks that image and reports are finite after some iterations.
  void staysFinite(const std::string& key, const Projector& A, const Array& data) {
    const auto s = solver(key);
    s->init(problem(key, A, data));
    for (int step = 0; step < 3 * s->steps_per_iteration(); ++step) {
      const StepReport report = s->step();
      QVERIFY(std::isfinite(report.residual_norm) && std::isfinite(report.update_norm));
      if (report.exhausted) break;
    }
    QVERIFY(all_finite(s->solution()));
    if (const auto range = s->admissible())
      QVERIFY(std::isfinite(range->value) && std::isfinite(range->bound));
  }

  /// Makes the usual projector and its data.
  void make_scans() {
    A_ = catalog_.projectors.make(usual(), on_, backend_, geometry_, grid_, {});
    // A disc with a hole and a denser disc.
    std::vector<float> truth(grid_.voxels());
    for (int iy = 0; iy < grid_.ny; ++iy)
      for (int ix = 0; ix < grid_.nx; ++ix) {
        const Vec3 p = grid_.voxel_center_mm(ix, iy, 0);
        const bool body = std::hypot(p.x, p.y) < 24, hole = std::hypot(p.x - 8, p.y - 5) < 6,
                   dense = std::hypot(p.x + 7, p.y + 3) < 5;
        truth[grid_.index(ix, iy, 0)] = body ? (hole ? 0.0F : dense ? 0.04F : 0.02F) : 0.0F;
      }
    truth_ = Array::from(backend_, truth);
    b_ = scan(QString::fromStdString(usual())).b.clone();
    noisy_ = scan(QString::fromStdString(usual())).noisy.clone();
  }
};

}  // namespace gantry::test
