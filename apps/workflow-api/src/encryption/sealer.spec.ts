import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { Secret } from '@weir/service-kit';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { systemRandom } from '../adapters/random-source';
import { createSealer, createLocalKey, loadMasterKeys, type Sealer } from '.';
import type { MasterKey } from './master-key';

const aKey = (fill: number): MasterKey => createLocalKey(Buffer.alloc(32, fill));
const sealerOf = (...keys: [MasterKey, ...MasterKey[]]): Sealer => createSealer(() => Promise.resolve(keys));
const damaged = { code: 'unavailable', reason: 'sealed_text_damaged' };

describe('a sealer', () => {
  it('opens what it has sealed, of any length', async () => {
    const sealer = sealerOf(aKey(1));
    for (const text of ['', 'hunter22', 'ä\n'.repeat(20_000)]) {
      await expect(sealer.open(await sealer.seal(text, 'a'), 'a')).resolves.toBe(text);
    }
  });

  it('reveals neither the text nor whether two are the same', async () => {
    const sealer = sealerOf(aKey(1));
    const [one, other] = [await sealer.seal('hunter22', 'a'), await sealer.seal('hunter22', 'a')];

    expect(one.text).not.toBe(other.text);
    expect(Buffer.from(one.text, 'base64url').includes('hunter22')).toBe(false);
  });

  it('does not open a text in another context', async () => {
    const sealer = sealerOf(aKey(1));
    await expect(sealer.open(await sealer.seal('hunter22', 'secret a 1'), 'secret b 1')).rejects.toMatchObject(damaged);
  });

  it('detects every changed byte', async () => {
    const sealer = sealerOf(aKey(1));
    const { keyId, text } = await sealer.seal('hunter22', 'a');
    const parts = text.split('.').map((part) => Buffer.from(part, 'base64url'));
    for (const [part, bytes] of parts.entries()) {
      for (let index = 0; index < bytes.length; index += 1) {
        const changed = parts.map((one) => Buffer.from(one));
        (changed[part] as Buffer)[index] = (bytes[index] ?? 0) ^ 1;
        const sealed = { keyId, text: changed.map((one) => one.toString('base64url')).join('.') };
        await expect(sealer.open(sealed, 'a')).rejects.toMatchObject(damaged);
      }
    }
  });

  it.each(['', '.', 'AAAA', 'AAAA.AAAA'])('refuses the text %j', async (text) => {
    const sealer = sealerOf(aKey(1));
    await expect(sealer.open({ keyId: await sealer.currentKeyId(), text }, 'a')).rejects.toMatchObject(damaged);
  });

  it('opens with an older key and seals with the first one', async () => {
    const sealed = await sealerOf(aKey(1)).seal('hunter22', 'a');
    const rotated = sealerOf(aKey(2), aKey(1));

    await expect(rotated.open(sealed, 'a')).resolves.toBe('hunter22');
    expect((await rotated.seal('x', 'a')).keyId).toBe(aKey(2).id);
    await expect(sealerOf(aKey(2)).open(sealed, 'a')).rejects.toMatchObject({ reason: 'encryption_key_unknown' });
  });

  it('leaves wrapping to a key management service', async () => {
    const wrapped = new Map<string, Uint8Array>();
    const service: MasterKey = {
      id: 'projects/x/keys/y',
      wrap: (dataKey) => {
        const handle = `handle ${wrapped.size}`;
        wrapped.set(handle, Uint8Array.from(dataKey));
        return Promise.resolve(Buffer.from(handle));
      },
      unwrap: (handle) => {
        const found = wrapped.get(Buffer.from(handle).toString());
        return found ? Promise.resolve(found) : Promise.reject(new Error('Not wrapped here.'));
      },
    };
    const sealer = sealerOf(service);

    await expect(sealer.open(await sealer.seal('hunter22', 'a'), 'a')).resolves.toBe('hunter22');
    expect(wrapped.size).toBe(1);
  });

  it('loads its keys again after a failure', async () => {
    let asked = 0;
    const sealer = createSealer(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('Not mounted yet.')) : Promise.resolve([aKey(1)] as const);
    });

    await expect(sealer.currentKeyId()).rejects.toThrow('Not mounted yet.');
    await expect(sealer.currentKeyId()).resolves.toBe(aKey(1).id);
  });
});

describe('the keys of an installation', () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const load = (encryption: { keys?: string; keyFile?: string }) =>
    loadMasterKeys(
      {
        home: folder.path,
        encryption: {
          keys: encryption.keys === undefined ? undefined : new Secret(encryption.keys),
          keyFile: encryption.keyFile,
        },
      },
      systemRandom,
    );
  const base64 = (fill: number) => Buffer.alloc(32, fill).toString('base64');

  it('are created once, in a file of their owner', async () => {
    const [first] = await load({});
    const [again] = await load({});
    const file = folder.file('auth', 'encryption_key');

    expect(again.id).toBe(first.id);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(readFile(file, 'utf8')).resolves.toMatch(/^[\w-]{43}$/);
  });

  it('are those of the variable, the current one first', async () => {
    const keys = await load({ keys: `${base64(2)},${base64(1)}` });
    expect(keys.map(({ id }) => id)).toEqual([aKey(2).id, aKey(1).id]);
  });

  it('are the lines of a file that is named, which is closed to others', async () => {
    const keyFile = folder.file('keys');
    await writeFile(keyFile, `${base64(3)}\n${base64(1)}\n`);
    await chmod(keyFile, 0o644);

    expect((await load({ keyFile })).map(({ id }) => id)).toEqual([aKey(3).id, aKey(1).id]);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  });

  it.each(['too short', base64(1).slice(4), `${base64(1)},x`, Buffer.alloc(33).toString('base64')])(
    'are refused when one is %j',
    async (keys) => {
      const failure = await load({ keys }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ reason: 'encryption_key_invalid' });
      expect(String(failure)).not.toContain(keys);
    },
  );
});
