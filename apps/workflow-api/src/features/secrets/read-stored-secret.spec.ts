import { createManualClock, createRecordingLogger } from '@weir/test-kit';
import { createLocalKey, createSealer, type Sealer } from '../../encryption';
import { openAccessAdmin } from '../../access/principal';
import { createInMemorySecretRepository } from './in-memory-secret-repository';
import { createStoredSecretReader } from './read-stored-secret';
import { resealSecrets } from './reseal-secrets';
import type { SecretRepository } from './secret-repository';
import { createSecretService } from './secret-service';
import { systemRandom } from '../../adapters/random-source';

const sealerOf = (...fills: number[]): Sealer => {
  const [first = createLocalKey(Buffer.alloc(32)), ...rest] = fills.map((fill) =>
    createLocalKey(Buffer.alloc(32, fill)),
  );
  return createSealer(() => Promise.resolve([first, ...rest]));
};
const clock = createManualClock(new Date('2026-05-06T07:08:09.000Z'));
let secrets: SecretRepository;

beforeEach(() => {
  secrets = createInMemorySecretRepository();
});

const serviceWith = (sealer: Sealer) => {
  const workspaces = {
    list: () => {
      const times = { createdAt: clock.now(), updatedAt: clock.now() };
      return Promise.resolve([{ id: 'ops', name: 'ops', description: '', ...times }]);
    },
  };
  return createSecretService({ secrets, sealer, workspaces, clock, random: systemRandom });
};
const add = (ref: string, value: string | undefined, workspace?: string, sealer = sealerOf(1)) =>
  serviceWith(sealer).create({ ref, value, workspace, providerType: 'dagu-managed' }, openAccessAdmin);
const read = (ref: string, workspace?: string, sealer = sealerOf(1)) =>
  createStoredSecretReader({ secrets, sealer, clock })(ref, workspace);

describe('a run', () => {
  it('gets the secret of its workspace, else the shared one', async () => {
    await add('api', 'of all');
    await add('api', 'of ops', 'ops');
    await add('other', 'other of all');

    await expect(read('api', 'ops')).resolves.toEqual({ value: 'of ops' });
    await expect(read('api', 'lab')).resolves.toEqual({ value: 'of all' });
    await expect(read('api')).resolves.toEqual({ value: 'of all' });
    await expect(read('other', 'ops')).resolves.toEqual({ value: 'other of all' });
  });

  it('gets nothing of another workspace', async () => {
    await add('api', 'of ops', 'ops');
    for (const workspace of [undefined, 'lab']) {
      await expect(read('api', workspace)).resolves.toEqual({ problem: 'there is no secret "api"' });
    }
  });

  it('gets the newest value, or the named version', async () => {
    const { id } = await add('api', 'first');
    await serviceWith(sealerOf(1)).writeVersion(id, 'second', openAccessAdmin);

    await expect(read('api')).resolves.toEqual({ value: 'second' });
    await expect(read('api@1')).resolves.toEqual({ value: 'first' });
    await expect(read('api@3')).resolves.toEqual({ problem: 'it has no version 3' });
  });

  it('gets nothing for a disabled secret, not even the shared one', async () => {
    await add('api', 'of all');
    const { id } = await add('api', 'of ops', 'ops');
    await serviceWith(sealerOf(1)).disable(id, openAccessAdmin);

    await expect(read('api', 'ops')).resolves.toEqual({ problem: 'it is disabled' });
  });

  it('gets an error for a secret without a value, a missing key and a damaged value', async () => {
    await add('empty', undefined);
    const { id } = await add('api', 'hunter22');

    await expect(read('empty')).resolves.toEqual({ problem: 'it has no value yet' });
    await expect(read('api', undefined, sealerOf(2))).resolves.toEqual({
      problem: 'this server does not have its key',
    });
    const [version] = (await secrets.listVersions(undefined, 9)).filter(({ secretId }) => secretId === id);
    if (version) await secrets.reseal(version, { keyId: version.keyId, text: 'AAAA.AAAA' });
    await expect(read('api')).resolves.toEqual({ problem: 'it cannot be decrypted' });
  });

  it('stores the time of the use, to the minute', async () => {
    const { id } = await add('api', 'hunter22');
    const used = async () => (await secrets.findById(id))?.lastResolvedAt;
    await read('api');
    const first = clock.now();
    clock.advance(59_999);
    await read('api');
    await expect(used()).resolves.toEqual(first);

    clock.advance(1);
    await read('api');
    await expect(used()).resolves.toEqual(clock.now());
  });
});

describe('a value taken from the database', () => {
  it('cannot replace another secret', async () => {
    await add('mine', 'known to me');
    await add('theirs', 'hunter22');
    const versions = await secrets.listVersions(undefined, 9);
    const [mine, theirs] = await Promise.all(['mine', 'theirs'].map((ref) => secrets.findByRef(undefined, ref)));
    const find = (id: string | undefined) => versions.find(({ secretId }) => secretId === id);
    const [target, source] = [find(mine?.id), find(theirs?.id)];
    if (target && source) await secrets.reseal(target, source);

    await expect(read('mine')).resolves.toEqual({ problem: 'it cannot be decrypted' });
  });
});

describe('a new key', () => {
  it('encrypts everything at the next start, after which the old one is not needed', async () => {
    for (let index = 0; index < 130; index += 1) await add(`s${index}`, `value ${index}`);
    const logger = createRecordingLogger();
    await resealSecrets({ secrets, sealer: sealerOf(2, 1), logger });

    await expect(read('s7', undefined, sealerOf(2))).resolves.toEqual({ value: 'value 7' });
    await expect(read('s129', undefined, sealerOf(2))).resolves.toEqual({ value: 'value 129' });
    await expect(read('s7', undefined, sealerOf(1))).resolves.toHaveProperty('problem');
    expect(logger.entries).toMatchObject([{ level: 'info', fields: { values: 130 } }]);
  });

  it('leaves values that it cannot open, and logs them', async () => {
    await add('lost', 'hunter22', undefined, sealerOf(9));
    await add('api', 'hunter22');
    const logger = createRecordingLogger();
    await resealSecrets({ secrets, sealer: sealerOf(2, 1), logger });

    await expect(read('api', undefined, sealerOf(2))).resolves.toEqual({ value: 'hunter22' });
    await expect(read('lost', undefined, sealerOf(9))).resolves.toEqual({ value: 'hunter22' });
    expect(logger.messages('error')).toEqual(['secrets cannot be decrypted']);
  });

  it('is not loaded while there are no values', async () => {
    const sealer = createSealer(() => Promise.reject(new Error('No key was needed.')));
    await expect(resealSecrets({ secrets, sealer, logger: createRecordingLogger() })).resolves.toBeUndefined();
  });
});
