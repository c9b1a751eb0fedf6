import { readChoice, readText } from '@weir/ui-kit/app';
import { logStreams, readAttempt, type LogStream } from '../../parts/log/log-address';

export interface RunLogSearch {
  /** A child run of the run. */
  readonly sub?: string;
  /** Omitted for the log of the run. */
  readonly step?: string;
  readonly stream?: LogStream;
  /** Omitted for all attempts of the step. */
  readonly attempt?: number;
}

export function readRunLogSearch(search: Readonly<Record<string, unknown>>): RunLogSearch {
  return {
    ...readText('sub', search),
    ...readText('step', search),
    ...readChoice('stream', logStreams, search),
    ...readAttempt(search),
  };
}
