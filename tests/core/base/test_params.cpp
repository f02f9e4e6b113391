#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/base/registry.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/study_choices.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;

namespace {

const std::vector<ParamSpec> specs = {
    {.key = "relaxation",
     .label = "Relaxation",
     .unit = "",
     .fallback = 1.0,
     .min = 0.0,
     .max = 2.0,
     .step = 0.1,
     .help = ""},
    {.key = "subsets",
     .label = "Subsets",
     .unit = "",
     .fallback = std::int64_t{10},
     .min = 1,
     .max = 1000,
     .step = 1,
     .help = ""},
    {.key = "order",
     .label = "Order",
     .unit = "",
     .fallback = std::string("golden"),
     .choices = {"natural", "golden"},
     .help = ""},
    {.key = "nonnegative", .label = "Non-negative", .unit = "", .fallback = true, .help = ""},
};

}  // namespace

class TestParams : public QObject {
  Q_OBJECT
 private slots:
  void fallbacksFillWhatIsMissing() {
    const Params resolved = resolve_params({{"relaxation", 0.5}}, specs, "solver");
    QCOMPARE(resolved.real("relaxation"), 0.5);
    QCOMPARE(resolved.integer("subsets"), std::int64_t{10});
    QCOMPARE(resolved.text("order"), std::string("golden"));
    QVERIFY(resolved.flag("nonnegative"));
  }

  void wholeNumbersSuitRealParameters() {
    QCOMPARE(resolve_params({{"relaxation", std::int64_t{1}}}, specs, "solver").real("relaxation"),
             1.0);
    QCOMPARE(resolve_params({{"subsets", 12.0}}, specs, "solver").integer("subsets"),
             std::int64_t{12});
  }

  void messagesNameKeyRangeAndChoices() {
    EXPECT_THROWS(UsageError, resolve_params({{"relaxation", 2.5}}, specs, "sart"),
                  "sart.relaxation: value 2.5 is out of range; use 0 to 2");
    EXPECT_THROWS(UsageError, resolve_params({{"relaxation", std::nan("")}}, specs, "sart"),
                  "out of range");
    EXPECT_THROWS(UsageError, resolve_params({{"subsets", 1.5}}, specs, "sart"),
                  "not a whole number");
    EXPECT_THROWS(UsageError, resolve_params({{"order", std::string("odd")}}, specs, "sart"),
                  "natural, golden");
    EXPECT_THROWS(UsageError, resolve_params({{"lambda", 1.0}}, specs, "sart"),
                  "it has relaxation, subsets, order, nonnegative");
    EXPECT_THROWS(UsageError, resolve_params({{"nonnegative", 1.0}}, specs, "sart"),
                  "true or false");
  }

  void textReadsBackAsWritten() {
    for (const double value : {0.1, 1e-7, 1.9, 2.0 / 3.0})
      QCOMPARE(std::get<double>(parse_param(specs[0], format_param(value), "s")), value);
    QCOMPARE(std::get<bool>(parse_param(specs[3], "false", "s")), false);
    EXPECT_THROWS(UsageError, parse_param(specs[0], "half", "s"), "not a number");
  }

  void choicesForStudiesAreOfferedOnRequest() {
    ParamSpec spec = specs[2];
    spec.choices = {"natural", "golden", "random", "unsafe"};
    spec.study_choices = {"random", "unsafe"};
    spec.help = "Golden.";
    spec.study_help = "Unsafe: wrong.";
    const auto usual = offered_part(spec, spec.fallback, false);
    QCOMPARE(usual->choices, (std::vector<std::string>{"natural", "golden"}));
    QCOMPARE(usual->help, std::string("Golden."));
    const auto chosen = offered_part(spec, std::string("unsafe"), false);
    QCOMPARE(chosen->choices, (std::vector<std::string>{"natural", "golden", "unsafe"}));
    const auto all = offered_part(spec, spec.fallback, true);
    QCOMPARE(all->choices, spec.choices);
    QCOMPARE(all->help, std::string("Golden. Unsafe: wrong."));
    QCOMPARE(resolve_params({{"order", std::string("unsafe")}}, {{spec}}, "s").text("order"),
             std::string("unsafe"));
    // A parameter that leaves no choice is not offered.
    spec.study_choices.emplace_back("natural");
    QVERIFY(!offered_part(spec, spec.fallback, false));
    QVERIFY(offered_part(spec, std::string("natural"), false) &&
            offered_part(spec, spec.fallback, true));
    for (const ParamSpec& other : specs) QVERIFY(offered_part(other, other.fallback, false));
  }

