// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pairs/links_job.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "interruption/stop_signal.hpp"
#include "job/recorder.hpp"
#include "job/run_facts.hpp"
#include "links/bisection.hpp"
#include "links/link_findings.hpp"
#include "links/link_words.hpp"
#include "links/pair_steps.hpp"
#include "links/retests.hpp"
#include "model/quantity.hpp"
#include "mpi/communicator.hpp"
#include "mpi/control_traffic.hpp"
#include "pairs/detours.hpp"
#include "pairs/pair_timer.hpp"
#include "spec/parameter_file.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <span>

namespace skampi {

namespace {

/// What rank 0 sends to all members: steps to measure, or the end.
struct LinkOrder {
    std::int64_t message_bytes = 0; ///< 0 = the end
    StepTimes times = {};
    int steps = 0;
    int synchronise = 0; ///< the clocks, before that
    int watch = 0;       ///< the members' cores, and measure no pairs
};

/// What an order gives, on rank 0.
struct Measured {
    std::vector<PairTime> pairs; ///< of members; without those that began too late
    double longest_s = 0;        ///< step
};

/// The members, all of which carry out rank 0's orders.
class Members {
public:
    explicit Members(MPI_Comm comm)
        : comm_(Communicator::duplicate(comm))
        , timer_(comm_.get(), clock_, pair_tempo_here) {}

    [[nodiscard]] int size() const { return comm_.size(); }
    [[nodiscard]] double now() const { return clock_.now(); }

    void follow() {
        for (LinkOrder order; next(order);)
            if (order.watch != 0)
                (void)watch_cores();
            else
                (void)carry_out(order, {});
    }
    void finish() {
        LinkOrder end;
        (void)next(end);
    }

    /// So many steps at a time that a wish to stop is seen.
    /// @param times distance_s 0 = one step after the other: how long they take
    /// @param look called with what has been measured since
    [[nodiscard]] Measured measure(std::int64_t message_bytes, const PairSteps& steps, StepTimes times,
                                   const std::function<void(const Measured&)>& look = {}) {
        const double distance_s = times.distance_s;
        times.fill_s = distance_s > 0 ? pair_tempo_here.fill_s : 0;
        const auto at_a_time = static_cast<std::size_t>(
            std::max(1.0, pair_tempo_here.longest_order_s / std::max(distance_s, 1e-6)));
        Measured sum;
        for (std::size_t first = 0; first < steps.size() && stop_signal() == 0; first += at_a_time) {
            const std::span<const std::vector<MemberPair>> part =
                std::span(steps).subspan(first, std::min(at_a_time, steps.size() - first));
            LinkOrder order{message_bytes, times, static_cast<int>(part.size()), clock_.due() ? 1 : 0};
            (void)next(order);
            const std::vector<float> found = carry_out(order, part);
            const std::size_t width = part.size() + 1;
            for (std::size_t step = 0; step < part.size(); ++step)
                for (const auto& [one, other] : part[step]) {
                    const MemberPair pair = std::minmax(one, other);
                    const float time_s = found[static_cast<std::size_t>(pair.first) * width + step];
                    if (!std::isnan(time_s))
                        sum.pairs.push_back({pair.first, pair.second, time_s});
                }
            for (std::size_t at = part.size(); at < found.size(); at += width)
                sum.longest_s = std::max(sum.longest_s, static_cast<double>(found[at]));
            if (look)
                look(sum);
        }
        return sum;
    }

    /// All cores at once. @return on rank 0, in the order of members
    std::vector<CoreDetours> watch_cores() {
        const bool leads = comm_.rank() == 0;
        if (LinkOrder order{.watch = 1}; leads)
            (void)next(order);
        CoreDetours mine = watch_core(LocalClock(), pair_tempo_here.watch_s);
        check(MPI_Comm_rank(MPI_COMM_WORLD, &mine.rank), "MPI_Comm_rank");
        std::vector<CoreDetours> all(static_cast<std::size_t>(leads ? size() : 0));
        check(MPI_Gather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0, comm_.get()),
              "MPI_Gather");
        return all;
    }

private:
    /// @return false at the end
    bool next(LinkOrder& order) {
        check(MPI_Bcast(&order, sizeof order, MPI_BYTE, 0, comm_.get()), "MPI_Bcast");
        return order.message_bytes > 0 || order.watch != 0;
    }

