#include "studies/report/report_html.hpp"

#include "core/base/joined.hpp"
#include "core/base/markup.hpp"
#include "core/base/params.hpp"
#include "studies/report/base64.hpp"
#include "studies/report/figure_index.hpp"
#include "studies/report/image_png.hpp"
#include "studies/report/verdict.hpp"
#include "studies/study_chart.hpp"
#include "studies/study_context.hpp"

#include <algorithm>
#include <map>

namespace gantry {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --page: #fff; --text: #1b1d21; --quiet: #5b6068;
  --line: #d5d8dd; --head: #f2f3f5; --good: #00694f; --bad: #a33d00; }
body { margin: 0 auto; padding: 1.5rem; max-width: 75rem; background: var(--page);
  color: var(--text); font: 0.95rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
p, li { max-width: 60rem; } .quiet { color: var(--quiet); }
a { color: inherit; }
.wide { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-size: 0.82rem; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.55rem; text-align: left;
  vertical-align: top; }
th { background: var(--head); } .number { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.reached, .beaten { color: var(--good); font-weight: 600; }
.missed, .misprint { color: var(--bad); font-weight: 600; }
.unlike, .open { color: var(--quiet); }
.problem { border-left: 4px solid var(--bad); padding-left: 0.8rem; }
figure { margin: 1rem 0; break-inside: avoid; } figure > svg { max-width: 100%; height: auto; }
.images { display: flex; flex-wrap: wrap; gap: 1rem; } .images figure { margin: 0; min-width: 16rem; max-width: 100%; }
.images img { max-width: 100%; height: auto; } figcaption { font-size: 0.8rem; }
@media (prefers-color-scheme: dark) {
  :root { --page: #17191c; --text: #e4e6e9; --quiet: #9aa0a8; --line: #3a3e45; --head: #22252a;
    --good: #5fd0ad; --bad: #ff9a62; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; } table { font-size: 7pt; }
  h2, caption { break-after: avoid; } tr { break-inside: avoid; } .wide { overflow: visible; }
}
)";

/// Charts are drawn for white paper; these rules exchange their colours on a dark screen.
std::string charts_on_a_dark_screen() {
  return "@media (prefers-color-scheme: dark) {\n" + chart_rules_on(rgb(0x17191C)) + "}\n";
}

std::string element(const std::string& name, const std::string& text,
                    const std::string& attributes = {}) {
  return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + text + "</" + name + ">";
}

std::string of_class(const std::string& name) { return "class=\"" + name + "\""; }

std::string cell(const StudyCell& value) {
  return element("td", escaped(shown(value)), value.number ? of_class("number") : "");
}

const char* class_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::reached:
      return "reached";
    case Outcome::beaten:
      return "beaten";
    case Outcome::missed:
      return "missed";
    case Outcome::misprint:
      return "misprint";
    case Outcome::fitted:
    case Outcome::unlike:
      return "unlike";
    case Outcome::open:
      break;
  }
  return "open";
}

std::string verdict_cells(const Comparison& row) {
  return cell(row.ratio) +
         element("td", escaped(row.verdict.text), of_class(class_of(row.verdict.outcome)));
}

/// Returns a table: its caption, the cells of its heading, and its rows.
std::string table_html(const std::string& caption, const std::string& heads,
                       const std::string& rows) {
  return "<div class=\"wide\"><table>\n" + element("caption", escaped(caption)) + "\n" +
         element("thead", element("tr", heads)) + "\n<tbody>\n" + rows +
         "</tbody>\n</table></div>\n";
}

std::string head_cells(const std::vector<std::string>& names) {
  std::string heads;
  for (const std::string& name : names) heads += element("th", escaped(name));
  return heads;
}

/// Returns a table of a study. In a comparing table ratio and verdict take the deviation's place.
std::string table_html(const StudyTable& table) {
  const std::size_t shown_columns = table.columns.size() - (table.compares ? 1 : 0);
  std::vector<std::string> names;
  for (std::size_t c = 0; c < shown_columns; ++c) names.push_back(heading(table.columns[c]));
  if (table.compares) names.insert(names.end(), {"here / meant", "verdict"});
  std::string rows;
  for (const auto& row : table.rows) {
    std::string cells;
    for (std::size_t c = 0; c < shown_columns; ++c) cells += cell(row[c]);
    if (table.compares) {
      const Comparison taken = comparison_of(table, row);
      const bool in_print = taken.printed.number || !taken.printed.words.empty();
      cells += in_print ? verdict_cells(taken) : element("td", "-") + element("td", "-");
    }
    rows += element("tr", cells) + "\n";
  }
  return table_html(table.title, head_cells(names), rows);
}

/// Returns an image with its true size. A small one is enlarged by a whole factor in its file,
/// because not every program that shows or prints the page keeps pixels sharp; large ones are shown
/// smaller than they are.
std::string image_html(const StudyImage& image) {
  const int factor = enlargement(image), usual_width = 272;
  std::string caption = caption_of(image) + "; " + std::to_string(image.width) + " x " +
                        std::to_string(image.height) + " pixels";
  if (factor > 1) caption += ", drawn " + std::to_string(factor) + " times as large";
  caption = escaped(caption);
  const std::string width =
      std::to_string(factor > 1 ? factor * image.width : std::min(image.width, usual_width));
  return element("figure",
                 "<img alt=\"" + caption + "\" width=\"" + width +
                     "\" src=\"data:image/png;base64," + base64(png_of(enlarged(image, factor))) +
                     "\"/>" + element("figcaption", caption),
                 "style=\"width:" + width + "px\"") +
         "\n";
}

std::string names_of(const std::vector<Paper>& papers) { return joined(papers, &Paper::name); }

/// Returns the table of all tables and figures of the papers; studies that are in the report are
/// linked.
std::string index_html(const std::vector<StudyRun>& runs) {
  std::string rows;
  for (const IndexOfPaper& paper : figure_index())
    for (const IndexEntry& entry : paper.entries) {
      const bool is_here = std::ranges::any_of(
          runs, [&](const StudyRun& run) { return run.study.key == entry.study; });
      const std::string name = escaped(entry.study),
                        where = entry.part.empty() ? "" : ", " + escaped(entry.part);
      rows +=
          element("tr",
                  element("td", escaped(paper.paper)) + element("td", escaped(entry.number)) +
                      element("td", entry.study.empty() ? "-"
                                    : is_here ? element("a", name, "href=\"#" + name + "\"") + where
                                              : name + where) +
                      element("td", escaped(entry.remark))) +
          "\n";
    }
  return table_html("Every table and figure of the papers",
                    head_cells({"paper", "table or figure", "study, part", "remark"}), rows);
}

std::string summary_row(const Study& study, const Comparison& one) {
  const std::string link = element("a", escaped(study.key), "href=\"#" + escaped(study.key) + "\"");
  return element("tr", element("td", escaped(names_of(study.papers))) +
                           element("td", link + ", " + escaped(one.part)) +
                           element("td", escaped(one.what)) + element("td", escaped(one.unit)) +
                           cell(one.printed) + cell(one.here) + verdict_cells(one)) +
         "\n";
}

/// Returns whether a run lacks entries of print since there was no GPU.
bool lacks_gpu(const StudyRun& run) {
  return std::ranges::any_of(comparisons(run.result),
                             [](const Comparison& one) { return one.here.words == needs_cuda; });
}

/// Returns whether all entries of print of a study are those of other studies of the report: of
/// each of its papers there is another one, which computed them.
bool is_repeated(const StudyRun& run, const std::vector<StudyRun>& runs) {
  if (!run.study.repeats) return false;
  return std::ranges::all_of(run.study.papers, [&](const Paper& paper) {
    return std::ranges::any_of(runs, [&](const StudyRun& other) {
      return !other.study.repeats && !other.left_out &&
             !(run.study.others_need_gpu && lacks_gpu(other)) &&
             std::ranges::find(other.study.papers, paper.name, &Paper::name) !=
                 other.study.papers.end();
    });
  });
}

/// Returns the table over all studies, with a sentence that counts the verdicts. Studies that
/// repeat entries of others in the report are named and not counted.
std::string summary_html(const std::vector<StudyRun>& runs) {
  std::map<Outcome, int> count;
  std::string rows, repeating;
  int all = 0;
  for (const StudyRun& run : runs) {
    if (is_repeated(run, runs)) {
      repeating += (repeating.empty() ? "" : ", ") + run.study.key;
      continue;
    }
    for (const Comparison& one : comparisons(run.result)) {
      ++count[one.verdict.outcome];
      ++all;
      rows += summary_row(run.study, one);
    }
  }
  const auto counted = [&](Outcome outcome) { return std::to_string(count[outcome]); };
  return element("p", std::to_string(all) +
                          " comparisons with print: " + counted(Outcome::reached) + " reached, " +
                          counted(Outcome::beaten) + " beaten, " + counted(Outcome::missed) +
                          " not reached, " + counted(Outcome::misprint) +
                          " where print is wrong, " + counted(Outcome::fitted) +
                          " of scans that print does not state and that are chosen to fit, " +
                          counted(Outcome::unlike) +
                          " whose value here is of another quantity, method or size, " +
                          counted(Outcome::open) + " without a number in print or here." +
                          (repeating.empty() ? ""
                                             : " Studies whose entries are those of others are "
                                               "not counted: " +
                                                   repeating + ".")) +
         element("p",
                 "Verdicts are computed. Reached: within " + format_param(100 * verdict_tolerance) +
                     " % of what print means. Beaten: further away on the better side, which is "
                     "below for times, errors and memory, above for speed-ups and rates; a count "
                     "or a share that is only to be found again has no better side. What is not "
                     "of the same quantity, method or size has no ratio; the reason stands in "
                     "place of the verdict. Devices differ from those of print throughout.",
                 of_class("quiet")) +
         table_html("Print and here",
                    head_cells({"paper", "study, part", "what", "unit", "print", "here",
                                "here / meant", "verdict"}),
                    rows);
}

std::string scale_text(const StudyRun& run) {
  return run.result.scale == 1
             ? "the sizes of print"
             : "a small form: sizes " + format_param(run.result.scale) + " of print's";
}

std::string study_html(const StudyRun& run) {
  std::string html = "<section id=\"" + escaped(run.study.key) + "\">\n" +
                     element("h2", escaped(run.study.title)) + "\n";
  for (const Paper& paper : run.study.papers) html += element("p", escaped(paper.citation)) + "\n";
  if (!run.problem.empty())
    html += element("p", (run.left_out ? "Left out: " : "Not complete: ") + escaped(run.problem),
                    of_class("problem")) +
            "\n";
  if (run.left_out) return html + "</section>\n";
  const StudyResult& result = run.result;
  std::string about = (run.seconds > 0 ? "Computed in " + shown(run.seconds) + " s, "
                                       : std::string("Computed apart, ")) +
                      scale_text(run);
  if (!result.devices.empty()) about += ", on " + joined(result.devices);
  html += element("p", escaped(about + "."), of_class("quiet")) + "\n";
  for (const StudyTable& table : result.tables) html += table_html(table);
  for (const StudyChart& chart : result.charts)
    html += element("figure", svg_chart(chart),
                    "id=\"" + escaped(run.study.key + "-" + chart.key) + "\"") +
            "\n";
  if (!result.images.empty()) {
    html += "<div class=\"images\">\n";
    for (const StudyImage& image : result.images) html += image_html(image);
    html += "</div>\n";
  }
  if (!result.notes.empty()) {
    html += "<ul>\n";
    for (const std::string& note : result.notes) html += element("li", escaped(note)) + "\n";
    html += "</ul>\n";
  }
  return html + "</section>\n";
}

/// Returns what is said of the sizes of all studies.
std::string form_of(const std::vector<StudyRun>& runs) {
  std::string small;
  for (const StudyRun& run : runs)
    if (run.result.scale != 1)
      small += (small.empty() ? "" : ", ") + run.study.key + " " + format_param(run.result.scale);
  return small.empty() ? "" : "A small form: sizes as parts of print's are " + small + ".";
}

}  // namespace

