import { findNode } from '@weir/actions-runner';
import { byKey, direct, federated, type Inputs } from './testing/run-in-process';
import type { Job } from './testing/run-job';
import { formatTranscript } from './testing/transcript';

const access = { token_format: 'access_token' };
const id = { token_format: 'id_token', id_token_audience: 'https://app.example' };
const user = { ...access, access_token_subject: 'user@example.com' };
const middle = 'middle@example-project.iam.gserviceaccount.com';
const target = 'target@example-project.iam.gserviceaccount.com';

const flows: readonly (readonly [string, Omit<Job, 'runner'>])[] = [
  ['federation', { with: (fake) => federated(fake) }],
  ['an access token', { with: (fake) => federated(fake, { ...access, request_reason: 'ticket 42' }) }],
  ['an access token that is revoked', { with: (fake) => federated(fake, { ...access, revoke_access_token: 'true' }) }],
  ['an ID token', { with: (fake) => federated(fake, { ...id, id_token_include_email: 'true' }) }],
  ['a user, by federation', { with: (fake) => federated(fake, user) }],
  [
    'a chain of delegates',
    { with: (fake) => federated(fake, { ...access, service_account: target, delegates: middle }) },
  ],
  [
    'a user, by a chain of delegates',
    { with: (fake) => federated(fake, { ...user, service_account: target, delegates: middle }) },
  ],
  ['direct federation', { with: (fake) => direct(fake, { project_id: 'example-project' }) }],
  ['an access token of direct federation', { with: (fake) => direct(fake, access) }],
  ['a key', { with: (fake) => byKey(fake) }],
  ['an access token, by key', { with: (fake) => byKey(fake, access) }],
  ['an ID token, by key', { with: (fake) => byKey(fake, id) }],
  ['a user, by key', { with: (fake) => byKey(fake, user) }],
  ['a user, by key and another account', { with: (fake) => byKey(fake, { ...user, service_account: middle }) }],
  [
    'another universe',
    { with: (fake) => federated(fake, { ...access, universe: 'cloud.example' }), cloud: { universe: 'cloud.example' } },
  ],
  ['nothing but an output', { with: (fake) => federated(fake, { ...access, ...quiet }) }],
  ['a job without the permission', { with: (fake) => federated(fake), permission: false }],
  ['a provider that refuses', { with: (fake) => federated(fake), cloud: { attributeCondition: () => false } }],
  [
    'an account that is not there',
    {
      with: (fake) => federated(fake, { ...access, service_account: 'nobody@example-project.iam.gserviceaccount.com' }),
    },
  ],
  ['inputs that are wrong', { with: (fake) => federated(fake, { ...id, id_token_audience: '', timeout: '1d' }) }],
];

const quiet: Inputs = {
  create_credentials_file: 'false',
  export_environment_variables: 'false',
  step_summary: 'false',
};

/** The Node other than the one that runs the specs. */
const other = [20, 24].map(findNode).find((node) => node !== undefined && node !== process.execPath);

describe('the transcript of', () => {
  it.each(flows)('%s is what was reviewed', async (_, job) => {
    const transcript = await formatTranscript(job);

    expect(transcript).toMatchSnapshot();
    if (other === undefined) return;
    expect(await formatTranscript({ ...job, runner: { node: other } })).toBe(transcript);
  });
});
