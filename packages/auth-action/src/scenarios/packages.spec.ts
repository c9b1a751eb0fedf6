import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { byKey, direct, federated, postAfter, runInProcess, type Inputs } from './testing/run-in-process';

const npm = { npm_registries: 'https://europe-npm.pkg.dev/p/all/ @example=https://us-npm.pkg.dev/p/r' };
const python = { python_registries: 'https://europe-python.pkg.dev/p/r/simple/ extra=https://us-python.pkg.dev/p/r' };
const maven = { maven_registries: 'packages=https://europe-maven.pkg.dev/p/r' };

let fake: FakeCloud;
let folder: TemporaryFolder;
beforeEach(async () => {
  fake = await startFakeCloud();
  folder = temporaryFolder();
  mkdirSync(folder.file('temp'));
});
afterEach(async () => {
  await fake.stop();
  await folder.remove();
});

type Options = Partial<Parameters<typeof runInProcess>[1]>;
const run = (inputs: Inputs, options: Options = {}) => {
  const own = { HOME: folder.path, RUNNER_TEMP: folder.file('temp'), PATH: '', ...options.env };
  return runInProcess(fake, { inputs, ...options, env: own });
};
const read = (file: string | undefined) => readFileSync(file ?? '', 'utf8');
const tokenOf = (name: string) => fake.tokens.all().find((each) => each.name === name)?.secret ?? '';
const leftovers = () => readdirSync(folder.file('temp'));

describe('registries of packages', () => {
  it('get files that only the owner can read, with one token, until post', async () => {
    const end = await run(federated(fake, { ...npm, ...python, ...maven, docker_registries: 'europe-docker.pkg.dev' }));

    expect(end.error).toBeUndefined();
    const { npm_config_file: npmrc, netrc_file: netrc, maven_settings_file: settings } = end.outputs;
    for (const file of [npmrc, netrc, settings]) {
      expect(statSync(file ?? '').mode & 0o777).toBe(0o600);
      expect(read(file)).toContain(tokenOf('<access token 1>'));
    }
    expect(statSync(path.dirname(npmrc ?? '')).mode & 0o777).toBe(0o700);
    expect(fake.tokens.ofKind('access token')).toHaveLength(1);
    expect(end.summary).toContain('<code>NPM_CONFIG_USERCONFIG</code>');
    expect(fake.tokens.leaks(JSON.stringify([end.state, end.env, end.lines, end.summary]))).toEqual([]);
    expect(await postAfter(end)).toContain('The files for registries of packages were removed.\n');
    expect(leftovers()).toEqual([]);
  });

  it.each<[string, () => Inputs, string]>([
    ['direct federation', () => direct(fake, npm), '<federated token 1>'],
    ['a key', () => byKey(fake, npm), '<access token 1>'],
    [
      'the token output',
      () => federated(fake, { ...npm, token_format: 'access_token', access_token_lifetime: '30m' }),
      '<access token 1>',
    ],
  ])('get the token of %s', async (_, inputs, token) => {
    const end = await run(inputs());

    expect(end.error).toBeUndefined();
    expect(read(end.outputs.npm_config_file)).toContain(`:_authToken=${tokenOf(token)}\n`);
  });

  it('set no variables without export_environment_variables, and those of the list otherwise', async () => {
    const none = await run(federated(fake, { ...npm, export_environment_variables: 'false' }));
    expect(none.env).toEqual({});
    expect(existsSync(none.outputs.npm_config_file ?? '')).toBe(true);
    await postAfter(none);

    const one = await run(federated(fake, { ...npm, ...python, exported_variables: 'NETRC' }));
    expect(Object.keys(one.env)).toEqual(['NETRC']);
  });

  it('leave nothing behind if a later part of the step fails', async () => {
    const exportVariable = (): never => {
      throw new Error('ENOSPC');
    };
    await expect(run(federated(fake, npm), { runtime: { exportVariable } })).rejects.toThrow('ENOSPC');

    expect(leftovers()).toEqual([]);
  });

  it.each<[string, Inputs, (home: string) => Record<string, string | undefined>, string]>([
    ['a configuration of npm that is a folder', npm, (home) => ({ NPM_CONFIG_USERCONFIG: home }), 'not a regular file'],
    ['settings of Maven that are no XML', maven, (home) => ({ MAVEN_ARGS: `-gs ${home}/x` }), 'not an XML document'],
    ['settings of Maven that do not exist', maven, (home) => ({ MAVEN_ARGS: `-gs ${home}/none` }), 'ENOENT'],
    ['a space in the path for Maven', maven, (home) => ({ RUNNER_TEMP: path.join(home, 'a b') }), 'it has a space'],
  ])('fail with %s, and leave no credentials', async (_, inputs, env, message) => {
    mkdirSync(folder.file('a b'));
    writeFileSync(folder.file('x'), 'x');
    const end = await run(federated(fake, inputs), { env: env(folder.path) });

    expect(end).toMatchObject({ error: { reason: 'package_files_failed' }, env: {}, files: [] });
    expect(end.error?.message).toContain(message);
    expect([...leftovers(), ...readdirSync(folder.file('a b'))]).toEqual([]);
  });

  it('fail without a temporary folder', async () => {
    const end = await run(federated(fake, npm), { env: { RUNNER_TEMP: undefined } });

    expect(end.error?.reason).toBe('runner_temp_unset');
  });
});

