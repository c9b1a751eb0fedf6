/** The rows that a role with a worker token sees and changes. Owners of tables are not subject to policies. */
interface RowPolicy {
  readonly table: string;
  readonly verb: 'ALL' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly using?: string;
  readonly check?: string;
}

const functionNames = { selectorOf: 'weir_selector_of_run', holds: 'weir_worker_holds_workspace' } as const;
const ofSeenRun = 'EXISTS (SELECT 1 FROM "DagRun" r WHERE r."id" = "runId")';

/** Looks past the policies, for what they themselves need to know. The schema is quoted. */
export function functionStatements(schema: string): readonly string[] {
  const asOwner = `LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ${schema}, pg_temp`;
  return [
    `CREATE OR REPLACE FUNCTION ${schema}.${functionNames.selectorOf}(id text) RETURNS jsonb ${asOwner} AS $$
      SELECT r."workerSelector"::jsonb FROM "DagRun" r WHERE r."id" = $1 $$`,
    `CREATE OR REPLACE FUNCTION ${schema}.${functionNames.holds}(workspace text) RETURNS boolean ${asOwner} AS $$
      SELECT EXISTS (
        SELECT 1 FROM "Runner" a JOIN "QueueItem" i ON i."claimedBy" = a."id" JOIN "DagRun" r ON r."id" = i."runId"
        WHERE a."databaseUser" = session_user AND ($1 = '' OR r."workspace" = $1)
      ) $$`,
  ];
}

/** The statements that make this role see only what a worker with these labels may execute. Names are quoted. */
export function policyStatements(
  role: string,
  schema: string,
  labels: Readonly<Record<string, string>>,
): readonly string[] {
  const policies = policiesFor(quoteText(JSON.stringify(labels)), schema);
  const tables = [...new Set(policies.map(({ table }) => table))];
  return [
    ...tables.map((table) => `ALTER TABLE ${schema}."${table}" ENABLE ROW LEVEL SECURITY`),
    ...policies.map(({ table, verb, using, check }) => {
      const name = nameOf(role, verb);
      const rows = [...(using === undefined ? [] : [`USING (${using})`]), ...(check ? [`WITH CHECK (${check})`] : [])];
      return `CREATE POLICY ${name} ON ${schema}."${table}" FOR ${verb} TO ${role} ${rows.join(' ')}`;
    }),
  ];
}

/** Drops the policies before they are created again, and before the role is dropped. */
export function dropPolicyStatements(role: string, schema: string): readonly string[] {
  return policiesFor("'{}'", schema).map(
    ({ table, verb }) => `DROP POLICY IF EXISTS ${nameOf(role, verb)} ON ${schema}."${table}"`,
  );
}

function policiesFor(labels: string, schema: string): readonly RowPolicy[] {
  const isMatching = `${labels}::jsonb @> "workerSelector"::jsonb`;
  const isBelowMatching = `("parentId" IS NOT NULL AND ${labels}::jsonb @> ${schema}.${functionNames.selectorOf}("parentId"))`;
  const isSeen = `${isMatching} OR ${isBelowMatching}`;
  const holds = (workspace: string): string => `${schema}.${functionNames.holds}(${workspace})`;
  const isOwn = '"databaseUser" = current_user';
  const ofSeen = (table: string): RowPolicy => ({ table, verb: 'ALL', using: ofSeenRun });
  return [
    { table: 'DagRun', verb: 'SELECT', using: isSeen },
    { table: 'DagRun', verb: 'UPDATE', using: isSeen },
    { table: 'DagRun', verb: 'INSERT', check: `(${isSeen}) AND ("workspace" IS NULL OR ${holds('"workspace"')})` },
    ...['DagRunStep', 'DagRunAttempt', 'DeadLetter'].map(ofSeen),
    // The slots of a queue are those that workers of any labels hold.
    { table: 'QueueItem', verb: 'SELECT', using: 'true' },
    ...(['UPDATE', 'DELETE'] as const).map((verb) => ({ table: 'QueueItem', verb, using: ofSeenRun })),
    { table: 'QueueItem', verb: 'INSERT', check: ofSeenRun },
    { table: 'Runner', verb: 'SELECT', using: 'true' },
    { table: 'Runner', verb: 'INSERT', check: `${isOwn} AND "labels"::jsonb = ${labels}::jsonb` },
    ...(['UPDATE', 'DELETE'] as const).map((verb) => ({ table: 'Runner', verb, using: isOwn })),
    { table: 'EventLogEntry', verb: 'INSERT', check: 'true' },
    { table: 'OutboxEvent', verb: 'INSERT', check: 'EXISTS (SELECT 1 FROM "DagRun" r WHERE r."id" = "runId")' },
    ...(['SELECT', 'UPDATE'] as const).map((verb) => ({ table: 'StoredSecret', verb, using: holds('"workspace"') })),
    {
      table: 'StoredSecretVersion',
      verb: 'SELECT',
      using: 'EXISTS (SELECT 1 FROM "StoredSecret" s WHERE s."id" = "secretId")',
    },
  ];
}

/** Policies have names of at most 63 bytes, of which a role may have all. */
function nameOf(role: string, verb: RowPolicy['verb']): string {
  return `${role.slice(0, -1)} ${verb}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
