import { AppError } from '@weir/foundation';
import type { ActionsRuntime } from '../runner/actions-runtime';
import type { InputReason, ParsedInput, InvalidInput } from './parsed-input';

export interface InputProblem {
  readonly input: string;
  readonly reason: InputReason;
  readonly message: string;
}

/** An input that is set although others make it meaningless. */
export interface IgnoredInput {
  readonly input: string;
  /** Continues a sentence: `it applies only to …`. */
  readonly why: string;
}

/** An input whose value is used although it may be wrong. */
export interface DoubtfulInput {
  readonly input: string;
  /** Continues a sentence: `is "Demo", …`. */
  readonly warning: string;
}

export interface ValueReader {
  /** Reads an input with a default in action.yml. An invalid one gets its default, after it was reported. */
  readonly read: <T>(name: string, parse: Parse<T>) => T;
  /** Reads an input without a default. `undefined` if it is empty or invalid. */
  readonly readOptional: <T>(name: string, parse: Parse<T>) => T | undefined;
}

/**
 * Reads inputs and collects their problems, so that one run reports all of them. Every method throws for an input that
 * action.yml does not declare.
 */
export interface InputReader extends ValueReader {
  /** The text of the input, else its default in action.yml; `undefined` if both are empty. */
  readonly text: (name: string) => string | undefined;
  /** Reads inputs that have no effect: each has its default, and one with another value is collected. */
  readonly ignore: (why: string) => ValueReader;
  readonly report: (name: string, found: InvalidInput) => void;
  readonly warn: (name: string, warning: string) => void;
  readonly problems: readonly InputProblem[];
  readonly ignored: readonly IgnoredInput[];
  readonly doubtful: readonly DoubtfulInput[];
}

type Parse<T> = (text: string) => ParsedInput<T>;

export function createInputReader(runtime: Pick<ActionsRuntime, 'input' | 'inputDefaults'>): InputReader {
  const problems: InputProblem[] = [];
  const ignored: IgnoredInput[] = [];
  const doubtful: DoubtfulInput[] = [];
  const { text, defaultOf } = createTextReader(runtime);
  const report = (input: string, { reason, message }: InvalidInput): void => {
    problems.push({ input, reason, message });
  };
  const warn = (input: string, warning: string): void => void doubtful.push({ input, warning });
  const readOptional = <T>(name: string, parse: Parse<T>): T | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const result = parse(given);
    if (result.ok) {
      if (result.warning !== undefined) warn(name, result.warning);
      return result.value;
    }
    report(name, result);
    return undefined;
  };
  const readDefault = <T>(name: string, parse: Parse<T>): T => {
    const result = parse(defaultOf(name));
    if (result.ok) return result.value;
    throw new Error(`The default of ${name} in action.yml ${result.message}`);
  };
  const ignore = (why: string): ValueReader => ({
    readOptional: (name) => {
      if (text(name) !== undefined) ignored.push({ input: name, why });
      return undefined;
    },
    read: (name, parse) => {
      const value = readDefault(name, parse);
      if (JSON.stringify(parse(String(text(name)))) !== JSON.stringify({ ok: true, value }))
        ignored.push({ input: name, why });
      return value;
    },
  });
  const read = <T>(name: string, parse: Parse<T>): T => readOptional(name, parse) ?? readDefault(name, parse);
  return { text, read, readOptional, ignore, report, warn, problems, ignored, doubtful };
}

function createTextReader({ input, inputDefaults }: Pick<ActionsRuntime, 'input' | 'inputDefaults'>) {
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
  return { text, defaultOf };
}

/** Has the reason of the problems, or `inputs_invalid` if they differ. All are in `details.problems`. */
export function inputError(problems: readonly InputProblem[]): AppError {
  const lines = problems.map(({ input, message }) => `Input ${input} ${message}`);
  const message = lines.length === 1 ? lines.join() : [`${lines.length} inputs are invalid.`, ...lines].join('\n- ');
  const reasons = new Set(problems.map(({ reason }) => reason));
  const [reason = 'inputs_invalid'] = reasons.size === 1 ? reasons : [];
  return new AppError('invalid_request', message, { reason, details: { problems } });
}
