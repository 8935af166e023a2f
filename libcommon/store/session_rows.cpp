// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/session_rows.hpp"

#include "store/checksum.hpp"
#include "store/row.hpp"
#include "store/run_rows.hpp"

#include <utility>

namespace skampi {

namespace {

std::int64_t checksum_of(const Session& session, const std::vector<SessionFailure>& failures) {
    Checksum sum;
    sum.add_row(session);
    for (const Variant& variant : session.variants) {
        sum.add_row(variant);
        for (const auto& [name, value] : variant.settings) {
            sum.add(std::string_view(name));
            sum.add(std::int64_t{value.has_value()});
            sum.add(std::string_view(value.value_or("")));
        }
    }
    for (const SessionFailure& failure : failures)
        sum.add_row(failure);
    return sum.value();
}

} // namespace

void SessionRows::insert(const Session& session) const {
    {
        Query insert = connection_.query(insert_sql<Session>("session", {"checksum"}));
        RowWriter(insert).write(session);
        insert.run(0);
    }
    const std::int64_t id = connection_.last_insert_id();
    Query of_variant = connection_.query(insert_sql<Variant>("variant", {"session", "ordinal"}));
    Query of_setting =
        connection_.query("INSERT INTO variant_setting (session, variant, name, value) VALUES (?, ?, ?, ?)");
    std::int64_t ordinal = 0;
    for (const Variant& variant : session.variants) {
        RowWriter(of_variant).write(variant);
        of_variant.run(id, ordinal);
        for (const auto& [name, value] : variant.settings)
            of_setting.run(id, ordinal, name, value);
        ++ordinal;
    }
    seal(id);
}

void SessionRows::change(const std::string& uuid, const std::function<void(Session&)>& make) const {
    const std::int64_t id = id_of(uuid);
    std::int64_t checksum = 0;
    Session session = read(id, checksum);
    make(session);
    {
        Query update = connection_.query(update_sql<Session>("session", {}));
        RowWriter(update).write(session);
        update.run(id);
    }
    seal(id);
}

void SessionRows::insert_failure(const std::string& uuid, const SessionFailure& failure) const {
    const std::int64_t id = id_of(uuid);
    {
        Query insert = connection_.query(insert_sql<SessionFailure>("session_failure", {"session"}));
        RowWriter(insert).write(failure);
        insert.run(id);
    }
    seal(id);
}

std::vector<Session> SessionRows::all() const {
    const Snapshot snapshot(connection_);
    std::vector<std::int64_t> ids;
    {
        Query query = connection_.query("SELECT id FROM session ORDER BY id");
        while (query.next())
            ids.push_back(query.integer());
    }
    std::vector<Session> sessions;
    for (const std::int64_t id : ids) {
        std::int64_t checksum = 0;
        Session session = read(id, checksum);
        compare_checksums(connection_, checksum, checksum_of(session, failures_of(id)),
                          "session " + session.uuid);
        sessions.push_back(std::move(session));
    }
    return sessions;
}

std::vector<SessionFailure> SessionRows::failures(const std::string& uuid) const {
    const Snapshot snapshot(connection_);
    return failures_of(id_of(uuid));
}

std::int64_t SessionRows::id_of(const std::string& uuid) const {
    Query query = connection_.query("SELECT id FROM session WHERE uuid = ?");
    query.bind(uuid);
    if (!query.next())
        connection_.fail("there is no session " + uuid);
    return query.integer();
}

Session SessionRows::read(std::int64_t id, std::int64_t& checksum) const {
    Session session;
    {
        Query query = connection_.query(select_sql<Session>("checksum", "session WHERE id = ?"));
        query.bind(id);
        if (!query.next())
            connection_.fail("there is no session " + std::to_string(id));
        session = RowReader(connection_, query).read<Session>();
        checksum = query.integer();
    }
    Query variants =
        connection_.query(select_sql<Variant>("ordinal", "variant WHERE session = ? ORDER BY ordinal"));
    variants.bind(id);
    while (variants.next()) {
        Variant variant = RowReader(connection_, variants).read<Variant>();
        Query settings = connection_.query(
            "SELECT name, value FROM variant_setting WHERE session = ? AND variant = ? ORDER BY name");
        settings.bind(id);
        settings.bind(variants.integer());
        while (settings.next()) {
            std::optional<std::string>& value = variant.settings[settings.text()];
            if (!settings.column_is_null())
                value = settings.text();
        }
        session.variants.push_back(std::move(variant));
    }
    return session;
}

std::vector<SessionFailure> SessionRows::failures_of(std::int64_t id) const {
    Query query =
        connection_.query(select_sql<SessionFailure>("", "session_failure WHERE session = ? ORDER BY id"));
    query.bind(id);
    std::vector<SessionFailure> failures;
    while (query.next())
        failures.push_back(RowReader(connection_, query).read<SessionFailure>());
    return failures;
}

void SessionRows::seal(std::int64_t id) const {
    std::int64_t checksum = 0;
    const Session session = read(id, checksum);
    connection_.query("UPDATE session SET checksum = ? WHERE id = ?")
        .run(checksum_of(session, failures_of(id)), id);
}

} // namespace skampi
