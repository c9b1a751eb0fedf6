import type { RunFiles } from '../../run-files';
import { createBoundedCheck } from './bounded-check';

/** Whether the store of logs and artifacts answers, within a bounded time. */
export type StoreCheck = () => Promise<boolean>;

// Clients without a credential may check readiness, and each request to a store costs.
const validMs = 5_000;

export function createStoreCheck(runFiles: Pick<RunFiles, 'isReachable'>, timeoutMs = 2_000): StoreCheck {
  return createBoundedCheck(() => runFiles.isReachable(), { timeoutMs, validMs });
}
