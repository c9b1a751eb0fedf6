import { writeFileSync } from 'node:fs';
import { startSecretStores, temporaryFolder, type SecretStores, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

let home: TemporaryFolder;
let stores: SecretStores;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  home = temporaryFolder();
  stores = await startSecretStores();
  stores.secrets.set('aws:eu-west-1/team/db', '{"user":"ada","password":"aws-hunter22"}');
  stores.secrets.set('gcp:shop/db', 'gcp-hunter22');
  stores.secrets.set('gcp:other/db@3', '{"password":"gcp-hunter23"}');
  stores.secrets.set('azure:db', 'azure-hunter22');
  writeFileSync(home.file('token'), `${stores.subjectToken}\n`);
  const federation = {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${stores.url}/sts/v1/token`,
    credential_source: { file: home.file('subject') },
  };
  writeFileSync(home.file('subject'), stores.subjectToken);
  writeFileSync(home.file('google.json'), JSON.stringify(federation));
  env = {
    WEIR_AWS_REGION: 'eu-west-1',
    WEIR_AWS_ACCESS_KEY_ID: stores.aws.accessKeyId,
    WEIR_AWS_SECRET_ACCESS_KEY: stores.aws.secretAccessKey,
    WEIR_AWS_SESSION_TOKEN: stores.aws.sessionToken,
    WEIR_AWS_SECRETS_URL: stores.url,
    WEIR_GCP_PROJECT: 'shop',
    WEIR_GCP_CREDENTIALS_FILE: home.file('google.json'),
    WEIR_GCP_SECRETS_URL: stores.url,
    WEIR_AZURE_VAULT: stores.url,
    WEIR_AZURE_TENANT_ID: stores.azure.tenantId,
    WEIR_AZURE_CLIENT_ID: stores.azure.clientId,
    WEIR_AZURE_TOKEN_FILE: home.file('token'),
    WEIR_AZURE_AUTHORITY: stores.url,
  };
  writeFileSync(
    home.file('clouds.yaml'),
    `secrets:
  - { name: A, provider: aws, key: team/db, options: { field: password } }
  - { name: G, provider: gcp, key: db }
  - { name: H, provider: gcp, key: db, options: { project: other, version: 3, field: password } }
  - { name: Z, provider: azure, key: db }
steps:
  - run: 'test "$A $G $H $Z" = "aws-hunter22 gcp-hunter22 gcp-hunter23 azure-hunter22" && echo "$A $G $H $Z" >&2 && false'
`,
  );
});
afterAll(async () => {
  await stores.close();
  await home.remove();
});

const start = (settings = env) => runWeir(['start', 'clouds.yaml'], { home, folder: home.path, env: settings });

it('gives a step secrets of three clouds, and masks them in its error', async () => {
  const { code, stdout } = await start();

  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('***** ***** ***** *****') as string,
  });
  expect(stdout).not.toContain('hunter');
});

it.each([
  ['WEIR_AWS_SECRET_ACCESS_KEY', 'AWS Secrets Manager does not allow it to this server'],
  ['WEIR_AZURE_CLIENT_ID', 'Microsoft Entra ID has refused this server (status 401)'],
])('fails before the first step when %s is wrong, and does not show it', async (name, problem) => {
  const { code, stdout, stderr } = await start({ ...env, [name]: 'wrong-credential' });

  expect({ code, text: `${stdout}${stderr}` }).toMatchObject({
    code: 1,
    text: expect.stringContaining(problem) as string,
  });
  expect(`${stdout}${stderr}`).not.toContain('wrong-credential');
});

it('fails when the token of the federation is refused', async () => {
  writeFileSync(home.file('subject'), 'wrong-credential');

  expect((await start()).stdout).toContain('this server gets no access token from Google');
});

it('fails without settings for the provider', async () => {
  expect((await start({})).stdout).toContain('this server has no settings for the provider aws');
});
