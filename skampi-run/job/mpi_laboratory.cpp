// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/mpi_laboratory.hpp"

#include "job/exit_skew.hpp"
#include "job/probe.hpp"
#include "job/rank_series.hpp"
#include "job/run_facts.hpp"
#include "job/series_collector.hpp"
#include "job/verification.hpp"
#include "model/pattern.hpp"
#include "model/placement.hpp"
#include "model/series.hpp"
#include "operations/all_operations.hpp"
#include "plan/argument_meaning.hpp"
#include "suite/group_run.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <numeric>
#include <utility>

namespace skampi {
namespace {

constexpr int most_asked = 256; // ranks, when rank 0 looks for its partner

bool needs_clock(const Suite& suite) {
    return row_of(suite.operation.pattern).starts_together &&
           suite.synchronization == Synchronization::window;
}

/// Ends the text of an error.
const char* while_doing(Order::Kind kind) {
    switch (kind) {
    case Order::Kind::prepare:
        return "while an argument was prepared";
    case Order::Kind::series:
        return "while it was measured";
    case Order::Kind::check_data:
        return "while its data were checked";
    case Order::Kind::synchronise:
        return "while clocks were synchronised";
    case Order::Kind::exit_skew:
        return "while barriers were measured";
    case Order::Kind::find_partner:
        return "while rank 0 looked for its partner";
    case Order::Kind::gather_facts:
        return "while the suite ended";
    case Order::Kind::forget:
    case Order::Kind::finish:
        break;
    }
    return "while ranks cleared up";
}

} // namespace

MpiLaboratory::MpiLaboratory(MPI_Comm world, const LaboratoryPlan& plan, LocalClock clock,
                             std::function<bool()> stop, std::vector<RankFacts> ranks)
    : plan_(plan.suites)
    , memory_bytes_(plan.memory_bytes)
    , stop_(std::move(stop))
    , operations_(plan.operations)
    , algorithms_(plan.algorithms)
    , all_(Communicator::duplicate(world))
    , clock_(clock)
    , epoch_s_(clock())
    , rank_facts_(std::move(ranks)) {
    learn_places();
    int shared = binding_of(rank_facts_).crowded ? 1 : 0; // rank 0 knows
    check(MPI_Bcast(&shared, 1, MPI_INT, 0, all_.get()), "MPI_Bcast");
    waiting_ = wanted_ = shared != 0 ? Waiting::patient : Waiting::busy;
    if (!algorithms_.empty())
        algorithm_switch_.emplace();
}

/// Rank 0 alone knows where all ranks are, and sends each its places in the orders of joining.
void MpiLaboratory::learn_places() {
    const auto size = static_cast<std::size_t>(all_.size());
    std::vector<int> places(all_.rank() == 0 ? 2 * size : 0);
    if (all_.rank() == 0) {
        std::vector<int> nodes = nodes_of(rank_facts_);
        nodes.resize(size); // on one node where nothing is known
        for (const JoinOrder order : {JoinOrder::by_node, JoinOrder::round_robin}) {
            const std::vector<int> joining = joining_ranks(order, nodes);
            for (std::size_t place = 0; place < size; ++place)
                places[2 * static_cast<std::size_t>(joining[place]) + (order == JoinOrder::by_node ? 0 : 1)] =
                    static_cast<int>(place);
        }
    }
    check(MPI_Scatter(places.data(), 2, MPI_INT, places_.data(), 2, MPI_INT, 0, all_.get()), "MPI_Scatter");
}

int MpiLaboratory::place_in(JoinOrder order) const {
    return order == JoinOrder::by_rank ? all_.rank() : places_[order == JoinOrder::by_node ? 0 : 1];
}

MpiLaboratory::~MpiLaboratory() {
    tear_down();
}

double MpiLaboratory::now() {
    return clock_.local() - epoch_s_;
}

std::map<std::string, std::string> MpiLaboratory::suite_facts() {
    std::map<std::string, std::string> facts = facts_;
    facts.merge(host_facts_since(suite_began_, now() - suite_began_s_, ranks_here_));
    return facts;
}

/// The text of the lowest rank in trouble, the same on every rank; empty = all are well.
std::string MpiLaboratory::agreed_problem(const std::string& mine) {
    int in_trouble = mine.empty() ? INT_MAX : all_.rank();
    int first = INT_MAX;
    failed_.note(traffic().allreduce(&in_trouble, &first, 1, MPI_INT, MPI_MIN), "MPI_Allreduce");
    return first < 0 || first >= all_.size() ? std::string() : text_of(first, mine);
}

/// One rank's text on all of them, as far as it fits.
std::string MpiLaboratory::text_of(int rank, const std::string& mine) {
    std::array<char, 512> text{};
    std::strncpy(text.data(), mine.c_str(), text.size() - 1);
    failed_.note(MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, all_.get()),
                 "MPI_Bcast");
    return text.data();
}

