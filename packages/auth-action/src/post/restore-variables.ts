import { appendFileSync } from 'node:fs';
import { describeError } from '../runner/describe-error';
import type { VariablesState } from '../runner/state';

/** Sets the variables for the post steps that follow. Returns a warning on failure. */
export function restoreVariables(variables: VariablesState, file: string | undefined): string | undefined {
  if (!file) return 'The environment variables were not restored: GITHUB_ENV is not set.';
  try {
    appendFileSync(file, Object.entries(variables).map(formatVariable).join(''));
    return undefined;
  } catch (error) {
    return `The environment variables were not restored (${describeError(error)}).`;
  }
}

function formatVariable([name, value]: readonly [string, string]): string {
  const delimiter = findDelimiter(value, 0);
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

// The delimiter is not random, so that post loads no cryptography: a text that the value does not contain cannot end it
// early.
function findDelimiter(value: string, number: number): string {
  const delimiter = `weir_end_${number}`;
  return value.includes(delimiter) ? findDelimiter(value, number + 1) : delimiter;
}
