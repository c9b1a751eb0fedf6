import type { Approval } from '../../model/approval';
import type { Condition, ContinueOn, DagRetryPolicy, RepeatPolicy, RetryPolicy } from '../../model/policies';
import { compact } from '../../model/compact';
import type { Printed } from './printed';

export function printConditions(conditions: readonly Condition[] | undefined): unknown {
  return conditions?.map(printCondition);
}

function printCondition(condition: Condition): Printed {
  const negate = condition.negate ? true : undefined;
  if (condition.kind === 'command') return compact({ condition: condition.command, negate });
  const key = condition.kind === 'eval' ? 'eval' : 'condition';
  return compact({ [key]: condition.text, expected: condition.expected, negate });
}

export function printRetry(policy: RetryPolicy | DagRetryPolicy | undefined): Printed | undefined {
  if (policy === undefined) return undefined;
  return compact({
    limit: policy.limit,
    interval_sec: policy.intervalSec,
    backoff: policy.backoff,
    max_interval_sec: policy.maxIntervalSec,
    exit_code: 'exitCodes' in policy ? policy.exitCodes : undefined,
  });
}

export function printRepeat(policy: RepeatPolicy | undefined): Printed | undefined {
  if (policy === undefined) return undefined;
  const { condition, exitCodes, mode } = policy;
  const isEndless = condition === undefined && exitCodes === undefined;
  return compact({
    repeat: isEndless ? true : mode,
    interval_sec: policy.intervalSec,
    limit: policy.limit,
    backoff: policy.backoff,
    max_interval_sec: policy.maxIntervalSec,
    condition: condition === undefined ? undefined : condition.kind === 'command' ? condition.command : condition.text,
    expected: condition === undefined || condition.kind === 'command' ? undefined : condition.expected,
    exit_code: exitCodes,
  });
}

export function printContinueOn(continueOn: ContinueOn | undefined): Printed | undefined {
  if (continueOn === undefined) return undefined;
  const { failure, skipped, exitCodes, outputs, markSuccess } = continueOn;
  return { failure, skipped, exit_code: exitCodes, output: outputs, mark_success: markSuccess };
}

export function printApproval(approval: Approval | undefined): Printed | undefined {
  if (approval === undefined) return undefined;
  const { prompt, input, required, rewindTo } = approval;
  return compact({ prompt, input, required, rewind_to: rewindTo });
}