void MpiLaboratory::send(Order order) {
    order.number = ++orders_sent_;
    order.waiting = wanted_;
    failed_.note(traffic().broadcast(&order, sizeof order, MPI_BYTE), "MPI_Bcast");
    carry_out(order);
    const int failed_rank = first_failed_;
    if (failed_rank < 0 || failed_rank >= all_.size())
        return;
    if (order.kind == Order::Kind::forget || order.kind == Order::Kind::finish)
        throw LaboratoryError(
            failed_rank == 0 ? failure_
                             : fmt::format("rank {}: an MPI error {}", failed_rank, while_doing(order.kind)));
    send({.kind = Order::Kind::forget, .suite = order.suite, .argument = failed_rank, .series = {}});
    throw LaboratoryError(told_);
}

void MpiLaboratory::follow() {
    Order order;
    do {
        failed_.note(traffic().broadcast(&order, sizeof order, MPI_BYTE), "MPI_Bcast");
        if (order.number != ++orders_sent_)
            failed_.raise();
        carry_out(order);
    } while (order.kind != Order::Kind::finish);
}

void MpiLaboratory::finish() {
    send({.kind = Order::Kind::finish, .suite = 0, .argument = 0, .series = {}});
}

void MpiLaboratory::carry_out(const Order& order) {
    waiting_ = order.waiting;
    try {
        obey(order);
    } catch (const MpiError& error) {
        failed_.keep(error);
    }
    if (order.kind == Order::Kind::series)
        return; // its result says how it went
    note_failure(order.kind);
    // The lowest rank in trouble, and whether all received right data.
    const std::array<int, 2> mine = {failure_.empty() ? INT_MAX : all_.rank(), delivered_right_ ? 1 : 0};
    std::array<int, 2> lowest = {INT_MAX, 0};
    failed_.note(traffic().reduce(mine.data(), lowest.data(), 2, MPI_INT, MPI_MIN), "MPI_Reduce");
    if (all_.rank() != 0)
        return;
    first_failed_ = lowest[0];
    delivered_right_ = lowest[1] == 1;
    if ((order.kind == Order::Kind::prepare || order.kind == Order::Kind::check_data) && ready_)
        verified_[{order.suite, order.argument}] = delivered_right_;
}

/// Closes what this rank says of an order. An error after that counts for the next order.
void MpiLaboratory::note_failure(Order::Kind kind) {
    const FirstError before = std::exchange(failed_, {});
    failure_ = before.seen() ? fmt::format("rank {}: {}, {}", all_.rank(), before.text(), while_doing(kind))
                             : std::string();
}

void MpiLaboratory::obey(const Order& order) {
    switch (order.kind) {
    case Order::Kind::prepare:
        set_up(order);
        break;
    case Order::Kind::series:
        failure_.clear(); // outside of the team there is none; what goes wrong counts for the next order
        if (*team())
            run_series(order.series);
        else if (!order.series.empty)
            with_algorithm({});
        break;
    case Order::Kind::check_data:
        if (ready_)
            check_data();
        break;
    case Order::Kind::synchronise:
        synchronise();
        break;
    case Order::Kind::exit_skew:
        if (*team()) {
            const ExitSkew skew = measure_exit_skew(*team(), clock_, stop_, failed_);
            facts_["exit skew MPI_Barrier, s"] = fmt::format("{:.3g}", skew.library_s);
            facts_["exit skew dissemination barrier, s"] = fmt::format("{:.3g}", skew.dissemination_s);
        }
        break;
    case Order::Kind::find_partner:
        find_partner(static_cast<std::size_t>(order.argument));
        break;
    case Order::Kind::gather_facts:
        tear_down();
        gather_facts();
        break;
    case Order::Kind::forget:
        told_ = text_of(static_cast<int>(order.argument), failure_);
        forget();
        break;
    case Order::Kind::finish:
        tear_down();
        break;
    }
}

