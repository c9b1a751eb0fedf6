import type { JobRule } from '@weir/workflow-contract/schemas';
import type { TrustRule } from './trust-rules';

/** The rule as it is written in the file. */
export function presentRule({ claims, role, workspaceAccess }: TrustRule): JobRule {
  const { all, grants } = workspaceAccess;
  return {
    claims: Object.entries(claims).map(([claim, accepted]) => ({ claim, accepted: [accepted].flat() })),
    role: grants[0]?.role ?? role,
    workspaces: all ? null : grants.map(({ workspace }) => workspace),
  };
}