    /// @param given rank 0: of the order
    /// @return on rank 0, for each member its times of all steps and its longest step
    std::vector<float> carry_out(LinkOrder order, std::span<const std::vector<MemberPair>> given) {
        const bool leads = comm_.rank() == 0;
        const auto steps = static_cast<std::size_t>(order.steps);
        const auto members = static_cast<std::size_t>(leads ? size() : 0);
        std::vector<int> of_all(members * steps, -1);
        for (std::size_t step = 0; step < given.size(); ++step)
            for (const auto& [one, other] : given[step]) {
                of_all[static_cast<std::size_t>(one) * steps + step] = other;
                of_all[static_cast<std::size_t>(other) * steps + step] = one;
            }
        std::vector<int> partners(steps);
        check(MPI_Scatter(of_all.data(), order.steps, MPI_INT, partners.data(), order.steps, MPI_INT, 0,
                          comm_.get()),
              "MPI_Scatter");
        if (order.synchronise != 0)
            (void)clock_.synchronise(comm_.get());
        order.times.start_s = clock_.now() + pair_tempo_here.lead_s; // rank 0's counts
        check(MPI_Bcast(&order.times.start_s, 1, MPI_DOUBLE, 0, comm_.get()), "MPI_Bcast");
        PairTimer::Result mine = timer_.measure(partners, order.times, order.message_bytes);
        mine.time_s.push_back(static_cast<float>(mine.longest_s));
        const int count = order.steps + 1;
        std::vector<float> times(members * (steps + 1));
        check(
            MPI_Gather(mine.time_s.data(), count, MPI_FLOAT, times.data(), count, MPI_FLOAT, 0, comm_.get()),
            "MPI_Gather");
        return times;
    }

    Communicator comm_;
    GlobalClock clock_;
    PairTimer timer_;
};

/// Rank 0: what is measured, stored and said.
class LinksRun {
public:
    LinksRun(const LinksWish& wish, Members& members, Database& database, RunId id, Run& run)
        : wish_(wish)
        , members_(members)
        , database_(database)
        , id_(id)
        , run_(run)
        , began_s_(members_.now())
        , looked_s_(began_s_) {}

    /// @return the exit status
    int measure() {
        passes([this](int pass) {
            for (const std::int64_t bytes : wish_.lengths)
                measure(Company::all, pass, bytes, {});
        });
        if (pair_tempo_here.watch_s > 0 && !stopped())
            run_.detours = members_.watch_cores();
        const LinkInput before = input();
        constexpr int retests = 3;
        for (const LengthFinding& finding : find_links(before)) {
            const std::vector<MemberPair> again = pairs_to_retest(finding, seed());
            for (int pass = 0; pass < retests && !again.empty(); ++pass) {
                measure(Company::other, pass, finding.message_bytes, again);
                measure(Company::none, pass, finding.message_bytes, again);
            }
        }
        if (wish_.bisection) {
            passes([this](int pass) { measure(Company::halves, pass, bisection_bytes, {}); });
            const std::vector<MemberPair> slowest = slowest_steps(input());
            constexpr int repetitions = 5;
            for (int pass = 0; pass < repetitions && !slowest.empty(); ++pass)
                measure(Company::halves_again, pass, bisection_bytes, slowest);
        }
        return tell();
    }

private:
    [[nodiscard]] bool stopped() const { return stop_signal() != 0; }
    /// Begins no pass that would end too late, if it takes as long as those before.
    template <typename Measure>
    void passes(const Measure& measure) {
        const double begin_s = members_.now();
        for (int pass = 0; pass < wish_.passes && !stopped(); ++pass) {
            const double now_s = members_.now();
            const double next_s = pass > 0 ? (now_s - begin_s) / pass : 0;
            if (wish_.time_s && now_s + next_s > began_s_ + *wish_.time_s)
                break;
            measure(pass);
        }
    }
    [[nodiscard]] std::int64_t seed() { return static_cast<std::int64_t>(random_() >> 12U); }
    [[nodiscard]] LinkInput input() const { return link_input(run_, database_.pair_maps(id_)); }

    [[nodiscard]] PairSteps all_steps(Company company, std::int64_t seed) const {
        if (is_bisection(company))
            return steps_across_halves(members_.size(), seed);
        PairSteps steps = all_pairs_in_steps(members_.size(), seed);
        if (wish_.quick)
            steps.resize(std::min(steps.size(), enough_steps));
        return steps;
    }
    [[nodiscard]] PairSteps steps_of(const std::vector<MemberPair>& pairs, Company company,
                                     std::int64_t seed) const {
        if (company == Company::none)
            return steps_alone(pairs);
        if (!is_bisection(company))
            return steps_with_company(pairs, members_.size(), seed);
        std::set<int> numbers;
        for (const MemberPair& pair : pairs)
            numbers.insert(step_across_halves(pair, members_.size()));
        PairSteps steps = all_steps(company, seed);
        std::erase_if(steps, [&](const std::vector<MemberPair>& step) {
            return !numbers.contains(step_across_halves(step.front(), members_.size()));
        });
        return steps;
    }