void MpiLaboratory::begin_suite(int suite, const std::map<std::string, std::string>& facts) {
    const Suite& planned = plan_[static_cast<std::size_t>(suite)];
    facts_.clear();
    ranks_here_.clear();
    for (const RankFacts& rank : rank_facts_) // rank 0's alone has them
        if (rank.processor == rank_facts_.front().processor)
            ranks_here_.push_back(rank.pid);
    suite_began_ = host_moment(ranks_here_);
    suite_began_s_ = now();
    former_partner_ = 0;
    const auto told = facts.find(fact_partner);
    if (!row_of(planned.operation.pattern).has_partner || told == facts.end())
        return;
    std::string problem;
    const std::vector<int> candidates =
        partner_candidates(partner_choice(planned), rank_facts_, all_.size(), problem);
    for (const int rank : candidates)
        if (told->second == std::to_string(rank))
            former_partner_ = rank;
}

std::string MpiLaboratory::prepare(int suite, std::int64_t argument) {
    const Suite& planned = plan_[static_cast<std::size_t>(suite)];
    const bool new_suite = is_new_block(suite);
    if (suite == suite_ && argument == argument_ && ready_)
        return {};
    int partner = 0;
    if (row_of(planned.operation.pattern).has_partner && all_.size() > 1)
        if (const std::string problem = choose_partner(planned, partner); !problem.empty())
            return problem;
    send({.kind = Order::Kind::prepare,
          .suite = suite,
          .partner = partner,
          .argument = argument,
          .series = {}});
    if (!ready_)
        return problem_;
    if (needs_clock(planned) && !cores_are_shared()) // there is no window then
        keep_clock();
    // Where ranks share cores it would be the scheduler's, and take the time of the values.
    if (new_suite && row_of(planned.operation.pattern).starts_together && prepared_.call.size > 1 &&
        !cores_are_shared())
        send({.kind = Order::Kind::exit_skew, .suite = suite, .argument = 0, .series = {}});
    if (row_of(planned.operation.pattern).has_partner)
        facts_[fact_partner] = std::to_string(prepared_.shape.partner);
    if (prepared_.call.root != 0 && prepared_.shape.join != JoinOrder::by_rank &&
        !facts_.contains(fact_root_rank))
        facts_[fact_root_rank] =
            std::to_string(ranks_of_team()[static_cast<std::size_t>(prepared_.call.root)]);
    return {};
}

/// @return why there is none; empty = found
std::string MpiLaboratory::choose_partner(const Suite& suite, int& partner) {
    partner = former_partner_;
    if (partner == 0)
        if (std::string problem = search_partner(partner_choice(suite), partner); !problem.empty())
            return problem;
    if (!rank_facts_.empty())
        facts_[fact_partner_place] =
            relation_text(rank_facts_.front(), rank_facts_[static_cast<std::size_t>(partner)]);
    return {};
}

std::string MpiLaboratory::search_partner(const PartnerChoice& choice, int& partner) {
    const bool by_latency =
        choice.rule == PartnerChoice::Rule::farthest || choice.rule == PartnerChoice::Rule::nearest;
    const std::string words = by_latency ? "" : partner_text(choice);
    if (!searches_.contains(words)) {
        std::string problem;
        const std::vector<int> candidates = partner_candidates(choice, rank_facts_, all_.size(), problem);
        if (candidates.empty())
            return problem;
        asked_ = sampled_candidates(candidates, rank_facts_, most_asked);
        search_ = {candidates.front(), candidates.front(), asked_.size(), candidates.size()};
        if (by_latency || candidates.size() > 1)
            send({.kind = Order::Kind::find_partner,
                  .suite = 0,
                  .argument = std::ssize(asked_),
                  .series = {}});
        searches_[words] = search_;
    }
    const PartnerSearch& found = searches_[words];
    partner = choice.rule == PartnerChoice::Rule::nearest ? found.nearest : found.farthest;
    if (found.asked < found.candidates)
        facts_[fact_partner_search] = fmt::format("{} of {} ranks were asked", found.asked, found.candidates);
    return {};
}

