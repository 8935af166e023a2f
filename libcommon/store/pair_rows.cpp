// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/pair_rows.hpp"

#include "store/checksum.hpp"
#include "store/row.hpp"
#include "store/run_rows.hpp"

#include <bit>
#include <cstring>
#include <string>

namespace skampi {

namespace {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian");
static_assert(sizeof(PairTime) == 12, "two 32-bit numbers and a 32-bit float");

std::string bytes_of(const std::vector<PairTime>& pairs) {
    return {reinterpret_cast<const char*>(pairs.data()), pairs.size() * sizeof(PairTime)};
}

std::int64_t pair_checksum(const std::string& run, const PairMap& map, const std::string& bytes) {
    Checksum sum;
    sum.add(run);
    sum.add_row(map);
    sum.add(bytes);
    return sum.value();
}

} // namespace

void PairRows::insert(RunId run, const PairMap& map) const {
    Query uuid = connection_.query("SELECT uuid FROM run WHERE id = ?");
    uuid.bind(run);
    if (!uuid.next())
        connection_.fail("there is no run " + std::to_string(run));
    const std::string bytes = bytes_of(map.pairs);
    Query insert = connection_.query(insert_sql<PairMap>("pair_map", {"pairs", "run", "checksum"}));
    RowWriter(insert).write(map);
    insert.bind_blob(bytes);
    insert.run(run, pair_checksum(uuid.text(), map, bytes));
}

std::vector<PairMap> PairRows::of_run(RunId run) const {
    Query query = connection_.query(
        select_sql<PairMap>("pairs, uuid, pair_map.checksum",
                            "pair_map JOIN run ON run.id = pair_map.run WHERE run = ? ORDER BY pair_map.id"));
    query.bind(run);
    std::vector<PairMap> maps;
    while (query.next()) {
        PairMap map = RowReader(connection_, query).read<PairMap>();
        const std::string bytes = query.blob();
        if (bytes.size() % sizeof(PairTime) != 0)
            connection_.fail_damaged("a pair map has " + std::to_string(bytes.size()) +
                                     " bytes, expected a multiple of " + std::to_string(sizeof(PairTime)));
        map.pairs.resize(bytes.size() / sizeof(PairTime));
        std::memcpy(map.pairs.data(), bytes.data(), bytes.size());
        const std::string uuid = query.text();
        compare_checksums(connection_, query.integer(), pair_checksum(uuid, map, bytes), "a pair map");
        maps.push_back(std::move(map));
    }
    return maps;
}

} // namespace skampi
