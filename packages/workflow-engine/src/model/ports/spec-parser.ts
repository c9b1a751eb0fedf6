import type { ParseResult } from '@weir/workflow-spec';
import { isAppError, type AppError } from '@weir/foundation';
import type { DagRun } from '../run-model/dag-run';

/** Parses the text that is stored with a run. */
export interface SpecParser {
  /** The DAG of the run and the other DAGs of its text. Rejects with `spec_too_costly` when it takes too much. */
  parse(run: DagRun): Promise<Pick<ParseResult, 'dag' | 'localDags' | 'findings'>>;
}

/** Whether the text itself is at fault, so that another attempt fails, too. */
export function isSpecTooCostly(error: unknown): error is AppError {
  return isAppError(error) && error.reason === 'spec_too_costly';
}