void MpiLaboratory::tear_down() {
    if (ready_ && *team() && prepared_.operation->teardown != nullptr)
        failed_.note(prepared_.operation->teardown(prepared_.call),
                     "clearing up after " + prepared_.operation->name, prepared_.call.thrown);
    ready_ = false;
}

/// What ranks found out together may differ among them after an error. Also on ranks outside of the team:
/// they take part in making it anew.
void MpiLaboratory::forget() {
    teams_.forget(prepared_.shape);
    prepared_.team = &no_team_;
    ready_ = false;
    verified_.clear();
    clock_.forget();
    searches_.clear();
}

void MpiLaboratory::set_up(const Order& order) {
    tear_down();
    const Suite& suite = plan_[static_cast<std::size_t>(order.suite)];
    const ArgumentMeaning meaning = meaning_of(suite, order.argument, all_.size());
    const bool new_suite = is_new_block(order.suite);
    prepared_.operation = &find_operation(suite.operation.name, operations_);
    if (new_suite) {
        prepared_.buffers = Buffers(suite.buffers);
        prepared_.attached = Pages();
        verified_.clear();
    }
    suite_ = order.suite;
    argument_ = order.argument;
    delivered_right_ = true;
    problem_ = prove_algorithm(order.suite);
    if (problem_.empty())
        problem_ = join_team(suite, meaning.ranks, order.partner, new_suite);
    if (!problem_.empty())
        return; // the same on every rank
    // A setup may be collective: all agree before it that they have memory, and after it that it worked.
    const std::string mine = *team() ? ready_call({suite, meaning, {}, new_suite, memory_bytes_}) : "";
    problem_ = agreed_problem(mine.empty() ? failed_.text() : mine);
    if (problem_.empty() && prepared_.operation->setup != nullptr) {
        if (*team())
            failed_.note(prepared_.operation->setup(prepared_.call),
                         "setting up " + prepared_.operation->name, prepared_.call.thrown);
        problem_ = agreed_problem(failed_.text());
    }
    ready_ = problem_.empty();
    if (ready_ && !refuse_another_algorithm()) // all ranks or none: they verify together
        verify(order.argument);
}

/// What the library would take another algorithm for is no value of the suite's.
/// @return whether it is refused: the same on every rank of the team
bool MpiLaboratory::refuse_another_algorithm() {
    const auto found = algorithms_.find(suite_);
    if (found == algorithms_.end() || !*team() ||
        !is_replaced_in_silence(found->second, prepared_.call.size, prepared_.call.count))
        return false;
    failed_.keep(MpiError(fmt::format("choosing {}: {}", found->second.word, needs_text(found->second))));
    return true;
}

/// @return why there can be no team; empty = this rank has joined, or stays outside
std::string MpiLaboratory::join_team(const Suite& suite, int ranks, int partner, bool new_suite) {
    const TeamShape before = prepared_.shape;
    prepared_.team = &no_team_;
    if (std::string problem = choose_team(suite, ranks, all_.size(), partner, prepared_.shape);
        !problem.empty())
        return problem;
    const AlgorithmChoice* const choice = algorithm_of(suite_, Acts::communicator);
    prepared_.shape.algorithm = choice != nullptr ? choice->word : "";
    const bool new_team = !prepared_.shape.is_same_team(before);
    if (new_team)
        known_of_team_.fastest_barrier_s = KnownOfTeam().fastest_barrier_s;
    if (new_team || new_suite)
        known_of_team_.way_there.reset();
    std::string trouble;
    if (choice != nullptr)
        trouble = choose_algorithm(*choice);
    try {
        prepared_.team = &teams_.get(all_, prepared_.shape, place_in(prepared_.shape.join));
    } catch (const MpiError& error) {
        failed_.keep(error);
    }
    if (choice != nullptr && trouble.empty())
        trouble = algorithm_switch_->restore();
    if (!trouble.empty())
        failed_.keep(MpiError(fmt::format("choosing {}: {}", choice->word, trouble)));
    return {};
}

