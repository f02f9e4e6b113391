#pragma once

#include <string>

namespace gantry {

/// Return whether an image is a flat or a dark by its path within the folder of a scan, without its
/// extension. Files whose name, or whose folder's name, has the word flat, white, bright,
/// brightfield, open, ref (at ESRF refHST), ff, ob, openbeam, empty_beam or flood_field are flats;
/// dark (darkend), black, df, dc, drk, shutter_closed, beam_off and no_beam are darks. Those called
/// gain, blank, empty or flood alone are flats, and closed, close, off or offset alone are darks,
/// also beside words that say no more than image, field, before, after and the like: offset_image,
/// WhiteImage, BeforeFF.
bool names_flat(const std::string& path);
bool names_dark(const std::string& path);

/// Return whether such a path has no letters but io (or begins with I0), air, background, bg, bkg
/// or bak, as names of the beam without the object, or no letters but di, a dark image; or lies in
/// a folder that is called so, with a name of no other letters. Others may call a scan so, and
/// backgrounds may be darks.
bool may_name_flat(const std::string& path);
bool may_name_dark(const std::string& path);

/// Returns whether a name has words beside those of flats and darks and those that say no more:
/// dark_chocolate, but not dark_field_image.
bool names_more(const std::string& name);

/// Returns whether a name has a word in lower case, bounded by the ends or by characters that are
/// no letters; an s may follow.
bool has_word(const std::string& name, const std::string& word);

}  // namespace gantry
