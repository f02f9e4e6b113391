#pragma once

#include "core/io/imports/checks/assumed_beam.hpp"
#include "core/io/imports/checks/frame_checks.hpp"
#include "core/io/imports/checks/repeated_pictures.hpp"
#include "core/io/imports/import_settings.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Names frames of one content, which are no views of their own: copied files, a frozen detector.
void note_repeated(const FrameSource& source, std::span<const PictureKeys> keys,
                   std::vector<std::string>& notes);

/// Leaves out frames without a beam and lost ones, and notes it before all else.
void leave_out(std::vector<int> unlit, const std::vector<int>& lost, const FrameSource& frames,
               LineIntegrals& result);

/// Notes dark projections that were kept, if they were not left out for another reason.
void note_doubtful(std::vector<int> doubtful, const FrameSource& frames, LineIntegrals& result);

/// Notes projections that look like flats. `without`: dark ones that were kept, beside which all
/// others would.
void note_flats(const RawScan& scan, std::span<const FrameSummary> summaries,
                std::vector<int> without, double dark, LineIntegrals& result);

/// Notes flats or darks that are unlike the others, by their indices. The last `marked` of the
/// frames were marked by an option, which counts them by FrameSource::place(). `kind`: "flats".
void note_unlike(const FrameSource& frames, const std::vector<int>& unlike, int marked,
                 const std::string& kind, LineIntegrals& result);

/// What is kept of flats or darks, of which a user may have marked some.
struct KeptFrames {
  std::vector<FrameSummary> summaries;
  std::vector<std::vector<float>> pictures;  ///< coarse_picture(), where some are marked
};

/// Returns what is kept of the frames of a source; nothing of null.
KeptFrames kept_of(const FrameSource* source, bool are_marked, const Interrupt* interrupt);

/// Notes flats and darks that are unlike the others, where a user marked some by their numbers,
/// which are easily mistaken.
void check_likeness(const RawScan& scan, const KeptFrames& flats,
                    std::span<const FrameSummary> projections, double dark,
                    const Interrupt* interrupt, LineIntegrals& result);

/// Notes flats of one scan whose beam differs by more than 2 %, unless they are interpolated: of
/// several times, of several series by the names of their files, else in their order; with what a
/// user can do.
void note_flats_apart(const RawScan& scan, std::span<const FrameSummary> flats, double dark,
                      const NormaliseOptions& options, LineIntegrals& result);

/// Whether a user can name the flats by the time when they were taken, before or after the
/// projections: they are files, more than one, and no frames of a single file or data set.
bool can_be_named(const FrameSource& flats);

/// Notes which beam was assumed, unless columns of air take its place, or that the values are line
/// integrals; before all else where files that were left out may be flats.
void note_assumed_beam(const RawScan& scan, const AssumedBeam& beam, int air_columns,
                       LineIntegrals& result);

/// Notes that air, or the beam, was looked for at the ends of a part of the columns, which may lie
/// within the object. Nothing for whole images and where neither was done.
void note_air_of_part(const CellRange& columns, const NormaliseOptions& options,
                      LineIntegrals& result);

}  // namespace gantry
