import type { OutputEvaluator } from '../../output-thread';
import { useOidcSignIn } from '../../testing/external-sign-in/use-oidc-sign-in';

const setting = useOidcSignIn();

/** What jq gives for the expression of the server, or the problem that it has. */
const answering = (answer: unknown): OutputEvaluator => ({
  evaluate: ({ fields: [field], stdout }) => {
    asked = { select: field?.source.kind === 'stdout' ? field.source.select : undefined, claims: stdout };
    if (answer instanceof Error) return Promise.resolve({ problem: answer.message });
    return Promise.resolve({ fields: [{ name: 'roles', value: answer as never }] });
  },
});
let asked: { readonly select: string | undefined; readonly claims: string | undefined };

const signInWith = async (answer: unknown, claims: Readonly<Record<string, unknown>> = {}) => {
  const settings = { roleExpression: '.department | roles # of ours' };
  await setting.restart({ settings, evaluator: answering(answer), rules: { defaultRole: undefined } });
  return setting.signIn({ sub: 'ada', ...claims });
};

it('gets the verified claims, and gives what it gives', async () => {
  const { session } = await signInWith(['operator'], { department: 'ops' });
  expect(asked.select).toBe('[.department | roles # of ours\n]');
  expect(JSON.parse(asked.claims ?? '')).toMatchObject({ sub: 'ada', department: 'ops', iss: setting.issuer.issuer });
  await expect(setting.me(session)).resolves.toMatchObject({ role: 'operator', workspaceAccess: { all: true } });
});

it.each([
  ['lists and nothing', [null, ['viewer', 'manager'], []], [], { role: 'manager' }],
  ['workspaces', [['developer@Shop', 'viewer@bank']], [], { workspaceAccess: { all: false, grants: [{}, {}] } }],
  ['besides the groups, the stronger role', ['viewer'], ['ops'], { role: 'operator' }],
])('may give %s', async (_, answer, groups, expected) => {
  const { session } = await signInWith(answer, { groups });
  await expect(setting.me(session)).resolves.toMatchObject(expected);
});

it('signs nobody in without a role', async () => {
  expect(await signInWith([null])).toMatchObject({ failure: 'no_role', session: '' });
});

it.each([
  ['fails', new Error('takes too long')],
  ['gives a name that is no role', ['king']],
  ['gives an admin of a workspace', ['admin@shop']],
  ['gives one role and one thing that is none', ['admin', true]],
  ['gives the claims', [{ role: 'admin' }]],
  ['gives nested lists', [[['admin']]]],
  ['gives very many', Array.from({ length: 1001 }, () => 'viewer')],
])('refuses the sign-in where it %s, and logs it', async (_, answer) => {
  const users = await setting.api.users.count();
  expect(await signInWith(answer, { groups: ['admins'] })).toMatchObject({
    failure: 'role_expression_failed',
    session: '',
  });
  expect(setting.api.logger.entries).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      fields: expect.objectContaining({ reason: 'role_expression_failed' }) as unknown,
    }),
  );
  expect(await setting.api.users.count()).toBeLessThanOrEqual(users);
});
