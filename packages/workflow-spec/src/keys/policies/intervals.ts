import type { Interval } from '../../model/policies';
import { limits } from '../../model/limits';
import { keySpec } from '../../shapes/object-kind';
import type { Field } from '../../shapes/read-object';
import { readNumber } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { reportInvalid, wholeNumber } from '../../shapes/shapes';
import { getBoolean, getKind } from '../../source/yaml/yaml-value';
import { reportWithoutEffect } from './policy-findings';

export const seconds = wholeNumber(0, limits.durationSec);

const doubling = 2;

/** `false` reads as 1: a fixed interval. */
const backoff = shape<number>(
  (value) => {
    if (getKind(value) === 'boolean') return getBoolean(value) ? doubling : 1;
    const factor = readNumber(value);
    return factor === undefined || factor > 1 ? factor : reportInvalid(value, 'backoff must be greater than 1.0');
  },
  { anyOf: [{ type: 'boolean' }, { type: 'number', exclusiveMinimum: 1 }] },
);

/** Each policy has `interval_sec` in its own table. */
export const growthKeys = {
  backoff: keySpec('Factor by which waits grow, above 1; true is 2', backoff),
  max_interval_sec: keySpec('Maximum wait in seconds', seconds),
} as const;

interface Growth<Seconds extends number | string> {
  readonly backoff?: Field<number>;
  readonly max_interval_sec?: Field<Seconds>;
}

/** Warns when the longest wait has no effect. */
export function readGrowth<Seconds extends number | string>(
  { backoff: factor, max_interval_sec: longest }: Growth<Seconds>,
  intervalSec: number | string | undefined,
): Pick<Interval, 'backoff'> & { readonly maxIntervalSec?: Seconds } {
  const grows = factor?.value !== undefined && factor.value > 1;
  if (typeof longest?.value === 'number' && typeof intervalSec === 'number') {
    if (longest.value < intervalSec) {
      reportWithoutEffect(longest.source, `the maximum wait is shorter than interval_sec, which is ${intervalSec}`);
    } else if (!grows && (!factor || factor.value !== undefined)) {
      reportWithoutEffect(longest.source, 'without backoff, waits do not grow');
    }
  }
  if (grows && intervalSec === 0) reportWithoutEffect(factor.source, 'a wait of 0 seconds does not grow');
  return {
    ...(grows ? { backoff: factor.value } : {}),
    ...(longest?.value === undefined ? {} : { maxIntervalSec: longest.value }),
  };
}
