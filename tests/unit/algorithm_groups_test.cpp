// SPDX-License-Identifier: GPL-2.0-or-later
#include "contest/algorithm_groups.hpp"
#include "document/sections/algorithm_section.hpp"
#include "document/sections/build_document.hpp"
#include "formats/data/algorithms_json.hpp"
#include "formats/exchange/tuning_file.hpp"
#include "invented_run.hpp"
#include "launches/read_subjects.hpp"
#include "scratch_folder.hpp"
#include "words/algorithm_words.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

using namespace skampi;

namespace {

constexpr const char* open_mpi = "Open MPI v4.1.4, package: Debian OpenMPI";

/// Of an algorithm: how many times the default's time it takes, below and from 4 KiB on.
struct InventedWord {
    std::string word;
    int number = 0;
    double short_ratio = 1;
    double long_ratio = 1;
    std::string layer = "open mpi tuned";
};

struct InventedStudy {
    std::vector<InventedWord> words{{"", 0, 1, 1}, {"pairwise", 2, 1.3, 0.5}, {"linear", 1, 1, 1}};
    int launches = 6;
    int ranks = 4;
    std::string library = open_mpi;
    std::string operation = "MPI_Alltoall";
    std::string wrong_word;   ///< that delivers wrong data
    std::string refused_word; ///< by the library, at one length
    std::string cpus = "0-7";
    int disturbed = 0; ///< launches, the first ones
    int stays = 0;     ///< at each length; in every third one the machine is slow for all algorithms
    /// In the slow stays this one has most of its single measurements, and so a value of its own.
    std::string unlucky_word;
};

Suite algorithm_suite(const InventedStudy& study, const InventedWord& word) {
    Suite suite = invented::suite(study.operation + " " + word.word);
    suite.family = study.operation;
    suite.operation.name = study.operation;
    suite.algorithm = word.word;
    return suite;
}

void add_study(Database& database, const InventedStudy& study, const std::string& name = "launch") {
    for (int launch = 0; launch < study.launches; ++launch) {
        Run run;
        run.uuid = name + std::to_string(launch);
        run.mpi_library = study.library;
        run.ranks = study.ranks;
        run.host = "host";
        run.launch = launch;
        run.facts[fact_command] = "skampi-run\nmy.skampi";
        run.started_utc = "2026-11-24T10:00:0" + std::to_string(launch) + "Z";
        for (int rank = 0; rank < study.ranks; ++rank) {
            RankFacts facts;
            facts.rank = rank;
            facts.processor = "host";
            facts.cpus_allowed = study.cpus;
            run.rank_facts.push_back(facts);
        }
        std::vector<Suite> suites;
        for (const InventedWord& word : study.words)
            suites.push_back(algorithm_suite(study, word));
        const RunId id = database.begin_run(run, suites);
        std::size_t number = 0;
        for (const StoredSuite& stored : database.suites(id)) {
            const InventedWord& word = study.words[number++];
            database.begin_suite(stored.id);
            if (!word.word.empty())
                database.set_suite_facts(stored.id, {{fact_algorithm_layer, word.layer},
                                                     {fact_algorithm_number, std::to_string(word.number)}});
            if (!study.refused_word.empty() && word.word == study.refused_word)
                database.set_suite_facts(
                    stored.id, {{fact_algorithm_refused,
                                 "64 KiB: rank 0: MPI_Alltoall returned error class 15: Other MPI error, "
                                 "error stack: internal_Alltoall(12)....: MPI_Alltoall(count=1) failed "
                                 "MPIR_Alltoall_impl(4570): no\x1b[2J memory, while an argument was "
                                 "prepared"}});
            for (std::int64_t bytes = 1; bytes <= 1 << 16; bytes *= 2) {
                Measurement point;
                point.argument = point.message_bytes = bytes;
                point.ranks = study.ranks;
                const double noise = 1 + 0.004 * ((launch * 7 + static_cast<int>(number) * 3) % 5 - 2);
                point.value_s = (1e-6 + 1e-9 * static_cast<double>(bytes)) * (1 + 0.2 * launch) * noise *
                                (bytes < 4096 ? word.short_ratio : word.long_ratio);
                point.summary.count = 8;
                if (launch < study.disturbed)
                    set(point.flags, Flag::disturbed);
                if (!study.wrong_word.empty() && word.word == study.wrong_word && bytes == 64)
                    set(point.flags, Flag::wrong_result);
                std::vector<Batch> batches;
                for (int stay = 0; stay < study.stays; ++stay) {
                    const bool slow = stay % 3 == 2;
                    Batch batch;
                    batch.pass = stay;
                    batch.start_s = stay;
                    batch.duration_s.assign(slow && word.word == study.unlucky_word ? 40 : 4,
                                            point.value_s * (slow ? 1.6 : 1));
                    batches.push_back(std::move(batch));
                }
                if (study.stays > 0 && word.word == study.unlucky_word)
                    point.value_s *= 1.6;
                const MeasurementId measurement = database.begin_measurement(stored.id, point);
                database.add_batches(measurement, batches, point, true);
            }
            database.end_suite(stored.id, SuiteState::finished);
        }
        database.end_run(id, run);
    }
}

std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("an algorithm of another layer takes no rule from those of the layer that reads the file") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    // As MPICH lists them: the last one of all is read by shared memory.
    InventedStudy study;
    study.words = {{"", 0, 1, 1},
                   {"recursive_doubling", 3, 1.3, 0.5, "mpich"},
                   {"release_gather", 1, 1, 1, "mpich shared memory"}};
    study.library = "MPICH Version: 4.0.2";
    study.operation = "MPI_Allreduce";
    add_study(database, study);
    const auto found = find_algorithms(database, {});
    REQUIRE(found);
    CHECK(layer_of_files(*found) == "mpich");
    const std::vector<TuningRule> rules = tuning_rules(found->winners);
    const auto faster = std::ranges::find(rules, "recursive_doubling", &TuningRule::algorithm);
    REQUIRE(faster != rules.end());
    CHECK(faster->layer == "mpich");
    CHECK(faster->written);
    const MadeTuning made = write_tuning_file(found.get(), folder / "x.db", folder / "tuning.env", "");
    CHECK(made.written == 0); // one choice for all lengths would be slower at the short ones
    CHECK(std::ranges::none_of(made.file.rules,
                               [](const TuningRule& rule) { return rule.why_not == WhyNot::other_layer; }));
}