  void choicesForStudiesAreChoicesAndNoFallbacks() {
    Catalog catalog;
    add_core(catalog);
    QCOMPARE(test::wrong_study_choices(catalog), std::string());
  }

  void registryNamesWhatItHas() {
    struct Thing {};
    Registry<Thing> things("thing");
    const auto make = [](const Params&) { return std::make_unique<Thing>(); };
    things.add({.key = "one", .label = "One"}, "cpu", make);
    QVERIFY(things.make("one", "cpu", {}) != nullptr);
    EXPECT_THROWS(UsageError, things.at("two"), "unknown thing \"two\"; use one of one");
    EXPECT_THROWS(UsageError, things.make("one", "cpu", {{"x", 1.0}}), "it has no parameters");
    EXPECT_THROWS(UsageError, things.make("one", "cuda", {}), "use backend cpu");
    EXPECT_THROWS(std::logic_error, things.add({.key = "one", .label = ""}, "cuda", make),
                  "is in the list already");
    EXPECT_THROWS(std::logic_error, things.add_on("cuda", "two", make), "cannot be added");
    EXPECT_THROWS(std::logic_error, things.add_on("cpu", "one", make), "cannot be added");
  }

  void anAlgorithmIsDescribedOnceForAllBackends() {
    struct Thing {
      std::int64_t lanes = 0;
    };
    const auto spec = [](const char* key) {
      return ParamSpec{
          .key = key, .label = "", .unit = "", .fallback = std::int64_t{3}, .min = 1, .help = ""};
    };
    Registry<Thing> things("thing");
    things.add({"one", "One", "y = A x.", "Kaczmarz 1937", {spec("depth")}, {}, Audience::studies},
               "cpu", [](const Params&) { return std::make_unique<Thing>(); });
    things.add_on(
        "cuda", "one",
        [](const Params& params) { return std::make_unique<Thing>(params.integer("lanes")); },
        {spec("lanes")});
    things.also_on("board", "one", "cpu");
    QCOMPARE(things.entries().size(), std::size_t{1});
    const auto& one = things.at("one", "cuda");
    QCOMPARE(one.backends(), std::string("cpu, cuda, board"));
    QCOMPARE(one.help(), std::string("y = A x. Kaczmarz 1937."));
    QVERIFY(one.is_for_studies());
    const AlgorithmInfo many{.key = "", .label = "", .formula = "y.", .references = "Chen et al."};
    QCOMPARE(many.help(), std::string("y. Chen et al."));
    QCOMPARE(one.params_on("cpu").size(), std::size_t{1});
    QCOMPARE(things.make("one", "cuda", {{"depth", std::int64_t{1}}})->lanes, std::int64_t{3});
    EXPECT_THROWS(UsageError, things.make("one", "cpu", {{"lanes", std::int64_t{1}}}), "lanes");
  }

  void bytesAreReadable() {
    QCOMPARE(format_bytes(999), std::string("999 B"));
    QCOMPARE(format_bytes(1500), std::string("1.50 kB"));
    QCOMPARE(format_bytes(141000000000ULL), std::string("141 GB"));
    const OutOfMemory error("the volume", 8000000000ULL, 2000000000ULL);
    QCOMPARE(std::string(error.what()),
             std::string(
                 "the volume needs 8.00 GB, 2.00 GB are free; use a smaller grid or fewer views"));
  }
};

GANTRY_TEST(TestParams)
#include "test_params.moc"
