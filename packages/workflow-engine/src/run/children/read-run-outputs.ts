import type { JsonValue } from '@weir/workflow-spec';
import type { RunStore } from '../../model/ports/run-store';

/** Everything that the steps of a run published, by name; of equal names the later step's. */
export async function readRunOutputs(
  runs: Pick<RunStore, 'readOutputs'>,
  id: string,
): Promise<Readonly<Record<string, JsonValue>>> {
  const outputs = [...(await runs.readOutputs(id))].toSorted(([left], [right]) => left - right);
  const named = outputs.flatMap(([, { variable, fields, declared }]) => [
    ...(variable === undefined ? [] : [variable]),
    ...fields,
    ...declared,
  ]);
  return Object.fromEntries(named.map(({ name, value }) => [name, value]));
}
