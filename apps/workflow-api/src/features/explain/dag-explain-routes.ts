import { workflowContract } from '@weir/workflow-contract';
import type { SkippedOccurrences } from '@weir/workflow-contract/schemas';
import type { Bind } from '../../access/bind';
import { createDagAccess, type DagAccessDependencies } from '../dags';
import type { OccurrencesSkipped } from '../scheduler';
import { explainFiles, type FileExplainDependencies } from '../triggers';
import { explainDagNow, explainOccurrence, skipMessage } from './explain-dag';
import { listSkips, readDagFacts, readOccurrenceFacts, type DagFactReader } from './read-dag-facts';

export type DagExplainDependencies = DagAccessDependencies & DagFactReader & FileExplainDependencies;

const shownSkips = 20;

export function bindDagExplainRoutes(bind: Bind, reader: DagExplainDependencies): void {
  const { findVisible } = createDagAccess(reader);
  bind(workflowContract.explainDag, async ({ input: { params, query }, principal }) => {
    const { fileName } = params;
    const found = await findVisible(fileName, principal);
    const { next, ...facts } = await readDagFacts(reader, found, { fileName, principal });
    const time = query.occurrence === undefined ? undefined : new Date(query.occurrence);
    const occurrence = time && (await readOccurrenceFacts(reader, found.dag, { time, principal }));
    const files = await explainFiles(reader, found.dag);
    const skipped = await listSkips(reader, found.dag.name, shownSkips);
    return {
      fileName,
      name: found.dag.name,
      ...(time === undefined ? {} : { occurrence: time.toISOString() }),
      ...(next === undefined ? {} : { next: next.toISOString() }),
      causes: [...(occurrence === undefined ? explainDagNow(facts) : explainOccurrence(facts, occurrence))],
      skipped: skipped.map(presentSkip),
      ...(files.length === 0 ? {} : { files: [...files] }),
    };
  });
}

function presentSkip({ first, last, count, reason, error }: OccurrencesSkipped): SkippedOccurrences {
  return {
    first: first.toISOString(),
    last: last.toISOString(),
    count,
    reason,
    message: skipMessage({ reason, error }),
    ...(error === undefined || reason === 'calendar' ? {} : { error }),
  };
}
