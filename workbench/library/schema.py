"""The tables of a pattern store."""

from __future__ import annotations

APPLICATION_ID = 0x50425754
"""Says in the file's header that it is a pattern store: no other SQLite file is ever touched."""

SCHEMA_VERSION = 1

PAGE_SIZE = 4096

_PATTERN = """
CREATE TABLE pattern (
    row INTEGER PRIMARY KEY,
    pattern_id TEXT NOT NULL UNIQUE,
    task_type TEXT NOT NULL,
    description TEXT NOT NULL,
    prompt_template TEXT NOT NULL,
    tool_sequence TEXT NOT NULL,
    success_count INTEGER NOT NULL,
    failure_count INTEGER NOT NULL DEFAULT 0,
    bound REAL NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    last_seen TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'none',
    label TEXT NOT NULL DEFAULT '',
    playbook TEXT NOT NULL DEFAULT '',
    extra TEXT NOT NULL DEFAULT '{}',
    recent TEXT NOT NULL DEFAULT '',
    search TEXT NOT NULL DEFAULT ''
)
"""

_VARIANT = """
CREATE TABLE variant (
    row INTEGER PRIMARY KEY,
    pattern INTEGER NOT NULL REFERENCES pattern(row) ON DELETE CASCADE,
    variant_id TEXT NOT NULL,
    tools TEXT NOT NULL,
    repeats TEXT NOT NULL DEFAULT '[]',
    success_count INTEGER NOT NULL DEFAULT 0,
    failure_count INTEGER NOT NULL DEFAULT 0,
    first_seen TEXT NOT NULL,
    last_seen TEXT NOT NULL,
    UNIQUE (pattern, variant_id)
)
"""

_OBSERVATION = """
CREATE TABLE observation (
    row INTEGER PRIMARY KEY,
    variant INTEGER NOT NULL REFERENCES variant(row) ON DELETE CASCADE,
    run TEXT NOT NULL,
    at TEXT NOT NULL,
    duration_ms INTEGER,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    playbook TEXT NOT NULL DEFAULT ''
)
"""

_PROMOTION = """
CREATE TABLE promotion (
    row INTEGER PRIMARY KEY,
    pattern INTEGER NOT NULL REFERENCES pattern(row) ON DELETE CASCADE,
    at TEXT NOT NULL,
    state TEXT NOT NULL,
    path TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT ''
)
"""

STATEMENTS = (
    _PATTERN,
    _VARIANT,
    _OBSERVATION,
    _PROMOTION,
    "CREATE INDEX pattern_by_type ON pattern (task_type, success_count DESC, bound DESC, row)",
    "CREATE INDEX pattern_by_count ON pattern (success_count DESC, row)",
    "CREATE INDEX pattern_by_time ON pattern (last_seen DESC, row DESC, search)",
    "CREATE INDEX pattern_by_playbook ON pattern (playbook) WHERE playbook <> ''",
    "CREATE INDEX observation_by_variant ON observation (variant, at)",
    "CREATE UNIQUE INDEX observation_by_run ON observation (run) WHERE run <> ''",
    "CREATE INDEX promotion_by_pattern ON promotion (pattern)",
    "CREATE VIRTUAL TABLE pattern_words USING fts5(search, content='pattern', content_rowid='row')",
    """CREATE TRIGGER words_added AFTER INSERT ON pattern BEGIN
        INSERT INTO pattern_words(rowid, search) VALUES (new.row, new.search); END""",
    """CREATE TRIGGER words_removed AFTER DELETE ON pattern BEGIN
        INSERT INTO pattern_words(pattern_words, rowid, search) VALUES ('delete', old.row, old.search); END""",
    """CREATE TRIGGER words_changed AFTER UPDATE OF search ON pattern WHEN new.search <> old.search BEGIN
        INSERT INTO pattern_words(pattern_words, rowid, search) VALUES ('delete', old.row, old.search);
        INSERT INTO pattern_words(rowid, search) VALUES (new.row, new.search); END""",
)
