#pragma once

#include "studies/printed_number.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

class BackendList;
class Interrupt;
struct Catalog;

/// Which values here are better than a printed one: none, as of a count that is to be found again;
/// smaller ones, as of times, errors and memory; or larger ones, as of speed-ups.
enum class Better { none, smaller, larger };

/// A cell of a table: empty, words, a number, or words that stand for a number.
struct StudyCell {
  std::string words;
  std::optional<double> number;
  std::optional<double> meant = {};  ///< of a misprint, which `number` is
  std::string why_misprint = {};     ///< what shows that it is one, a clause
  Better better = Better::none;      ///< of a printed number
  bool all_digits = false;           ///< the number is shown as it is, not with four digits
  bool fitted = false;  ///< of a printed number: the scan is not in print, and chosen here to fit
  bool exact = false;   ///< of a printed number: a count that has to be met exactly

  StudyCell() = default;
  StudyCell(std::string text) : words(std::move(text)) {}
  StudyCell(const char* text) : words(text) {}
  StudyCell(double value) : number(value) {}
  StudyCell(std::optional<double> value) : number(value) {}
  StudyCell(const PrintedNumber& printed)
      : number(printed.as_printed), meant(printed.meant), why_misprint(printed.why) {}

  /// Returns a printed number whose scan is chosen here to fit print.
  static StudyCell of_fitted_scan(const PrintedNumber& printed) {
    StudyCell cell(printed);
    cell.fitted = true;
    return cell;
  }
  /// Returns a printed count that has to be met exactly.
  static StudyCell exact_count(double count) {
    StudyCell cell(count);
    cell.exact = true;
    return cell;
  }
  /// Returns a cell with words of print that state a number: "below 0.2", 0.2; "linear", 1.
  static StudyCell stated(std::string text, double number) {
    StudyCell cell(number);
    cell.words = std::move(text);
    return cell;
  }
};

struct StudyColumn {
  std::string name, unit;  ///< unit may be empty
};

/// Says of a value that it is of the printed quantity, method and size, as far as print states
/// them; otherwise the reason why it is not takes this text's place.
inline constexpr const char* like_for_like = "";

/// A table of a study. The last columns of a comparing table are the printed value, in a table with
/// misprints what these mean, the value here and the deviation.
struct StudyTable {
  std::string key, title;  ///< key names the file
  std::vector<StudyColumn> columns;
  std::vector<std::vector<StudyCell>> rows;
  bool compares = false;     ///< is a comparing table
  bool shows_meant = false;  ///< has a column for what misprints mean, before "here"

  /// Returns a table with the columns `what`, then "printed", "here" (both in `unit`) and
  /// "deviation" (%).
  static StudyTable comparing(std::string key, std::string title, std::vector<StudyColumn> what,
                              const std::string& unit);
  /// Returns a comparing table of a printed table with misprints: "printed", in the unit of print,
  /// is followed by "meant", which only misprints have.
  static StudyTable comparing_misprints(std::string key, std::string title,
                                        std::vector<StudyColumn> what,
                                        const std::string& printed_unit, const std::string& unit);
  /// Adds a row to a comparing table. The deviation is that from the number that print means. It
  /// is empty unless both values are numbers, and `unlike`, the reason, unless that is
  /// like_for_like. `better` says which values are better than the printed one, unless the printed
  /// cell says so itself.
  void compare(std::vector<StudyCell> what, StudyCell printed, const StudyCell& here,
               const std::string& unlike, Better better = Better::none);
};

struct StudyCurve {
  std::string name;
  std::vector<double> x, y;
};

/// Curves with their axes. Values that an axis cannot show (not finite, or not positive on a
/// logarithmic axis) are gaps.
struct StudyChart {
  std::string key, title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<StudyCurve> curves;
  /// The end of the y axis where curves go beyond it, as those of methods that diverge do; these
  /// leave the frame.
  double top = std::numeric_limits<double>::infinity();
};

