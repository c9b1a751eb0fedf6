import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { action } from './testing/run-job';

const provider = 'projects/1/locations/global/workloadIdentityPools/ci-pool/providers/github';

describe('a dist folder without a file that the job needs', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
    cpSync(path.join(action, 'dist'), folder.file('dist'), { recursive: true });
  });
  afterEach(() => folder.remove());

  function runMain(inputs: Readonly<Record<string, string>>): string {
    const env = { GITHUB_WORKSPACE: folder.path, ...inputs };
    const { status, stdout } = spawnSync(process.execPath, [folder.file('dist/main.js')], { env, encoding: 'utf8' });
    expect(status).toBe(1);
    return stdout;
  }

  it('reports the failure itself without the explanations', () => {
    rmSync(folder.file('dist/failure.js'));

    expect(runMain({ INPUT_PROJECT_ID: 'no_project' })).toMatch(
      /^::error::.*project_id.*A file of the action could not be loaded: .*failure\.js/m,
    );
  });

  it('reports the failure itself without its likely cause', () => {
    rmSync(folder.file('dist/causes.js'));

    expect(runMain({ INPUT_WORKLOAD_IDENTITY_PROVIDER: provider })).toMatch(
      /^::error::.*id-token.*A file of the action could not be loaded: .*causes\.js/m,
    );
  });

  it('reports a post that cannot clean up all, and does not fail the job', () => {
    rmSync(folder.file('dist/undo.js'));
    const env = { STATE_weir_token_folder: JSON.stringify({ folder: folder.path }) };
    const options = { env, encoding: 'utf8' } as const;

    const { status, stdout } = spawnSync(process.execPath, [folder.file('dist/post.js')], options);

    expect(status).toBe(0);
    expect(stdout).toMatch(/^::warning::Only the credentials file was cleaned up: Cannot find .*undo\.js/m);
  });

  it('reports the missing file', () => {
    rmSync(folder.file('dist/check.js'));

    expect(runMain({ INPUT_WORKLOAD_IDENTITY_PROVIDER: provider, INPUT_CHECK: 'true' })).toMatch(
      /^::error::A file of the action could not be loaded: .*check\.js.*Likely cause: The dist folder/m,
    );
  });
});
