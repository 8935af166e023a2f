#include "job/mpi_laboratory.hpp"

#include "host/core_probe.hpp"
#include "host/disturbance.hpp"
#include "job/run_facts.hpp"
#include "job/verification.hpp"
#include "model/placement.hpp"
#include "mpi/datatypes.hpp"
#include "operations/all_operations.hpp"
#include "operations/message_limit.hpp"
#include "plan/argument_meaning.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

namespace skampi {
namespace {

constexpr int most_asked = 256; // ranks, when rank 0 looks for its partner
constexpr int probe_calls = 4;
constexpr double longest_probe_s = 5e-3; // then it has fewer blocks
constexpr int probe_tag = 4712;
constexpr int result_tag = 4713;

bool needs_clock(const Suite& suite) {
    return suite.operation.pattern == Pattern::collective && suite.synchronization == Synchronization::window;
}

/// Ends the text of an error.
const char* while_doing(Order::Kind kind) {
    switch (kind) {
    case Order::Kind::prepare:
        return "while an argument was prepared";
    case Order::Kind::series:
        return "while it was measured";
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

/// One byte from rank 0 to another rank and back; only these two call it. Nothing but the messages takes
/// time.
/// @param what is done, for errors   @param turned called on the other rank in between
template <typename Turned = decltype([] {})>
void round_trip(MPI_Comm comm, int rank, int other, char& byte, FirstError& failed, const char* what,
                const Turned& turned = {}) {
    const auto note = [&](int code) {
        if (code != MPI_SUCCESS)
            failed.note(code, what);
    };
    if (rank == 0) {
        note(MPI_Send(&byte, 1, MPI_BYTE, other, probe_tag, comm));
        note(MPI_Recv(&byte, 1, MPI_BYTE, other, probe_tag, comm, MPI_STATUS_IGNORE));
    } else {
        note(MPI_Recv(&byte, 1, MPI_BYTE, 0, probe_tag, comm, MPI_STATUS_IGNORE));
        turned();
        note(MPI_Send(&byte, 1, MPI_BYTE, 0, probe_tag, comm));
    }
}

constexpr const char* probing_words = "a probe of the machine's state";

} // namespace

MpiLaboratory::MpiLaboratory(MPI_Comm world, const std::vector<Suite>& plan, std::int64_t memory_bytes,
                             LocalClock clock, std::function<bool()> stop,
                             const std::vector<Operation>& operations, std::vector<RankFacts> ranks)
    : plan_(plan)
    , memory_bytes_(memory_bytes)
    , stop_(std::move(stop))
    , operations_(operations)
    , all_(Communicator::duplicate(world))
    , clock_(clock)
    , epoch_s_(clock())
    , rank_facts_(std::move(ranks)) {
    MPI_Comm here = MPI_COMM_NULL;
    check(MPI_Comm_split_type(all_.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here),
          "MPI_Comm_split_type");
    ranks_here_ = Communicator(here).size();
    learn_places();
}

/// Rank 0 alone knows where all ranks are; each is told its places in the orders of joining.
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
    facts.merge(host_facts_since(suite_ticks_, now() - suite_began_s_, ranks_here_));
    return facts;
}

/// The text of the lowest rank in trouble, the same on every rank; empty = all are well.
std::string MpiLaboratory::agreed_problem(const std::string& mine) {
    int in_trouble = mine.empty() ? INT_MAX : all_.rank();
    int first = INT_MAX;
    failed_.note(MPI_Allreduce(&in_trouble, &first, 1, MPI_INT, MPI_MIN, all_.get()), "MPI_Allreduce");
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
    failed_.note(MPI_Bcast(&order, sizeof order, MPI_BYTE, 0, all_.get()), "MPI_Bcast");
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
        failed_.note(MPI_Bcast(&order, sizeof order, MPI_BYTE, 0, all_.get()), "MPI_Bcast");
        if (order.number != ++orders_sent_)
            failed_.raise();
        carry_out(order);
    } while (order.kind != Order::Kind::finish);
}

void MpiLaboratory::finish() {
    send({.kind = Order::Kind::finish, .suite = 0, .argument = 0, .series = {}});
}

void MpiLaboratory::carry_out(const Order& order) {
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
    failed_.note(MPI_Reduce(mine.data(), lowest.data(), 2, MPI_INT, MPI_MIN, 0, all_.get()), "MPI_Reduce");
    if (all_.rank() != 0)
        return;
    first_failed_ = lowest[0];
    delivered_right_ = lowest[1] == 1;
    if (order.kind == Order::Kind::prepare && ready_)
        verified_[order.argument] = delivered_right_;
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
        if (*team_)
            run_series(order.series);
        break;
    case Order::Kind::synchronise:
        synchronise();
        break;
    case Order::Kind::exit_skew:
        if (*team_)
            measure_exit_skew();
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
    suite_ticks_ = HostTicks::read();
    suite_began_s_ = now();
    former_partner_ = 0;
    const auto told = facts.find(fact_partner);
    if (planned.operation.pattern != Pattern::ping_pong || told == facts.end())
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
    const bool new_suite = suite != suite_;
    if (!new_suite && argument == argument_ && ready_)
        return {};
    int partner = 0;
    if (planned.operation.pattern == Pattern::ping_pong && all_.size() > 1)
        if (const std::string problem = choose_partner(planned, partner); !problem.empty())
            return problem;
    send({.kind = Order::Kind::prepare,
          .suite = suite,
          .partner = partner,
          .argument = argument,
          .series = {}});
    if (!ready_)
        return problem_;
    if (needs_clock(planned))
        keep_clock();
    if (new_suite && planned.operation.pattern == Pattern::collective && call_.size > 1)
        send({.kind = Order::Kind::exit_skew, .suite = suite, .argument = 0, .series = {}});
    if (planned.operation.pattern == Pattern::ping_pong)
        facts_[fact_partner] = std::to_string(shape_.partner);
    if (call_.root != 0 && shape_.join != JoinOrder::by_rank && !facts_.contains(fact_root_rank))
        facts_[fact_root_rank] = std::to_string(ranks_of_team()[static_cast<std::size_t>(call_.root)]);
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
    if (ready_ && *team_ && operation_->teardown != nullptr)
        failed_.note(operation_->teardown(call_), "clearing up after " + operation_->name, call_.thrown);
    ready_ = false;
}

/// What ranks found out together may differ among them after an error. Also on ranks outside of the team:
/// they take part in making it anew.
void MpiLaboratory::forget() {
    teams_.forget(shape_);
    team_ = &no_team_;
    ready_ = false;
    verified_.clear();
    clock_.forget();
    searches_.clear();
}

void MpiLaboratory::set_up(const Order& order) {
    tear_down();
    const Suite& suite = plan_[static_cast<std::size_t>(order.suite)];
    const ArgumentMeaning meaning = meaning_of(suite, order.argument, all_.size());
    operation_ = &find_operation(suite.operation.name, operations_);
    const bool new_suite = order.suite != suite_;
    if (new_suite) {
        buffers_ = Buffers(suite.buffers);
        attached_ = Pages();
        verified_.clear();
    }
    suite_ = order.suite;
    argument_ = order.argument;
    team_ = &no_team_;
    delivered_right_ = true;
    const TeamShape before = shape_;
    problem_ = choose_team(suite, meaning.ranks, all_.size(), order.partner, shape_);
    if (!problem_.empty())
        return; // the same on every rank
    if (shape_ != before)
        fastest_barrier_s_ = std::numeric_limits<double>::infinity();
    if (shape_ != before || new_suite)
        way_there_.reset();

    try {
        team_ = &teams_.get(all_, shape_, place_in(shape_.join));
    } catch (const MpiError& error) {
        failed_.keep(error);
    }
    std::string mine;
    if (*team_) {
        try {
            call_ = Call{};
            call_.own = operation_->own;
            call_.type = datatype_handle(suite.datatype);
            if (operation_->reduces)
                call_.reduction = reduction_handle(suite.reduction);
            call_.message_bytes = meaning.message_bytes;
            const int type_bytes = type_size(call_.type);
            call_.count = meaning.message_bytes / type_bytes;
            call_.comm = team_->get();
            call_.rank = team_->rank();
            call_.size = team_->size();
            call_.root = suite.operation.pattern == Pattern::collective ? suite.root : 0;
            call_.partner = shape_.pattern == Pattern::ping_pong ? 1 - call_.rank : 0;
            call_.chunks = meaning.chunks;
            call_.in_place = suite.in_place;
            // The plan ends where it must, but a suite's first argument and its default length stay.
            const bool lengths = suite.varied == Varied::message_length;
            const MessageLimit limit = lengths ? limit_of_messages(*operation_, suite.in_place, call_.size,
                                                                   memory_bytes_, type_bytes)
                                               : limit_of_calls(*operation_, call_.size, type_bytes);
            if (meaning.message_bytes > limit.bytes)
                throw Error(ExitStatus::impossible,
                            fmt::format("messages of {} bytes are too long: {}, which ends them at {}",
                                        meaning.message_bytes, limit.reason, limit.bytes));
            // Where the call takes them: for a million ranks they are 24 MB on each.
            const bool placed = operation_->displaced != Displaced::no;
            const bool counted = placed || operation_->delivers == Delivers::reduced_block;
            const auto ranks = static_cast<std::size_t>(counted ? call_.size : 0);
            call_.counts = Counts(std::vector<MPI_Count>(ranks, call_.count));
            const std::int64_t unit =
                operation_->displaced == Displaced::by_bytes ? call_.message_bytes : call_.count;
            std::vector<MPI_Aint> displacements(placed ? ranks : 0);
            for (std::size_t r = 0; r < displacements.size(); ++r)
                displacements[r] = static_cast<MPI_Aint>(r) * unit;
            call_.displacements = Displacements(std::move(displacements));
            const bool root = call_.rank == call_.root;
            const auto reserve = [&](std::int64_t message_bytes, int team_size) {
                const MessageRoom room =
                    room_for(*operation_, suite.in_place, message_bytes, team_size, root);
                buffers_.reserve(static_cast<std::size_t>(room.send), static_cast<std::size_t>(room.receive));
            };
            if (new_suite) {
                // All arguments use the same pages: small ones would see others in the first pass than later.
                try {
                    const ArgumentMeaning last = meaning_of(suite, suite.arguments.end, all_.size());
                    reserve(last.message_bytes, std::min(last.ranks, all_.size()));
                } catch (const std::bad_alloc&) {
                    // The arguments there is memory for are measured.
                }
            }
            reserve(meaning.message_bytes, call_.size);
            call_.send = buffers_.send();
            call_.receive = buffers_.receive();
            if (!buffers_.pages().empty()) {
                pages_.insert(buffers_.pages());
                facts_["pages"] = buffers_.pages();
            }
            call_.attached_bytes =
                room_for(*operation_, suite.in_place, meaning.message_bytes, call_.size, root).attached;
            const auto attached = static_cast<std::size_t>(call_.attached_bytes);
            if (attached_.size() < attached)
                attached_ = Pages(attached, false);
            call_.attached = attached_.data();
        } catch (const std::bad_alloc&) {
            mine = fmt::format("rank {}: no memory for messages of {} bytes", all_.rank(),
                               meaning.message_bytes);
        } catch (const MpiError& error) {
            failed_.keep(error);
        } catch (const Error& error) {
            mine = fmt::format("rank {}: {}", all_.rank(), error.what());
        }
    }
    // A setup may be collective: all agree before it that they have memory, and after it that it worked.
    problem_ = agreed_problem(mine.empty() ? failed_.text() : mine);
    if (problem_.empty() && operation_->setup != nullptr) {
        if (*team_)
            failed_.note(operation_->setup(call_), "setting up " + operation_->name, call_.thrown);
        problem_ = agreed_problem(failed_.text());
    }
    if (!problem_.empty())
        return;
    ready_ = true;
    if (!*team_)
        return;
    // Once per measurement: later visits to the same argument learn nothing new. Every rank of the team knows
    // the arguments it has verified, so all decide alike. Rank 0 is told of all ranks when the order ends.
    const auto known = verified_.find(order.argument);
    delivered_right_ = known != verified_.end() ? known->second : delivers_right(*operation_, call_);
    verified_[order.argument] = delivered_right_;
}

double MpiLaboratory::messages() const {
    if (operation_ == nullptr)
        return 0;
    const int pairs = call_.size / 2;
    return operation_->messages * (operation_->messages_per_pair ? pairs : 1);
}

Start MpiLaboratory::start_of(const SeriesOrder& order) const {
    if (shape_.pattern == Pattern::collective && team_->size() > 0) {
        switch (order.synchronization) {
        case Synchronization::window:
            return Start::window;
        case Synchronization::barrier:
            return Start::barrier;
        case Synchronization::dissemination:
            return Start::dissemination;
        case Synchronization::barrier_before:
            return Start::barrier_before;
        }
    }
    return buffers_.acts_between_calls() && team_->size() > 1 ? Start::aligned : Start::free;
}

/// @param over rank 0: whether time is over; then a probe has fewer blocks, one at least
double MpiLaboratory::probe(const std::function<bool()>& over) {
    std::vector<double> blocks;
    const int last = team_->size() - 1;
    if (last == 0) {
        return core_probe([this] { return clock_.local(); },
                          over); // alone there is only the core itself to ask
    }
    // The last message of a block says whether another one follows.
    constexpr char another = 1;
    char byte = 0;
    const int rank = team_->rank();
    do {
        const double begin_s = clock_.local();
        for (int i = 0; i < probe_calls; ++i) {
            if (rank == 0)
                byte = i + 1 == probe_calls && blocks.size() + 1 < probe_blocks && !over() ? another : 0;
            if (rank == 0 || rank == last)
                round_trip(team_->get(), rank, last, byte, failed_, probing_words);
        }
        blocks.push_back((clock_.local() - begin_s) / probe_calls);
    } while (byte == another && blocks.size() < probe_blocks);
    return skalib::upper_median(std::move(blocks));
}

/// Which share of a probe's round trip its way to the last rank takes: the median of some trips whose ends
/// are read on one clock; 0 = the two ranks have clocks of their own, or this is neither of them.
/// @param over rank 0: whether time is over; then there are fewer trips, two at least: before the first one a
/// rank may have had something else to do
double MpiLaboratory::find_way_there(const std::function<bool()>& over) {
    const int rank = team_->rank();
    const int last = team_->size() - 1;
    if (last == 0 || (rank != 0 && rank != last))
        return 0;
    constexpr std::size_t most_trips = 24;
    constexpr char another = 1;
    char byte = 0;
    struct Trip {
        double sent_s;
        double back_s;
    };
    std::vector<Trip> trips;
    std::vector<double> arrived; // and, of the last rank, which clock it reads
    do {
        if (rank == 0)
            byte = trips.empty() || (trips.size() + 1 < most_trips && !over()) ? another : 0;
        const double begin_s = clock_.local();
        round_trip(team_->get(), rank, last, byte, failed_, probing_words,
                   [&] { arrived.push_back(clock_.local()); });
        trips.push_back({begin_s, clock_.local()});
    } while (byte == another);
    const auto clock_read = static_cast<double>(std::hash<std::string>{}(clock_.name()));
    if (rank == last) {
        arrived.push_back(clock_read);
        failed_.note(MPI_Send(arrived.data(), static_cast<int>(arrived.size()), MPI_DOUBLE, 0, probe_tag,
                              team_->get()),
                     probing_words);
        return 0;
    }
    arrived.resize(trips.size() + 1);
    failed_.note(MPI_Recv(arrived.data(), static_cast<int>(arrived.size()), MPI_DOUBLE, last, probe_tag,
                          team_->get(), MPI_STATUS_IGNORE),
                 probing_words);
    if (failed_.seen() || clock_.name().empty() || arrived.back() != clock_read)
        return 0;
    std::vector<double> shares;
    for (std::size_t i = 1; i < trips.size(); ++i)
        if (const auto [sent_s, back_s] = trips[i]; sent_s < arrived[i] && arrived[i] < back_s)
            shares.push_back((arrived[i] - sent_s) / (back_s - sent_s));
    return shares.empty() ? 0 : skalib::upper_median(std::move(shares));
}

/// An estimate serves as long as its bound has not grown much, whatever it is used for.
void MpiLaboratory::keep_clock() {
    if (clock_.due())
        send({.kind = Order::Kind::synchronise, .suite = suite_, .argument = 0, .series = {}});
}

SeriesResult MpiLaboratory::series(const SeriesOrder& order) {
    if (shape_.pattern == Pattern::collective && order.synchronization == Synchronization::window)
        keep_clock(); // a suite may stay at one argument for long
    send({.kind = Order::Kind::series, .suite = suite_, .argument = argument_, .series = order});
    return std::move(result_);
}

void MpiLaboratory::run_series(const SeriesOrder& order) {
    const bool keeps_time = team_->rank() == 0;
    CallFunction function =
        team_->rank() == 0 || operation_->client == nullptr ? operation_->call : operation_->client;
    if (order.empty)
        function = empty_call;
    else if (order.alone)
        function = operation_->alone;
    call_.computation_s = order.computation_s;
    if (order.computation_s > 0) // each rank's core has a clock of its own
        call_.core_clock_hz = skalib::core_clock_hz([this] { return clock_.local(); });
    const Start start = start_of(order);
    result_ = {};
    LocalTimes times;
    times.reserve(static_cast<std::size_t>(order.per_batch * order.batches));

    const double begin_s = clock_.local();
    const auto time_over = [&] {
        return keeps_time &&
               (stop_() || time_is_over(order, std::ssize(result_.batches), clock_.local() - epoch_s_));
    };
    bool over = false; // agreed
    // A window would only make the warm-up longer; free calls warm caches, connections and registrations.
    LocalTimes warm;
    warm.fastest_barrier_s = fastest_barrier_s_;
    const Start loose = start == Start::aligned ? Start::aligned : Start::free;
    double fastest_first_s = std::numeric_limits<double>::infinity(); // of calls that follow a barrier
    for (std::int64_t& calls = result_.warm_up_calls; calls < order.warm_up && !over;) {
        const std::int64_t next = next_warm_up_calls(order, calls);
        unsigned char wishes = time_over() ? wish_to_end : 0;
        if (keeps_time && warm_up_is_over(order, calls, clock_.local() - begin_s))
            wishes |= wish_to_end_warm_up;
        const std::size_t first = warm.duration_s.size();
        wishes =
            timed_loop(function, *operation_, call_, buffers_, loose, clock_, 0, next, 1, 0, wishes, warm);
        if (first < warm.duration_s.size())
            fastest_first_s = std::min(fastest_first_s, warm.duration_s[first]);
        over = (wishes & wish_to_end) != 0;
        if (wishes != 0)
            break;
        calls += next;
    }
    times.error = warm.error;
    times.fastest_barrier_s = warm.fastest_barrier_s;
    if (warm.error == MPI_SUCCESS && !warm.duration_s.empty())
        // the fastest: an interruption must not decide how the rest is planned
        result_.warm_up_call_s = *std::min_element(warm.duration_s.begin(), warm.duration_s.end());
    double probing_s = 0;
    double looking_s = 0;
    std::int64_t probes = 0;
    const auto timed_probe = [&] {
        const double probe_begin_s = clock_.local();
        // Where ranks share cores a probe of full length may take longer than all else.
        const double value_s =
            probe([&] { return time_over() || clock_.local() - probe_begin_s > longest_probe_s; });
        probing_s += clock_.local() - probe_begin_s;
        ++probes;
        return value_s;
    };
    std::vector<skalib::CoreSpeed> speeds; // before the first batch and after each look_every of them
    const auto look_at_core = [&] {
        const double look_begin_s = clock_.local();
        speeds.push_back(skalib::core_speed([this] { return clock_.local(); }));
        looking_s += clock_.local() - look_begin_s;
    };

    std::vector<std::vector<double>> ledger; // per batch: switches, migrations
    const bool probing = order.probe_every > 0 && order.batches > 0 && !over;
    if (probing && shape_.pattern == Pattern::collective && !way_there_) {
        const double begin_probe_s = clock_.local();
        way_there_ =
            find_way_there([&] { return time_over() || clock_.local() - begin_probe_s > longest_probe_s; });
        probing_s += clock_.local() - begin_probe_s;
    }
    result_.way_there = way_there_.value_or(0);
    double last_probe_s = probing ? timed_probe() : 0;
    if (probing)
        look_at_core();
    std::size_t since_probe = 0; // first batch that waits for its closing probe
    const auto close_with_probe = [&] {
        last_probe_s = timed_probe();
        for (; since_probe < result_.batches.size(); ++since_probe)
            result_.batches[since_probe].probe_after_s = last_probe_s;
    };
    DisturbanceMeter meter;
    std::int64_t late = 0; // windows that this rank missed
    const auto windows_hopeless = [&] {
        return start == Start::window && windows_are_hopeless(std::ssize(times.late), late);
    };
    for (std::int64_t b = 0; b < order.batches && !over; ++b) {
        Batch batch;
        batch.block = order.block;
        batch.synchronization = order.synchronization;
        batch.start_s = clock_.local() - epoch_s_;
        batch.probe_before_s = last_probe_s;
        meter.lap();
        const unsigned char wishes = timed_loop(function, *operation_, call_, buffers_, start, clock_,
                                                order.lead_in, order.per_batch, order.block, order.window_s,
                                                time_over() || windows_hopeless() ? wish_to_end : 0, times);
        over = wishes != 0;
        if (over)
            break;
        result_.warm_up_calls += order.lead_in * order.block;
        late += std::count(times.late.end() - order.per_batch, times.late.end(), 1.0);
        const Disturbance disturbance = meter.lap();
        if (notices_disturbance)
            ledger.push_back({static_cast<double>(disturbance.involuntary_switches),
                              static_cast<double>(disturbance.migrations)});
        result_.batches.push_back(std::move(batch));
        if (probing && (b + 1) % order.look_every == 0)
            look_at_core();
        if (order.probe_every > 0 && (b + 1) % order.probe_every == 0)
            close_with_probe();
    }
    if (probing && std::ssize(result_.batches) % order.look_every != 0)
        look_at_core();
    if (order.probe_every > 0 && since_probe < result_.batches.size())
        close_with_probe();
    fastest_barrier_s_ = times.fastest_barrier_s;
    result_.agreement_s = std::isfinite(fastest_barrier_s_) ? agreement_s(start, fastest_barrier_s_) : 0;
    const double end_s = clock_.local();
    if (keeps_time && !result_.batches.empty())
        result_.batches.back().steal_ticks = steal_.lap(end_s);
    result_.inside_s = end_s - begin_s - probing_s - looking_s;
    result_.probe_cost_s = probes == 0 ? 0 : probing_s / static_cast<double>(probes);
    // The warm-up alone is asked how long its calls last; before batches it is short.
    const bool spans_asked =
        order.batches == 0 && order.warm_up > 0 && shape_.pattern == Pattern::collective && team_->size() > 1;
    collect(order, times, ledger, skalib::at_fastest_clock(std::move(speeds)),
            spans_asked && std::isfinite(fastest_first_s) ? fastest_first_s : 0);
}

/// The run's ranks at the places of the team. Nothing is sent.
std::vector<int> MpiLaboratory::ranks_of_team() {
    std::vector<int> places(static_cast<std::size_t>(team_->size()));
    std::iota(places.begin(), places.end(), 0);
    std::vector<int> ranks = places;
    MPI_Group team = MPI_GROUP_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    failed_.note(MPI_Comm_group(team_->get(), &team), "MPI_Comm_group");
    failed_.note(MPI_Comm_group(all_.get(), &all), "MPI_Comm_group");
    if (team != MPI_GROUP_NULL && all != MPI_GROUP_NULL)
        failed_.note(MPI_Group_translate_ranks(team, team_->size(), places.data(), all, ranks.data()),
                     "MPI_Group_translate_ranks");
    for (MPI_Group* group : {&team, &all})
        if (*group != MPI_GROUP_NULL)
            MPI_Group_free(group);
    return ranks;
}

/// Brings what the ranks saw to rank 0, and whether any of them is in trouble: a reduction, one more of what
/// the operating system did to the ranks, and a gather where node times are wanted.
/// @param speeds of this rank's core at each look, at one clock   @param warm_up_span_s this rank's; 0 = not
/// asked
void MpiLaboratory::collect(const SeriesOrder& order, LocalTimes& times,
                            std::vector<std::vector<double>>& ledger,
                            const std::vector<skalib::CoreSpeed>& speeds, double warm_up_span_s) {
    const Suite& suite = plan_[static_cast<std::size_t>(suite_)];
    const std::size_t made = times.duration_s.size(); // the same on all ranks
    const std::size_t batches = result_.batches.size();
    const bool keeps_time = team_->rank() == 0;

    // A rank that saw an error has made as many calls as the others, which know nothing of it: what it saw
    // goes the same way as theirs, and is forgotten when all agree on how the order went.
    failed_.note(times.error, operation_->name, call_.thrown);
    note_failure(Order::Kind::series);

    const bool by_last_rank =
        suite.reported_time == ReportedTime::max && shape_.pattern == Pattern::collective;
    std::vector<double>& reported = by_last_rank ? times.elapsed_s : times.duration_s;
    // First the lowest rank in trouble, as the largest number, and the span of the warm-up.
    constexpr std::size_t head = 2;
    std::vector<double> mine = {failure_.empty() ? 0.0 : all_.size() - all_.rank(), warm_up_span_s};
    mine.insert(mine.end(), reported.begin(), reported.end());
    mine.insert(mine.end(), times.late.begin(), times.late.end());
    for (const skalib::CoreSpeed& speed : speeds)
        mine.push_back(-speed.throughput); // the slowest rank's is the largest then
    const bool spans = !by_last_rank && shape_.pattern == Pattern::collective &&
                       order.synchronization == Synchronization::window;
    const std::size_t first_span = mine.size() - head;
    for (std::size_t b = 0; spans && b < batches; ++b) {
        const auto begin = times.elapsed_s.begin() + static_cast<std::ptrdiff_t>(b) * order.per_batch;
        mine.push_back(skalib::upper_median({begin, begin + order.per_batch}));
    }
    std::vector<double> largest = mine;
    std::vector<double> counts;
    for (const auto& row : ledger)
        counts.insert(counts.end(), row.begin(), row.end());
    std::vector<double> sums = counts;
    if (team_->size() > 1) {
        failed_.note(MPI_Reduce(mine.data(), largest.data(), static_cast<int>(mine.size()), MPI_DOUBLE,
                                MPI_MAX, 0, team_->get()),
                     "MPI_Reduce");
        if (!counts.empty())
            failed_.note(MPI_Reduce(counts.data(), sums.data(), static_cast<int>(counts.size()), MPI_DOUBLE,
                                    MPI_SUM, 0, team_->get()),
                         "MPI_Reduce");
    }
    if (keeps_time) {
        first_failed_ = largest[0] > 0 ? all_.size() - static_cast<int>(largest[0]) : INT_MAX;
        if (failed_.seen()) { // what arrived is not to be used
            note_failure(Order::Kind::series);
            first_failed_ = 0;
        }
        result_.warm_up_span_s = largest[1];
    }
    if (made == 0)
        return;
    largest.erase(largest.begin(), largest.begin() + head);
    std::vector<double> span_s(largest.begin() + static_cast<std::ptrdiff_t>(first_span), largest.end());
    if (!by_last_rank) {
        const int timed = shape_.pattern == Pattern::collective ? suite.root : 0;
        const auto count = static_cast<int>(made);
        if (team_->rank() == timed && timed != 0)
            failed_.note(MPI_Send(reported.data(), count, MPI_DOUBLE, 0, result_tag, team_->get()),
                         "MPI_Send");
        else if (keeps_time && timed != 0)
            failed_.note(MPI_Recv(largest.data(), count, MPI_DOUBLE, timed, result_tag, team_->get(),
                                  MPI_STATUS_IGNORE),
                         "MPI_Recv");
        else
            std::copy(reported.begin(), reported.end(), largest.begin());
    }
    std::vector<double> node_times;
    if (suite.node_times && team_->size() > 1) {
        if (keeps_time)
            node_times.resize(made * static_cast<std::size_t>(team_->size()));
        failed_.note(MPI_Gather(times.duration_s.data(), static_cast<int>(made), MPI_DOUBLE,
                                node_times.data(), static_cast<int>(made), MPI_DOUBLE, 0, team_->get()),
                     "MPI_Gather");
    }
    if (!keeps_time)
        return;

    std::vector<std::pair<int, std::size_t>> places; // with the numbers that they are told under
    if (!node_times.empty()) {
        const std::vector<int> ranks = ranks_of_team();
        for (std::size_t place = 0; place < ranks.size(); ++place)
            places.emplace_back(ranks[place], place);
        std::ranges::sort(places);
    }
    result_.span_s = std::move(span_s);
    const auto per_batch = static_cast<std::size_t>(order.per_batch);
    for (std::size_t b = 0; b < batches; ++b) {
        Batch& batch = result_.batches[b];
        if (notices_disturbance) {
            batch.involuntary_switches = static_cast<std::int64_t>(sums[2 * b]);
            batch.migrations = static_cast<std::int64_t>(sums[2 * b + 1]);
        }
        if (!speeds.empty()) { // look_every batches lie between two looks
            const std::size_t before = b / static_cast<std::size_t>(order.look_every);
            batch.core_clock_hz = speeds.front().clock_hz;
            batch.core_throughput =
                throughput_as_stored(-std::max(largest[2 * made + before], largest[2 * made + before + 1]));
        }
        batch.dirty = interrupted(batch);
        for (const auto& [number, place] : places)
            batch.node_durations.push_back({number, {}});
        for (std::size_t i = b * per_batch; i < (b + 1) * per_batch; ++i) {
            if (largest[made + i] > 0) {
                ++batch.late;
                continue;
            }
            batch.duration_s.push_back(to_picoseconds(largest[i]));
            for (std::size_t node = 0; node < places.size(); ++node)
                batch.node_durations[node].duration_s.push_back(
                    to_picoseconds(node_times[places[node].second * made + i]));
        }
    }
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

void MpiLaboratory::measure_exit_skew() {
    // Fewer where ranks share cores and a barrier takes long: the suite's time is for its values.
#ifdef SKAMPI_SIMULATED
    constexpr std::size_t most = 2; // all are alike, and one of a thousand ranks is ten thousand messages
#else
    constexpr std::size_t most = 10; // their median is told, and nothing depends on it
#endif
    constexpr double longest_s = 0.02;
    const auto skew_of = [&](auto&& barrier) {
        std::vector<double> exits;
        const double begin_s = clock_.local();
        for (unsigned char wishes = 0; exits.size() < most;) {
            const int code = barrier();
            exits.push_back(clock_.now());
            failed_.note(code, "a barrier");
            if (team_->rank() == 0 && (clock_.local() - begin_s > longest_s || stop_()))
                wishes = wish_to_end;
            // Rank 0 alone wishes, and whoever hears of it late only comes late to the next barrier.
            failed_.note(MPI_Bcast(&wishes, 1, MPI_BYTE, 0, team_->get()), "MPI_Bcast");
            if (wishes != 0)
                break;
        }
        const std::size_t times = exits.size();
        std::vector<double> negated(times);
        std::transform(exits.begin(), exits.end(), negated.begin(), [](double t) { return -t; });
        exits.insert(exits.end(), negated.begin(), negated.end());
        std::vector<double> extremes(exits.size());
        failed_.note(MPI_Reduce(exits.data(), extremes.data(), static_cast<int>(2 * times), MPI_DOUBLE,
                                MPI_MAX, 0, team_->get()),
                     "MPI_Reduce");
        std::vector<double> skews(times);
        for (std::size_t i = 0; i < times; ++i)
            skews[i] = extremes[i] + extremes[i + times];
        std::sort(skews.begin(), skews.end());
        return skews[times / 2];
    };
    const double library_s = skew_of([&] { return MPI_Barrier(team_->get()); });
    const double own_s = skew_of([&] { return dissemination_barrier(team_->get()); });
    facts_["exit skew MPI_Barrier, s"] = fmt::format("{:.3g}", library_s);
    facts_["exit skew dissemination barrier, s"] = fmt::format("{:.3g}", own_s);
}

/// 1-byte ping-pongs of rank 0 with each rank that is asked, the fastest block of each counts.
void MpiLaboratory::find_partner(std::size_t count) {
    asked_.resize(count);
    failed_.note(MPI_Bcast(asked_.data(), static_cast<int>(count), MPI_INT, 0, all_.get()), "MPI_Bcast");
    constexpr int warm_up = 2;
    constexpr int blocks = 3;
    constexpr int calls = 4;
    char byte = 0;
    double slowest_s = -1;
    double fastest_s = -1;
    for (const int other : asked_) {
        if (all_.rank() != 0 && all_.rank() != other)
            continue;
        double best_s = -1;
        for (int block = -1; block < blocks; ++block) {
            const double begin_s = clock_.local();
            for (int i = 0; i < (block < 0 ? warm_up : calls); ++i)
                round_trip(all_.get(), all_.rank(), other, byte, failed_, "a ping-pong");
            const double block_s = clock_.local() - begin_s;
            if (block >= 0 && (best_s < 0 || block_s < best_s))
                best_s = block_s;
        }
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
