import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runPost } from '../../post/run-post';
import { removeTokenFolder } from './remove-token-folder';
import { chooseRefreshTime, refreshTokens, type RefreshOptions } from './refresh-tokens';
import { createTokenFolder, replaceToken } from './token-folder';

const random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0xab);
const aToken = (expiresAtMs: number): string =>
  `h.${Buffer.from(JSON.stringify({ exp: expiresAtMs / 1000 })).toString('base64url')}.s`;

describe('the tokens', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  beforeEach(() => {
    temporary = temporaryFolder();
    folder = createTokenFolder({ runnerTemp: temporary.path, random, tokens: { aws: 'first', azure: 'first' } });
  });
  afterEach(() => temporary.remove());

  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

  /** A clock that only sleeping advances. The steps run in order, one per sleep; then the folder is removed. */
  async function refresh(
    requestOidcToken: RefreshOptions['requestOidcToken'],
    steps: readonly ((time: number) => void)[],
    sleepMs = 500,
  ): Promise<number> {
    let time = 0;
    let slept = 0;
    const sleep = (): Promise<void> => {
      steps[slept]?.(time);
      slept += 1;
      time += sleepMs;
      if (slept >= steps.length) rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    };
    const files = [
      { name: 'aws', audience: 'a' },
      { name: 'azure', audience: 'b' },
    ];
    const config = { folder, files, userAgent: 'x', refreshAt: 1000 };
    await refreshTokens({ config, requestOidcToken, now: () => time, sleep });
    return slept;
  }

  it('are files that only the owner can read', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, 'aws')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['aws', 'azure']);
  });

  it('are replaced when due, and again at half of their lifetime', async () => {
    const seen: string[] = [];
    const asked: string[] = [];
    const look = (): void => void seen.push(read('aws').slice(0, 5));
    await refresh(
      (audience) => {
        asked.push(audience);
        return Promise.resolve(aToken(asked.length > 2 ? 9e9 : 4000));
      },
      [look, look, look, look, look, look],
    );

    expect(seen.map((text) => text === 'first')).toEqual([true, true, false, false, false, false]);
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
  });

  it('survive failures, which are repeated later', async () => {
    let calls = 0;
    const slept = await refresh(
      () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('503')) : Promise.resolve(aToken(9e9));
      },
      Array.from({ length: 30 }, () => () => undefined),
    );

    expect([calls, slept]).toEqual([3, 30]);
  });

  it('are given up after many failures', async () => {
    let calls = 0;
    const fail = (): Promise<string> => {
      calls += 1;
      return Promise.reject(new Error('401'));
    };
    await refresh(
      fail,
      Array.from({ length: 1000 }, () => () => undefined),
      10_000,
    );

    expect(calls).toBe(60);
  });

  it('are renewed after a minute if they do not say when they expire', () => {
    expect(chooseRefreshTime('x', 1000)).toBe(61_000);
    expect(chooseRefreshTime(aToken(1000), 5000)).toBe(5000);
  });

  it('are removed with their folder, and cannot be written afterwards', () => {
    expect(removeTokenFolder(folder)).toBeUndefined();
    expect(readdirSync(temporary.path)).toEqual([]);
    expect(() => replaceToken(folder, 'aws', 'x')).toThrow('ENOENT');
    expect(removeTokenFolder(folder)).toBeUndefined();
  });

  it('are removed by post, which changes nothing if its state is invalid', async () => {
    const post = async (state: string): Promise<string> => {
      let written = '';
      const env = { STATE_weir_token_folder: state };
      await runPost({ env, write: (text) => (written += text), revocationTimeoutMs: 1 });
      return written;
    };

    expect(await post('{}')).toContain('so nothing was cleaned up');
    expect(await post(JSON.stringify({ folder }))).toContain('The OIDC tokens were removed.\n');
    expect(readdirSync(temporary.path)).toEqual([]);
  });

  it('are the only files that are removed', () => {
    expect(removeTokenFolder(temporary.path)).toContain('not a folder of tokens');
    expect(removeTokenFolder(path.join(folder, 'gha-tokens-0123456789abcdef'))).toBeUndefined();
  });

  it('require the temporary folder of the runner, and leave nothing if they cannot be written', () => {
    const failure = (reason: string): Error => expect.objectContaining({ reason }) as Error;
    expect(() => createTokenFolder({ runnerTemp: '', random, tokens: {} })).toThrow(failure('runner_temp_unset'));
    const tokens = { 'a/b': 'x' };
    const other = (bytes: number) => new Uint8Array(bytes);
    expect(() => createTokenFolder({ runnerTemp: temporary.path, random: other, tokens })).toThrow(
      failure('token_file_failed'),
    );
    expect(readdirSync(temporary.path)).toEqual([path.basename(folder)]);
  });
});
