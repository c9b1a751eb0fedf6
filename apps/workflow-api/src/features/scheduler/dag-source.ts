import { hasErrors } from '@weir/workflow-spec';
import type { RunSource } from '@weir/workflow-engine/model';
import type { SpecReader } from '../../dag-parser';
import { specInvalid } from '../../dag-parser/spec-errors';
import type { DagFileStore } from '../dags';
import type { ScheduledDag } from './scheduled-dag';

export interface DagSourceDependencies {
  readonly store: Pick<DagFileStore, 'read'>;
  readonly specs: SpecReader;
}

/** Reads the present DAG of a file; `undefined` when the file is gone or holds another DAG. Throws `spec_invalid`. */
export async function readSource(
  { store, specs }: DagSourceDependencies,
  { fileName, name }: Pick<ScheduledDag, 'fileName' | 'name'>,
): Promise<RunSource | undefined> {
  const file = await store.read(fileName);
  if (file?.kind !== 'text') return undefined;
  const { dag, findings, baseTexts } = await specs.parse(file.text, { name: fileName });
  if (hasErrors(findings)) throw specInvalid(findings);
  return dag.name === name ? { dag, specText: file.text, baseTexts, fileName } : undefined;
}
