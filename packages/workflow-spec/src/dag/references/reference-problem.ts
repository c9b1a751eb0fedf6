import type { FindingCode } from '../../source/findings/catalogue/finding-catalogue';
import { quote } from '../../source/text/quote';
import type { Reference } from '../../values/references/reference';
import type { ReferenceContext } from './reference-context';

export interface ReferenceProblem {
  readonly code: FindingCode;
  readonly message: string;
  /** Index of the wrong part of the reference, and the names it could be. */
  readonly part?: number;
  readonly names?: Iterable<string>;
}

export interface ReferenceUse {
  readonly reference: Reference;
  readonly context: ReferenceContext;
  /** In a command, plain variables belong to the shell. */
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
