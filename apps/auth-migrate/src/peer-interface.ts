import { peerMajors, type PeerMajor } from './peer';

/** The counterpart of an input or output of a peer: the same, one with another name, none that is needed, or none. */
export type Here = { readonly is: 'same' } | { readonly is: 'renamed'; readonly to: string } | Unneeded | Manual;

interface Manual {
  readonly is: 'manual';
  readonly why: string;
}

interface Unneeded {
  readonly is: 'unneeded';
  readonly why: string;
}

export interface PeerField {
  readonly name: string;
  readonly majors: readonly PeerMajor[];
  readonly here: Here;
}

const same: Here = { is: 'same' };
const retried: Here = {
  is: 'unneeded',
  why: 'requests are retried by default, within the input `timeout`',
};

const field = (name: string, majors: readonly PeerMajor[] = peerMajors, here: Here = same): PeerField => ({
  name,
  majors,
  here,
});

export const peerInputs: readonly PeerField[] = [
  field('project_id'),
  field('workload_identity_provider'),
  field('service_account'),
  field('audience'),
  field('credentials_json'),
  field('create_credentials_file'),
  field('export_environment_variables'),
  field('token_format'),
  field('delegates'),
  field('cleanup_credentials'),
  field('access_token_lifetime'),
  field('access_token_scopes'),
  field('access_token_subject'),
  field('id_token_audience'),
  field('id_token_include_email'),
  field('universe', [2, 3]),
  field('request_reason', [2, 3]),
  field('retries', [0, 1, 2], retried),
  field('backoff', [0, 1, 2], retried),
  field('backoff_limit', [0, 1, 2], retried),
  field('lifetime', [0], { is: 'renamed', to: 'access_token_lifetime' }),
  field('activate_credentials_file', [0], {
    is: 'unneeded',
    why: 'a credentials file is always set in the environment variables, unless `export_environment_variables` is false',
  }),
];

export const peerOutputs: readonly PeerField[] = [
  field('project_id'),
  field('credentials_file_path'),
  field('auth_token', [2, 3]),
  field('access_token'),
  field('access_token_expiration', [0, 1]),
  field('id_token'),
  field('expiration', [0], { is: 'renamed', to: 'access_token_expiration' }),
];

/** Inputs that the peer reads as true or false. */
export const peerBooleans: readonly string[] = [
  'create_credentials_file',
  'export_environment_variables',
  'cleanup_credentials',
  'id_token_include_email',
];

/** Variables that redirect requests of the peer from version 2 on, and the inputs for that. */
export const endpointVariables: ReadonlyMap<string, string | undefined> = new Map([
  ['GHA_ENDPOINT_OVERRIDE_sts', 'sts_endpoint'],
  ['GHA_ENDPOINT_OVERRIDE_iamcredentials', 'iam_credentials_endpoint'],
  ['GHA_ENDPOINT_OVERRIDE_oauth2', 'oauth2_endpoint'],
  ['GHA_ENDPOINT_OVERRIDE_iam', undefined],
  ['GHA_ENDPOINT_OVERRIDE_www', undefined],
]);
