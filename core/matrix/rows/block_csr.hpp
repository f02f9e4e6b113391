#pragma once

#include "core/base/params.hpp"
#include "core/matrix/rows/row_block.hpp"

namespace gantry {

/// Block CSR (the matrix approach to CBCT, section III.A): weights and columns as in CSR; the rows
/// of a view in two lists, those of fewer than 16 nonzeros, each for one thread (empty rows among
/// them), and the others, each for half a warp of 16 threads. The two lists stand in one: where
/// each row begins and ends (ptr_new) and which ray it is (ptr_old). Rows of exactly 16, which the
/// print leaves out, go to half a warp.
std::unique_ptr<MatrixFormat> make_block_csr(const Params& params);

/// The rows of a view in two lists.
std::unique_ptr<RowBlock> block_rows(ViewCsr rows);

}  // namespace gantry