std::string report_html(const ReportHead& head, const std::vector<StudyRun>& runs) {
  constexpr const char* title = "Published studies computed anew";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n" +
      element("title", title) + "\n" + element("style", style + charts_on_a_dark_screen()) +
      "\n</head>\n<body>\n" + element("h1", title) + "\n" +
      element("p", escaped(head.program + ", " + head.date + ". Devices: " + joined(head.devices) +
                           ".")) +
      "\n";
  for (const std::string& remark : {form_of(runs), head.remark})
    if (!remark.empty()) html += element("p", escaped(remark)) + "\n";
  std::string contents = element("li", element("a", "Print and here", "href=\"#summary\""));
  for (const StudyRun& run : runs) {
    const std::string link =
        element("a", escaped(run.study.title), "href=\"#" + escaped(run.study.key) + "\"");
    contents += "\n" + element("li", run.left_out          ? link + " (left out)"
                                     : run.problem.empty() ? link
                                                           : link + " (not complete)");
  }
  html += element("nav", "\n" + element("ol", contents) + "\n") + "\n<section id=\"summary\">\n" +
          element("h2", "Print and here") + "\n" + summary_html(runs) + index_html(runs) +
          "</section>\n";
  for (const StudyRun& run : runs) html += study_html(run);
  return html + "</body>\n</html>\n";
}

}  // namespace gantry