// --- algorithms of the library

#ifdef SKAMPI_SIMULATED
constexpr bool library_is_shared = true; ///< by all ranks: what one chooses is chosen for all
#else
constexpr bool library_is_shared = false;
#endif

/// A group's suites work with the same buffers.
bool MpiLaboratory::is_new_block(int suite) const {
    return suite != suite_ && (suite_ < 0 || !differ_in_algorithm(plan_[static_cast<std::size_t>(suite)],
                                                                  plan_[static_cast<std::size_t>(suite_)]));
}

const AlgorithmChoice* MpiLaboratory::algorithm_of(int suite, Acts acts) const {
    const auto found = algorithms_.find(suite);
    return found == algorithms_.end() || found->second.acts != acts ? nullptr : &found->second;
}

/// Where ranks share a library, none may be in its calls while what they do changes.
void MpiLaboratory::meet_where_shared() {
    if (library_is_shared)
        failed_.note(dissemination_barrier(all_.get(), waiting_), "MPI_Sendrecv");
}

/// @return what is wrong on this rank
std::string MpiLaboratory::choose_algorithm(const AlgorithmChoice& choice) {
    if (library_is_shared && all_.rank() != 0)
        return {};
    std::string problem = algorithm_switch_->write(choice);
    if (!problem.empty())
        algorithm_switch_->restore();
    return problem;
}

/// Once for a suite: its variable reads back what was written, on every rank. All hear of it before it acts:
/// if ranks choose differently, a library hangs or mixes up messages.
std::string MpiLaboratory::prove_algorithm(int suite) {
    const auto found = algorithms_.find(suite);
    if (found == algorithms_.end() || proven_.contains(suite))
        return {};
    const AlgorithmChoice& choice = found->second;
    meet_where_shared();
    std::string mine = choose_algorithm(choice);
    if (mine.empty() && (!library_is_shared || all_.rank() == 0)) {
        const std::optional<int> there = algorithm_switch_->read_back(choice);
        if (there != choice.number)
            mine = fmt::format("{} was written to {}, which reads back {}", choice.number, choice.variable,
                               there ? std::to_string(*there) : "nothing");
        if (const std::string worse = algorithm_switch_->restore(); mine.empty())
            mine = worse;
    }
    meet_where_shared();
    if (!mine.empty())
        mine = fmt::format("rank {}: the algorithm {} cannot be chosen: {}", all_.rank(), choice.word, mine);
    std::string problem = agreed_problem(mine);
    if (problem.empty())
        proven_.insert(suite);
    return problem;
}

/// What the ranks of the team call with the suite's algorithm; all that is around it goes the usual way.
void MpiLaboratory::with_algorithm(const std::function<void()>& calls) {
    const AlgorithmChoice* const choice = algorithm_of(suite_, Acts::call);
    std::string trouble;
    if (choice != nullptr) {
        meet_where_shared();
        trouble = choose_algorithm(*choice);
        meet_where_shared();
    }
    try {
        if (*team() && calls)
            calls();
    } catch (const MpiError& error) {
        failed_.keep(error);
    }
    if (choice == nullptr)
        return;
    meet_where_shared();
    if (trouble.empty())
        trouble = algorithm_switch_->restore();
    meet_where_shared();
    if (!trouble.empty())
        failed_.keep(MpiError(fmt::format("choosing {}: {}", choice->word, trouble)));
}

std::map<std::string, std::string> MpiLaboratory::algorithm_facts(int suite) {
    const auto found = algorithms_.find(suite);
    if (found == algorithms_.end())
        return {};
    std::map<std::string, std::string> facts{{fact_algorithm_layer, found->second.layer},
                                             {fact_algorithm_number, std::to_string(found->second.number)}};
    if (proven_.contains(suite))
        facts[fact_algorithm_read_back] =
            fmt::format("{} = {} on all ranks", found->second.variable, found->second.number);
    return facts;
}

