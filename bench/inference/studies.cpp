// SPDX-License-Identifier: GPL-2.0-or-later
#include "study.hpp"

namespace skampi::bench {

// Two lines for each file NAME_study.cpp.
std::vector<StudyRow> bisection_study(const StudyOptions& options);
std::vector<StudyRow> comparison_study(const StudyOptions& options);
std::vector<StudyRow> contract_study(const StudyOptions& options);
std::vector<StudyRow> error_study(const StudyOptions& options);
std::vector<StudyRow> history_study(const StudyOptions& options);
std::vector<StudyRow> reference_study(const StudyOptions& options);
std::vector<StudyRow> jump_study(const StudyOptions& options);
std::vector<StudyRow> model_study(const StudyOptions& options);
std::vector<StudyRow> states_study(const StudyOptions& options);
std::vector<StudyRow> until_study(const StudyOptions& options);
std::vector<StudyRow> weights_study(const StudyOptions& options);

const std::vector<Study>& studies() {
    static const std::vector<Study> all = {
        {"bisection", "does the interval of the slowest step of a bisection contain the truth?",
         bisection_study},
        {"comparison", "are databases said to differ where they do, and are gates right?", comparison_study},
        {"contract", "is a promise that is just kept not confirmed, and one that is kept by 5 %?",
         contract_study},
        {"error", "are settled values known as well as was asked for?", error_study},
        {"history", "does a history that is looked at after every run find steps, and only steps?",
         history_study},
        {"reference", "do adjusted values of merged groups agree, and do their intervals hold?",
         reference_study},
        {"states", "are the machine's states found, and none invented?", states_study},
        {"model", "do the intervals of model coefficients contain the truth?", model_study},
        {"until", "are intervals true when launches stop, and is their time near the best?", until_study},
        {"weights", "does a merged value come near the truth where launches know their errors differently?",
         weights_study},
        {"jump", "are jumps found where they are, and none where there is none?", jump_study},
    };
    return all;
}

} // namespace skampi::bench
