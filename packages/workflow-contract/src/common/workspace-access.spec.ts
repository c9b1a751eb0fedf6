import { isWorkspaceQueryValid, workspaceName, workspaceSelection } from './parameters';
import { roleIncludes, rolesFrom } from './roles';
import { workspaceAccessProblem } from './workspace-access';

const grant = (workspace: string, role: 'operator' | 'admin' = 'operator') => ({ workspace, role });

describe('workspaceAccessProblem', () => {
  it('accepts access to everything without grants', () => {
    expect(workspaceAccessProblem('admin', { all: true, grants: [] })).toBeUndefined();
  });

  it('accepts a viewer with grants', () => {
    expect(workspaceAccessProblem('viewer', { all: false, grants: [grant('a'), grant('b')] })).toBeUndefined();
  });

  it.each([
    ['grants in addition to all', 'viewer', { all: true, grants: [grant('a')] }],
    ['a stronger top role than viewer', 'developer', { all: false, grants: [grant('a')] }],
    ['no grant at all', 'viewer', { all: false, grants: [] }],
    ['a granted admin', 'viewer', { all: false, grants: [grant('a', 'admin')] }],
    ['a workspace named twice', 'viewer', { all: false, grants: [grant('a'), grant('a')] }],
  ] as const)('refuses %s', (_, role, access) => {
    expect(workspaceAccessProblem(role, { all: access.all, grants: [...access.grants] })).toMatch(/\.$/);
  });
});

describe('roles', () => {
  it('lists a role with all stronger ones', () => {
    expect(rolesFrom('developer')).toEqual(['admin', 'manager', 'developer']);
  });

  it('includes itself and weaker roles only', () => {
    expect(roleIncludes('manager', 'manager')).toBe(true);
    expect(roleIncludes('manager', 'viewer')).toBe(true);
    expect(roleIncludes('operator', 'developer')).toBe(false);
  });
});

describe('workspace parameters', () => {
  it('reads a name without regard to case, as labels are', () => {
    expect(workspaceName.parse('TeamA')).toBe('teama');
  });

  it.each([
    ['nothing', {}, { kind: 'all' }],
    ['a name', { workspace: 'ops' }, { kind: 'named', name: 'ops' }],
    ['the name "default"', { workspace: 'default' }, { kind: 'default' }],
    ['the scope "default"', { workspaceScope: 'default' }, { kind: 'default' }],
    ['scope and name', { workspaceScope: 'workspace', workspace: 'all' }, { kind: 'named', name: 'all' }],
  ] as const)('reads %s', (_, query, selection) => {
    expect(workspaceSelection(query)).toEqual(selection);
  });

  it.each([
    { workspaceScope: 'workspace' },
    { workspaceScope: 'all', workspace: 'a' },
    { workspaceScope: 'default', workspace: 'a' },
  ] as const)('refuses %j', (query) => {
    expect(isWorkspaceQueryValid(query)).toBe(false);
  });
});
