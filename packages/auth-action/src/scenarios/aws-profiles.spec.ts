import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { deployer, useAwsJob } from './testing/aws-job';
import { postAfter, runInProcess } from './testing/run-in-process';

const { fake, home, start, keys, sign, lastSession } = useAwsJob();

describe('a profile of AWS', () => {
  const read = (name: string): string => readFileSync(home().file('.aws', name), 'utf8');
  const write = (name: string, text: string): void => {
    mkdirSync(home().file('.aws'), { recursive: true });
    writeFileSync(home().file('.aws', name), text, { mode: 0o644 });
  };

  it('writes it for the owner only, sets no variables, and removes it in post', async () => {
    await start();
    const end = await sign({ aws_role: deployer.arn, aws_profile: 'deploy', aws_region: 'eu-west-1' });
    const key = lastSession()?.accessKeyId;

    expect(end.error).toBeUndefined();
    expect(end.env).toEqual({});
    expect(read('credentials')).toMatch(
      new RegExp(
        String.raw`^\[deploy\]\naws_access_key_id = ${key}\naws_secret_access_key = \S+\naws_session_token = \S+\n$`,
      ),
    );
    expect(read('config')).toBe('[profile deploy]\nregion = eu-west-1\n');
    expect(statSync(home().file('.aws/credentials')).mode & 0o777).toBe(0o600);
    expect(statSync(home().file('.aws')).mode & 0o777).toBe(0o700);
    expect(fake().tokens.leaks(JSON.stringify([end.state, end.lines, end.summary]))).toEqual([]);
    expect(await postAfter(end)).toContain('The profile of AWS has its previous state.\n');
    expect(readdirSync(home().file('.aws'))).toEqual([]);
  });

  it('keeps the others and their comments, also of a second step, and removes its own only', async () => {
    await start();
    const others = '# mine\n[default]\naws_access_key_id = a\n\n[ other ]\nx = 1 ; note\n';
    write('credentials', others);
    const first = await sign({ ...keys(), aws_profile: 'one' });
    const second = await sign({ ...keys(), aws_profile: 'two', aws_session_variables: 'true' });

    expect(second.env).toMatchObject({ AWS_PROFILE: 'two', AWS_ACCESS_KEY_ID: fake().awsUser.accessKeyId });
    expect(read('credentials')).toMatch(
      /^# mine\n\[default\]\n.*\n\n\[ other \]\nx = 1 ; note\n\[one\]\n[^]*\[two\]\n/,
    );
    await postAfter(second);
    expect(read('credentials')).toContain('[one]');
    await postAfter(first);
    expect(read('credentials')).toBe(others);
    expect(readdirSync(home().file('.aws'))).toEqual(['credentials']);
  });

  it('does not replace one, unless it may; then post restores it', async () => {
    await start();
    const previous = '[deploy]\naws_secret_access_key = an-earlier-secret-of-the-user\n';
    write('credentials', `${previous}[z]\na = b\n`);
    const inputs = { ...keys(), aws_profile: 'deploy' };
    const refused = await sign(inputs);

    expect(refused).toMatchObject({ error: { reason: 'aws_profile_exists' }, outputs: {}, env: {}, state: {} });
    expect(readdirSync(home().file('.aws'))).toEqual(['credentials']);
    const end = await sign({ ...inputs, aws_overwrite_profile: 'true' });
    expect(read('credentials')).toMatch(/^\[deploy\]\naws_access_key_id = AKIA[^]*\[z\]\na = b\n$/);
    expect(end.masked).toContain('an-earlier-secret-of-the-user');
    await postAfter(end);
    expect(read('credentials')).toBe(`${previous}[z]\na = b\n`);
  });

  it('keeps a profile that a later step replaced, and says so', async () => {
    await start();
    const end = await sign({ ...keys(), aws_profile: 'deploy' });
    write('credentials', '[deploy]\naws_access_key_id = other\n');

    expect(await postAfter(end)).toContain('was not removed (it was replaced)');
    expect(read('credentials')).toContain('other');
  });

  it('removes it again if a later part of the step fails', async () => {
    await start();
    const setOutput = (): void => {
      throw new Error('ENOSPC');
    };
    const env = { RUNNER_TEMP: home().file('temp'), HOME: home().path };
    const inputs = { ...keys(), aws_sts_endpoint: fake().bases.aws, aws_profile: 'deploy' };

    await expect(runInProcess(fake(), { inputs, env, runtime: { setOutput } })).rejects.toThrow('ENOSPC');
    expect(readdirSync(home().file('.aws'))).toEqual([]);
  });

  it('writes to the files that the variables name', async () => {
    await start();
    const files = { AWS_SHARED_CREDENTIALS_FILE: home().file('c'), AWS_CONFIG_FILE: '~/d' };
    await sign({ ...keys(), aws_profile: 'default', aws_region: 'eu-west-1' }, files);

    expect(readFileSync(home().file('c'), 'utf8')).toContain('[default]\n');
    expect(readFileSync(home().file('d'), 'utf8')).toBe('[default]\nregion = eu-west-1\n');
  });

  it('fails if there is no home for it, or the file is none', async () => {
    await start();
    expect(await sign({ ...keys(), aws_profile: 'a' }, { HOME: '' })).toMatchObject({
      error: { reason: 'aws_profile_failed' },
    });
    mkdirSync(home().file('.aws/credentials'), { recursive: true });
    expect(await sign({ ...keys(), aws_profile: 'a' })).toMatchObject({ error: { reason: 'aws_profile_failed' } });
  });
});
