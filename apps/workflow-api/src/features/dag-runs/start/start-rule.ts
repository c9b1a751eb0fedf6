import { roleIncludes } from '@weir/workflow-contract';
import { effectiveRole, type Principal } from '../../auth';
import type { StartOptions } from './run-starter';

/** In which workspaces this caller may start runs. */
export function createStartRule(principal: Principal): NonNullable<StartOptions['mayStartIn']> {
  return (workspace) => {
    const role = effectiveRole(principal, workspace);
    return role !== undefined && roleIncludes(role, 'operator');
  };
}
