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

std::string_view to_text(Unjudged value) {
    using enum Unjudged;
    switch (value) {
    case shared_launches:
        return "shared_launches";
    case other_quantity:
        return "other_quantity";
    case other_ranks:
        return "other_ranks";
    case started_differently:
        return "started_differently";
    case few_launches:
        return "few_launches";
    case launches_in_a_row:
        return "launches_in_a_row";
    case not_above_zero:
        return "not_above_zero";
    case several_modes:
        return "several_modes";
    case disturbed_on_one_side:
        return "disturbed_on_one_side";
    case no_scatter:
        return "no_scatter";
    }
    return {};
}

std::string_view to_text(Outcome value) {
    using enum Outcome;
    switch (value) {
    case none:
        return "none";
    case faster:
        return "faster";
    case slower:
        return "slower";
    case few_faster:
        return "few_faster";
    case few_slower:
        return "few_slower";
    case both:
        return "both";
    }
    return {};
}

std::string_view to_text(Effect::Where value) {
    using enum Effect::Where;
    switch (value) {
    case whole:
        return "whole";
    case range:
        return "range";
    case points:
        return "points";
    case size:
        return "size";
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

std::string_view to_text(VerdictKind value) {
    using enum VerdictKind;
    switch (value) {
    case nothing_in_common:
        return "nothing_in_common";
    case open:
        return "open";
    case no_difference:
        return "no_difference";
    case explained:
        return "explained";
    case faster:
        return "faster";
    case slower:
        return "slower";
    case mixed:
        return "mixed";
    }
    return {};
}

std::string_view to_text(ComparisonDoubtKind value) {
    using enum ComparisonDoubtKind;
    switch (value) {
    case unknown_ranks:
        return "unknown_ranks";
    case probes_differ:
        return "probes_differ";
    case clocks_differ:
        return "clocks_differ";
    case throughputs_differ:
        return "throughputs_differ";
    case plans_differ:
        return "plans_differ";
    case only_in_reference:
        return "only_in_reference";
    case only_in_other:
        return "only_in_other";
    case other_quantity:
        return "other_quantity";
    case computed_differently:
        return "computed_differently";
    case unknown_fields:
        return "unknown_fields";
    case windows_given_up:
        return "windows_given_up";
    case launches_in_a_row:
        return "launches_in_a_row";
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

} // namespace skampi
