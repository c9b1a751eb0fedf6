import { parseClaims } from './claims';

const failure = (facts: object): Error => expect.objectContaining(facts) as Error;

/** Every claim that the service description lists, as a job started by a push sends them. */
const pushClaims = {
  jti: 'example-id',
  sub: 'repo:octo-org/octo-repo:ref:refs/heads/main',
  aud: 'projects/1/locations/global/workloadIdentityPools/p/providers/q',
  ref: 'refs/heads/main',
  sha: '0123456789abcdef0123456789abcdef01234567',
  repository: 'octo-org/octo-repo',
  repository_owner: 'octo-org',
  run_id: '9007199254740993',
  run_number: '10',
  run_attempt: '2',
  actor: 'octocat',
  workflow: 'deploy',
  head_ref: '',
  base_ref: '',
  event_name: 'push',
  ref_type: 'branch',
  job_workflow_ref: 'octo-org/octo-repo/.github/workflows/deploy.yml@refs/heads/main',
  iss: 'https://token.example.test',
  nbf: 1_800_000_000,
  exp: 1_800_000_300,
  iat: 1_800_000_000,
};

describe('parseClaims', () => {
  it('reads every listed claim unchanged', () => {
    expect(parseClaims(pushClaims)).toEqual(pushClaims);
  });

  it('keeps the digits of an id that a JSON number could not hold', () => {
    expect(parseClaims(pushClaims).run_id).toBe('9007199254740993');
  });

  it('keeps claims it does not know', () => {
    const claims = parseClaims({ ...pushClaims, team: { id: 7 }, flags: [true] });
    expect(claims).toMatchObject({ team: { id: 7 }, flags: [true] });
  });

  it('keeps a claim named __proto__ as a plain claim', () => {
    const payload: unknown = JSON.parse(JSON.stringify(pushClaims).replace('{', '{"__proto__":{"admin":true},'));
    const claims = parseClaims(payload);
    expect(claims).not.toHaveProperty('admin');
    expect(Object.hasOwn(claims, '__proto__')).toBe(true);
  });

  it('does not treat a claim named after an object method as a known one', () => {
    expect(parseClaims({ ...pushClaims, toString: 1 })).toHaveProperty('toString', 1);
  });

  it('accepts several audiences', () => {
    expect(parseClaims({ ...pushClaims, aud: ['a', 'b'] }).aud).toEqual(['a', 'b']);
  });

  it.each(['iss', 'sub', 'aud', 'exp', 'iat'])('refuses claims without %s', (claim) => {
    const rest = Object.fromEntries(Object.entries(pushClaims).filter(([name]) => name !== claim));
    expect(() => parseClaims(rest)).toThrow(
      failure({ code: 'unauthenticated', reason: 'claim_missing', details: { claim } }),
    );
  });

  it.each([
    ['a numeric run id', 'run_id', 12],
    ['a run id with other characters', 'run_id', '12a'],
    ['an empty run number', 'run_number', ''],
    ['a repository that is null', 'repository', null],
    ['an actor that is a list', 'actor', ['octocat']],
    ['an expiry as text', 'exp', '1800000300'],
    ['a negative time', 'nbf', -1],
    ['an infinite time', 'iat', Number.POSITIVE_INFINITY],
    ['an empty issuer', 'iss', ''],
    ['an empty subject', 'sub', ''],
    ['an empty list of audiences', 'aud', []],
    ['an audience that is not text', 'aud', ['a', 1]],
  ])('refuses %s and names the claim', (_case, claim, value) => {
    expect(() => parseClaims({ ...pushClaims, [claim]: value })).toThrow(
      failure({
        code: 'unauthenticated',
        reason: 'claim_invalid',
        details: failure({ claim }),
      }),
    );
  });

  it.each([[null], [[]], ['text'], [1], [undefined]])('refuses %p as a payload', (payload) => {
    expect(() => parseClaims(payload)).toThrow(failure({ reason: 'claims_not_object' }));
  });
});
