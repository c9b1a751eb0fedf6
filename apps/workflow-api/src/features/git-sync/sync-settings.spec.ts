import { settingsProblem, type SyncSettings } from '../../config/sync-settings';
import { changeSecrets, changeSettings, isSameHost } from './sync-settings';

const settings: SyncSettings = {
  enabled: true,
  repository: 'https://git.example/team/dags.git',
  branch: 'main',
  path: '',
  pushEnabled: true,
  auth: { type: 'token' },
  autoSync: { enabled: false, onStartup: true, interval: 300 },
  commit: { authorName: 'Weir', authorEmail: 'weir@localhost' },
};

describe('settingsProblem', () => {
  it.each(['https://git.example/a.git', 'http://127.0.0.1:3000/a', 'file:///srv/a.git', '/srv/a b.git'])(
    'accepts %s',
    (repository) => {
      expect(settingsProblem({ ...settings, repository })).toBeUndefined();
    },
  );

  it.each(['ssh://git@git.example:2222/a.git', 'git@git.example:team/a.git'])('accepts %s', (repository) => {
    expect(settingsProblem({ ...settings, repository, auth: { type: 'ssh' } })).toBeUndefined();
  });

  it.each([
    'ext::sh -c touch% /tmp/x',
    '--upload-pack=touch',
    'git://git.example/a',
    'ssh://-oProxyCommand=x/a',
    '-x@host:a',
    'https://ada:pw@git.example/a',
    'a/b',
    'https://',
    'https://git.example/a b',
  ])('refuses the repository %s', (repository) => {
    const { type } = settings.auth;
    expect(settingsProblem({ ...settings, repository, auth: { type } })).toBeDefined();
  });

  it.each(['-x', 'a..b', 'a//b', '/a', 'a/', 'a.lock', 'a b', 'a:b', 'a~1', '.a', 'a/.b', 'refs@{1}'])(
    'refuses the branch %s',
    (branch) => {
      expect(settingsProblem({ ...settings, branch })).toBeDefined();
    },
  );

  it.each(['../up', 'a/../b', '/abs', '.git', 'a/.GIT/hooks', 'a//b', 'a\nb', '-a'])('refuses the path %j', (path) => {
    expect(settingsProblem({ ...settings, path })).toBeDefined();
  });
});

describe('changeSettings', () => {
  it('keeps omitted settings', () => {
    expect(changeSettings(settings, { branch: 'next' })).toEqual({ ...settings, branch: 'next' });
  });

  it('needs a repository to be switched on', () => {
    expect(() => changeSettings({ ...settings, repository: '' }, {})).toThrow('Git sync needs a repository.');
  });
});

describe('changeSecrets', () => {
  it('keeps omitted secrets and removes empty ones', () => {
    const auth = { type: 'token', token: '' } as const;
    expect(changeSecrets({ token: 'a', sshKey: 'k' }, { auth, webhookSecret: 's' })).toEqual({
      token: undefined,
      sshKey: 'k',
      sshPassphrase: undefined,
      webhookSecret: 's',
    });
  });
});

describe('isSameHost', () => {
  it.each([
    ['https://a.example/x', 'https://a.example/y', true],
    ['https://a.example/x', 'https://b.example/x', false],
    ['https://a.example/x', 'http://a.example/x', false],
    ['https://a.example/x', 'https://a.example:8443/x', false],
    ['git@a.example:x', 'git@a.example:y', true],
    ['git@a.example:x', 'ssh://git@a.example/y', true],
    ['git@a.example:x', 'git@b.example:x', false],
  ])('of %s and %s is %s', (one, other, expected) => {
    expect(isSameHost(one, other)).toBe(expected);
  });
});