    /// One pass; what came too late is measured again at its end.
    /// @param wanted pairs; others that are measured with them are company. Empty = all
    void measure(Company company, int pass, std::int64_t bytes, const std::vector<MemberPair>& wanted) {
        PairMap map{pass, company, bytes, seed(), 0, {}};
        const std::size_t enough_pairs = enough_steps * static_cast<std::size_t>(members_.size() / 2);
        std::set<MemberPair> left(wanted.begin(), wanted.end());
        PairSteps steps = wanted.empty() ? all_steps(company, map.seed) : steps_of(wanted, company, map.seed);
        if (wanted.empty())
            for (const std::vector<MemberPair>& step : steps)
                for (const auto& [one, other] : step)
                    left.insert(std::minmax(one, other));
        const PairSteps some(steps.begin(), steps.begin() + std::min<std::ptrdiff_t>(std::ssize(steps), 1));
        StepTimes times{.both_ways = is_bisection(company)};
        double longest_s = 0;
        constexpr int looks = 2; // in the first one members get to know each other
        for (int i = 0; i < looks; ++i)
            longest_s = members_.measure(bytes, some, times).longest_s;
        times.distance_s = (times.both_ways ? 0 : pair_tempo_here.fill_s) + 2 * longest_s + shortest_pause_s;
        constexpr int tries = 4;
        for (int i = 0; i < tries && !left.empty() && !stopped(); ++i) {
            if (i > 0)
                steps = steps_of({left.begin(), left.end()}, company, seed());
            const Measured measured = members_.measure(bytes, steps, times, [&](const Measured& part) {
                if (company == Company::all && pass == 0 && part.pairs.size() >= enough_pairs &&
                    members_.now() > looked_s_ + pause_between_looks_s)
                    tell_suspects(bytes, part.pairs);
            });
            for (const PairTime& pair : measured.pairs)
                if (left.erase({pair.first, pair.second}) > 0)
                    map.pairs.push_back(pair);
            times.distance_s = std::max(times.distance_s, 2 * measured.longest_s);
        }
        map.unmeasured = std::ssize(left);
        if (stopped()) // of a pass that is not whole nothing is kept
            return;
        if (company == Company::all && pass == 0)
            tell_suspects(bytes, map.pairs);
        unmeasured_ += map.unmeasured;
        for (PairTime& pair : map.pairs) {
            pair.first = run_.rank_facts[static_cast<std::size_t>(pair.first)].rank;
            pair.second = run_.rank_facts[static_cast<std::size_t>(pair.second)].rank;
        }
        database_.add_pair_map(id_, map);
    }

    /// While they are measured, on standard error, each once: nodes and pairs that are slow with messages of
    /// one length in the first pass.
    void tell_suspects(std::int64_t bytes, const std::vector<PairTime>& pairs) {
        LinkInput now = input();
        now.maps.push_back({.message_bytes = bytes, .pairs = pairs});
        std::vector<LengthFinding> findings = find_links(now);
        std::erase_if(findings, [bytes](const LengthFinding& each) { return each.message_bytes != bytes; });
        for (LengthFinding& finding : findings)
            std::erase_if(finding.slow, [&](const SlowPart& part) {
                return !told_.insert({bytes, part_name(now, part)}).second;
            });
        for (const std::string& line : link_answer(now, findings).slow)
            write_standard_error(line + "\n");
        looked_s_ = members_.now();
    }

    int tell() const {
        const LinkInput all = input();
        const std::vector<LengthFinding> findings = find_links(all);
        const LinkAnswer answer = link_answer(all, findings);
        std::string text = answer.sum + "\n";
        for (const auto* lines : {&answer.slow, &answer.facts})
            for (const std::string& line : *lines)
                text += line + "\n";
        const bool lacks_bisection = wish_.bisection && !find_bisection(all);
        if (lacks_bisection)
            text += "The bisection was not measured\n";
        const bool complete = !stopped() && unmeasured_ == 0 && !lacks_bisection;
        const std::size_t slow_nodes = bad_nodes(all, findings).size();
        std::set<std::vector<int>> slow_links; // members of pairs, and of those that share a route
        for (const LengthFinding& finding : findings)
            for (const SlowPart& part : finding.slow)
                if (!part.of_one_node() &&
                    (part.verdict == LinkVerdict::slow || part.verdict == LinkVerdict::only_together))
                    slow_links.insert(part.members);
        text += fmt::format("SKAMPI: {} members={} slow_nodes={} slow_links={} unmeasured={}\n",
                            complete ? "OK" : "FAILED", members_.size(), slow_nodes, slow_links.size(),
                            unmeasured_);
        write_standard_output(text);
        return stopped() ? 128 + stop_signal()
                         : static_cast<int>(complete ? ExitStatus::done : ExitStatus::incomplete);
    }

