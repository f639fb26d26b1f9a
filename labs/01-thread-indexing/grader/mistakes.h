// Recognises mistakes of lab 01 by the elements that are wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "thread_indexing.h"

/// grid_stride_ids: a loop that ends one stride too early.
std::optional<std::string> last_stride(const lab::Evidence& e, int threads);
/// grid_stride_ids: one or two elements per thread, because of a missing loop or too long a step.
std::optional<std::string> first_round_only(const lab::Evidence& e, int threads);
/// grid_stride_ids: an id without blockIdx, which makes all blocks do the work of the first.
std::optional<std::string> same_in_all_blocks(const lab::Evidence& e, int blocks,
                                              int threads_per_block);
/// grid_stride_ids: owner[id] = i for owner[i] = id.
std::optional<std::string> place_and_value_exchanged(const lab::Evidence& e, int threads);
/// unfold_3d: i, j or k is computed from the variables of another axis.
std::optional<std::string> other_variables(const lab::Evidence& e, int I, int J, int K);
/// unfold_3d: the axes along which the written places end too early, and why.
std::optional<std::string> only_a_box(const lab::Evidence& e, int I, int J, int K);
/// unfold_3d: i, j and k in another order, in memory or in the value.
std::optional<std::string> other_order(const std::vector<Index3>& got, int I, int J, int K);
/// who_am_i: the one member that is wrong, if it is one.
std::optional<std::string> wrong_member(const std::vector<ThreadRecord>& got,
                                        const std::vector<ThreadRecord>& expected);
