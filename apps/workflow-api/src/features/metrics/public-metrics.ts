import type { AccessGuard } from '@weir/service-kit';
import { workflowContract } from '@weir/workflow-contract';
import type { Principal } from '../../access/principal';

/** Creates the guard of a server whose metrics need no credential. */
export function permitPublicMetrics(guard: AccessGuard<Principal>): AccessGuard<Principal> {
  const { method, path } = workflowContract.getMetrics;
  return (req, access, endpoint) =>
    guard(req, req.method === method && req.path === path ? 'public' : access, endpoint);
}