TEST_CASE("algorithms are read with their launches and numbers, and the fastest one is found") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    add_study(database, {});
    const auto found = find_algorithms(database, {});
    REQUIRE(found);
    REQUIRE(found->study.groups.size() == 1);
    const AlgorithmGroup& group = found->study.groups.front();
    CHECK(group.operation == "MPI_Alltoall");
    CHECK(layer_of_files(*found) == "open mpi tuned");
    CHECK(group.launches == 6);
    CHECK(group.members.size() == 3);
    CHECK(group.members.front().word.empty());
    const std::vector<TuningRule> rules = tuning_rules(found->winners);
    REQUIRE(rules.size() == 2);
    CHECK(rules[0].why_not == WhyNot::default_is_best);
    CHECK(rules[1].written);
    CHECK(rules[1].algorithm == "pairwise");
    CHECK(rules[1].number == 2);
    CHECK(rules[1].bytes_low == 4096);
    CHECK(rules[1].from_bytes_low == 2048);
    CHECK(rules[1].gain == doctest::Approx(1).epsilon(0.02));
    REQUIRE(found->winners.front().default_is.size() == 1);
    CHECK(found->winners.front().default_is.front().words == std::vector<std::string>{"linear"});
    SUBCASE("the file says it, and the data say what was left out") {
        const std::string path = folder / "rules.conf";
        const MadeTuning made = write_tuning_file(found.get(), "x.db", path, {});
        CHECK(made.written == 1);
        CHECK(text_of_file(path) == made.file.text);
        CHECK(made.file.text.find("pairwise") != std::string::npos);
        CHECK(algorithms_json(found.get()).find("\"why_not\":\"default is best\"") != std::string::npos);
    }
}

