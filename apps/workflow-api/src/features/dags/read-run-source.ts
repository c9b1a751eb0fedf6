import type { RunSource } from '@weir/workflow-engine/model';
import { hasErrors } from '@weir/workflow-spec';
import type { SpecReader } from '../../dag-parser';
import { fileUnreadable } from './dag-errors';
import { specInvalid } from '../../dag-parser/spec-errors';
import type { DagFileStore } from './dag-file-store';

/** Reads a DAG file for a new run of it. Throws `dag_not_found`, `dag_unreadable` or `spec_invalid`. */
export function createRunSourceReader({
  store,
  specs,
}: {
  readonly store: Pick<DagFileStore, 'get'>;
  readonly specs: SpecReader;
}) {
  return async (fileName: string): Promise<RunSource> => {
    const file = await store.get(fileName);
    if (file.kind === 'unreadable') throw fileUnreadable(file.problem);
    const { dag, findings, baseTexts } = await specs.parse(file.text, { name: fileName });
    if (hasErrors(findings)) throw specInvalid(findings);
    return { dag, specText: file.text, baseTexts, fileName };
  };
}
