import { workflowContract } from '@weir/workflow-contract';
import type { Backfill as WireBackfill } from '@weir/workflow-contract/schemas';
import { runStatus } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import type { Backfill } from './backfill';
import { maxOccurrences } from './backfill-range';
import type { BackfillPreview, BackfillService } from './backfill-service';

export function bindBackfillRoutes(bind: Bind, backfills: BackfillService): void {
  bind(workflowContract.previewBackfill, async ({ input: { params, query }, principal }) => {
    return presentPreview(await backfills.preview(params.fileName, query, principal));
  });

  bind(workflowContract.startBackfill, async ({ input: { params, body }, principal }) => {
    return presentBackfill(await backfills.start(params.fileName, body, principal));
  });

  bind(workflowContract.listBackfills, async ({ input: { params }, principal }) => {
    return { backfills: (await backfills.list(params.fileName, principal)).map(presentBackfill) };
  });

  bind(workflowContract.getBackfill, async ({ input: { params }, principal }) => {
    const { backfill, runs } = await backfills.get(params.fileName, params.backfillId, principal);
    return { ...presentBackfill(backfill), runs: [...runs] };
  });

  bind(workflowContract.cancelBackfill, async ({ input: { params }, principal, audit }) => {
    return presentBackfill(await backfills.cancel(params.fileName, params.backfillId, { principal, audit }));
  });
}

function presentPreview({ occurrences, total }: BackfillPreview) {
  return {
    occurrences: occurrences.map(({ at, entry, timeZone, localTime, clockChange, run }) => ({
      time: at.toISOString(),
      entry,
      timeZone,
      localTime,
      ...(clockChange === undefined ? {} : { clockChange }),
      ...(run === undefined
        ? {}
        : { dagRunId: run.dagRunId, status: runStatus.toNumber(run.status), statusLabel: run.status }),
    })),
    total,
    existing: occurrences.filter(({ run }) => run !== undefined).length,
    maxOccurrences,
    isAllowed: total > 0 && total <= maxOccurrences,
  };
}

function presentBackfill(backfill: Backfill): WireBackfill {
  const { id, status, error, author, createdAt, endedAt, from, to, maxActive, params } = backfill;
  const { occurrences, position, started, existing } = backfill;
  const next = status === 'active' ? occurrences[position] : undefined;
  return {
    id,
    status,
    author,
    createdAt: createdAt.toISOString(),
    from: from.toISOString(),
    to: to.toISOString(),
    ...(error === null ? {} : { error }),
    ...(endedAt === null ? {} : { endedAt: endedAt.toISOString() }),
    maxActive,
    ...(params === null ? {} : { params }),
    total: occurrences.length,
    started,
    existing,
    remaining: occurrences.length - position,
    ...(next === undefined ? {} : { nextOccurrence: next.toISOString() }),
  };
}