/// @return what is wrong on this rank; empty = its call is ready, or an MPI error was noted
std::string MpiLaboratory::ready_call(CallSetting setting) {
    setting.last = meaning_of(setting.suite, setting.suite.arguments.end, all_.size());
    setting.last.ranks = std::min(setting.last.ranks, all_.size());
    try {
        make_call_ready(prepared_, setting);
    } catch (const std::bad_alloc&) {
        return fmt::format("rank {}: no memory for messages of {} bytes", all_.rank(),
                           setting.meaning.message_bytes);
    } catch (const MpiError& error) {
        failed_.keep(error);
    } catch (const Error& error) {
        return fmt::format("rank {}: {}", all_.rank(), error.what());
    }
    if (!prepared_.buffers.pages().empty()) {
        pages_.insert(prepared_.buffers.pages());
        facts_["pages"] = prepared_.buffers.pages();
    }
    return {};
}

/// Once per measurement: later visits to the same argument learn nothing new. Every rank knows the arguments
/// that were verified, so all decide alike. Rank 0 learns about all ranks when the order ends.
void MpiLaboratory::verify(std::int64_t argument) {
    const auto known = verified_.find({suite_, argument});
    filled_ = known == verified_.end();
    if (filled_)
        with_algorithm([this] { delivered_right_ = delivers_right(*prepared_.operation, prepared_.call); });
    else
        delivered_right_ = known->second;
    verified_[{suite_, argument}] = delivered_right_;
}

/// On a later visit the buffers hold what other arguments filled them with: one call more then.
void MpiLaboratory::check_data() {
    if (!filled_)
        with_algorithm([this] {
            delivered_right_ = delivered_right_ && delivers_right(*prepared_.operation, prepared_.call);
        });
    else if (*team())
        delivered_right_ = delivered_right_ && left_right(*prepared_.operation, prepared_.call);
    verified_[{suite_, argument_}] = delivered_right_;
}

bool MpiLaboratory::still_right() {
    if (delivered_right_ && ready_ && !prepared_.buffers.acts_between_calls())
        send({.kind = Order::Kind::check_data, .suite = suite_, .argument = argument_, .series = {}});
    return delivered_right_;
}

double MpiLaboratory::messages() const {
    return prepared_.operation == nullptr ? 0 : prepared_.operation->messages_among(prepared_.call.size);
}

/// An estimate serves as long as its bound has not grown much, for any use.
void MpiLaboratory::keep_clock() {
    if (clock_.due())
        send({.kind = Order::Kind::synchronise, .suite = suite_, .argument = 0, .series = {}});
}

SeriesResult MpiLaboratory::series(const SeriesOrder& order) {
    if (prepared_.starts_together() && order.synchronization == Synchronization::window &&
        !cores_are_shared())
        keep_clock(); // a suite may stay at one argument for long
    send({.kind = Order::Kind::series, .suite = suite_, .argument = argument_, .series = order});
    return std::move(result_);
}

void MpiLaboratory::run_series(const SeriesOrder& order) {
    const SeriesEnvironment environment{clock_, epoch_s_, stop_, failed_, waiting_};
    RankSeries series(order, prepared_, environment, known_of_team_);
    if (order.empty)
        series.carry_out();
    else
        with_algorithm([&] { series.carry_out(); });
    const bool keeps_time = prepared_.keeps_time();
    if (keeps_time && !series.result().batches.empty())
        series.result().batches.back().steal_ticks = steal_.lap(clock_.local());
    // A rank that saw an error has made as many calls as the others, which know nothing of it: what it saw
    // goes the same way as theirs, and is forgotten when all agree on how the order went.
    failed_.note(series.times().error, prepared_.operation->name, prepared_.call.thrown);
    note_failure(Order::Kind::series);

    SeriesCollector collector(plan_[static_cast<std::size_t>(suite_)], prepared_, series, environment);
    collector.reduce(failure_.empty() ? 0.0 : all_.size() - all_.rank());
    const double trouble = collector.largest().trouble;
    if (keeps_time) {
        first_failed_ = trouble > 0 ? all_.size() - static_cast<int>(trouble) : INT_MAX;
        if (failed_.seen()) { // what arrived is not to be used
            note_failure(Order::Kind::series);
            first_failed_ = 0;
        }
        series.result().warm_up_span_s = collector.largest().warm_up_span_s;
        watch_agreements(collector.largest().slow_agreements);
    }
    collector.fetch();
    if (keeps_time && !collector.is_empty())
        collector.fill(collector.has_node_times() ? ranks_of_team() : std::vector<int>());
    result_ = std::move(series.result());
}

