import type { Database } from './database';

/** The version of the tables below. */
const version = 1;

/**
 * A session has an owner exactly while the row of its replica exists: deleting that row, by its owner or by another
 * replica after it has expired, frees all its sessions at once.
 */
const statements = `
CREATE SCHEMA IF NOT EXISTS weir_rollout;
CREATE TABLE IF NOT EXISTS weir_rollout.replica (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE SEQUENCE IF NOT EXISTS weir_rollout.session_number MINVALUE 0;
CREATE TABLE IF NOT EXISTS weir_rollout.session (
  id text PRIMARY KEY,
  number bigint NOT NULL UNIQUE,
  key_hash text NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'ended', 'exported')),
  owner bigint REFERENCES weir_rollout.replica ON DELETE SET NULL
);
CREATE INDEX IF NOT EXISTS session_owner ON weir_rollout.session (owner);
CREATE INDEX IF NOT EXISTS session_key ON weir_rollout.session (key_hash, number);
CREATE UNIQUE INDEX IF NOT EXISTS session_active_key ON weir_rollout.session (key_hash) WHERE state = 'active';
CREATE TABLE IF NOT EXISTS weir_rollout.record (
  session_id text REFERENCES weir_rollout.session ON DELETE CASCADE,
  position integer,
  bytes bytea NOT NULL,
  PRIMARY KEY (session_id, position)
);
CREATE TABLE IF NOT EXISTS weir_rollout.capacity_grant (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  expires_at timestamptz NOT NULL,
  claimed_by bigint REFERENCES weir_rollout.replica ON DELETE SET NULL
);
CREATE TABLE IF NOT EXISTS weir_rollout.answer (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  stored jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS weir_rollout.adapter (
  name text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  version integer NOT NULL,
  stored jsonb NOT NULL
);
CREATE INDEX IF NOT EXISTS adapter_number ON weir_rollout.adapter (number);
CREATE TABLE IF NOT EXISTS weir_rollout.adapter_load (
  engine_name text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  stored jsonb NOT NULL
);
CREATE INDEX IF NOT EXISTS adapter_load_number ON weir_rollout.adapter_load (number);
CREATE TABLE IF NOT EXISTS weir_rollout.setting (name text PRIMARY KEY, value jsonb NOT NULL);
INSERT INTO weir_rollout.setting (name, value) VALUES ('admission', 'null'), ('weights', '{"version": 0}')
  ON CONFLICT DO NOTHING;
`;

/** The setting whose row is locked while grants and sessions are counted. */
export const lockAdmission = `SELECT FROM weir_rollout.setting WHERE name = 'admission' FOR UPDATE`;

/** Creates what is missing, one process after the other. Returns the version of the tables that are there. */
export function createTables(database: Database): Promise<number> {
  return database.transaction(async (query) => {
    // "weir" and the number of the proxy's specs: any number that no other program takes.
    await query('SELECT pg_advisory_xact_lock(2003134834, 334)');
    await query(statements);
    await query(
      `INSERT INTO weir_rollout.setting (name, value) VALUES ('tables', to_jsonb($1::int)) ON CONFLICT DO NOTHING`,
      [version],
    );
    const { rows } = await query(`SELECT value FROM weir_rollout.setting WHERE name = 'tables'`);
    return Number(rows[0]?.value);
  });
}

export const knownVersion = version;
