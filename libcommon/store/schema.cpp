#include "store/schema.hpp"

namespace skampi {

const char* const schema_sql = R"sql(
CREATE TABLE run (
    id                  INTEGER PRIMARY KEY,
    uuid                TEXT NOT NULL UNIQUE,
    kind                TEXT NOT NULL CHECK (kind IN ('raw', 'merged')),
    launch              INTEGER NOT NULL,
    tool_version        TEXT NOT NULL,
    parameter_file      TEXT NOT NULL,
    parameter_text      TEXT NOT NULL,
    plan_hash           TEXT NOT NULL,
    user                TEXT NOT NULL,
    machine             TEXT NOT NULL,
    node                TEXT NOT NULL,
    network             TEXT NOT NULL,
    comment             TEXT NOT NULL,
    mpi_library         TEXT NOT NULL,
    host                TEXT NOT NULL,
    ranks               INTEGER NOT NULL,
    absolute            INTEGER NOT NULL,
    clock_resolution_s  REAL,
    clock_cost_s        REAL,
    reference_probe_s   REAL,
    lowest_probe_s      REAL,
    highest_probe_s     REAL,
    reference_clock_hz  REAL,
    reference_core_throughput REAL,
    started_utc         TEXT NOT NULL,
    ended_utc           TEXT,
    measuring_share     REAL,
    merged_runs         INTEGER NOT NULL,
    checksum            INTEGER NOT NULL
) STRICT;

CREATE TABLE run_fact (
    run    INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    name   TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE rank (
    run             INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    rank            INTEGER NOT NULL,
    processor       TEXT NOT NULL,
    pid             INTEGER NOT NULL,
    cpus_allowed    TEXT NOT NULL,
    cpu             INTEGER NOT NULL,
    clock_offset_s  REAL,
    clock_drift     REAL,
    pages           TEXT NOT NULL,
    PRIMARY KEY (run, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE suite (
    id                         INTEGER PRIMARY KEY,
    run                        INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    ordinal                    INTEGER NOT NULL,
    name                       TEXT NOT NULL,
    family                     TEXT NOT NULL,
    type                       INTEGER NOT NULL,
    operation                  TEXT NOT NULL,
    title                      TEXT NOT NULL,
    pattern                    TEXT NOT NULL,
    possible_variations        TEXT NOT NULL,
    varied                     TEXT NOT NULL,
    scale                      TEXT NOT NULL,
    start_argument             INTEGER NOT NULL,
    end_argument               INTEGER NOT NULL,
    end_is_max                 INTEGER NOT NULL,
    stepwidth                  REAL,
    multiple_of                INTEGER NOT NULL,
    min_distance               INTEGER NOT NULL,
    max_distance               INTEGER,
    max_steps                  INTEGER,
    refinement_relative_error  REAL,
    min_count                  INTEGER NOT NULL,
    max_count                  INTEGER,
    max_relative_error         REAL,
    cut_quantile               REAL,
    max_time_s                 REAL,
    error_estimator            TEXT NOT NULL,
    max_suite_time_s           REAL,
    node_times                 INTEGER NOT NULL,
    message_bytes              INTEGER NOT NULL,
    chunks                     INTEGER NOT NULL,
    ranks                      INTEGER NOT NULL,
    synchronization            TEXT NOT NULL,
    reported_time              TEXT NOT NULL,
    value_kind                 TEXT NOT NULL,
    buffers                    TEXT NOT NULL,
    samples                    TEXT NOT NULL,
    passes                     INTEGER NOT NULL,
    nearest_partner            INTEGER NOT NULL,
    absolute                   INTEGER NOT NULL,
    datatype                   TEXT NOT NULL,
    reduction                  TEXT NOT NULL,
    root                       INTEGER NOT NULL,
    in_place                   INTEGER NOT NULL,
    checksum                   INTEGER NOT NULL,
    state                      TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'finished', 'put off', 'failed')),
    attempts                   INTEGER NOT NULL DEFAULT 0,
    in_progress                INTEGER NOT NULL DEFAULT 0,
    reason                     TEXT NOT NULL DEFAULT '',
    UNIQUE (run, ordinal),
    UNIQUE (run, name)
) STRICT;

CREATE TABLE suite_fact (
    suite  INTEGER NOT NULL REFERENCES suite ON DELETE CASCADE,
    name   TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (suite, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement (
    id                    INTEGER PRIMARY KEY,
    suite                 INTEGER NOT NULL REFERENCES suite ON DELETE CASCADE,
    argument              INTEGER NOT NULL,
    message_bytes         INTEGER NOT NULL,
    ranks                 INTEGER NOT NULL,
    chunks                INTEGER NOT NULL,
    value_s               REAL,
    standard_error_s      REAL,
    count                 INTEGER NOT NULL,
    mean_all_s            REAL,
    standard_error_all_s  REAL,
    cut_count             INTEGER NOT NULL,
    cut_mean_s            REAL,
    cut_standard_error_s  REAL,
    lower_s               REAL,
    minimum_s             REAL,
    quartile25_s          REAL,
    median_s              REAL,
    quartile75_s          REAL,
    maximum_s             REAL,
    overhead_s            REAL,
    overhead_error_s      REAL,
    flags                 TEXT NOT NULL,
    mode                  INTEGER NOT NULL,
    mode_share            REAL,
    probe_s               REAL,
    core_clock_hz         REAL,
    adjusted_s            REAL,
    discarded             INTEGER NOT NULL,
    time_used_s           REAL,
    alone_s                REAL,
    computation_s         REAL,
    messages              REAL,
    finished              INTEGER NOT NULL DEFAULT 0,
    checksum              INTEGER NOT NULL,
    UNIQUE (suite, argument)
) STRICT;

CREATE TABLE mode (
    measurement  INTEGER NOT NULL REFERENCES measurement ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    mode         INTEGER NOT NULL,
    share        REAL,
    value_s      REAL,
    probe_s      REAL,
    count        INTEGER NOT NULL,
    PRIMARY KEY (measurement, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE node_time (
    measurement       INTEGER NOT NULL REFERENCES measurement ON DELETE CASCADE,
    ordinal           INTEGER NOT NULL,
    rank              INTEGER NOT NULL,
    value_s           REAL,
    standard_error_s  REAL,
    PRIMARY KEY (measurement, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE batch (
    id                    INTEGER PRIMARY KEY,
    measurement           INTEGER NOT NULL REFERENCES measurement ON DELETE CASCADE,
    ordinal               INTEGER NOT NULL,
    pass                  INTEGER NOT NULL,
    block                 INTEGER NOT NULL,
    start_s               REAL,
    probe_before_s        REAL,
    probe_after_s         REAL,
    late                  INTEGER NOT NULL,
    dropped               INTEGER NOT NULL,
    dirty                 INTEGER NOT NULL,
    involuntary_switches  INTEGER NOT NULL,
    migrations            INTEGER NOT NULL,
    steal_ticks           INTEGER NOT NULL,
    core_clock_hz         REAL,
    core_throughput       REAL,
    samples               INTEGER NOT NULL,
    node_ranks            INTEGER NOT NULL,
    checksum              INTEGER NOT NULL,
    UNIQUE (measurement, ordinal)
) STRICT;

CREATE TABLE sample (
    batch        INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
    rank         INTEGER NOT NULL,
    durations_s  TEXT NOT NULL,
    PRIMARY KEY (batch, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE merge_fact (
    measurement           INTEGER PRIMARY KEY REFERENCES measurement ON DELETE CASCADE,
    runs                  INTEGER NOT NULL,
    minimum_s             REAL,
    maximum_s             REAL,
    mad_s                 REAL,
    between_runs_error_s  REAL,
    interval_low_s        REAL,
    interval_high_s       REAL,
    interval_confidence   REAL
) STRICT;

CREATE TABLE source (
    measurement       INTEGER NOT NULL REFERENCES measurement ON DELETE CASCADE,
    ordinal           INTEGER NOT NULL,
    run               TEXT NOT NULL,
    database          TEXT NOT NULL,
    value_s           REAL,
    standard_error_s  REAL,
    count             REAL,
    interpolated      INTEGER NOT NULL,
    chosen            INTEGER NOT NULL,
    PRIMARY KEY (measurement, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
    id        INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    time_utc  TEXT NOT NULL,
    kind      TEXT NOT NULL,
    suite     TEXT NOT NULL,
    text      TEXT NOT NULL
) STRICT;

CREATE INDEX event_of_run ON event (run);

CREATE VIEW result AS
SELECT run.uuid AS run, suite.name AS suite, suite.type AS type, suite.operation AS operation,
       suite.pattern AS pattern, suite.varied AS varied, measurement.ranks AS ranks,
       measurement.message_bytes AS message_bytes, measurement.chunks AS chunks, measurement.argument AS argument,
       measurement.value_s AS value_s, measurement.standard_error_s AS standard_error_s, measurement.count AS count,
       measurement.minimum_s AS minimum_s, measurement.quartile25_s AS quartile25_s,
       measurement.median_s AS median_s, measurement.quartile75_s AS quartile75_s,
       measurement.maximum_s AS maximum_s, measurement.flags AS flags, measurement.mode AS mode,
       measurement.mode_share AS mode_share, measurement.adjusted_s AS adjusted_s
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
WHERE measurement.finished
ORDER BY run.id, suite.ordinal, measurement.argument;

CREATE VIEW run_summary AS
SELECT run.uuid AS run, run.kind AS kind, run.launch AS launch, run.host AS host, run.mpi_library AS mpi_library,
       run.ranks AS ranks, run.started_utc AS started_utc, run.ended_utc AS ended_utc,
       run.measuring_share AS measuring_share,
       (SELECT count(*) FROM suite WHERE suite.run = run.id) AS suites,
       (SELECT count(*) FROM suite WHERE suite.run = run.id AND suite.state = 'finished') AS suites_finished,
       (SELECT count(*) FROM suite WHERE suite.run = run.id AND suite.state = 'put off') AS suites_put_off,
       (SELECT count(*) FROM suite WHERE suite.run = run.id AND suite.state = 'failed') AS suites_failed,
       (SELECT count(*) FROM suite JOIN measurement ON measurement.suite = suite.id
        WHERE suite.run = run.id AND measurement.finished) AS measurements,
       (SELECT count(*) FROM suite JOIN measurement ON measurement.suite = suite.id
        WHERE suite.run = run.id AND measurement.finished AND measurement.flags <> '') AS measurements_flagged,
       (SELECT total(measurement.time_used_s) FROM suite JOIN measurement ON measurement.suite = suite.id
        WHERE suite.run = run.id) AS time_used_s,
       (SELECT count(*) FROM event WHERE event.run = run.id) AS events
FROM run
ORDER BY run.id;

CREATE VIEW suite_summary AS
SELECT run.uuid AS run, suite.name AS suite, suite.operation AS operation, suite.pattern AS pattern,
       suite.varied AS varied, suite.state AS state, suite.attempts AS attempts, suite.in_progress AS in_progress,
       suite.reason AS reason, coalesce(sum(measurement.finished), 0) AS measurements,
       coalesce(sum(NOT measurement.finished), 0) AS measurements_begun,
       min(measurement.argument) AS first_argument, max(measurement.argument) AS last_argument,
       total(measurement.time_used_s) AS time_used_s
FROM run
JOIN suite ON suite.run = run.id
LEFT JOIN measurement ON measurement.suite = suite.id
GROUP BY suite.id
ORDER BY run.id, suite.ordinal;

CREATE VIEW overlap AS
SELECT run.uuid AS run, suite.name AS suite, suite.operation AS operation, measurement.argument AS argument,
       measurement.message_bytes AS message_bytes, measurement.ranks AS ranks, measurement.alone_s AS alone_s,
       measurement.computation_s AS computation_s, measurement.value_s AS value_s,
       max(0.0, min(1.0, (measurement.alone_s + measurement.computation_s - measurement.value_s) /
                         min(measurement.alone_s, measurement.computation_s))) AS overlap
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
WHERE measurement.alone_s > 0 AND measurement.finished
ORDER BY run.id, suite.ordinal, measurement.argument;

CREATE VIEW sample_flat AS
SELECT run.uuid AS run, suite.name AS suite, suite.operation AS operation, measurement.argument AS argument,
       batch.pass AS pass, batch.ordinal AS batch, nullif(sample.rank, -1) AS rank, duration.key AS n,
       batch.start_s AS time_s, duration.value AS duration_s, batch.block AS block,
       batch.dropped AS dropped, batch.dirty AS dirty, batch.probe_before_s AS probe_before_s,
       batch.probe_after_s AS probe_after_s
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
JOIN batch ON batch.measurement = measurement.id
JOIN sample ON sample.batch = batch.id
JOIN json_each(sample.durations_s) AS duration
ORDER BY run.id, suite.ordinal, measurement.argument, batch.ordinal, sample.rank, duration.key;

CREATE VIEW source_flat AS
SELECT run.uuid AS run, suite.name AS suite, measurement.argument AS argument, measurement.value_s AS merged_value_s,
       source.run AS source_run, source.database AS database, source.value_s AS value_s,
       source.standard_error_s AS standard_error_s, source.count AS count, source.interpolated AS interpolated,
       source.chosen AS chosen
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
JOIN source ON source.measurement = measurement.id
ORDER BY run.id, suite.ordinal, measurement.argument, source.ordinal;
)sql";

} // namespace skampi
