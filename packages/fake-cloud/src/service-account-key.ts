import type { FakeServiceAccountKey } from './fake-cloud';
import { fakeRsaKey } from './rsa-keys';
import { findAccount, type FakeWorld } from './world';

/** The exported key of an account. All accounts share one RSA key to save time. */
export function createServiceAccountKey(world: FakeWorld, email: string): FakeServiceAccountKey {
  const account = findAccount(world, email);
  if (account === undefined) throw new RangeError(`The fake cloud has no account ${email}.`);
  const { id, privateKey } = fakeRsaKey('exported');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  world.secrets.add('private key', pem);
  return {
    type: 'service_account',
    project_id: 'example-project',
    private_key_id: id,
    private_key: pem,
    client_email: account.email,
    client_id: account.uniqueId,
    auth_uri: `https://accounts.${world.universe}/o/oauth2/auth`,
    token_uri: `https://oauth2.${world.universe}/token`,
    universe_domain: world.universe,
  };
}
