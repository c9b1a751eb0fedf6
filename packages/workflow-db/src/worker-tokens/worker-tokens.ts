import { createHash, randomBytes } from 'node:crypto';
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { databaseUnreachable } from '../database-errors';
import { grantStatements, revokeStatements } from './token-grants';
import { toScramVerifier } from './scram-verifier';
import { workerTokenNeedsOwner, workerTokenNotFound, workerTokenRefused, workerTokenTaken } from './token-errors';
import { dropPolicyStatements, functionStatements, policyStatements } from './token-policies';

/**
 * The right to work for an installation on PostgreSQL: a role of the database with exactly the rights that a worker
 * with these labels needs.
 */
export interface WorkerToken {
  /** The name of the role and of the worker. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The content of the comment of such a role. */
interface Comment {
  readonly weirWorker: { readonly database: string; readonly labels: WorkerToken['labels']; readonly rights: string };
}

const timeoutMs = 10_000;
const passwordBytes = 24;
const insufficientPrivilege = '42501';
const listRoles = `
SELECT r.rolname AS "name", shobj_description(r.oid, 'pg_authid')::jsonb AS "comment"
FROM pg_roles r WHERE shobj_description(r.oid, 'pg_authid') LIKE '{"weirWorker":{%'
  AND shobj_description(r.oid, 'pg_authid')::jsonb -> 'weirWorker' ->> 'database' = current_database()
ORDER BY 1`;

/**
 * Creates the role and returns the URL by which a worker signs in, which is stored nowhere. Throws `worker_token_taken`,
 * `worker_token_needs_owner` and `worker_token_refused`.
 */
export function createWorkerToken(url: string, token: WorkerToken): Promise<string> {
  const { name } = token;
  const password = randomBytes(passwordBytes).toString('base64url');
  return change(url, async (client, schema) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
    if (rowCount !== 0) throw workerTokenTaken(name);
    await client.query(
      `CREATE ROLE ${escapeIdentifier(name)} LOGIN NOINHERIT PASSWORD ${escapeLiteral(toScramVerifier(password))}`,
    );
    await giveRights(client, schema, token);
    const own = new URL(url);
    own.username = name;
    own.password = password;
    return own.href;
  });
}

export async function listWorkerTokens(url: string): Promise<readonly WorkerToken[]> {
  const client = await connect(url);
  try {
    return (await readRoles(client)).map(({ name, comment }) => ({ name, labels: comment.weirWorker.labels }));
  } finally {
    await client.end();
  }
}

/** Ends the connections of the worker, which can make no others. Throws `worker_token_not_found`. */
export function revokeWorkerToken(url: string, name: string): Promise<void> {
  return change(url, async (client, schema) => {
    if (!(await readRoles(client)).some((role) => role.name === name)) throw workerTokenNotFound(name);
    const role = escapeIdentifier(name);
    await client.query(`ALTER ROLE ${role} NOLOGIN`);
    for (const text of [...dropPolicyStatements(role, schema), ...revokeStatements(role, schema)]) {
      await client.query(text);
    }
    // Only a member of a role may end its connections.
    await client.query(`GRANT ${role} TO CURRENT_USER`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [name]);
    await client.query(`DROP ROLE ${role}`);
  });
}

/**
 * Gives all worker tokens the rights that workers of this version need, and returns the names of those that had others.
 * Throws `worker_token_needs_owner` and `worker_token_refused` when there are such.
 */
export async function refreshWorkerTokens(url: string): Promise<readonly string[]> {
  const client = await connect(url);
  // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for it
  const outdated = await readOutdated(client).finally(() => client.end());
  if (outdated.length === 0) return [];
  return change(url, async (changing, schema) => {
    const tokens = await readOutdated(changing);
    for (const token of tokens) await giveRights(changing, schema, token);
    return tokens.map(({ name }) => name);
  });
}

async function readOutdated(client: Client): Promise<readonly WorkerToken[]> {
  const roles = await readRoles(client);
  if (roles.length === 0) return [];
  const { schema } = await readTables(client);
  return roles
    .map(({ name, comment: { weirWorker } }) => ({ name, ...weirWorker }))
    .filter(({ rights, ...token }) => rights !== digest(rightsOf(token, schema)));
}

/** The token that a worker has signed in with; nothing for the role of servers. */
export async function readOwnWorkerToken(url: string): Promise<WorkerToken | undefined> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ name: string }>('SELECT session_user AS "name"');
    const own = (await readRoles(client)).find(({ name }) => name === rows[0]?.name);
    return own && { name: own.name, labels: own.comment.weirWorker.labels };
  } finally {
    await client.end();
  }
}

async function readRoles(client: Client): Promise<readonly { readonly name: string; readonly comment: Comment }[]> {
  return (await client.query<{ name: string; comment: Comment }>(listRoles)).rows;
}

/** The statements that give a token exactly its rights and revoke all others. */
function rightsOf({ name, labels }: WorkerToken, schema: string): readonly string[] {
  const role = escapeIdentifier(name);
  return [
    ...functionStatements(schema),
    ...dropPolicyStatements(role, schema),
    ...grantStatements(role, schema),
    ...policyStatements(role, schema, labels),
  ];
}

async function giveRights(client: Client, schema: string, token: WorkerToken): Promise<void> {
  const statements = rightsOf(token, schema);
  for (const text of statements) await client.query(text);
  const { name, labels } = token;
  const comment = {
    weirWorker: { database: await readDatabase(client), labels, rights: digest(statements) },
  } satisfies Comment;
  await client.query(`COMMENT ON ROLE ${escapeIdentifier(name)} IS ${escapeLiteral(JSON.stringify(comment))}`);
}

function digest(statements: readonly string[]): string {
  return createHash('sha256').update(statements.join('\n')).digest('hex');
}

async function readDatabase(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS "name"');
  return rows[0]?.name ?? '';
}

/** One transaction, and one process at a time. */
async function change<T>(url: string, work: (client: Client, schema: string) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('weir worker tokens'))`);
    const { schema, isOwner } = await readTables(client);
    if (!isOwner) throw workerTokenNeedsOwner();
    const result = await work(client, schema);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === insufficientPrivilege) throw workerTokenRefused(error);
    throw error;
  } finally {
    await client.end();
  }
}

interface Tables {
  /** The schema, quoted. */
  readonly schema: string;
  readonly isOwner: boolean;
}

async function readTables(client: Client): Promise<Tables> {
  const { rows } = await client.query<Tables>(
    `SELECT n.nspname AS "schema", pg_get_userbyid(c.relowner) = current_user AS "isOwner"
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('"DagRun"')`,
  );
  const [table] = rows;
  if (table === undefined) throw workerTokenNeedsOwner();
  return { schema: escapeIdentifier(table.schema), isOwner: table.isOwner };
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'weir worker tokens',
  });
  // A lost connection also rejects the query in progress.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw databaseUnreachable(cause);
  }
}
