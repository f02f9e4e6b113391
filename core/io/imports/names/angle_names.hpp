#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// A unit in which lists state angles.
struct AngleUnit {
  std::string name;
  double degrees = 1;  ///< that one is

  bool operator==(const AngleUnit&) const = default;
};

/// The name of the unit that means degrees in German, Dutch and Scandinavian files, and gon, 400 to
/// a turn, elsewhere.
inline constexpr const char* unclear_grads = "grad";

/// Returns what such a unit means: gon where the angles go over a turn or half a turn of these,
/// with or without its end, but over none of degrees; else degrees.
AngleUnit unit_of_grads(std::span<const double> angles);
/// Returns why grads of a file or list were taken as this unit.
std::string reason_of_grads(const AngleUnit& unit, const std::string& where);

/// Returns the unit of angles that a word alone is, such as "rad" or "deg".
std::optional<AngleUnit> angle_unit(std::string_view word);

/// Returns the unit of angles that is a word of a text in lower case; nothing where none is, or
/// two. Degrees beside grads tell what these are. Turns must be in brackets or after "in".
std::optional<AngleUnit> angle_unit_in(const std::string& whole);

/// Returns the unit of angles that a text states alone, as attributes do: "rad", "arc_minute",
/// "Degrees (deg)", "turns?"; nothing where it has other words, too.
std::optional<AngleUnit> angle_unit_stated(const std::string& text);
/// Returns whether such a text is a unit of another quantity: "mm", "steps", "deg/s".
bool is_unit_of_others(const std::string& text);

/// Returns the word that a text in lower case states as the unit of angles, in brackets or after
/// "in" or "unit", where this is none of a known size, as "steps"; "" without such a word.
std::string unknown_unit_in(const std::string& text);

/// Returns whether the name of a file, or its extension, speaks of angles.
bool names_angles(const std::string& path);

/// How surely a name calls a column of a table the angle of rotation, in rising order.
enum class AngleName {
  never,    ///< a time, a current, an error or the like
  unknown,  ///< a name that says nothing of angles
  by_unit,  ///< another name, with a unit of angles
  within,   ///< a word of angles within another word, or of another angle: "tilt angle"
  partly,   ///< a word of angles among others: "measured angle"
  wholly    ///< words of angles alone: "rotation [deg]"
};

/// Returns what a name of a column, in lower case, says.
AngleName angle_name(const std::string& name);

/// Returns whether a word in lower case says that a column, or a list, is never that of the angles
/// of the scan: other parts that turn, as "mono", and what is not the angle itself, as "offset".
bool says_other_angles(const std::string& word);

/// Returns the words of letters in a text in lower case.
std::vector<std::string> letter_words(const std::string& text);

/// Returns the names of `count` columns in a line of words with blanks between them, where a name
/// may have several words: "Image Nr  Angle (deg)". Empty where the line does not tell them.
std::vector<std::string> names_with_blanks(std::string_view line, std::size_t count);

}  // namespace gantry
