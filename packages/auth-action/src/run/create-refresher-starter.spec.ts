import { env } from 'node:process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { createRefresherStarter } from './create-refresher-starter';

describe('the process that renews tokens', () => {
  let folder: TemporaryFolder;
  let fake: FakeCloud;
  const variables = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'WEIR_REFRESH'];
  const before = variables.map((name) => [name, env[name]] as const);
  beforeEach(async () => {
    folder = temporaryFolder();
    fake = await startFakeCloud();
  });
  afterEach(async () => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(env, name);
      else env[name] = value;
    }
    await fake.stop();
    await folder.remove();
  });

  const config = () => ({
    folder: folder.path,
    files: [{ name: 'aws', audience: 'sts.amazonaws.com' }],
    userAgent: 'weir-auth-action/0.0.0',
    refreshAt: 0,
  });

  it('receives its configuration and outlives the step', async () => {
    const script = folder.file('script.cjs');
    writeFileSync(
      script,
      `require('fs').writeFileSync(${JSON.stringify(folder.file('seen'))}, process.env.WEIR_REFRESH)`,
    );

    await createRefresherStarter(script, env)(config());

    await waitFor(() => existsSync(folder.file('seen')) && readFileSync(folder.file('seen'), 'utf8') !== '', {
      what: 'the script to write its configuration',
    });
    expect(JSON.parse(readFileSync(folder.file('seen'), 'utf8'))).toEqual(config());
  });

  it('requests a token for the audience and writes it', async () => {
    Object.assign(env, fake.env, { WEIR_REFRESH: JSON.stringify(config()) });

    jest.requireActual('../refresh');

    await waitFor(() => existsSync(folder.file('aws')), { what: 'a token' });
    expect(readFileSync(folder.file('aws'), 'utf8')).toBe(fake.tokens.ofKind('oidc token')[0]?.secret);
    expect(fake.requests[0]).toMatchObject({ headers: { 'user-agent': 'weir-auth-action/0.0.0' } });
    expect(fake.requests[0]?.path).toContain('audience=sts.amazonaws.com');
  });
});
