import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { expectSuccess } from './testing/job-assertions';
import { federated, postAfter, runInProcess, type Inputs } from './testing/run-in-process';
import { runJob } from './testing/run-job';

const middle = 'middle@example-project.iam.gserviceaccount.com';

describe('identities with names', () => {
  let fake: FakeCloud;
  let folder: TemporaryFolder;
  beforeEach(async () => {
    fake = await startFakeCloud();
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await fake.stop();
    await folder.remove();
  });

  const configuration = () => folder.file('configurations', 'config_deploy-eu');
  const run = (inputs: Inputs = {}, env: Readonly<Record<string, string>> = {}) =>
    runInProcess(fake, {
      inputs: federated(fake, { identity: 'deploy-eu', ...inputs }),
      env: { CLOUDSDK_CONFIG: folder.path, ...env },
    });

  it('have files, variables and configurations of their own', async () => {
    const end = await run({ quota_project_id: 'billing-project' });
    const file = path.join(end.workspace, 'gha-creds-deploy-eu-a5a5a5a5a5a5a5a5.json');

    expect(end.error).toBeUndefined();
    expect(end.outputs).toMatchObject({ credentials_file_path: file, gcloud_configuration: 'deploy-eu' });
    expect(end.env).toMatchObject({
      GOOGLE_APPLICATION_CREDENTIALS_DEPLOY_EU: file,
      GCP_PROJECT_DEPLOY_EU: 'example-project',
    });
    expect(Object.keys(end.env).filter((name) => !name.endsWith('_DEPLOY_EU'))).toEqual([]);
    expect(readFileSync(configuration(), 'utf8').split('\n').slice(1)).toEqual([
      '[auth]',
      `credential_file_override = ${file}`,
      '[core]',
      'project = example-project',
      '[billing]',
      'quota_project = billing-project',
      '',
    ]);
    expect(end.summary).toContain('GCP_PROJECT_DEPLOY_EU');
    expect(await postAfter(end)).toContain('The gcloud configuration was removed.\n');
    expect(existsSync(configuration())).toBe(false);
    expect(await postAfter(end)).toContain('The gcloud configuration was removed.\n');
  });

  it('work together in one job, and are all removed', async () => {
    const end = await runJob({
      with: (cloud) => [
        federated(cloud, { identity: 'deploy' }),
        federated(cloud, { identity: 'read', service_account: middle }),
      ],
    });
    const { GOOGLE_APPLICATION_CREDENTIALS_DEPLOY: first, GOOGLE_APPLICATION_CREDENTIALS_READ: second } =
      end.seen?.env ?? {};

    expectSuccess(end);
    expect(path.basename(first ?? '')).toMatch(/^gha-creds-deploy-/);
    expect(path.basename(second ?? '')).toMatch(/^gha-creds-read-/);
    expect(end.leftovers).toEqual([]);
  });

  it('keep a configuration of the user unchanged, with a warning', async () => {
    mkdirSync(folder.file('configurations'));
    writeFileSync(configuration(), '[core]\n');
    const end = await run();

    expect(end.outputs).not.toHaveProperty('gcloud_configuration');
    expect(end.lines).toContainEqual(
      expect.stringMatching(/^warning There already is a gcloud configuration deploy-eu/),
    );
    expect(await postAfter({ state: { weir_gcloud: JSON.stringify({ configuration: configuration() }) } })).toContain(
      'it was replaced',
    );
    expect(readFileSync(configuration(), 'utf8')).toBe('[core]\n');
  });

  it('report that a variable of an earlier step takes precedence', async () => {
    const { lines } = await run({}, { CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE: '/a' });

    expect(lines).toContainEqual(expect.stringMatching(/^notice CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE of an earlier/));
  });

  it.each([
    [{ CLOUDSDK_CONFIG: '', APPDATA: 'data' }, ['data', 'gcloud']],
    [{ CLOUDSDK_CONFIG: '', HOME: 'home' }, ['home', '.config', 'gcloud']],
  ])('find the folder of gcloud by %j', async (names, parts) => {
    const env = Object.fromEntries(Object.entries(names).map(([name, at]) => [name, at && folder.file(at)]));
    await run({}, env);

    expect(existsSync(folder.file(...parts, 'configurations', 'config_deploy-eu'))).toBe(true);
  });

  it('leave no credentials if the configuration cannot be written', async () => {
    mkdirSync(configuration(), { recursive: true });
    expect(await run()).toMatchObject({ error: { reason: 'gcloud_configuration_failed' }, files: [] });
    writeFileSync(folder.file('plain'), '');
    expect((await run({}, { CLOUDSDK_CONFIG: '', HOME: '' })).error?.message).toContain('nor HOME is set');
    const home = { CLOUDSDK_CONFIG: '', HOME: folder.file('plain') };
    expect((await run({}, home)).error?.reason).toBe('gcloud_configuration_failed');
  });

  it('create no configuration without a file', async () => {
    expect((await run({ create_credentials_file: 'false' })).outputs).not.toHaveProperty('gcloud_configuration');
    expect(await postAfter({ state: { weir_gcloud: '{}' } })).toContain('so nothing was cleaned up');
  });

  it('have names that gcloud and shells accept', async () => {
    expect((await run({ identity: 'Deploy!' })).error).toMatchObject({ reason: 'identity_invalid' });
  });
});
