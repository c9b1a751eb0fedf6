import type { DagRunOutputs as WireOutputs } from '@weir/workflow-contract/schemas';
import type { StepOutputs, DagRunSummary } from '@weir/workflow-engine/model';
import { rfc3339 } from './rfc3339';

const notEnded = '0001-01-01T00:00:00Z';

/** When names are equal, the later step counts. */
export function presentOutputs(run: DagRunSummary, published: ReadonlyMap<number, StepOutputs>): WireOutputs {
  const inOrder = [...published].toSorted(([left], [right]) => left - right);
  const named = inOrder.flatMap(([, { variable, fields, declared }]) => [
    ...(variable === undefined ? [] : [variable]),
    ...fields,
    ...declared,
  ]);
  return {
    metadata: {
      dagName: run.dagName,
      dagRunId: run.dagRunId,
      attemptId: `attempt-${run.attempt}`,
      status: run.status,
      completedAt: run.finishedAt === null ? notEnded : rfc3339(run.finishedAt),
      ...(run.params === '' ? {} : { params: run.params }),
    },
    outputs: Object.fromEntries(
      named.map(({ name, value }) => [wireName(name), typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  };
}

/** Variable names are in camel case on the wire; other names stay. */
export function wireName(name: string): string {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return name;
  const words = name.toLowerCase().split('_').filter(Boolean);
  return words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
}