describe('npm_registries', () => {
  it('are added to the configuration of the user, which stays as it is', async () => {
    const given = 'registry = https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n[x]\ny=1\n';
    writeFileSync(folder.file('.npmrc'), given);
    const end = await run(federated(fake, npm));

    const token = tokenOf('<access token 1>');
    expect(read(end.env.NPM_CONFIG_USERCONFIG)).toBe(
      [
        '//registry.npmjs.org/:_authToken=${NPM_TOKEN}',
        'registry=https://europe-npm.pkg.dev/p/all/',
        `//europe-npm.pkg.dev/p/all/:_authToken=${token}`,
        '@example:registry=https://us-npm.pkg.dev/p/r/',
        `//us-npm.pkg.dev/p/r/:_authToken=${token}`,
        '[x]',
        'y=1',
        '',
      ].join('\n'),
    );
    expect(read(folder.file('.npmrc'))).toBe(given);
  });

  it.each([
    ['a path from the home folder', '~/own', 'color=false\n'],
    ['the null device', devNull, ''],
    ['a file that does not exist', '/nowhere/npmrc', ''],
  ])('are added to the configuration in the variable: %s', async (_, file, given) => {
    writeFileSync(folder.file('own'), 'color=false\n');
    writeFileSync(folder.file('.npmrc'), 'unread=true\n');
    const end = await run(federated(fake, npm), { env: { NPM_CONFIG_USERCONFIG: file } });

    expect(read(end.env.NPM_CONFIG_USERCONFIG).split('registry=', 1)).toEqual([given]);
  });

  it('are renewed by a second step', async () => {
    const first = await run(federated(fake, npm));
    const randomBytes = (bytes: number) => new Uint8Array(bytes).fill(0x5a);
    const second = await run(federated(fake, npm), { env: first.env, runOptions: { randomBytes } });

    const text = read(second.env.NPM_CONFIG_USERCONFIG);
    expect(text).toContain(tokenOf('<access token 2>'));
    expect(text).not.toContain(tokenOf('<access token 1>'));
    await postAfter(second);
    await postAfter(first);
    expect(leftovers()).toEqual([]);
  });
});

describe('python_registries', () => {
  it('are indexes without a secret, and hosts in the netrc file of the user', async () => {
    writeFileSync(
      folder.file('.netrc'),
      'machine example.com login a password b\nmachine us-python.pkg.dev\n  login old\n  password old\n# end\n',
    );
    const env = {
      PIP_EXTRA_INDEX_URL: 'https://example.com/simple',
      UV_INDEX: 'https://us-python.pkg.dev/p/r/simple/',
    };
    const end = await run(federated(fake, python), { env });

    const token = tokenOf('<access token 1>');
    expect(read(end.env.NETRC)).toBe(
      [
        `machine europe-python.pkg.dev login oauth2accesstoken password ${token}`,
        `machine us-python.pkg.dev login oauth2accesstoken password ${token}`,
        'machine example.com login a password b',
        '# end',
        '',
      ].join('\n'),
    );
    expect(end.env).toMatchObject({
      PIP_INDEX_URL: 'https://europe-python.pkg.dev/p/r/simple/',
      PIP_EXTRA_INDEX_URL: 'https://example.com/simple https://us-python.pkg.dev/p/r/simple/',
      UV_DEFAULT_INDEX: 'https://europe-python.pkg.dev/p/r/simple/',
      UV_INDEX: 'https://us-python.pkg.dev/p/r/simple/',
    });
  });

  it('set the default index only if one has no name', async () => {
    const end = await run(federated(fake, { python_registries: 'extra=https://us-python.pkg.dev/p/r' }));

    expect(Object.keys(end.env)).toEqual(expect.arrayContaining(['NETRC', 'PIP_EXTRA_INDEX_URL', 'UV_INDEX']));
    expect(Object.keys(end.env)).not.toContain('PIP_INDEX_URL');
  });
});

