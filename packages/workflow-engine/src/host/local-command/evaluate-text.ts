import { mkdir } from 'node:fs/promises';
import { captureOutput } from './capture-output';
import type { Environment } from '../../values/environment/run-variables';
import type { StepShell } from '../../values/environment/step-shell';
import type { Enclosure } from '../../model/ports/step-isolation';
import { resolveField, splitSubstitutions, type Scope } from '@weir/workflow-spec/values';
import { resolveShellText } from '../../values/shell-text/resolve-shell-text';

/** The context in which command substitutions execute. */
export interface EvaluationContext {
  readonly shell: StepShell;
  readonly cwd: string;
  readonly env: Environment;
  readonly scope: Scope;
  readonly enclosure: Enclosure | undefined;
  readonly signal: AbortSignal;
  /** Time between SIGTERM and SIGKILL; 5,000 when not given. */
  readonly killGraceMs?: number | undefined;
}

export type Evaluated = { readonly value: string } | { readonly failure: string };

export const evaluationDeadlineMs = 60_000;
const maxBytes = 1_048_576;

/**
 * Evaluates a string: references are replaced, and each command substitution is run by the shell. A value that a
 * reference brings in is never executed.
 */
export async function evaluateText(text: string, context: EvaluationContext): Promise<Evaluated> {
  const parts = splitSubstitutions(text);
  if (parts === undefined) return { failure: 'a command substitution is not closed' };
  const texts: string[] = [];
  for (const part of parts) {
    if (part.kind === 'text') {
      texts.push(resolveField(part.text, context.scope));
      continue;
    }
    const output = await run(part.text, context);
    if ('failure' in output) return output;
    texts.push(output.value);
  }
  const value = texts.join('');
  if (value.length > maxBytes) return { failure: `the value is longer than ${maxBytes} characters` };
  return value.includes('\0') ? { failure: 'the value contains a NUL character' } : { value };
}

async function run(
  text: string,
  { shell, cwd, env, scope, enclosure, ...options }: EvaluationContext,
): Promise<Evaluated> {
  await mkdir(cwd, { recursive: true });
  const captured = await captureOutput(
    { text: resolveShellText(text, scope, shell), cwd, env, enclosure, ...shell },
    { ...options, deadlineMs: evaluationDeadlineMs, maxBytes },
  );
  // As in a shell: the line ends at the end of an output are not a part of it.
  return 'failure' in captured ? { failure: captured.failure } : { value: captured.stdout.replace(/[\r\n]+$/, '') };
}
