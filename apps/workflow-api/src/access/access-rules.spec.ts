import { everyWorkspace, roles, type UserRole } from '@weir/workflow-contract';
import { aUser } from '../testing/identity-builders';
import { canSee, commonRights, effectiveRole, isVisible, requireRole, visibleWorkspaces } from './access-rules';
import { toUserPrincipal, type Principal } from './principal';

const everywhere = (role: UserRole): Principal => toUserPrincipal(aUser({ role, workspaceAccess: everyWorkspace }));
const limited: Principal = {
  ...everywhere('viewer'),
  workspaceAccess: {
    all: false,
    grants: [
      { workspace: 'ops', role: 'developer' },
      { workspace: 'sales', role: 'viewer' },
    ],
  },
};

describe('effectiveRole', () => {
  it.each(roles)('is the top role %s everywhere with access to all workspaces', (role) => {
    expect(effectiveRole(everywhere(role), undefined)).toBe(role);
    expect(effectiveRole(everywhere(role), 'ops')).toBe(role);
  });

  it.each([
    ['outside workspaces', undefined, 'viewer'],
    ['in a granted workspace', 'ops', 'developer'],
    ['in another granted workspace', 'sales', 'viewer'],
    ['in a workspace without a grant', 'finance', undefined],
    ['in a workspace whose name differs in case', 'Ops', undefined],
  ])('with grants is right %s', (_, workspace, role) => {
    expect(effectiveRole(limited, workspace)).toBe(role);
    expect(canSee(limited, workspace)).toBe(role !== undefined);
  });
});

describe('commonRights', () => {
  const operator = everywhere('operator');
  const within = (grants: Principal['workspaceAccess']['grants']): Principal => ({
    ...limited,
    workspaceAccess: { all: false, grants },
  });
  const inOps = within([{ workspace: 'ops', role: 'manager' }]);

  it.each([
    ['two roles everywhere', everywhere('admin'), operator, ['operator', 'operator', 'operator']],
    ['a role everywhere and grants', limited, operator, ['viewer', 'operator', undefined]],
    ['grants for some of the same workspaces', limited, inOps, ['viewer', 'developer', undefined]],
    ['grants for nothing in common', inOps, within([]), ['viewer', undefined, undefined]],
  ] as const)('give the weaker role in each workspace, with %s', (_, one, other, expected) => {
    for (const common of [commonRights(one, other), commonRights(other, one)])
      expect([undefined, 'ops', 'finance'].map((workspace) => effectiveRole(common, workspace))).toEqual(expected);
  });
});

describe('requireRole', () => {
  it.each(roles.flatMap((role) => roles.map((needed) => [role, needed] as const)))(
    'decides for %s where %s is needed',
    (role, needed) => {
      const decide = () => requireRole(everywhere(role), undefined, needed);
      if (roles.indexOf(role) <= roles.indexOf(needed)) expect(decide).not.toThrow();
      else expect(decide).toThrow(expect.objectContaining({ code: 'forbidden', reason: 'role_missing' }) as Error);
    },
  );

  it.each([
    ['ops', 'developer', true],
    ['ops', 'manager', false],
    ['sales', 'operator', false],
    [undefined, 'operator', false],
    ['finance', 'viewer', false],
  ] as const)('uses the role of the grant: in %s as %s', (workspace, needed, isAllowed) => {
    const decide = () => requireRole(limited, workspace, needed);
    if (isAllowed) expect(decide).not.toThrow();
    else expect(decide).toThrow(expect.objectContaining({ code: 'forbidden' }) as Error);
  });
});

describe('visibleWorkspaces', () => {
  const shown = (principal: Principal, selection: Parameters<typeof visibleWorkspaces>[1]) => {
    const visible = visibleWorkspaces(principal, selection);
    return [undefined, 'ops', 'sales', 'finance'].filter((workspace) => isVisible(visible, workspace));
  };
  const everything = [undefined, 'ops', 'sales', 'finance'];

  it.each([
    ['all', everywhere('viewer'), { kind: 'all' }, everything],
    ['all of the visible', limited, { kind: 'all' }, [undefined, 'ops', 'sales']],
    ['what is in none', limited, { kind: 'default' }, [undefined]],
    ['a named one', limited, { kind: 'named', name: 'ops' }, ['ops']],
    ['a named one of all', everywhere('viewer'), { kind: 'named', name: 'finance' }, ['finance']],
  ] as const)('shows %s', (_, principal, selection, expected) => {
    expect(shown(principal, selection)).toEqual(expected);
  });

  it('hides whether a workspace exists from principals who may not see it', () => {
    expect(() => visibleWorkspaces(limited, { kind: 'named', name: 'finance' })).toThrow(
      expect.objectContaining({ code: 'not_found', reason: 'workspace_not_found' }) as Error,
    );
  });
});
