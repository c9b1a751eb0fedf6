import { randomInt } from 'node:crypto';
import { joinSql, noSql, sql, type Database, type DbTransaction } from '@weir/workflow-db';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import type { VisibleWorkspaces } from '../../access/access-rules';
import type { DagRunRepository } from '../runs';
import type { IndexedRun, RunIndex } from './run-index';
import { wordsOfRun, workspaceMark } from './run-words';

type Runs = Pick<DagRunRepository, 'listSummaries' | 'listFailedSteps'>;

/** Bits of a position behind the milliseconds. They only tell runs of the same millisecond apart. */
const randomBits = 20;

interface RunTextRow {
  readonly runId: string;
  readonly position: bigint;
  readonly rowVersion: number;
  readonly words: string;
}

/**
 * SQLite has the words in FTS5, PostgreSQL in an index of kind GIN. Neither takes texts apart: both get the same words and
 * are asked for the same beginnings, so they find the same runs.
 */
export function createPrismaRunIndex({ db, unitOfWork, provider }: Database, runs: Runs): RunIndex {
  return {
    catchUp: async (limit) => {
      const due = await db.runTextDue.findMany({
        orderBy: [{ createdAt: 'desc' }, { runId: 'desc' }, { rowVersion: 'desc' }],
        take: limit,
      });
      if (due.length === 0) return 0;
      const versions = new Map<string, number>();
      // The newest change of a run is the first.
      for (const { runId, rowVersion } of due.toReversed()) versions.set(runId, rowVersion);
      const rows = await readRows(runs, versions);
      await unitOfWork(
        async (tables) => {
          if (rows.length > 0) await storeRows(tables, rows);
          await tables.runTextDue.deleteMany({ where: { OR: due } });
        },
        { isolation: 'read_committed' },
      );
      return due.length;
    },
    find: ({ words, workspaces, before, limit }) => {
      return provider === 'sqlite'
        ? db.$queryRaw<IndexedRun[]>`
            SELECT t."runId", t."position"
            FROM "run_text_words" JOIN "RunText" t ON t."position" = "run_text_words"."rowid"
            WHERE "run_text_words" MATCH ${ftsQuery(words, workspaces)}
              ${before === undefined ? noSql : sql`AND "run_text_words"."rowid" < ${before}`}
            ORDER BY "run_text_words"."rowid" DESC LIMIT ${limit}`
        : db.$queryRaw<IndexedRun[]>`
            SELECT "runId", "position" FROM "RunText"
            WHERE array_to_tsvector(string_to_array("words", ' ')) @@ CAST(${tsQuery(words, workspaces)} AS tsquery)
              ${before === undefined ? noSql : sql`AND "position" < ${before}`}
            ORDER BY "position" DESC LIMIT ${limit}`;
    },
  };
}

async function readRows(runs: Runs, versions: ReadonlyMap<string, number>): Promise<readonly RunTextRow[]> {
  const found = [...(await runs.listSummaries([...versions.keys()])).values()];
  const failed = await runs.listFailedSteps(mayHaveFailedSteps(found));
  return found.map((run) => ({
    runId: run.id,
    position: positionOf(run.createdAt),
    rowVersion: versions.get(run.id) ?? 0,
    words: wordsOfRun(run, failed.get(run.id) ?? []).join(' '),
  }));
}

export function mayHaveFailedSteps(runs: readonly Pick<DagRunSummary, 'id' | 'status'>[]): readonly string[] {
  return runs.filter(({ status }) => status !== 'succeeded').map(({ id }) => id);
}

function positionOf(createdAt: Date): bigint {
  return (BigInt(createdAt.getTime()) << BigInt(randomBits)) + BigInt(randomInt(2 ** randomBits));
}

/** Another server may have read a run later and stored its words before: those stay. A run that is gone is left out. */
async function storeRows(tables: DbTransaction, rows: readonly RunTextRow[]): Promise<void> {
  const values = rows.map(
    ({ runId, position, rowVersion, words }) =>
      sql`(${runId}, CAST(${position} AS BIGINT), CAST(${rowVersion} AS INTEGER), ${words})`,
  );
  await tables.$executeRaw`
    INSERT INTO "RunText" ("runId", "position", "rowVersion", "words")
    SELECT v.column1, v.column2, v.column3, v.column4 FROM (VALUES ${joinSql(values)}) AS v
    WHERE EXISTS (SELECT 1 FROM "DagRun" r WHERE r."id" = v.column1)
    ON CONFLICT ("runId") DO UPDATE
      SET "position" = excluded."position", "rowVersion" = excluded."rowVersion", "words" = excluded."words"
      WHERE "RunText"."rowVersion" <= excluded."rowVersion"`;
}

/** Words are letters and digits, so that quotes are all they need. */
function ftsQuery(words: readonly string[], workspaces: VisibleWorkspaces): string {
  const marks = workspaceMarks(workspaces);
  return [
    ...words.map((word) => `"${word}" *`),
    ...(marks === undefined ? [] : [`(${marks.map((mark) => `"${mark}"`).join(' OR ')})`]),
  ].join(' AND ');
}

function tsQuery(words: readonly string[], workspaces: VisibleWorkspaces): string {
  const marks = workspaceMarks(workspaces);
  return [
    ...words.map((word) => `'${word}':*`),
    ...(marks === undefined ? [] : [`(${marks.map((mark) => `'${mark}'`).join(' | ')})`]),
  ].join(' & ');
}

/** Undefined where every workspace is visible. */
function workspaceMarks({ unassigned, named }: VisibleWorkspaces): readonly string[] | undefined {
  if (named === 'all') return undefined;
  return [...(unassigned ? [null] : []), ...named].map(workspaceMark);
}
