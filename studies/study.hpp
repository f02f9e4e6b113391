#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

class BackendList;
class Interrupt;
struct Catalog;

/// Nothing, words or a number.
struct StudyCell {
  std::string words;
  std::optional<double> number;

  StudyCell() = default;
  StudyCell(std::string text) : words(std::move(text)) {}
  StudyCell(const char* text) : words(text) {}
  StudyCell(double value) : number(value) {}
  StudyCell(std::optional<double> value) : number(value) {}
};

struct StudyColumn {
  std::string name, unit;  ///< unit may be empty
};

/// A table of a study. Its last three columns, where `compared` adds them, are the printed value,
/// ours and the deviation from the printed one.
struct StudyTable {
  std::string key, title;  ///< key names the file
  std::vector<StudyColumn> columns;
  std::vector<std::vector<StudyCell>> rows;

  /// Columns `what`, then "printed", "here" (both in `unit`) and "deviation" (%).
  static StudyTable comparing(std::string key, std::string title, std::vector<StudyColumn> what,
                              const std::string& unit);
  /// A row of such a table; without both numbers there is no deviation.
  void compare(std::vector<StudyCell> what, const StudyCell& printed, const StudyCell& here);
};

struct StudyCurve {
  std::string name;
  std::vector<double> x, y;
};

/// Curves with their axes. Values that an axis cannot show (not finite; not positive on a
/// logarithmic one) are gaps.
struct StudyChart {
  std::string key, title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<StudyCurve> curves;
};

struct StudyResult {
  std::vector<std::string> notes;  ///< what was computed, and where it stands in for what
  std::vector<StudyTable> tables;  ///< the last one sums up
  std::vector<StudyChart> charts;
};

/// An image that a study may take as an object, of any size; shown as a square.
struct StudyPicture {
  std::string name;  ///< "slice of head"
  int nx = 1, ny = 1;
  std::vector<float> values;  ///< [iy][ix]
};

struct StudyOptions {
  int iterations = 0;  ///< at most so many, where a study iterates; 0: as many as it wants
  double scale = 0;    ///< of the sizes of a study that has some to choose; 0: its own choice
  std::vector<std::string> parts = {};  ///< only these of a study that has some; empty: all
  std::vector<int> sizes = {};  ///< pixels a side in print, of a study that has several; empty: all
  std::vector<StudyPicture> pictures = {};  ///< for studies of images that are not public
  /// What there is to compute with, for studies of the program itself. They outlive the study.
  const Catalog* catalog = nullptr;
  const BackendList* backends = nullptr;
  const Interrupt* interrupt = nullptr;  ///< long studies throw Interrupted when it is raised
  /// Told now and then how much is done, 0 to 1, and what comes next; on the computing thread.
  std::function<void(double done, const std::string& what)> progress = {};
  /// Told what there is so far whenever a table has grown, so that a study that is cut short has
  /// said what it knew; on the computing thread.
  std::function<void(const StudyResult& so_far)> so_far = {};
};

/// A published table or figure computed anew. Computing may take minutes; it uses all threads, and
/// what is no time is the same on any number of them.
struct Study {
  std::string key, title;
  std::function<StudyResult(const StudyOptions&)> compute;
};

/// All computed studies, one line each.
const std::vector<Study>& studies();

/// For people: the title, then columns that line up.
std::string table_text(const StudyTable& table);
std::string table_csv(const StudyTable& table, const std::vector<std::string>& comments);
/// A line per point: curve, x, y.
std::string chart_csv(const StudyChart& chart, const std::vector<std::string>& comments);

}  // namespace gantry
