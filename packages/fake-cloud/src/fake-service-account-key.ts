import type { FakeServiceAccountKey } from './fake-cloud-types';
import { fakeRsaKey } from './fake-keys';
import { findAccount, type FakeWorld } from './fake-world';

/** The exported key of an account. All accounts have the same one, for the sake of time. */
export function serviceAccountKeyOf(world: FakeWorld, email: string): FakeServiceAccountKey {
  const account = findAccount(world, email);
  if (account === undefined) throw new RangeError(`The fake cloud has no account ${email}.`);
  const { id, privateKey } = fakeRsaKey('exported');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  world.secrets.keep('private key', pem);
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
