import { AppError } from '@weir/errors';
import type { ActionsRuntime } from '../actions-runtime';
import type { InputReason, ParsedInput, InvalidInput } from './parsed-input';

export interface InputProblem {
  readonly input: string;
  readonly reason: InputReason;
  readonly message: string;
}

/**
 * Reads inputs and collects their problems, so that one run reports all of them. Every method throws for an input that
 * action.yml does not declare.
 */
export interface InputReader {
  /** The text of the input, else its default in action.yml; `undefined` if both are empty. */
  readonly text: (name: string) => string | undefined;
  /** For an input with a default in action.yml. An invalid one has its default, after it was reported. */
  readonly read: <T>(name: string, parse: Parse<T>) => T;
  /** For an input without a default. `undefined` if it is empty or invalid. */
  readonly readOptional: <T>(name: string, parse: Parse<T>) => T | undefined;
  readonly report: (name: string, found: InvalidInput) => void;
  readonly problems: readonly InputProblem[];
}

type Parse<T> = (text: string) => ParsedInput<T>;

export function createInputReader({
  input,
  inputDefaults,
}: Pick<ActionsRuntime, 'input' | 'inputDefaults'>): InputReader {
  const problems: InputProblem[] = [];
  const report = (name: string, { reason, message }: InvalidInput): void => {
    problems.push({ input: name, reason, message });
  };
  const defaultOf = (name: string): string => {
    const text = inputDefaults[name];
    if (text === undefined) throw new Error(`action.yml declares no input ${name}.`);
    return text;
  };
  const text = (name: string): string | undefined => {
    const fallback = defaultOf(name);
    const given = input(name)?.trim() ?? '';
    const chosen = given === '' ? fallback : given;
    return chosen === '' ? undefined : chosen;
  };
  const readOptional = <T>(name: string, parse: Parse<T>): T | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const result = parse(given);
    if (result.ok) return result.value;
    report(name, result);
    return undefined;
  };
  const read = <T>(name: string, parse: Parse<T>): T =>
    readOptional(name, parse) ?? parseDefault(name, defaultOf(name), parse);
  return { text, read, readOptional, report, problems };
}

function parseDefault<T>(name: string, text: string, parse: Parse<T>): T {
  const result = parse(text);
  if (result.ok) return result.value;
  throw new Error(`The default of ${name} in action.yml ${result.message}`);
}

/** Has the reason of the problems, or `inputs_invalid` if they differ. All are in `details.problems`. */
export function inputError(problems: readonly InputProblem[]): AppError {
  const lines = problems.map(({ input, message }) => `Input ${input} ${message}`);
  const message = lines.length === 1 ? lines.join() : [`${lines.length} inputs are invalid.`, ...lines].join('\n- ');
  const reasons = new Set(problems.map(({ reason }) => reason));
  const [reason = 'inputs_invalid'] = reasons.size === 1 ? reasons : [];
  return new AppError('invalid_request', message, { reason, details: { problems } });
}
