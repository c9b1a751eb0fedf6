import { generateKeyPairSync } from 'node:crypto';
import { federation, readInputs } from './read-inputs';
import type { ServiceAccountKey, Settings } from '../inputs/settings';

export const ciProvider = {
  name: 'projects/1234/locations/global/workloadIdentityPools/pool/providers/ci',
  projectNumber: '1234',
  pool: 'pool',
  provider: 'ci',
} as const;

export const anAccount = 'me@proj.iam.gserviceaccount.com';

export const federationIdentity = {
  mode: 'federation',
  provider: ciProvider,
  serviceAccount: anAccount,
  audience: 'https://a?b',
} as const;

export const directIdentity = { ...federationIdentity, serviceAccount: undefined } as const;

export const someKey: ServiceAccountKey = {
  clientEmail: 'key@proj.iam.gserviceaccount.com',
  privateKeyId: 'id',
  privateKey: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
  projectId: 'proj',
  universeDomain: undefined,
  json: { private_key: 'pem' },
};

export const keyIdentity = (serviceAccount: string) => ({ mode: 'key', key: someKey, serviceAccount }) as const;

/** Federation with an account and the defaults of action.yml, except for distinct endpoints. */
export function someSettings(changes: Partial<Settings> = {}): Settings {
  return {
    ...readInputs({ ...federation, project_id: 'proj' }),
    identity: federationIdentity,
    endpoints: { sts: 'https://sts.test', iamCredentials: 'https://iam.test', oauth2: 'https://oauth2.test' },
    ...changes,
  };
}
