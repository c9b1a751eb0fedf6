import { mkdir } from 'node:fs/promises';
import { captureOutput, type CheckResult } from '@weir/workflow-engine';
import { isAsExpected, resolveField, resolveText, type Condition } from '@weir/workflow-spec';
import { evaluateText, evaluationDeadlineMs, type Evaluated, type EvaluationPlace } from './evaluate-text';

/**
 * Whether all conditions hold, asked in their order until one does not. The reason names a condition by its place,
 * never by its text, which may hold a secret.
 */
export async function checkConditions(conditions: readonly Condition[], place: EvaluationPlace): Promise<CheckResult> {
  for (const [index, condition] of conditions.entries()) {
    const answer = await holds(condition, place);
    const name = `condition ${index + 1} of ${conditions.length}`;
    if ('failure' in answer) return { kind: 'failed', error: `${name} cannot be checked: ${answer.failure}` };
    if (answer.holds === condition.negate) return { kind: 'not_met', reason: `${name} is not met` };
  }
  return { kind: 'met' };
}

type Answer = { readonly holds: boolean } | { readonly failure: string };

async function holds(condition: Condition, place: EvaluationPlace): Promise<Answer> {
  if (condition.kind === 'command') return succeeds(condition.command, place);
  const text: Evaluated =
    condition.kind === 'text'
      ? { value: resolveField(condition.text, place.scope) }
      : await evaluateText(condition.text, place);
  if ('failure' in text) return text;
  const found = isAsExpected(resolveField(condition.expected, place.scope), text.value);
  return found === undefined ? { failure: 'what follows re: is not a regular expression' } : { holds: found };
}

async function succeeds(command: string, { shell, cwd, env, scope, ...options }: EvaluationPlace): Promise<Answer> {
  await mkdir(cwd, { recursive: true });
  const captured = await captureOutput(
    { text: resolveText(command, scope), cwd, env, ...shell },
    { ...options, deadlineMs: evaluationDeadlineMs, maxBytes: 0, isOutputDropped: true },
  );
  if (!('failure' in captured)) return { holds: true };
  return captured.exitCode === undefined ? { failure: captured.failure } : { holds: false };
}
