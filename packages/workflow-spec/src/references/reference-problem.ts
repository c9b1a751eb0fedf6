import type { FindingCode } from '../findings/catalogue/finding-catalogue';
import { quote } from '../text/quote';
import type { Reference } from './reference';
import type { ReferenceContext } from './reference-context';

/** What there is to say about one reference. */
export interface ReferenceProblem {
  readonly code: FindingCode;
  readonly message: string;
  /** Which word of the reference is wrong, and what there could be in its place. */
  readonly part?: number;
  readonly names?: Iterable<string>;
}

export interface ReferenceUse {
  readonly reference: Reference;
  readonly context: ReferenceContext;
  /** In a command, what is a variable is the shell's. */
  readonly isCommand: boolean;
}

export function unknownName(what: string, name: string | undefined, names: Iterable<string>): ReferenceProblem {
  return {
    code: 'reference_unknown_name',
    message: `the DAG declares no ${what} ${quote(name ?? '')}`,
    part: 1,
    names,
  };
}

export function unavailable(message: string): ReferenceProblem {
  return { code: 'reference_namespace_unavailable', message };
}

export function knownAtRunTime(what: string): ReferenceProblem {
  return { code: 'reference_at_run_time', message: `${what} is known only at run time` };
}
