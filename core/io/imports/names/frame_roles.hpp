#pragma once

#include <string>

namespace gantry {

/// Return whether an image is a flat or a dark by its path within the folder of a scan, without its
/// extension. Files whose name, or whose folder's name, has the word flat, white, bright, open, ref
/// (at ESRF refHST), ff, ob or openbeam are flats; dark (darkend), black, df, dc, drk,
/// shutter_closed and beam_off are darks. Those called gain, blank or empty alone are flats, and
/// closed, close, off or offset alone are darks. A word of several, as WhiteImage or BeforeFF,
/// counts where the others say no more than image, field, before, after and the like.
bool names_flat(const std::string& path);
bool names_dark(const std::string& path);

/// Return whether a name has no letters but io (or begins with I0), the beam without the object, or
/// no letters but di, a dark image, as some acquisitions write them. Others may call a scan so.
bool may_name_flat(const std::string& path);
bool may_name_dark(const std::string& path);

/// Returns whether a name has a word in lower case, bounded by the ends or by characters that are
/// no letters; an s may follow.
bool has_word(const std::string& name, const std::string& word);

}  // namespace gantry
