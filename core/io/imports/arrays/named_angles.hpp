#pragma once

#include "core/io/files/containers/listed_array.hpp"
#include "core/io/imports/frame_angles.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// The arrays of a file, of which one holds the projections and another one may hold their angles.
struct ArraysOfFile {
  std::vector<const ListedArray*> arrays;  ///< in the order of the file
  const ListedArray* frames = nullptr;     ///< with the projections, one of the arrays
  /// The groups that a path of the frames leads through, "/entry/"; "" in files without groups.
  std::vector<std::string> groups;
  /// Returns the unit that an attribute of an array states; "" without one.
  std::function<std::string(const ListedArray&)> unit;
  std::function<std::vector<double>(const ListedArray&)> numbers;
  std::string takes;  ///< how the user takes a list: "--angles-data takes"
};

/// Returns whether an array lies in a group that a path of the frames leads through.
bool is_beside(const ArraysOfFile& file, const ListedArray& array);

/// The list of angles that the names of a file tell.
struct NamedAngles {
  const ListedArray* list = nullptr;  ///< null: there is none
  /// Why others that are called angles were not taken, or which lists may be the angles; "" where
  /// nothing is to be said.
  std::string others;
  std::vector<const ListedArray*> named = {};  ///< of which this speaks
};

/// Returns the list of the angles of the projections. In this order:
/// - one of a plain name (names_of_angles), or with a word of angles in its name, as "srot", or in
///   that of its group, as "s_rot/value", as long as the projections or as all frames of their
///   array;
/// - one of a plain name in the group of the frames, whatever its length, which is refused later if
///   it does not fit;
/// - one that fits as fit_frames() says, without the repeated ends or the like;
/// - one of the angles of a tilt, "tilt_angles";
/// - one of a plain name over less than a degree, in which a motor moved.
/// Of several that hold the same angles the nearest one counts; where they differ, that in a group
/// "sample", else the nearest one of a plain name, and the others are named; where neither tells,
/// there is no list. Lists of a second scan in the file do not count beside those of the frames'.
/// Lists of other angles (word_of_other_angles()), in a unit of another quantity, or over less than
/// a degree, as of a motor that stood still, are named, but not taken.
NamedAngles named_angles(const ArraysOfFile& file, const FrameNumbers& numbers);

/// Notes which lists were not taken, beside one that was.
void note_other_angles(const NamedAngles& found, std::vector<std::string>& notes);

/// Returns how many angles a file states, by which the axis of views is known: of a list of a plain
/// name beside the frames, of the only such list, or of those with a word of angles that are as
/// long as an axis of the frames; 0: not known.
std::uint64_t count_of_named_angles(const ArraysOfFile& file);

/// Angles of a list, degrees.
struct ListedAngles {
  std::vector<double> values;
  bool is_unit_stated = false;  ///< by the attribute or the name; else degrees are assumed
  ListOfAngles list;            ///< for messages
};

/// Returns the numbers of a list in degrees: in the unit that its attribute states, else its name,
/// as "rotation_mrad". That neither states one, or an unknown one, is added to `assumptions`.
/// `list`: for messages. Throws InputError, which ends with `remedy`: a unit of another quantity,
/// numbers that are too large for the unit.
ListedAngles angles_by_unit(const ListedArray& array, std::vector<double> values,
                            const std::string& attribute, ListOfAngles list, const char* remedy,
                            std::vector<Assumption>& assumptions);

}  // namespace gantry