TEST_CASE("over the number of ranks each power of two and the largest number has its own choice") {
    const ScratchFolder scratch;
    Database database = Database::open_for_writing(scratch / "ranks.db");
    for (int launch = 0; launch < 6; ++launch) {
        Run run;
        run.uuid = "launch" + std::to_string(launch);
        run.mpi_library = open_mpi;
        run.ranks = 20;
        run.launch = launch;
        run.started_utc = "2026-11-24T10:00:0" + std::to_string(launch) + "Z";
        std::vector<Suite> suites;
        for (const int bytes : {64, 65536})
            for (const char* const word : {"", "pairwise"}) {
                Suite suite = algorithm_suite({}, {word});
                suite.name += std::to_string(bytes);
                suite.varied = Varied::nodes;
                suite.message_bytes = bytes;
                suites.push_back(suite);
            }
        const RunId id = database.begin_run(run, suites);
        for (const StoredSuite& stored : database.suites(id)) {
            database.begin_suite(stored.id);
            if (!stored.suite.algorithm.empty())
                database.set_suite_facts(
                    stored.id, {{fact_algorithm_layer, "open mpi tuned"}, {fact_algorithm_number, "2"}});
            for (int ranks = 2; ranks <= 20; ++ranks) {
                Measurement point;
                point.argument = point.ranks = ranks;
                point.message_bytes = stored.suite.message_bytes;
                const bool gains = !stored.suite.algorithm.empty() && point.message_bytes > 64 && ranks > 4;
                point.value_s = 1e-6 * ranks * (gains ? 0.5 : 1) * (1 + 0.004 * ((launch * 7 + ranks) % 5));
                point.summary.count = 8;
                const MeasurementId measurement = database.begin_measurement(stored.id, point);
                database.add_batches(measurement, {}, point, true);
            }
            database.end_suite(stored.id, SuiteState::finished);
        }
        database.end_run(id, run);
    }
    const auto found = find_algorithms(database, {});
    REQUIRE(found);
    std::vector<int> ranks;
    for (const AlgorithmWinners& winners : found->winners) {
        ranks.push_back(winners.of->ranks);
        REQUIRE(winners.points.size() == 2);
        CHECK(winners.points[0].bytes == 64);
        CHECK(winners.points[0].chosen == 0);
        CHECK(winners.points[1].bytes == 65536);
        CHECK(winners.points[1].chosen == (winners.of->ranks > 4 ? 1 : 0));
    }
    CHECK(ranks == std::vector<int>{2, 4, 8, 16, 20});
    CHECK(algorithms_answer(*found).find("MPI_Alltoall on 3 of 5 numbers of ranks") != std::string::npos);
    DocumentOptions options;
    options.algorithms = found.get();
    const Document screen = build_document(read_subjects(database, {}), options, Room::screen);
    const std::vector<std::string> all_lengths{"algorithm", "64 B", "64 KiB"};
    REQUIRE(screen.sections.front().title == "Which algorithm");
    CHECK(std::ranges::count_if(screen.sections.front().blocks, [&](const Block& block) {
              const auto* const table = std::get_if<Table>(&block);
              return table && table->header == all_lengths;
          }) == 5);
}

TEST_CASE("a table shows the slower algorithms, too, and which are not told apart from the default") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    InventedStudy study;
    SUBCASE("of enough launches") {
        add_study(database, study);
        const std::vector<Table> tables = algorithm_times(*find_algorithms(database, {}));
        REQUIRE(tables.size() == 1);
        const Table& table = tables.front();
        CHECK(table.header ==
              std::vector<std::string>{"algorithm", "1 B", "8 B", "64 B", "1 KiB", "8 KiB", "64 KiB"});
        REQUIRE(table.rows.size() == 2);
        const std::size_t pairwise = table.rows[0][0] == "pairwise" ? 0 : 1;
        CHECK(table.rows[pairwise] ==
              std::vector<std::string>{"pairwise", "1.30", "1.30", "1.30", "1.30", "0.50", "0.50"});
        CHECK(table.rows[1 - pairwise][1] == "1.00 =");
        CHECK(table.tints.size() == 6);
    }
    SUBCASE("of too few nothing is told apart") {
        study.launches = 3;
        add_study(database, study);
        const Table table = algorithm_times(*find_algorithms(database, {})).front();
        CHECK(table.tints.empty());
        CHECK(table.rows[0][1].ends_with(" ="));
    }
}

