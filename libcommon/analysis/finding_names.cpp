// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/finding_names.hpp"

namespace skampi {

std::string_view to_text(Comparable value) {
    using enum Comparable;
    switch (value) {
    case same_quantity:
        return "same_quantity";
    case unknown:
        return "unknown";
    case computed_differently:
        return "computed_differently";
    case other_quantity:
        return "other_quantity";
    }
    return {};
}

std::string_view to_text(MessageSize value) {
    using enum MessageSize;
    switch (value) {
    case small:
        return "small";
    case medium:
        return "medium";
    case large:
        return "large";
    }
    return {};
}

std::string_view to_text(Verdict value) {
    using enum Verdict;
    switch (value) {
    case faster:
        return "faster";
    case slower:
        return "slower";
    case equal:
        return "equal";
    case open:
        return "open";
    case not_comparable:
        return "not_comparable";
    }
    return {};
}

std::string_view to_text(PromisedQuantity value) {
    using enum PromisedQuantity;
    switch (value) {
    case time:
        return "time";
    case latency:
        return "latency";
    case bandwidth:
        return "bandwidth";
    case bisection:
        return "bisection";
    case of_class:
        return "of_class";
    case none_slow:
        return "none_slow";
    }
    return {};
}

std::string_view to_text(NotMeasured missing) {
    switch (missing) {
    case NotMeasured::none:
        return "none";
    case NotMeasured::value:
        return "no_value";
    case NotMeasured::ranks:
        return "ranks_not_measured";
    case NotMeasured::length:
        return "length_not_measured";
    }
    return {};
}

std::string_view to_text(Why value) {
    using enum Why;
    switch (value) {
    case none:
        return "none";
    case only_in_reference:
        return "only_in_reference";
    case other_quantity:
        return "other_quantity";
    case no_values:
        return "no_values";
    case other_ranks:
        return "other_ranks";
    case other_start:
        return "other_start";
    case shared_launches:
        return "shared_launches";
    case few_launches:
        return "few_launches";
    case machine_states:
        return "machine_states";
    case no_scatter:
        return "no_scatter";
    case outliers:
        return "outliers";
    case launches_in_a_row:
        return "launches_in_a_row";
    case scatter:
        return "scatter";
    }
    return {};
}

std::string_view to_text(Place::Kind value) {
    using enum Place::Kind;
    switch (value) {
    case whole:
        return "whole";
    case size:
        return "size";
    case range:
        return "range";
    case point:
        return "point";
    }
    return {};
}

std::string_view to_text(ContestDoubtKind value) {
    using enum ContestDoubtKind;
    switch (value) {
    case shared_launches:
        return "shared_launches";
    case ranks_differ:
        return "ranks_differ";
    case in_a_row:
        return "in_a_row";
    case states_apart:
        return "states_apart";
    case state_counts:
        return "state_counts";
    case plans_differ:
        return "plans_differ";
    case only_in_reference:
        return "only_in_reference";
    case only_in_subject:
        return "only_in_subject";
    case other_quantity:
        return "other_quantity";
    case computed_differently:
        return "computed_differently";
    case other_start:
        return "other_start";
    case clocks_differ:
        return "clocks_differ";
    case throughputs_differ:
        return "throughputs_differ";
    case probes_differ:
        return "probes_differ";
    case unknown_fields:
        return "unknown_fields";
    case times_unknown:
        return "times_unknown";
    }
    return {};
}

std::string_view to_text(GuidelineKind value) {
    using enum GuidelineKind;
    switch (value) {
    case replacement:
        return "replacement";
    case longer_message:
        return "longer_message";
    case split:
        return "split";
    case more_ranks:
        return "more_ranks";
    }
    return {};
}

std::string_view to_text(TermLength value) {
    using enum TermLength;
    switch (value) {
    case same:
        return "same";
    case all:
        return "all";
    case one_part:
        return "one_part";
    }
    return {};
}

std::string_view to_text(ErrorSource value) {
    switch (value) {
    case ErrorSource::along_curve:
        return "along_curve";
    case ErrorSource::between_launches:
        return "between_launches";
    case ErrorSource::simulation:
        return "simulation";
    }
    return {};
}

std::string_view to_text(CauseKind value) {
    switch (value) {
    case CauseKind::unknown:
        return "unknown";
    case CauseKind::eager_limit:
        return "eager_limit";
    case CauseKind::threshold:
        return "threshold";
    case CauseKind::full_cache:
        return "full_cache";
    }
    return {};
}

std::string_view to_text(Growth value) {
    switch (value) {
    case Growth::constant:
        return "1";
    case Growth::log2:
        return "log2 p";
    case Growth::ceil_log2:
        return "ceil(log2 p)";
    case Growth::linear:
        return "p";
    case Growth::p_log2:
        return "p log2 p";
    case Growth::quadratic:
        return "p^2";
    case Growth::ceil_log2_squared:
        return "ceil(log2 p)^2";
    }
    return {};
}

std::string_view to_text(GrowthForm value) {
    if (!value.rounds)
        return to_text(value.growth);
    return value.growth == Growth::linear ? "p and ceil(log2 p)" : "ceil(log2 p)^2 and ceil(log2 p)";
}

std::string_view to_text(HeadlineKind value) {
    using enum HeadlineKind;
    switch (value) {
    case latency:
        return "latency";
    case peak_bandwidth:
        return "peak_bandwidth";
    case long_bandwidth:
        return "long_bandwidth";
    case half_peak_length:
        return "half_peak_length";
    case barrier:
        return "barrier";
    case allreduce:
        return "allreduce";
    }
    return {};
}

std::string_view to_text(ErrorKind value) {
    using enum ErrorKind;
    switch (value) {
    case nothing_measured:
        return "nothing_measured";
    case one_launch:
        return "one_launch";
    case launches_without_range:
        return "launches_without_range";
    case interval:
        return "interval";
    case interval_in_a_row:
        return "interval_in_a_row";
    case range:
        return "range";
    case range_of_minimum:
        return "range_of_minimum";
    case no_single_measurement:
        return "no_single_measurement";
    case one_single_measurement:
        return "one_single_measurement";
    case unknown:
        return "unknown";
    case below_overhead:
        return "below_overhead";
    case repeatability:
        return "repeatability";
    }
    return {};
}

std::string_view to_text(DoubtKind value) {
    using enum DoubtKind;
    switch (value) {
    case shared_cores:
        return "shared_cores";
    case shared_threads:
        return "shared_threads";
    case one_rank:
        return "one_rank";
    case interrupted:
        return "interrupted";
    case merged_by_force:
        return "merged_by_force";
    case suites_failed:
        return "suites_failed";
    case suites_put_off:
        return "suites_put_off";
    case suites_open:
        return "suites_open";
    case wrong_result:
        return "wrong_result";
    case no_value:
        return "no_value";
    case not_in_state:
        return "not_in_state";
    case not_above_zero:
        return "not_above_zero";
    case unreliable:
        return "unreliable";
    case overhead_in_doubt:
        return "overhead_in_doubt";
    case disturbed:
        return "disturbed";
    case several_states:
        return "several_states";
    case between_barriers:
        return "between_barriers";
    case not_repeatable:
        return "not_repeatable";
    case one_launch:
        return "one_launch";
    case few_launches:
        return "few_launches";
    case launches_apart:
        return "launches_apart";
    case unsettled:
        return "unsettled";
    case other_state:
        return "other_state";
    case other_start:
        return "other_start";
    case lost_core:
        return "lost_core";
    case launches_disturbed:
        return "launches_disturbed";
    case only_one_launch:
        return "only_one_launch";
    case no_interval:
        return "no_interval";
    }
    return {};
}

std::string_view to_text(HeadlineUnit value) {
    using enum HeadlineUnit;
    switch (value) {
    case seconds:
        return "s";
    case bytes_per_second:
        return "B/s";
    case bytes:
        return "B";
    }
    return {};
}

std::string_view to_text(Settled value) {
    using enum Settled;
    switch (value) {
    case settled:
        return "settled";
    case unsettled:
        return "unsettled";
    case unknown:
        return "unknown";
    }
    return {};
}

} // namespace skampi