    /// Enough partners to call a node slow.
    static constexpr std::size_t enough_steps = 7;
    static constexpr double pause_between_looks_s = 5;
    static constexpr double shortest_pause_s = 50e-6; ///< between two steps

    const LinksWish& wish_;
    Members& members_;
    Database& database_;
    RunId id_;
    Run& run_;
    double began_s_;
    std::int64_t unmeasured_ = 0;
    double looked_s_ = 0;                                 ///< when suspects were told last
    std::set<std::pair<std::int64_t, std::string>> told_; ///< message length, name
    std::mt19937_64 random_{std::random_device{}()};
};

/// The first rank of each host, or all. @throws InputError
std::vector<RankFacts> members_among(const std::vector<RankFacts>& ranks, bool of_nodes) {
    std::vector<RankFacts> members;
    std::set<std::string> hosts;
    for (const RankFacts& rank : ranks)
        if (hosts.insert(rank.processor).second || !of_nodes)
            members.push_back(rank);
    if (members.size() < 2)
        throw InputError(fmt::format("found {} on {}, expected at least 2{}",
                                     count_of(std::ssize(ranks), "rank"), count_of(std::ssize(hosts), "node"),
                                     ranks.size() > 1 ? " nodes; --members ranks measures pairs of ranks"
                                                      : " ranks on 2 nodes"));
    return members;
}

/// The run without its maps. @throws Error
Run links_run_of(const LinksWish& wish, const std::vector<Variable>& variables,
                 std::vector<RankFacts> ranks) {
    Fnv1a hash;
    hash.add("links").add_word(wish.of_nodes ? 1 : 0);
    for (const std::int64_t bytes : wish.lengths)
        hash.add_word(static_cast<std::uint64_t>(bytes));
    ParameterFile none;
    none.name = "skampi-run links";
    const Surroundings surroundings = surroundings_of_job(std::move(ranks), variables);
    Run run = run_of(none, {}, surroundings);
    run.plan_hash = fmt::format("{:016x}", hash.value());
    run.uuid = make_uuid();
    run.rank_facts = members_among(surroundings.ranks, wish.of_nodes);
    return run;
}

} // namespace

int run_links(const LinksWish& wish, const std::string& path, const std::vector<Variable>& variables) {
    const Communicator all = Communicator::duplicate(MPI_COMM_WORLD);
    const bool leads = all.rank() == 0;
    catch_stop_signals();
    std::vector<RankFacts> ranks = facts_of_all_ranks(all.get());
    std::optional<Database> database;
    Run run;
    RunId id = 0;
    int status = 0;
    std::vector<int> is_member(static_cast<std::size_t>(leads ? all.size() : 0));
    if (leads) {
        try {
            run = links_run_of(wish, variables, std::move(ranks));
            database = Database::open_for_writing(path);
            id = database->begin_run(run, {});
            for (const RankFacts& member : run.rank_facts)
                is_member[static_cast<std::size_t>(member.rank)] = 1;
        } catch (const Error& error) {
            write_standard_error(fmt::format("skampi-run links: {}\n", error.what()));
            status = static_cast<int>(error.status());
        }
    }
    check(MPI_Bcast(&status, 1, MPI_INT, 0, all.get()), "MPI_Bcast");
    if (status != 0)
        return status;
    int mine = 0;
    check(MPI_Scatter(is_member.data(), 1, MPI_INT, &mine, 1, MPI_INT, 0, all.get()), "MPI_Scatter");
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split(all.get(), mine != 0 ? 0 : MPI_UNDEFINED, all.rank(), &made), "MPI_Comm_split");
    if (const Communicator of_members(made); of_members) {
        Members members(of_members.get());
        if (leads) {
            status = LinksRun(wish, members, *database, id, run).measure();
            members.finish();
            database->end_run(id, run);
        } else {
            members.follow();
        }
    }
    // Others sleep meanwhile: they may be on the same hosts.
    check(ControlTraffic(all.get(), Waiting::patient).broadcast(&status, 1, MPI_INT), "MPI_Bcast");
    return status;
}

} // namespace skampi
