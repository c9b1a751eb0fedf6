import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder } from '@weir/test-kit';
import { direct, federated, runInProcess, type Inputs } from './testing/run-in-process';
import { expectSuccess } from './testing/job-assertions';
import { runJob } from './testing/run-job';

describe('the options of files and variables', () => {
  let fake: FakeCloud;
  beforeEach(async () => {
    fake = await startFakeCloud();
  });
  afterEach(() => fake.stop());

  const run = (inputs: Inputs, prepare?: (workspace: string) => void) =>
    runInProcess(fake, { inputs: federated(fake, inputs), ...(prepare && { prepare }) });

  it('put the file into a folder of the workspace', async () => {
    const { outputs, workspace, lines } = await run({ credentials_file_directory: 'secret' }, (workspace) =>
      mkdirSync(path.join(workspace, 'secret')),
    );

    expect(path.dirname(String(outputs.credentials_file_path))).toBe(path.join(workspace, 'secret'));
    expect(lines).toContainEqual(expect.stringMatching(/^info Created the credentials file \S+ in secret\.$/));
    expect(lines.filter((line) => /^(warning|notice)/.test(line))).toEqual([]);
  });

  it('put the file outside the workspace, with a warning for container steps', async () => {
    const folder = temporaryFolder('weir-creds-');
    try {
      const { outputs, lines } = await run({ credentials_file_directory: folder.path });

      expect(readdirSync(folder.path)).toEqual([path.basename(String(outputs.credentials_file_path))]);
      expect(lines).toContainEqual(expect.stringMatching(/^warning .* container steps .* cannot read it/));
    } finally {
      await folder.remove();
    }
  });

  it('fail before any request if the folder does not exist', async () => {
    expect(await run({ credentials_file_directory: 'none' })).toMatchObject({ error: { reason: 'workspace_missing' } });
    expect(
      (
        await runInProcess(fake, {
          inputs: federated(fake, { credentials_file_directory: 'a' }),
          env: { GITHUB_WORKSPACE: undefined },
        })
      ).error?.reason,
    ).toBe('workspace_unset');
    expect(fake.requests).toEqual([]);
  });

  it('set the quota project in the file and in variables', async () => {
    const { env, files } = await run({ quota_project_id: 'billing-project' });

    expect(JSON.parse(files[0]?.text ?? '')).toMatchObject({ quota_project_id: 'billing-project' });
    expect(env).toMatchObject({
      GOOGLE_CLOUD_QUOTA_PROJECT: 'billing-project',
      CLOUDSDK_BILLING_QUOTA_PROJECT: 'billing-project',
    });
  });

  it('set the chosen variables only', async () => {
    const { env } = await run({ exported_variables: 'GCP_PROJECT\nGOOGLE_CLOUD_QUOTA_PROJECT' });

    expect(env).toEqual({ GCP_PROJECT: 'example-project' });
  });

  it('remove the files of jobs that were killed', async () => {
    const folder = temporaryFolder('weir-event-');
    writeFileSync(folder.file('event.json'), '{}');
    try {
      const { files, lines } = await runInProcess(fake, {
        inputs: federated(fake),
        env: { GITHUB_EVENT_PATH: folder.file('event.json') },
        prepare: (workspace) => {
          const stale = path.join(workspace, 'gha-creds-0123456789abcdef.json');
          writeFileSync(stale, '{"type":"external_account"}');
          utimesSync(stale, 1, 1);
        },
      });

      expect(files.map(({ name }) => name)).toEqual(['gha-creds-a5a5a5a5a5a5a5a5.json']);
      expect(lines).toContainEqual(expect.stringMatching(/^notice Removed gha-creds-0123456789abcdef\.json/));
    } finally {
      await folder.remove();
    }
  });

  it('restore the variables at the end of the job', async () => {
    const end = await runJob({
      with: (cloud) => direct(cloud, { project_id: 'new-project', restore_environment_variables: 'true' }),
      runner: { env: { GCP_PROJECT: 'old-project' } },
    });

    expectSuccess(end);
    expect(end.seen?.env.GCP_PROJECT).toBe('new-project');
    expect(end.env).toMatchObject({ GCP_PROJECT: 'old-project', GOOGLE_APPLICATION_CREDENTIALS: '' });
  });

  it('remove no file that was not created', async () => {
    const setOutput = (): never => {
      throw new Error('ENOSPC');
    };
    const inputs = federated(fake, { create_credentials_file: 'false' });

    await expect(runInProcess(fake, { inputs, runtime: { setOutput } })).rejects.toThrow('ENOSPC');
  });

  it('restore nothing if no variable is set', async () => {
    const { state } = await run({ restore_environment_variables: 'true', export_environment_variables: 'false' });

    expect(Object.keys(state)).toEqual(['weir_clean_up']);
  });
});
