import { parseTrustRules } from './trust-rules';

describe('the rules of trust', () => {
  const rule = (claims: string) => `
- issuer: https://token.actions.githubusercontent.com
  audience: weir
  rules: [{ claims: ${claims}, role: operator }]
`;

  it.each([
    ['no YAML', '[', 'no YAML'],
    ['no list', 'a: 1', 'expected array'],
    ['a rule without claims', rule('{}'), 'Conditions are empty'],
    ['a rule that admits everyone on the platform', rule('{ ref: refs/heads/main }'), 'whose job it is'],
    ['a pattern for every repository', rule('{ repository: "*" }'), 'whose job it is'],
    ['one of several that is for every repository', rule('{ repository: [a/b, "**"] }'), 'whose job it is'],
    ['an unknown role', rule('{ sub: a }').replace('operator', 'king'), 'rules.0.role'],
    ['an unknown key', rule('{ sub: a }').replace('role:', 'rolle: x, role:'), 'rules.0'],
    ['an admin of a workspace', rule('{ sub: a }').replace('operator', 'admin, workspaces: [a]'), 'rule 1 of'],
    ['an issuer twice', rule('{ sub: a }').repeat(2), 'twice'],
    ['an issuer that is no address', rule('{ sub: a }').replace('https://token', 'ftp://token'), 'issuer'],
  ])('refuse %s', (_, text, problem) => {
    expect(() => parseTrustRules(text)).toThrow(expect.objectContaining({ reason: 'trust_rules_invalid' }) as Error);
    expect(() => parseTrustRules(text)).toThrow(problem);
  });
});
