import { mkdir } from 'node:fs/promises';
import { captureOutput, chooseShell } from '@weir/workflow-engine';
import {
  resolveField,
  resolveText,
  splitSubstitutions,
  type Dag,
  type EvaluatedParam,
  type PendingParam,
} from '@weir/workflow-spec';
import type { RunValues } from './run-values';

export interface EvaluateOptions {
  readonly dag: Dag;
  readonly values: RunValues;
  readonly defaultShell?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

const deadlineMs = 60_000;
const maxBytes = 1_048_576;

/**
 * Works out the `eval` of one parameter: references are replaced, and each command substitution is run by the shell of
 * the DAG. A value that a reference brings in is never run.
 */
export async function evaluateParam(pending: PendingParam, options: EvaluateOptions): Promise<EvaluatedParam> {
  const { values } = options;
  const parts = splitSubstitutions(pending.eval);
  if (parts === undefined) return { failure: 'a command substitution is not closed' };
  const texts: string[] = [];
  for (const { kind, text } of parts) {
    if (kind === 'text') {
      texts.push(resolveField(text, values.scope));
      continue;
    }
    const output = await run(text, options);
    if ('failure' in output) return output;
    texts.push(output.value);
  }
  const value = texts.join('');
  if (value.length > maxBytes) return { failure: `the value is longer than ${maxBytes} characters` };
  return value.includes('\0') ? { failure: 'the value contains a NUL character' } : { value };
}

async function run(text: string, { dag, values, defaultShell, signal }: EvaluateOptions): Promise<EvaluatedParam> {
  const cwd = values.isFolderKnown ? values.folder : values.facts.workDir;
  await mkdir(cwd, { recursive: true });
  const shell = chooseShell({}, dag, { configured: defaultShell, user: values.userShell });
  const captured = await captureOutput(
    { text: resolveText(text, values.scope), cwd, env: values.env, ...shell },
    { signal, deadlineMs, maxBytes },
  );
  // As in a shell: the line ends at the end of an output are not a part of it.
  return 'failure' in captured ? captured : { value: captured.stdout.replace(/[\r\n]+$/, '') };
}