describe('maven_registries', () => {
  const preemptive = ['connector', 'transport'].map((part) => `-Daether.${part}.http.preemptiveAuth.packages=true`);
  const block = (text: string) => `<!-- auth-action: packages -->${text}<!-- /auth-action: packages -->\n`;
  const mirror =
    '<mirror><id>packages</id><mirrorOf>packages</mirrorOf><url>https://europe-maven.pkg.dev/p/r</url></mirror>';

  it('are added to the settings of the installation in PATH', async () => {
    mkdirSync(folder.file('maven', 'bin'), { recursive: true });
    mkdirSync(folder.file('maven', 'conf'));
    writeFileSync(folder.file('maven', 'bin', 'mvn'), '');
    writeFileSync(folder.file('maven', 'conf', 'settings.xml'), '<settings><offline>false</offline></settings>');
    const end = await run(federated(fake, maven), { env: { PATH: `/nowhere:${folder.file('maven', 'bin')}` } });

    const settings = read(end.outputs.maven_settings_file);
    expect(settings).toContain('<offline>false</offline>');
    expect(settings).toContain(`<mirrors>${block(mirror)}</mirrors>`);
    expect(settings).toContain(
      `<id>packages</id><username>oauth2accesstoken</username><password>${tokenOf('<access token 1>')}</password>`,
    );
    expect(end.env.MAVEN_ARGS).toBe([`--global-settings ${end.outputs.maven_settings_file}`, ...preemptive].join(' '));
  });

  it('keep other arguments and the settings among them, and are renewed by a second step', async () => {
    writeFileSync(folder.file('own.xml'), '<settings><servers/></settings>');
    const env = { MAVEN_ARGS: `-B -gs ${folder.file('own.xml')} -ntp` };
    const first = await run(federated(fake, maven), { env });
    expect(first.env.MAVEN_ARGS).toMatch(/^--global-settings \S+ -D\S+ -D\S+ -B -ntp$/);

    const randomBytes = (bytes: number) => new Uint8Array(bytes).fill(0x5a);
    const second = await run(federated(fake, maven), { env: first.env, runOptions: { randomBytes } });
    expect(second.env.MAVEN_ARGS).toMatch(/^--global-settings \S+5a\/settings.xml -D\S+ -D\S+ -B -ntp$/);
    expect(read(second.outputs.maven_settings_file)).toBe(
      read(first.outputs.maven_settings_file).replace(tokenOf('<access token 1>'), tokenOf('<access token 2>')),
    );
  });

  it('refuse repositories on http without an installation, as it would', async () => {
    const end = await run(federated(fake, maven));

    expect(read(end.outputs.maven_settings_file)).toContain('<mirrorOf>external:http:*</mirrorOf>');
  });

  it('warn of a server of the user, which Maven prefers', async () => {
    mkdirSync(folder.file('.m2'));
    const server = '<server>\n<id> packages </id></server>';
    writeFileSync(folder.file('.m2', 'settings.xml'), `<settings><servers>${server}</servers></settings>`);
    const end = await run(federated(fake, maven));
    expect(end.lines).toContainEqual(expect.stringMatching(/^warning .* have a server packages too/));

    writeFileSync(folder.file('.m2', 'settings.xml'), `<settings><!--${server}--></settings>`);
    await postAfter(end);
    const other = await run(federated(fake, maven));
    expect(other.lines.filter((line) => line.startsWith('warning'))).toEqual([]);
  });
});
