// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/algorithm_switch.hpp"
#include "clock/global_clock.hpp"
#include "host/disturbance.hpp"
#include "job/order.hpp"
#include "job/prepared.hpp"
#include "job/rank_series.hpp"
#include "laboratory/laboratory.hpp"
#include "model/run.hpp"
#include "mpi/communicator.hpp"
#include "mpi/control_traffic.hpp"
#include "operations/all_operations.hpp"
#include "patterns/team.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// What can be measured, the same on every rank; the lists must outlive the laboratory.
struct LaboratoryPlan {
    const std::vector<Suite>& suites;
    std::int64_t memory_bytes = 0; ///< @MEMORY
    const std::vector<Operation>& operations = all_operations();
    std::map<int, AlgorithmChoice> algorithms = {}; ///< of the suites that ask for one, by place
};

/// The real laboratory. On rank 0 every call commands all ranks by one broadcast order and takes part; the
/// other ranks spend the run in follow(). The number of orders is counted: it is the control traffic. After
/// each all ranks agree on whether an MPI call failed: one that saw an error has done its part all the same,
/// so that none is left in a call that the others never make.
class MpiLaboratory : public Laboratory {
public:
    /// Collective. @param stop asked between measurements on rank 0
    /// @param ranks rank 0: where all are; empty = not known
    MpiLaboratory(MPI_Comm world, const LaboratoryPlan& plan, LocalClock clock, std::function<bool()> stop,
                  std::vector<RankFacts> ranks = {});
    ~MpiLaboratory() override;

    /// Ranks other than 0: carries out orders until rank 0 says finish.
    /// @throws MpiError when an order did not arrive: nothing is left but to abort
    void follow();
    /// Rank 0: sends the others home. @throws LaboratoryError when they have gone
    void finish();

    double now() override;
    void begin_suite(int suite, const std::map<std::string, std::string>& facts) override;
    std::string prepare(int suite, std::int64_t argument) override;
    bool delivered_right() const override { return delivered_right_; }
    bool still_right() override;
    double messages() const override;
    bool computes() const override {
        return prepared_.operation != nullptr && prepared_.operation->alone != nullptr;
    }
    bool acts_between_calls() const override {
        return prepared_.operation != nullptr && prepared_.operation->own != nullptr &&
               prepared_.operation->after != nullptr;
    }
    SeriesResult series(const SeriesOrder& order) override;
    std::map<std::string, std::string> suite_facts() override;
    std::map<std::string, std::string> algorithm_facts(int suite) override;
    std::vector<ClockEstimate> take_clock_estimates() override { return std::exchange(clock_estimates_, {}); }
    bool cores_are_shared() const override { return waiting_ == Waiting::patient; }
    bool stop_wanted() override { return stop_(); }

    std::vector<RankFacts> end_suite() override;

    [[nodiscard]] std::int64_t orders_sent() const override { return orders_sent_; }
    [[nodiscard]] const Communicator& all() const { return all_; }
    [[nodiscard]] const GlobalClock& clock() const { return clock_; }

private:
    void send(Order order);
    void carry_out(const Order& order);
    void obey(const Order& order);
    void note_failure(Order::Kind kind);
    void watch_agreements(double slow);
    [[nodiscard]] std::string agreed_problem(const std::string& mine);
    [[nodiscard]] std::string text_of(int rank, const std::string& mine);
    void forget();
    void set_up(const Order& order);
    [[nodiscard]] bool is_new_block(int suite) const;
    [[nodiscard]] const AlgorithmChoice* algorithm_of(int suite, Acts acts) const;
    [[nodiscard]] std::string prove_algorithm(int suite);
    [[nodiscard]] bool refuse_another_algorithm();
    std::string choose_algorithm(const AlgorithmChoice& choice);
    void meet_where_shared();
    void with_algorithm(const std::function<void()>& calls);
    [[nodiscard]] std::string join_team(const Suite& suite, int ranks, int partner, bool new_suite);
    [[nodiscard]] std::string ready_call(CallSetting setting);
    void verify(std::int64_t argument);
    void check_data();
    void tear_down();
    void run_series(const SeriesOrder& order);
    void find_partner(std::size_t count);
    std::string choose_partner(const Suite& suite, int& partner);
    std::string search_partner(const PartnerChoice& choice, int& partner);
    void learn_places();
    [[nodiscard]] int place_in(JoinOrder order) const;
    void keep_clock();
    void synchronise();
    void gather_facts();
    [[nodiscard]] std::vector<int> ranks_of_team();
    [[nodiscard]] const Communicator* team() const { return prepared_.team; }
    [[nodiscard]] ControlTraffic traffic() const { return {all_.get(), waiting_}; }

    const std::vector<Suite>& plan_;
    std::int64_t memory_bytes_;
    std::function<bool()> stop_;
    const std::vector<Operation>& operations_;
    const std::map<int, AlgorithmChoice> algorithms_;
    std::optional<AlgorithmSwitch> algorithm_switch_; ///< where there are any
    std::set<int> proven_;                            ///< suites whose algorithm reads back on all ranks
    Communicator all_;
    GlobalClock clock_;
    double epoch_s_ = 0;
    Teams teams_;
    Waiting waiting_ = Waiting::busy; ///< the same on all ranks
    Waiting wanted_ = Waiting::busy;  ///< rank 0: from the next order on
    int quick_series_ = 0;            ///< rank 0: in a row, whose agreements were not slow
    std::int64_t orders_sent_ = 0;
    FirstError failed_;    ///< this rank's, in the present order
    std::string failure_;  ///< this rank's, in the last order; empty = none
    int first_failed_ = 0; ///< rank 0: the lowest rank with an error in the last order; none = beyond all
    std::string told_;     ///< what that rank said of it

    // What was prepared last.
    int suite_ = -1;
    std::int64_t argument_ = -1;
    const Communicator no_team_;
    Prepared prepared_{.team = &no_team_, .shape = {}, .call = {}, .buffers = Buffers(), .attached = {}};
    KnownOfTeam known_of_team_;
    bool ready_ = false;
    bool delivered_right_ = true;
    std::map<std::pair<int, std::int64_t>, bool> verified_; ///< arguments of suites: delivered right
    bool filled_ = false; ///< the buffers hold what the argument prepared was verified with
    std::string problem_; ///< why the argument is impossible; the same on every rank
    std::map<std::string, std::string> facts_;
    HostMoment suite_began_; ///< rank 0's host when the suite began
    StealMeter steal_;       ///< of rank 0's host
    double suite_began_s_ = 0;
    std::vector<std::int64_t> ranks_here_;       ///< ids of the ranks' processes on rank 0's host
    std::array<int, 2> places_ = {};             ///< this rank's, when ranks join by node and round-robin
    std::set<std::string> pages_;                ///< kinds this rank's buffers got so far
    std::vector<RankFacts> rank_facts_;          ///< rank 0, when last gathered
    std::vector<ClockEstimate> clock_estimates_; ///< not taken yet

    /// Partners found: the farthest and the nearest of the ranks that were asked.
    struct PartnerSearch {
        int farthest = 0;
        int nearest = 0;
        std::size_t asked = 0;
        std::size_t candidates = 0;
    };
    int former_partner_ = 0;                        ///< rank 0, of the suite; 0 = none
    std::map<std::string, PartnerSearch> searches_; ///< rank 0, by the words that leave the candidates
    std::vector<int> asked_;                        ///< rank 0: of the search under way
    PartnerSearch search_;                          ///< rank 0, the last one
    SeriesResult result_;                           ///< rank 0, of the last series
};

} // namespace skampi
