#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "core/geometry/presets.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/volumes/volume_formats.hpp"

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

namespace gantry::cli {

namespace {

void print_params(const std::vector<ParamSpec>& params, bool all) {
  for (const ParamSpec& described : params) {
    const std::optional<ParamSpec> offered = offered_part(described, described.fallback, all);
    if (!offered) continue;
    const ParamSpec& spec = *offered;
    std::printf("    %s = %s%s%s", spec.key.c_str(), format_param(spec.fallback).c_str(),
                spec.unit.empty() ? "" : " ", spec.unit.c_str());
    if (!spec.choices.empty()) {
      std::printf("  (");
      for (std::size_t i = 0; i < spec.choices.size(); ++i)
        std::printf("%s%s", i == 0 ? "" : ", ", spec.choices[i].c_str());
      std::printf(")");
    }
    const bool number = std::holds_alternative<double>(spec.fallback) ||
                        std::holds_alternative<std::int64_t>(spec.fallback);
    if (number) std::printf("  (%s)", range_text(spec).c_str());
    std::printf("\n        %s\n", spec.help.c_str());
  }
}

void print_title(const char* title, bool empty) {
  std::printf("%s\n%s", title, empty ? "  none yet\n" : "");
}

/// `all` also prints the algorithms and the choices of parameters for the comparisons of published
/// studies.
template <class Entries>
void print_entries(const char* title, const Entries& registry, bool all) {
  print_title(title, registry.entries().empty());
  for (const auto& entry : registry.entries()) {
    if (entry.is_for_studies() && !all) continue;
    std::printf("  %-18s %s [%s]%s\n    %s\n", entry.key.c_str(), entry.label.c_str(),
                entry.backends().c_str(), entry.is_for_studies() ? ", kept for comparison" : "",
                entry.help().c_str());
    print_params(entry.params, all);
  }
}

template <class Format>
void print_formats(const char* title, const FormatRegistry<Format>& registry) {
  print_title(title, registry.entries().empty());
  for (const Format& format : registry.entries()) {
    const char* use = format.read && format.write ? "read, write"
                      : format.read               ? "read"
                      : format.write              ? "write"
                                                  : "not in this build";
    std::printf("  %-18s %s [%s]\n", format.key.c_str(), described({&format}).c_str(), use);
    print_params(format.options, true);
  }
}

void print_presets() {
  std::printf("presets\n");
  for (const ScanPreset& preset : scan_presets())
    std::printf("  %-18s %s\n    %s; grid %s\n    %s\n", preset.key.c_str(), preset.label.c_str(),
                describe(ScanGeometry(preset.scan)).c_str(), describe(preset.grid).c_str(),
                preset.reference.c_str());
}

void print_backends(const Program& program) {
  std::printf("backends\n");
  for (const auto& entry : program.backends.entries())
    std::printf("  %-18s %s%s%s\n", entry.key.c_str(), entry.name.c_str(),
                entry.available() ? "" : ": not available, ",
                entry.backend->unavailable_because().c_str());
}

/// A kind of things that are listed under one title.
struct Kind {
  const char* title;
  std::function<void(const char* title, const Program&, bool all)> print;
};

std::vector<Kind> kinds() {
  const auto of = [](auto registry) {
    return [registry](const char* title, const Program& program, bool all) {
      print_entries(title, program.catalog.*registry, all);
    };
  };
  return {{"projectors", of(&Catalog::projectors)},
          {"formats", of(&Catalog::matrix_formats)},
          {"solvers", of(&Catalog::solvers)},
          {"priors", of(&Catalog::priors)},
          {"metrics", of(&Catalog::metrics)},
          {"phantoms", of(&Catalog::phantoms)},
          {"corrections", of(&Catalog::corrections)},
          {"volume-formats",
           [](const char* title, auto&&...) { print_formats(title, volume_formats()); }},
          {"projection-formats",
           [](const char* title, auto&&...) { print_formats(title, projection_formats()); }},
          {"presets", [](auto&&...) { print_presets(); }},
          {"backends", [](const char*, const Program& program, bool) { print_backends(program); }}};
}

int list(const std::string& what, bool all, const Program& program) {
  for (const Kind& kind : kinds())
    if (what.empty() || what == kind.title) kind.print(kind.title, program, all);
  return 0;
}

}  // namespace

Command add_list(CLI::App& app, Program& program) {
  auto what = std::make_shared<std::string>();
  auto all = std::make_shared<bool>(false);
  CLI::App* sub =
      app.add_subcommand("list", "List algorithms, phantoms, file formats, presets and devices");
  std::vector<std::string> titles;
  std::string words;
  constexpr std::size_t line = 60;  // characters that fit beside the name of the option
  for (const Kind& kind : kinds()) {
    titles.emplace_back(kind.title);
    const std::size_t begin = words.rfind('\n') + 1;  // 0 in the first line
    if (!words.empty()) words += words.size() - begin + titles.back().size() < line ? ", " : ",\n";
    words += titles.back();
  }
  sub->add_option("WHAT", *what, words)->check(one_of(titles))->type_name("");
  sub->add_flag("--all", *all, "also what serves only to repeat published comparisons");
  sub->footer("Example:\n  gantry-cli list solvers");
  return {sub, [what, all, &program] { return list(*what, *all, program); }};
}

}  // namespace gantry::cli
