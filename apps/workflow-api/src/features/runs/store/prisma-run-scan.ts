import type { DbTransaction, Prisma } from '@weir/workflow-db';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import { toScanParts } from './run-scan-parts';
import type { RetryDue, RunScan } from './dag-run-repository';
import { summaryColumns, summaryFromRow } from './dag-run-rows';

type Runs = Pick<DbTransaction, 'dagRun'>;
type Position = Pick<DagRunSummary, 'id' | 'createdAt'>;

const newestFirst = [
  { createdAt: 'desc' },
  { dagName: 'desc' },
  { id: 'desc' },
] as const satisfies Prisma.DagRunOrderByWithRelationInput[];
const partsAtOnce = 8;

/**
 * Lists the newest first. No database reads an index in order for several values of its first column: it would read
 * and sort all their runs. So each status of each workspace is queried separately, as one range of one index.
 */
export async function scanRuns(db: Runs, scan: RunScan): Promise<readonly DagRunSummary[]> {
  const parts = toScanParts(scan).map((part) => ({ depth: 0, ...part }));
  const [only] = parts;
  if (only === undefined) return [];
  if (parts.length === 1) return readRuns(db, { AND: [only, toRange(scan)] }, scan.limit);
  const positions = await findNewestPositions(db, scan, parts);
  // The database sorts them, because it may compare names differently.
  return readRuns(db, { id: { in: positions.map(({ id }) => id) } }, scan.limit);
}

/** Uses the index of `retryAt`, which is set for few runs. */
export async function listRetryDue(
  { dagRun }: Runs,
  { at, exceptFiles, limit }: RetryDue,
): Promise<readonly DagRunSummary[]> {
  const rows = await dagRun.findMany({
    where: {
      retryAt: { lte: at },
      status: 'failed',
      OR: [{ fileName: null }, { fileName: { notIn: [...exceptFiles] } }],
    },
    orderBy: [{ retryAt: 'asc' }, { id: 'asc' }],
    take: limit,
    select: summaryColumns,
  });
  return rows.map(summaryFromRow);
}

async function readRuns({ dagRun }: Runs, where: Prisma.DagRunWhereInput, take: number) {
  const rows = await dagRun.findMany({ where, orderBy: [...newestFirst], take, select: summaryColumns });
  return rows.map(summaryFromRow);
}

/** Returns the newest positions of all parts, including every one with the same time as the last of them. */
async function findNewestPositions({ dagRun }: Runs, scan: RunScan, parts: readonly Prisma.DagRunWhereInput[]) {
  let positions: readonly Position[] = [];
  for (let at = 0; at < parts.length; at += partsAtOnce) {
    // Runs older than enough runs found so far are not queried.
    const cut = positions[scan.limit - 1]?.createdAt;
    const range = toRange({ ...scan, from: cut ?? scan.from });
    const found = await Promise.all(
      parts.slice(at, at + partsAtOnce).map((part) =>
        dagRun.findMany({
          where: { AND: [part, range] },
          orderBy: [...newestFirst],
          take: scan.limit,
          select: { id: true, createdAt: true },
        }),
      ),
    );
    positions = takeNewest([...positions, ...found.flat()], scan.limit);
  }
  return positions;
}

function takeNewest(positions: readonly Position[], limit: number): readonly Position[] {
  const ordered = positions.toSorted((left, right) => right.createdAt.getTime() - left.createdAt.getTime());
  const cut = ordered[limit - 1]?.createdAt;
  return cut === undefined ? ordered : ordered.filter(({ createdAt }) => createdAt >= cut);
}

function toRange({ from, to, after }: Pick<RunScan, 'from' | 'to' | 'after'>): Prisma.DagRunWhereInput {
  return {
    AND: [
      from === undefined ? {} : { createdAt: { gte: from } },
      to === undefined ? {} : { createdAt: { lt: to } },
      after === undefined ? {} : afterCondition(after),
    ],
  };
}

function afterCondition({ createdAt, dagName, id }: NonNullable<RunScan['after']>): Prisma.DagRunWhereInput {
  return {
    // The alternatives below imply this condition, but it lets the database start at the right position of the index.
    createdAt: { lte: createdAt },
    OR: [
      { createdAt: { lt: createdAt } },
      { createdAt, dagName: { lt: dagName } },
      { createdAt, dagName, id: { lt: id } },
    ],
  };
}