/// Whether something else takes the ranks' cores, so that they wait otherwise from the next order on.
/// @param slow share of the agreements, on the rank that saw the most
void MpiLaboratory::watch_agreements(double slow) {
    constexpr double most = 0.5;
    constexpr int series_until_over = 50;
    if (!notices_disturbance || waiting_ == Waiting::patient)
        return;
    quick_series_ = slow > most ? 0 : quick_series_ + 1;
    if (slow > most)
        wanted_ = Waiting::alert;
    else if (quick_series_ >= series_until_over)
        wanted_ = Waiting::busy;
}

/// The run's ranks at the places of the team. Nothing is sent.
std::vector<int> MpiLaboratory::ranks_of_team() {
    std::vector<int> places(static_cast<std::size_t>(team()->size()));
    std::iota(places.begin(), places.end(), 0);
    std::vector<int> ranks = places;
    MPI_Group of_team = MPI_GROUP_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    failed_.note(MPI_Comm_group(team()->get(), &of_team), "MPI_Comm_group");
    failed_.note(MPI_Comm_group(all_.get(), &all), "MPI_Comm_group");
    if (of_team != MPI_GROUP_NULL && all != MPI_GROUP_NULL)
        failed_.note(MPI_Group_translate_ranks(of_team, team()->size(), places.data(), all, ranks.data()),
                     "MPI_Group_translate_ranks");
    for (MPI_Group* group : {&of_team, &all})
        if (*group != MPI_GROUP_NULL)
            MPI_Group_free(group);
    return ranks;
}

void MpiLaboratory::synchronise() {
    ClockEstimate estimate = clock_.synchronise(all_.get());
    estimate.start_s = clock_.local() - epoch_s_;
    if (all_.rank() == 0)
        clock_estimates_.push_back(estimate);
}

std::vector<RankFacts> MpiLaboratory::end_suite() {
    send({.kind = Order::Kind::gather_facts, .suite = 0, .argument = 0, .series = {}});
    return rank_facts_;
}

void MpiLaboratory::gather_facts() {
    RankFacts mine = my_rank_facts(all_.rank());
    mine.clock_offset_s = -clock_.model().offset_s;
    mine.clock_drift = -clock_.model().drift;
    mine.clock_bound_s = clock_.synchronised() ? clock_.bound_s() : 0;
    mine.pages = fmt::format("{}", fmt::join(pages_, ", "));
    std::vector<RankFacts> all = gather_rank_facts(mine, all_.get());
    for (std::size_t rank = 0; rank < std::min(all.size(), rank_facts_.size()); ++rank) {
        // They stay what they were.
        all[rank].seat = rank_facts_[rank].seat;
        all[rank].processor = std::move(rank_facts_[rank].processor);
    }
    rank_facts_ = std::move(all);
}

/// 1-byte ping-pongs of rank 0 with each rank that is asked, the fastest block of each counts.
void MpiLaboratory::find_partner(std::size_t count) {
    asked_.resize(count);
    failed_.note(MPI_Bcast(asked_.data(), static_cast<int>(count), MPI_INT, 0, all_.get()), "MPI_Bcast");
    const Prober prober(all_, clock_, failed_);
    double slowest_s = -1;
    double fastest_s = -1;
    for (const int other : asked_) {
        if (all_.rank() != 0 && all_.rank() != other)
            continue;
        const double best_s = prober.latency_s(other);
        if (all_.rank() != 0)
            continue;
        if (slowest_s < 0 || best_s > slowest_s) {
            slowest_s = best_s;
            search_.farthest = other;
        }
        if (fastest_s < 0 || best_s < fastest_s) {
            fastest_s = best_s;
            search_.nearest = other;
        }
    }
}

} // namespace skampi
