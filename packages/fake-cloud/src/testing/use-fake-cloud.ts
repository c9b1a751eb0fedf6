import { createManualClock, type ManualClock } from '@weir/test-kit';
import type { FakeCloud, FakeCloudOptions } from '../fake-cloud';
import { startFakeCloud } from '../start-fake-cloud';
import { createFakeCloudClient } from './fake-cloud-client';

export const cloudPlatformScope = 'https://www.googleapis.com/auth/cloud-platform';
export const middleAccount = 'middle@example-project.iam.gserviceaccount.com';
export const targetAccount = 'target@example-project.iam.gserviceaccount.com';
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

type Claims = Readonly<Record<string, unknown>>;

/** A fake cloud with a manual clock, stopped after each case. */
export function useFakeCloud() {
  let cloud: FakeCloud;
  let client: ReturnType<typeof createFakeCloudClient>;
  let clock: ManualClock;
  const seconds = () => Math.floor(clock.nowMs() / 1000);
  afterEach(() => cloud.stop());
  return {
    start: async (options: FakeCloudOptions = {}): Promise<void> => {
      clock = createManualClock('2026-11-21T12:00:00.789Z');
      cloud = await startFakeCloud({ now: clock.nowMs, ...options });
      client = createFakeCloudClient(cloud);
    },
    get cloud() {
      return cloud;
    },
    get client() {
      return client;
    },
    get clock() {
      return clock;
    },
    seconds,
    /** Claims of a self-signed token of the account. */
    keyClaims: (changes: Claims = {}) => ({
      iss: cloud.account.email,
      sub: cloud.account.email,
      aud: 'https://iamcredentials.googleapis.com/',
      iat: seconds(),
      exp: seconds() + 3599,
      ...changes,
    }),
    /** Claims of an assertion for domain-wide delegation. */
    delegationClaims: (changes: Claims = {}) => ({
      iss: cloud.account.email,
      sub: 'user@example.com',
      aud: 'https://oauth2.googleapis.com/token',
      scope: cloudPlatformScope,
      iat: seconds(),
      exp: seconds() + 3600,
      ...changes,
    }),
  };
}
