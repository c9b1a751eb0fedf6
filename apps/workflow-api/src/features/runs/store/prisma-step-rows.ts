import {
  insertRows,
  noJson,
  type ColumnsOf,
  type DagRunStep as Row,
  type DbTransaction,
  type Prisma,
} from '@weir/workflow-db';
import type { DagRunStep, StepPatch } from '@weir/workflow-engine/model';
import { decisionsToRow, modelUseToRow, newStepToRow } from './dag-run-rows';
import { memoToRow } from './step-memo-row';
import { outputsToRow } from './step-outputs-row';
import { isWithin } from './step-scope';

const rowsPerStatement = 500;
type StepTable = Pick<DbTransaction, 'dagRunStep'>;
type StepRow = Prisma.DagRunStepCreateManyRunInput;

export interface PatchGroup {
  readonly scope: DagRunStep['scope'];
  readonly data: Omit<StepPatch, 'position' | 'scope'>;
  readonly positions: readonly number[];
}

/** When a run is stopped, many steps end in the same way at the same moment: one statement stores them. */
export function groupPatches(patches: readonly StepPatch[]): readonly PatchGroup[] {
  const groups = new Map<string, PatchGroup & { readonly positions: number[] }>();
  for (const { position, scope = '', ...data } of patches) {
    const key = JSON.stringify([scope, data]);
    const group = groups.get(key) ?? { scope, data, positions: [] };
    group.positions.push(position);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ scope, data, positions }) =>
    toChunks(positions).map((chunk) => ({ scope, data, positions: chunk })),
  );
}

export async function patchSteps(
  { dagRunStep }: StepTable,
  runId: string,
  groups: readonly PatchGroup[],
): Promise<void> {
  for (const { scope, data, positions } of groups) {
    await dagRunStep.updateMany({
      where: { runId, scope, position: { in: [...positions] } },
      data: patchToRow(data),
    });
  }
}

export async function insertSteps(
  db: Pick<DbTransaction, '$executeRaw'>,
  runId: string,
  rows: readonly StepRow[],
): Promise<void> {
  for (const chunk of toChunks(rows)) {
    await insertRows<Row>(
      db,
      'DagRunStep',
      chunk.map((row) => toColumns(runId, row)),
    );
  }
}

function toColumns(runId: string, row: StepRow): ColumnsOf<Row> {
  return {
    runId,
    scope: row.scope ?? '',
    position: row.position,
    name: row.name,
    status: row.status,
    startedAt: row.startedAt ?? null,
    finishedAt: row.finishedAt ?? null,
    exitCode: row.exitCode ?? null,
    error: row.error ?? null,
    stdoutFile: row.stdoutFile,
    stderrFile: row.stderrFile,
    retryCount: row.retryCount ?? 0,
    doneCount: row.doneCount ?? 0,
    pid: row.pid ?? null,
    processStartedAt: row.processStartedAt ?? null,
    outputs: toText(row.outputs),
    iteration: row.iteration ?? 0,
    gate: toText(row.gate),
    memo: toText(row.memo),
    build: row.build ?? null,
    modelUse: toText(row.modelUse),
  };
}

/** Converts a value of a JSON column. */
function toText(value: StepRow['outputs']): string | null {
  return value === undefined || value === noJson ? null : JSON.stringify(value);
}

/** Does not change steps that are already stored. */
export async function addMissingSteps(
  tables: StepTable & Pick<DbTransaction, '$executeRaw'>,
  runId: string,
  steps: readonly DagRunStep[],
): Promise<void> {
  const scopes = [...new Set(steps.map(({ scope }) => scope))];
  const existing = new Set<string>();
  for (const chunk of toChunks(scopes)) {
    const rows = await tables.dagRunStep.findMany({
      where: { runId, scope: { in: chunk } },
      select: { scope: true, position: true },
    });
    for (const { scope, position } of rows) existing.add(stepKey(scope, position));
  }
  await insertSteps(
    tables,
    runId,
    steps.filter(({ scope, position }) => !existing.has(stepKey(scope, position))).map((step) => newStepToRow(step)),
  );
}

/** Deletes the steps of these scopes and of the scopes below them. */
export async function deleteScopes(
  { dagRunStep }: StepTable,
  runId: string,
  scopes: readonly DagRunStep['scope'][],
): Promise<void> {
  if (scopes.length === 0) return;
  // The scopes are selected here, because databases do not agree on prefixes and the order of strings.
  const existing = await dagRunStep.groupBy({ by: ['scope'], where: { runId } });
  const deleted = existing.map(({ scope }) => scope).filter((scope) => scopes.some((each) => isWithin(scope, each)));
  for (const chunk of toChunks(deleted)) {
    await dagRunStep.deleteMany({ where: { runId, scope: { in: chunk } } });
  }
}

function stepKey(scope: DagRunStep['scope'], position: number): string {
  return `${position} ${scope}`;
}

function patchToRow({ outputs, memo, decisions, modelUse, ...data }: PatchGroup['data']) {
  return {
    ...data,
    ...(outputs === undefined ? {} : { outputs: outputs === null ? noJson : outputsToRow(outputs) }),
    ...(memo === undefined ? {} : { memo: memo === null ? noJson : memoToRow(memo) }),
    ...(modelUse === undefined ? {} : { modelUse: modelUse === null ? noJson : modelUseToRow(modelUse) }),
    ...(decisions === undefined ? {} : { gate: decisions === null ? noJson : decisionsToRow(decisions) }),
  };
}

function toChunks<T>(items: readonly T[]): readonly T[][] {
  const count = Math.ceil(items.length / rowsPerStatement);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}
