import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Secret } from '@weir/service-kit';
import { temporaryFolder } from '@weir/test-kit';
import { resolveAdminKey } from './admin-key';

describe('the admin key', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const resolve = (host: string, given?: string) =>
    resolveAdminKey({ host, dataFolder: folder.path, given: given === undefined ? undefined : new Secret(given) });

  it('is generated once on a loopback address, readable by its owner only', async () => {
    const first = await resolve('127.0.0.1');
    expect(first.value.reveal()).toHaveLength(43);
    expect(statSync(folder.file('admin_key')).mode & 0o777).toBe(0o600);
    expect((await resolve('::1')).value.reveal()).toBe(first.value.reveal());
    expect(readFileSync(folder.file('admin_key'), 'utf8')).toBe(first.value.reveal());
  });

  it('is required if other machines can reach the server', async () => {
    await expect(resolve('0.0.0.0')).rejects.toMatchObject({ reason: 'admin_key_missing' });
    expect((await resolve('0.0.0.0', 'a-key-that-was-given')).file).toBeUndefined();
  });

  it('is refused when its file is too short', async () => {
    writeFileSync(folder.file('admin_key'), 'short');
    await expect(resolve('localhost')).rejects.toMatchObject({ reason: 'admin_key_unusable' });
  });
});
