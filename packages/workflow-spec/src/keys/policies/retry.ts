import type { DagRetryPolicy, RetryPolicy } from '../../model/policies';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape, type Field, type Fields } from '../../shapes/read-object';
import { namedShape } from '../../shapes/shape';
import { count, orQuotedNumber, orReference } from '../../shapes/shapes';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { failureCodes } from './exit-codes';
import { growthKeys, readGrowth, seconds } from './intervals';
import { reportMissingKey, reportWithoutEffect } from './policy-findings';

const rules = {
  required: ['limit'],
  anyOf: [{ required: ['interval_sec'] }, { required: ['intervalSec'] }],
};

const defaultDagInterval = 60;

const stepRetryKind = objectKind({
  title: 'retry_policy',
  keys: {
    limit: keySpec('Maximum number of retries', orReference(orQuotedNumber(count))),
    interval_sec: keySpec('Seconds before the next retry', orReference(orQuotedNumber(seconds))),
    ...growthKeys,
    exit_code: keySpec('Only these exit codes are retried', failureCodes),
  },
  rules,
});

const dagRetryKind = objectKind({
  title: 'retry_policy of the DAG',
  keys: {
    limit: keySpec('Maximum number of retries', orQuotedNumber(count)),
    interval_sec: keySpec('Seconds before the next retry; default 60', orQuotedNumber(seconds)),
    ...growthKeys,
  },
  rules: { required: ['limit'] },
});

export const stepRetry = namedShape(
  'RetryPolicy',
  objectShape(stepRetryKind, (fields, value): RetryPolicy | undefined => {
    const policy = readRetry(fields, value);
    if (!policy) return undefined;
    const codes = fields.exit_code?.value;
    return codes === undefined || codes.length === 0 ? policy : { ...policy, exitCodes: codes };
  }),
);

export const dagRetry = namedShape(
  'DagRetryPolicy',
  objectShape(dagRetryKind, (fields, value): DagRetryPolicy | undefined =>
    readRetry(fields, value, defaultDagInterval),
  ),
);

interface Counts<N extends number | string> {
  readonly limit?: Field<N>;
  readonly interval_sec?: Field<N>;
}

function readRetry<N extends number | string>(
  fields: Counts<N> & Fields<typeof growthKeys>,
  value: YamlValue,
  defaultInterval?: N,
) {
  const { limit, interval_sec: interval } = fields;
  const intervalSec = interval ? interval.value : defaultInterval;
  for (const [name, isGiven] of [
    ['limit', limit !== undefined],
    ['interval_sec', interval !== undefined || defaultInterval !== undefined],
  ] as const) {
    if (!isGiven) reportMissingKey(value, `${name} is required when retry_policy is specified`);
  }
  const growth = readGrowth(fields, intervalSec);
  if (limit?.value === undefined || intervalSec === undefined) return undefined;
  if (limit.value === 0 && Object.keys(fields).some((key) => key !== 'limit' && key !== 'interval_sec')) {
    reportWithoutEffect(limit.source, 'with a limit of 0 there are no retries');
  }
  return { limit: limit.value, intervalSec, ...growth };
}