TEST_CASE("algorithms are compared in the stays that they share, not by their values") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    InventedStudy study;
    study.stays = 9;
    study.unlucky_word = "pairwise";
    add_study(database, study);
    const auto ratio_at = [&](std::int64_t bytes) {
        const auto found = find_algorithms(database, {});
        REQUIRE(found);
        for (const WinnerPoint& point : found->winners.front().points)
            if (point.bytes == bytes)
                for (std::size_t m = 0; m < point.members.size(); ++m)
                    if (found->study.groups.front().members[m].word == study.unlucky_word)
                        return std::exp(point.members[m].value().log_ratio);
        return 0.0;
    };
    CHECK(ratio_at(64) == doctest::Approx(1.3).epsilon(0.01));
    CHECK(ratio_at(8192) == doctest::Approx(0.5).epsilon(0.01));
    SUBCASE("where single measurements are not kept, by their values") {
        for (const RunId run : database.runs())
            for (const StoredSuite& stored : database.suites(run))
                database.drop_samples(stored.id);
        CHECK(ratio_at(64) == doctest::Approx(1.3 * 1.6).epsilon(0.01));
    }
}

TEST_CASE("what delivered wrong data is no choice") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    InventedStudy study;
    study.wrong_word = "pairwise";
    add_study(database, study);
    const auto found = find_algorithms(database, {});
    REQUIRE(found);
    CHECK(found->winners.front().keeps_default());
    REQUIRE(found->study.wrong.size() == 1);
    CHECK(found->study.wrong.front() == ExcludedAlgorithm{"MPI_Alltoall", "pairwise", 4});
    SUBCASE("and then there is nothing to write") {
        const std::string path = folder / "rules.conf";
        CHECK(write_tuning_file(found.get(), "x.db", path, {}).written == 0);
        CHECK_FALSE(std::filesystem::exists(path));
    }
}

TEST_CASE("what the library refused is said, once for all launches") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    InventedStudy study;
    study.refused_word = "pairwise";
    add_study(database, study);
    const auto found = find_algorithms(database, {});
    REQUIRE(found);
    REQUIRE(found->study.refused.size() == 1);
    const std::vector<std::string> remarks = algorithm_remarks(*found);
    const auto remark = std::ranges::find_if(
        remarks, [](const std::string& each) { return each.find("refused") != std::string::npos; });
    REQUIRE(remark != remarks.end());
    CHECK(*remark ==
          "MPI_Alltoall with 4 ranks: the library refused pairwise at 64 KiB: rank 0: MPI_Alltoall: "
          "no\\x1b[2J memory.");
    CHECK(remark->find('\x1b') == std::string::npos);
}

TEST_CASE("launches of another library take no part") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    InventedStudy other;
    other.library = "Open MPI v5.0.3";
    other.launches = 2;
    add_study(database, other, "other");
    add_study(database, {});
    const AlgorithmStudy study = read_algorithms(database);
    CHECK(study.runs == 6);
    CHECK(study.other_runs == 2);
    CHECK(study.groups.front().launches == 6);
}

TEST_CASE("no file is made of ranks that share cores, of few launches, or of no algorithms") {
    const ScratchFolder folder;
    const std::string path = folder / "rules.conf";
    const auto refuses = [&](const char* name, const InventedStudy& study) {
        Database database = Database::open_for_writing(folder / name);
        add_study(database, study);
        const auto found = find_algorithms(database, {});
        CHECK_THROWS_AS((void)write_tuning_file(found.get(), name, path, {}), InputError);
        CHECK_FALSE(std::filesystem::exists(path));
    };
    InventedStudy crowded;
    crowded.cpus = "0-1";
    refuses("crowded.db", crowded);
    crowded.launches = 3;
    refuses("few crowded.db", crowded);
    CHECK(algorithms_next_step(*find_algorithms(Database::open(folder / "few crowded.db"), {})).empty());
    InventedStudy few;
    few.launches = 4;
    refuses("few.db", few);
    InventedStudy none;
    none.words = {{"", 0, 1, 1}};
    refuses("none.db", none);
}

TEST_CASE("below five launches nothing is said to be faster, and the launches that are missing are named") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    InventedStudy few;
    few.launches = 3;
    add_study(database, few);
    const auto found = find_algorithms(database, {});
    REQUIRE(found);
    CHECK(algorithms_answer(*found).find("unknown: 3 launches, 5 are needed") != std::string::npos);
    CHECK(algorithms_answer(*found).find("faster") == std::string::npos);
    for (const std::string& line : rule_lines(tuning_rules(found->winners), found->rule.gain))
        CHECK(line.find("keep the default") == std::string::npos);
    CHECK(algorithm_remarks(*found).empty()); // the default takes the time of one: not known either
    CHECK(algorithms_next_step(*found).line().find("skampi-run my.skampi -n 4 --launches 2 ") !=
          std::string::npos);
}

