import { aUser } from '../../testing/identity-builders';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { SecondFactor } from './second-factor';
import type { SecondFactorRepository } from './second-factor-repository';

const at = (minute: number): Date => new Date(Date.UTC(2026, 4, 6, 7, minute));

function aFactor(values: Partial<SecondFactor> = {}): SecondFactor {
  return {
    userId: 'ada',
    sealed: { keyId: 'k', text: 'sealed' },
    confirmedAt: undefined,
    lastStep: 0,
    recoveryDigests: [],
    wrongCodes: 0,
    wrongSince: undefined,
    revision: 0,
    createdAt: at(0),
    ...values,
  };
}

describe.each(storeKinds)('second factor repository on %s', (kind) => {
  let stores: TestStoreSource;
  let factors: SecondFactorRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    const { users, secondFactors } = await stores.open();
    await users.insert(aUser({ id: 'ada' }));
    factors = secondFactors;
  });
  afterAll(() => stores.remove());

  it('returns what was stored', async () => {
    const full = aFactor({ confirmedAt: at(1), lastStep: 59_000_000, recoveryDigests: ['a', 'b'], wrongSince: at(2) });

    await expect(factors.find('ada')).resolves.toBeUndefined();
    await expect(factors.insert(full)).resolves.toBe(true);
    await expect(factors.find('ada')).resolves.toEqual(full);
  });

  it('stores one for each user', async () => {
    await factors.insert(aFactor());

    await expect(factors.insert(aFactor({ sealed: { keyId: 'k', text: 'another' } }))).resolves.toBe(false);
    await expect(factors.find('ada')).resolves.toEqual(aFactor());
  });

  it('replaces the revision that was read, once', async () => {
    await factors.insert(aFactor());
    const attempts = [factors.replace(aFactor({ lastStep: 1 })), factors.replace(aFactor({ lastStep: 2 }))];

    expect((await Promise.all(attempts)).toSorted()).toEqual([false, true]);
    await expect(factors.find('ada')).resolves.toMatchObject({ revision: 1 });
    await expect(factors.replace(aFactor({ userId: 'nobody' }))).resolves.toBe(false);
  });

  it('removes it, and returns whether there was one', async () => {
    await factors.insert(aFactor());

    await expect(factors.remove('ada')).resolves.toBe(true);
    await expect(factors.remove('ada')).resolves.toBe(false);
    await expect(factors.find('ada')).resolves.toBeUndefined();
  });

  it('replaces the encrypted secret, unless it has changed', async () => {
    await factors.insert(aFactor());
    const [row] = await factors.listSealed();
    if (row === undefined) throw new Error('Nothing is listed.');
    const sealed = { keyId: 'k2', text: 'sealed anew' };

    expect(row).toEqual({ id: 'ada', context: 'second factor ada', sealed: aFactor().sealed });
    await expect(factors.replaceSealed(row, sealed)).resolves.toBe(true);
    await expect(factors.replaceSealed(row, { keyId: 'k3', text: 'late' })).resolves.toBe(false);
    await expect(factors.find('ada')).resolves.toEqual(aFactor({ sealed, revision: 1 }));
  });

  it('does not lose a code that was used while the secret was encrypted again', async () => {
    await factors.insert(aFactor());
    const [row] = await factors.listSealed();
    if (row === undefined) throw new Error('Nothing is listed.');
    await factors.replaceSealed(row, { keyId: 'k2', text: 'sealed anew' });

    await expect(factors.replace(aFactor({ lastStep: 7 }))).resolves.toBe(false);
  });
});
