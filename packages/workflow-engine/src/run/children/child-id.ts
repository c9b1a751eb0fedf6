import { createHash } from 'node:crypto';

/** These fields identify a child run. */
export interface ChildIdentity {
  readonly parentId: string;
  readonly node: string;
  readonly dagName: string;
  readonly params: string;
  readonly iteration: number;
  readonly iterations: number;
}

/** The same for the same work, so that a step which executes again finds the run that it started before. */
export function childRunId({ parentId, node, dagName, params, iteration, iterations }: ChildIdentity): string {
  const parts = [parentId, node, dagName, params, iteration, iterations];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
