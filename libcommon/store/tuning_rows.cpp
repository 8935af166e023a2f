// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/tuning_rows.hpp"

#include "store/checksum.hpp"
#include "store/row.hpp"
#include "store/run_rows.hpp"

#include <utility>

namespace skampi {

namespace {

std::int64_t tuning_checksum(const TuningFile& file) {
    Checksum sum;
    sum.add_row(file);
    for (const TuningRule& rule : file.rules)
        sum.add_row(rule);
    return sum.value();
}

} // namespace

void TuningRows::insert(const TuningFile& file) const {
    {
        Query insert = connection_.query(insert_sql<TuningFile>("tuning_file", {"checksum"}));
        RowWriter(insert).write(file);
        insert.run(tuning_checksum(file));
    }
    const std::int64_t id = connection_.last_insert_id();
    Query of_rule = connection_.query(insert_sql<TuningRule>("rule", {"tuning_file", "ordinal"}));
    std::int64_t ordinal = 0;
    for (const TuningRule& rule : file.rules) {
        RowWriter(of_rule).write(rule);
        of_rule.run(id, ordinal);
        ++ordinal;
    }
}

std::vector<TuningFile> TuningRows::all() const {
    const Snapshot snapshot(connection_);
    std::vector<std::pair<std::int64_t, std::int64_t>> keys; // number, checksum
    std::vector<TuningFile> files;
    {
        Query query = connection_.query(select_sql<TuningFile>("id, checksum", "tuning_file ORDER BY id"));
        while (query.next()) {
            files.push_back(RowReader(connection_, query).read<TuningFile>());
            const std::int64_t id = query.integer();
            keys.emplace_back(id, query.integer());
        }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        files[i].rules = rules_of(keys[i].first);
        compare_checksums(connection_, keys[i].second, tuning_checksum(files[i]),
                          "tuning file " + std::to_string(keys[i].first));
    }
    return files;
}

std::vector<TuningRule> TuningRows::rules_of(std::int64_t id) const {
    Query query =
        connection_.query(select_sql<TuningRule>("", "rule WHERE tuning_file = ? ORDER BY ordinal"));
    query.bind(id);
    std::vector<TuningRule> rules;
    while (query.next())
        rules.push_back(RowReader(connection_, query).read<TuningRule>());
    return rules;
}

} // namespace skampi
