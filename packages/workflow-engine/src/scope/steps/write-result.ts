import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Masker } from '../../values/masking/masker';
import type { DagRunStep } from '../../model/run-model/dag-run';
import type { JsonValue } from '@weir/workflow-spec';

/** Prints what a step that is made of others came to, as one line of JSON, where a command would print it. */
export async function writeResult(
  { stdoutFile }: Pick<DagRunStep, 'stdoutFile'>,
  result: JsonValue,
  masker: Masker | undefined,
): Promise<void> {
  await mkdir(path.dirname(stdoutFile), { recursive: true, mode: 0o700 });
  await appendFile(stdoutFile, `${JSON.stringify(masker?.json(result) ?? result)}\n`, { mode: 0o600 });
}