/// A grey image and its window: `low` is black, `high` is white. y grows upwards, so that the first
/// row is drawn at the bottom.
struct StudyImage {
  std::string key, title;  ///< key names the file; the caption adds the window to the title
  std::string unit = {};   ///< of the values; may be empty
  int width = 1, height = 1;
  std::vector<float> values = {};  ///< [iy][ix]
  double low = 0, high = 1;
};

struct StudyResult {
  double scale = 1;                  ///< of the printed sizes, as far as the study scales them
  std::vector<std::string> devices;  ///< on which the methods ran; empty: the CPU
  std::vector<std::string> notes;    ///< what was computed, and with which substitutes
  std::vector<StudyTable> tables;    ///< the last one is the summary
  std::vector<StudyChart> charts;
  std::vector<StudyImage> images;
};

/// An image that a study may use as an object, of any size; its longer
/// side becomes as long as the grid is wide.
struct StudyPicture {
  std::string name;  ///< "slice of head"
  int nx = 1, ny = 1;
  std::vector<float> values = {};  ///< [iy][ix]
};

struct StudyOptions {
  int iterations = 0;                   ///< upper limit of iterations; 0: the study's own number
  double scale = 0;                     ///< factor on the study's sizes; 0: the study's own choice
  std::vector<std::string> parts = {};  ///< keys of the parts to compute; empty: all
  std::vector<int> sizes = {};  ///< sizes to compute, pixels per side as printed; empty: all
  /// Which realisations of the noise to compute, from 1; empty: the study's own choice.
  std::vector<int> seeds = {};
  std::vector<StudyPicture> pictures = {};  ///< for studies of images that are not public
  /// Whether parts and sizes are chosen for several studies: what a study does not know is left
  /// out, and only a study that knows none refuses.
  bool for_several = false;
  /// The program's algorithms and devices, for studies that run them. Both must outlive the study.
  const Catalog* catalog = nullptr;
  const BackendList* backends = nullptr;
  const Interrupt* interrupt = nullptr;  ///< long studies throw Interrupted when it is raised
  /// Called from time to time with the part that is done, 0 to 1, and a description of what comes
  /// next; on the computing thread.
  std::function<void(double done, const std::string& what)> progress = {};
  /// Called with the results so far, without images, whenever a table has grown, so that an
  /// interrupted study has reported them; on the computing thread.
  std::function<void(const StudyResult& so_far)> so_far = {};
};

/// A published paper.
struct Paper {
  std::string name;      ///< "Yu et al. 2019"
  std::string citation;  ///< authors, title, where
};

/// What StudyOptions choose of a study.
struct StudyChoices {
  bool parts = false, sizes = false;
  bool seeds = false;  ///< whether the study draws noise
};

/// A published table or figure that is computed again. compute may take minutes and uses all
/// threads; results other than times do not depend on the number of threads.
struct Study {
  std::string key, title;
  std::function<StudyResult(const StudyOptions&)> compute;
  std::vector<Paper> papers = {};
  StudyChoices takes = {};
  /// Whether all its entries of print are those of other studies of the list, so that a report over
  /// all studies does not count them twice.
  bool repeats = false;
  bool others_need_gpu = false;  ///< the other studies compute these entries on a GPU alone
};

/// Returns all studies.
const std::vector<Study>& studies();

/// Returns a note on a misprint: "Table 4, 64^2: 0.7 as printed, 0.07 meant: 16.16.16 takes 0.06.".
std::string misprint_note(const std::string& where, const PrintedNumber& number);

/// Returns what stands for the deviation from a misprint in a table without a column for its
/// meaning: "misprint, 0.07 meant".
std::string misprint_words(const StudyCell& printed);

/// Returns "name [unit]", or the name of a column without a unit.
std::string heading(const StudyColumn& column);
/// Returns what a table shows of a cell: its words, its number with up to four digits (all if it is
/// whole or all_digits is set), or "-".
std::string shown(const StudyCell& cell);

/// Returns a table as text: the title, then aligned columns.
std::string table_text(const StudyTable& table);
std::string table_csv(const StudyTable& table, const std::vector<std::string>& comments);
/// Returns a chart as CSV, with a line for each point: curve, x, y.
std::string chart_csv(const StudyChart& chart, const std::vector<std::string>& comments);

}  // namespace gantry
