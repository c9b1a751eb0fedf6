import { AppError } from '@weir/foundation';
import { loginFailed } from './auth-errors';
import { createLoginThrottle, toNetwork, type LoginThrottle } from './login-throttle';

let throttle: LoginThrottle;

beforeEach(() => {
  throttle = createLoginThrottle();
});

const address = '203.0.113.1';
const refused = { code: 'rate_limited', reason: 'too_many_attempts' };
const succeed = () => Promise.resolve('in');
const attempt = (account: string, from = address, work: () => Promise<unknown> = succeed) =>
  throttle.guard(account, from, work);
const failure = () => Promise.reject(loginFailed());
const fail = async (times: number, account = 'ada', from = address, work = failure) => {
  for (let time = 0; time < times; time++) await attempt(account, from, work).catch(() => undefined);
};

/** Attempts that stay under way until `release` is called. */
function heldAttempts() {
  let release = (): void => undefined;
  const held = new Promise<string>((resolve) => {
    release = () => resolve('in');
  });
  let begun = 0;
  const work = () => {
    begun += 1;
    return held;
  };
  return { work, begun: () => begun, release: () => release() };
}

describe('createLoginThrottle', () => {
  it('passes on what the attempt returns', async () => {
    await expect(attempt('ada')).resolves.toBe('in');
  });

  it('passes on what the attempt throws', async () => {
    const error = loginFailed();
    await expect(attempt('ada', address, () => Promise.reject(error))).rejects.toBe(error);
  });

  it('lets the fifth attempt through and refuses the sixth, with the time until the next one', async () => {
    await fail(4);
    await expect(attempt('ada', address, failure)).rejects.toMatchObject({ reason: 'login_failed' });
    const error: unknown = await attempt('ada').catch((caught: unknown) => caught);

    expect(error).toMatchObject(refused);
    const seconds = Number((error as AppError).details?.retryAfterSeconds);
    expect(seconds).toBeGreaterThan(880);
    expect(seconds).toBeLessThanOrEqual(900);
  });

  it('does not postpone the end of the refusal by further attempts', async () => {
    await fail(5);
    const secondsLeft = async () => {
      const error: unknown = await attempt('ada').catch((caught: unknown) => caught);
      return Number((error as AppError).details?.retryAfterSeconds);
    };
    const first = await secondsLeft();
    await fail(20);

    expect(await secondsLeft()).toBeLessThanOrEqual(first);
  });

  it('resets the failures of an account after a success, but not those of the address', async () => {
    for (let round = 0; round < 7; round++) {
      await fail(4);
      await attempt('ada');
    }
    await fail(2);

    await expect(attempt('grace')).rejects.toMatchObject(refused);
  });

  it.each([
    ['another address', 'ada', '203.0.113.2'],
    ['another account', 'grace', address],
    ['the account in other letters', 'Ada', address],
  ])('does not refuse %s', async (_, account, from) => {
    await fail(5);
    await expect(attempt(account, from)).resolves.toBe('in');
  });

  it('does not count failures that say nothing about the caller', async () => {
    await fail(10, 'ada', address, () => Promise.reject(new AppError('internal', 'The database is away.')));
    await fail(10, 'ada', address, () => Promise.reject(new Error('A defect.')));

    await expect(attempt('ada')).resolves.toBe('in');
  });

  it('limits the pending attempts for one account from one address, and counts down again', async () => {
    const { work, begun, release } = heldAttempts();
    const all = Array.from({ length: 50 }, () => attempt('ada', address, work));
    release();
    const results = await Promise.allSettled(all);

    expect(begun()).toBe(20);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(30);
    await expect(attempt('ada')).resolves.toBe('in');
  });

  it('limits the pending attempts from one address, for any accounts, and counts down again', async () => {
    const { work, begun, release } = heldAttempts();
    const all = Array.from({ length: 200 }, (_, index) => attempt(`account-${index}`, address, work));
    release();
    const results = await Promise.allSettled(all);
    const refusals = results.filter((result) => result.status === 'rejected');

    expect(begun()).toBe(60);
    expect(refusals).toHaveLength(140);
    expect(refusals[0]?.reason).toMatchObject({ ...refused, details: { retryAfterSeconds: 1 } });
    await expect(attempt('grace')).resolves.toBe('in');
  });
});

describe('toNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001::5:6:7:8:9:a', '2001:0:5:6::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('counts %s as %s', (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});
