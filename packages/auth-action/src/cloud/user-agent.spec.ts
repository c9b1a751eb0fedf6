import { createUserAgent } from './user-agent';

describe('createUserAgent', () => {
  it.each([
    [{}, 'weir-auth-action/1.2.3'],
    [{ GITHUB_REPOSITORY: 'org/app' }, 'weir-auth-action/1.2.3 (org/app)'],
    [{ GITHUB_RUN_ID: '42' }, 'weir-auth-action/1.2.3 (run 42)'],
    [
      { GITHUB_REPOSITORY: 'org/app', GITHUB_RUN_ID: '42', GITHUB_RUN_ATTEMPT: '2' },
      'weir-auth-action/1.2.3 (org/app; run 42/2)',
    ],
    [{ GITHUB_REPOSITORY: 'a(b);\\c\r\nX-Evil: 1' }, 'weir-auth-action/1.2.3 (a_b___c X-Evil: 1)'],
  ])('of %j is %s', (env, expected) => {
    expect(createUserAgent('1.2.3', env)).toBe(expected);
  });
});
