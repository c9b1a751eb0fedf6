import type { FakeSecretKind } from '@weir/fake-cloud';

/** The outputs of a step of the peer, whose tokens the fake cloud knows. */
export interface PeerOutputs {
  readonly project: string | undefined;
  readonly hasFile: boolean;
  /** The kind of each token output, and whose it is. */
  readonly tokens: Readonly<Record<string, { readonly kind: FakeSecretKind; readonly principal: string }>>;
}

export interface PeerStep {
  /** The inputs as a workflow has them; `KEY` stands for the secret with a key. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: PeerOutputs;
}

/** A job of the peer's documentation or of its own CI, identified by what its steps ask for. */
export interface PeerJob {
  readonly name: string;
  readonly steps: readonly PeerStep[];
  /** Inputs that the newest version of the peer does not have either. */
  readonly unknown?: readonly string[];
}

export const peerProject = 'my-project';
export const peerProvider = 'projects/123456789/locations/global/workloadIdentityPools/my-pool/providers/my-provider';
export const peerAccount = `my-service-account@${peerProject}.iam.gserviceaccount.com`;
export const peerSubject = 'principal://iam.googleapis.com/';
export const peerUser = 'user@example.com';

const provider = { workload_identity_provider: peerProvider };
const account = { ...provider, service_account: peerAccount };
const key = { credentials_json: 'KEY' };
const accessToken = { token_format: 'access_token' };
const secretManager = 'https://secretmanager.googleapis.com/';
const idToken = { token_format: 'id_token', id_token_audience: secretManager, id_token_include_email: 'true' };

const federated: PeerOutputs['tokens'] = { auth_token: { kind: 'federated token', principal: peerSubject } };
const selfSigned: PeerOutputs['tokens'] = {};
const forAccount = (kind: FakeSecretKind) => ({ kind, principal: peerAccount });

const step = (inputs: PeerStep['inputs'], outputs: Partial<PeerOutputs> = {}): PeerStep => ({
  inputs,
  outputs: { project: peerProject, hasFile: true, tokens: federated, ...outputs },
});

const withAccessToken = { tokens: { ...federated, access_token: forAccount('access token') } };
const withIdToken = { tokens: { ...federated, id_token: forAccount('id token') } };
const byKey = { tokens: selfSigned };

export const peerJobs: readonly PeerJob[] = [
  { name: 'its example of direct federation', steps: [step({ ...provider, project_id: peerProject })] },
  {
    name: 'its example of a service account',
    steps: [step({ ...account, project_id: peerProject }), step({ ...account, ...accessToken }, withAccessToken)],
  },
  { name: 'its example of a key', steps: [step(key, byKey)] },
  {
    name: 'its example of an access token of five minutes',
    steps: [step({ ...account, ...accessToken, access_token_lifetime: '300s' }, withAccessToken)],
  },
  {
    name: 'its example of an ID token for a service',
    steps: [step({ ...account, ...idToken, id_token_audience: 'https://my-app-a1b2c3.a.run.app' }, withIdToken)],
  },
  { name: 'its example of default credentials for Python', steps: [step(account)] },
  {
    name: 'the direct federation of its CI',
    steps: [step({ ...provider, project_id: peerProject })],
  },
  {
    name: 'the service account of its CI: three steps in one job',
    steps: [
      step(account),
      step({ ...account, ...accessToken }, withAccessToken),
      step({ ...account, ...idToken }, withIdToken),
    ],
  },
  {
    name: 'the key of its CI: three steps in one job',
    steps: [
      step(key, byKey),
      step({ ...key, ...accessToken }, { tokens: { ...selfSigned, access_token: forAccount('access token') } }),
      step({ ...key, ...idToken }, { tokens: { ...selfSigned, id_token: forAccount('id token') } }),
    ],
  },
  { name: 'a key and the account of that key', steps: [step({ ...key, service_account: peerAccount }, byKey)] },
  {
    name: 'direct federation without a project',
    steps: [step(provider, { project: undefined })],
  },
  {
    name: 'a token for a registry, without a file',
    steps: [
      step({ ...account, ...accessToken, create_credentials_file: 'false' }, { ...withAccessToken, hasFile: false }),
    ],
  },
  {
    name: 'a user of the domain',
    steps: [
      step(
        {
          ...account,
          ...accessToken,
          access_token_subject: peerUser,
          access_token_scopes: 'https://www.googleapis.com/auth/gmail.readonly',
        },
        { tokens: { ...federated, access_token: { kind: 'access token', principal: peerUser } } },
      ),
    ],
  },
  {
    name: 'an example of version 1, with retries',
    steps: [
      step(
        {
          ...account,
          ...accessToken,
          retries: '3',
          backoff: '250',
          backoff_limit: '1000',
          access_token_scopes:
            'https://www.googleapis.com/auth/compute, https://www.googleapis.com/auth/cloud-platform',
        },
        withAccessToken,
      ),
    ],
    unknown: ['retries', 'backoff', 'backoff_limit'],
  },
];
