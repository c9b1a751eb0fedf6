import { roleIncludes } from '@weir/workflow-contract';
import { effectiveRole, hasRoleEverywhere } from '../../../access/access-rules';
import type { Principal } from '../../../access/principal';
import { toRunActor } from './run-actor';
import type { StartOptions } from './run-starter';

/** Decides in which workspaces this caller may start runs. */
export function createStartRule(principal: Principal): NonNullable<StartOptions['mayStartIn']> {
  return (workspace) => {
    const role = effectiveRole(principal, workspace);
    return role !== undefined && roleIncludes(role, 'operator');
  };
}

/** Returns the check of a start by this caller, and the record of the caller. */
export function startsAs(principal: Principal): Pick<StartOptions, 'mayStartIn' | 'startedBy' | 'mayUseProtected'> {
  return {
    mayStartIn: createStartRule(principal),
    startedBy: toRunActor(principal),
    mayUseProtected: hasRoleEverywhere(principal, 'admin'),
  };
}
