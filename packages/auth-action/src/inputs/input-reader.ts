import { AppError } from '@weir/errors';
import type { Workflow } from '../workflow';
import type { InputName } from './input-names';
import type { InputReason, Parsed, Wrong } from './parsed';

export interface InputProblem {
  readonly input: InputName;
  readonly reason: InputReason;
  readonly message: string;
}

/** Reads inputs and remembers what is wrong with them, so that one run tells all of it. */
export interface InputReader {
  /** `undefined` where the input is missing or empty. */
  readonly text: (name: InputName) => string | undefined;
  /** `undefined` where the input is missing, empty or wrong. */
  readonly read: <T>(name: InputName, parse: (text: string) => Parsed<T>) => T | undefined;
  readonly report: (name: InputName, found: Wrong) => void;
  readonly problems: readonly InputProblem[];
}

export function createInputReader(workflow: Pick<Workflow, 'input'>): InputReader {
  const problems: InputProblem[] = [];
  const text = (name: InputName): string | undefined => {
    const given = workflow.input(name)?.trim();
    return given === '' ? undefined : given;
  };
  const report = (input: InputName, { reason, message }: Wrong): void => {
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

/** One problem gives its own reason; several are listed under `inputs_invalid`. Both have them in `details.problems`. */
export function inputError(problems: readonly InputProblem[]): AppError {
  const lines = problems.map(({ input, message }) => `Input ${input} ${message}`);
  const message = lines.length === 1 ? lines.join() : [`${lines.length} inputs are wrong.`, ...lines].join('\n- ');
  const reasons = new Set(problems.map(({ reason }) => reason));
  const [reason = 'inputs_invalid'] = reasons.size === 1 ? reasons : [];
  return new AppError('invalid_request', message, { reason, details: { problems } });
}
