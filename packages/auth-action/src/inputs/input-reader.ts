import { AppError } from '@weir/errors';
import type { ActionsRuntime } from '../actions-runtime';
import type { InputName } from './input-names';
import type { InputReason, ParsedInput, InvalidInput } from './parsed-input';

export interface InputProblem {
  readonly input: InputName;
  readonly reason: InputReason;
  readonly message: string;
}

/** Reads inputs and collects their problems, so that one run reports all of them. */
export interface InputReader {
  /** `undefined` if the input is missing or empty. */
  readonly text: (name: InputName) => string | undefined;
  /** `undefined` if the input is missing, empty or invalid. */
  readonly read: <T>(name: InputName, parse: (text: string) => ParsedInput<T>) => T | undefined;
  readonly report: (name: InputName, found: InvalidInput) => void;
  readonly problems: readonly InputProblem[];
}

export function createInputReader(runtime: Pick<ActionsRuntime, 'input'>): InputReader {
  const problems: InputProblem[] = [];
  const text = (name: InputName): string | undefined => {
    const given = runtime.input(name)?.trim();
    return given === '' ? undefined : given;
  };
  const report = (input: InputName, { reason, message }: InvalidInput): void => {
    problems.push({ input, reason, message });
  };
  return {
    text,
    report,
    problems,
    read: (name, parse) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const result = parse(given);
      if (result.ok) return result.value;
      report(name, result);
      return undefined;
    },
  };
}

/** Has the reason of the problems, or `inputs_invalid` if they differ. All are in `details.problems`. */
export function inputError(problems: readonly InputProblem[]): AppError {
  const lines = problems.map(({ input, message }) => `Input ${input} ${message}`);
  const message = lines.length === 1 ? lines.join() : [`${lines.length} inputs are invalid.`, ...lines].join('\n- ');
  const reasons = new Set(problems.map(({ reason }) => reason));
  const [reason = 'inputs_invalid'] = reasons.size === 1 ? reasons : [];
  return new AppError('invalid_request', message, { reason, details: { problems } });
}
