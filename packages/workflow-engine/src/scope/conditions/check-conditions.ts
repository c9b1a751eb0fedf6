import { mkdir } from 'node:fs/promises';
import { captureOutput } from '../../host/local-command/capture-output';
import type { CheckResult } from '../../model/steps/check-result';
import type { Condition } from '@weir/workflow-spec';
import { matchesLine } from '@weir/workflow-spec/text';
import { resolveField } from '@weir/workflow-spec/values';
import { resolveShellText } from '../../values/shell-text/resolve-shell-text';
import {
  evaluateText,
  evaluationDeadlineMs,
  type Evaluated,
  type EvaluationContext,
} from '../../host/local-command/evaluate-text';

/**
 * Checks all conditions, in their order. The reason names a condition by its position, never by its text, which may
 * hold a secret.
 */
export async function checkConditions(
  conditions: readonly Condition[],
  context: EvaluationContext,
): Promise<CheckResult> {
  const failures: string[] = [];
  const unmet: string[] = [];
  for (const [index, condition] of conditions.entries()) {
    const answer = await evaluateCondition(condition, context);
    const name = `condition ${index + 1} of ${conditions.length}`;
    if ('failure' in answer) failures.push(`${name} cannot be checked: ${answer.failure}`);
    else if (answer.evaluateCondition === condition.negate) unmet.push(`${name} is not met`);
  }
  if (failures.length > 0) return { kind: 'failed', error: failures.join('; ') };
  return unmet.length > 0 ? { kind: 'not_met', reason: unmet.join('; ') } : { kind: 'met' };
}

type ConditionResult = { readonly evaluateCondition: boolean } | { readonly failure: string };

async function evaluateCondition(condition: Condition, context: EvaluationContext): Promise<ConditionResult> {
  if (condition.kind === 'command') return runCondition(condition.command, context);
  const text: Evaluated =
    condition.kind === 'text'
      ? { value: resolveField(condition.text, context.scope) }
      : await evaluateText(condition.text, context);
  if ('failure' in text) return text;
  const found = matchesLine(condition.expected, text.value);
  return found === undefined
    ? { failure: 'what follows re: is not a valid RE2 regular expression' }
    : { evaluateCondition: found };
}

async function runCondition(
  command: string,
  { shell, cwd, env, scope, enclosure, ...options }: EvaluationContext,
): Promise<ConditionResult> {
  await mkdir(cwd, { recursive: true });
  const captured = await captureOutput(
    { text: resolveShellText(command, scope, shell), cwd, env, enclosure, ...shell },
    { ...options, deadlineMs: evaluationDeadlineMs, maxBytes: 0, isOutputDropped: true },
  );
  if (!('failure' in captured)) return { evaluateCondition: true };
  return captured.exitCode === undefined ? { failure: captured.failure } : { evaluateCondition: false };
}
