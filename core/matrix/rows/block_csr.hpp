#pragma once

#include "core/base/params.hpp"
#include "core/matrix/rows/row_block.hpp"

namespace gantry {

/// Block CSR (Chen, Zhang, Yan et al., "Matrix approach for processing of iterative reconstruction
/// on cone beam CT", section III.A): weights and matrix columns as in CSR; the matrix rows of a
/// view in two lists. Rows of fewer than 16 nonzeros, empty rows among them, are for one thread
/// each; the others are for half a warp of 16 threads each. The lists follow each other in two
/// arrays: the begin and end of each row (ptr_new) and the ray of each row (ptr_old). The paper
/// does not say where rows of exactly 16 nonzeros belong: they are for half a warp.
std::unique_ptr<MatrixFormat> make_block_csr(const Params& params);

/// Returns the matrix rows of a view in these two lists.
std::unique_ptr<RowBlock> block_rows(ViewCsr rows);

}  // namespace gantry
