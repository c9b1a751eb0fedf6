import { limits } from '../../model/limits';
import { shape, type Shape } from '../../shapes/shape';
import { oneOrMany, wholeNumber } from '../../shapes/shapes';
import { reportWithoutEffect } from './policy-findings';

// Platforms have 32-bit exit codes, signed or not; here a process ends with 0 to 255.
const anyCode = wholeNumber(-2_147_483_648, 4_294_967_295);
const highestCode = 255;

/** Warns about codes that no process ends with. */
export const exitCodes = exitCodeShape(0, `exit codes are 0 to ${highestCode}`);

export const failureCodes = exitCodeShape(1, `a step fails with a code from 1 to ${highestCode}`);

function exitCodeShape(lowest: number, why: string): Shape<readonly number[]> {
  const code = shape<number>((value) => {
    const found = anyCode.read(value);
    if (found !== undefined && (found < lowest || found > highestCode)) reportWithoutEffect(value, why);
    return found;
  }, anyCode.schema);
  return oneOrMany(code, { limit: limits.exitCodes, code: 'invalid_value', what: 'exit_code' });
}