TEST_CASE("an answer of launches that other work disturbed says so, and asks for undisturbed ones") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    InventedStudy study;
    study.disturbed = 3;
    add_study(database, study);
    const auto found = find_algorithms(database, {});
    REQUIRE(found);
    CHECK(found->study.groups.front().disturbed == 3);
    CHECK(algorithms_answer(*found).find("3 of 6 launches were disturbed") != std::string::npos);
    CHECK(algorithms_next_step(*found).line().find("--launches 5 ") != std::string::npos);
    CHECK(algorithms_next_step(*found).line().find("x-2.db") != std::string::npos);
}

TEST_CASE("a file is for the library that was measured") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    add_study(database, {});
    const auto found = find_algorithms(database, {});
    CHECK_THROWS_AS((void)write_tuning_file(found.get(), "x.db", folder / "tuning.json", {}), InputError);
    CHECK_THROWS_AS((void)write_tuning_file(found.get(), "x.db", folder / "smpi.cfg", {}), InputError);
    CHECK_THROWS_AS((void)write_tuning_file(found.get(), "x.db", folder / "rules.txt", {}), InputError);
}

TEST_CASE("what is to be done next is not what skampi-run tune has done") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    add_study(database, {});
    const auto next_step = [&] { return algorithms_next_step(*find_algorithms(database, {})).line(); };
    CHECK(next_step().find("-o rules.conf") != std::string::npos);
    TuningFile file;
    file.run = "launch5";
    file.path = "mine.conf";
    file.format = "open mpi rules";
    file.library = open_mpi;
    database.add_tuning_file(file);
    CHECK(next_step().find("-o rules.conf") == std::string::npos);
    CHECK(next_step().find("mine.conf") != std::string::npos);
    SUBCASE("where it took the rules out again there is no file to be made") {
        file.path.clear();
        file.rules = tuning_rules(find_algorithms(database, {})->winners);
        for (TuningRule& rule : file.rules)
            if (std::exchange(rule.written, false))
                rule.why_not = WhyNot::not_faster_when_checked;
        database.add_tuning_file(file);
        CHECK(next_step().find("-o rules.conf") == std::string::npos);
        CHECK(next_step().find("slower") != std::string::npos);
    }
    SUBCASE("a file of other runs says nothing") {
        Database other = Database::open_for_writing(folder / "y.db");
        add_study(other, {});
        file.run = "launch0";
        other.add_tuning_file(file);
        CHECK(algorithms_next_step(*find_algorithms(other, {})).line().find("-o rules.conf") !=
              std::string::npos);
    }
}

TEST_CASE("ranks that may move, and cores that are left, are told to whoever launches") {
    const ScratchFolder folder;
    InventedStudy moving;
    Database database = Database::open_for_writing(folder / "x.db");
    add_study(database, moving);
    CHECK_FALSE(read_algorithms(database).bound);
    CHECK(read_algorithms(database).cores_to_spare);
    moving.cpus = "0-3";
    Database full = Database::open_for_writing(folder / "y.db");
    add_study(full, moving);
    CHECK_FALSE(read_algorithms(full).cores_to_spare);
    CHECK(algorithms_json(find_algorithms(full, {}).get()).find("\"cores_to_spare\":false") !=
          std::string::npos);
}

TEST_CASE("a gain is said as other reports say that a thing is faster") {
    TuningRule rule;
    rule.gain = 0.18;
    rule.gain_low = 0.15;
    rule.gain_high = 0.21;
    CHECK(gain_text(rule) == "18 % faster (15 to 21 %)");
    rule.gain = 1.03;
    rule.gain_low = 0.9;
    rule.gain_high = 1.16;
    CHECK(gain_text(rule) == "2.03 times faster (1.90 to 2.16)");
    rule.gain_low = rule.gain_high = std::nullopt;
    CHECK(gain_text(rule) == "2.03 times faster");
}
