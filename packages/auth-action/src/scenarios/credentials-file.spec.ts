import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectSuccess, listCredentialsFiles } from './testing/job-assertions';
import { byKey, direct, federated } from './testing/run-in-process';
import { checkOut, describeEachNode } from './testing/run-job';

describeEachNode((runJob) => {
  describe('the credentials file', () => {
    it('is readable by its owner only, excluded from Git, and removed at the end', async () => {
      const job: { mode?: number; exclude?: string; name?: string } = {};
      const end = await runJob({
        with: (fake) => federated(fake),
        steps: [
          {
            inspect: ({ env, workspace }) => {
              const file = env.GOOGLE_APPLICATION_CREDENTIALS ?? '';
              job.mode = lstatSync(file).mode & 0o777;
              job.name = path.basename(file);
              job.exclude = readFileSync(path.join(workspace, '.git', 'info', 'exclude'), 'utf8');
            },
          },
        ],
      });

      expectSuccess(end);
      expect(job.mode).toBe(0o600);
      expect(job.exclude).toBe(`# kept\n/${job.name}\n`);
      expect(end.leftovers).toEqual([]);
    });

    it('has the requested permissions', async () => {
      let mode = 0;
      await runJob({
        with: (fake) => federated(fake, { credentials_file_mode: '0644' }),
        steps: [
          { inspect: ({ env }) => void (mode = lstatSync(env.GOOGLE_APPLICATION_CREDENTIALS ?? '').mode & 0o777) },
        ],
      });

      expect(mode).toBe(0o644);
    });

    it('is removed without exported variables (D4)', async () => {
      const end = await runJob({ with: (fake) => federated(fake, { export_environment_variables: 'false' }) });

      expectSuccess(end);
      expect(end.env).toEqual({});
    });

    it('is removed by the step that created it, in a job with several (D3)', async () => {
      const end = await runJob({ with: (fake) => [federated(fake), byKey(fake), direct(fake)] });
      const files = end.steps.map(({ outputs }) => outputs.credentials_file_path);

      expectSuccess(end);
      expect(new Set(files).size).toBe(3);
      expect(end.posts.map(({ index, log }) => [index, log.includes('was removed')])).toEqual([
        [2, true],
        [1, true],
        [0, true],
      ]);
    });

    it('is the only file that post removes, whatever the variables contain (D5)', async () => {
      const end = await runJob({
        with: (fake) => federated(fake),
        steps: [
          {
            program: process.execPath,
            args: [
              '-e',
              `const fs = require('node:fs');
             fs.mkdirSync('precious'); fs.writeFileSync('precious/work.txt', 'x');
             fs.appendFileSync(process.env.GITHUB_ENV, 'GOOGLE_GHA_CREDS_PATH=' + process.cwd() + '/precious\\n');`,
            ],
          },
        ],
      });

      expectSuccess(end);
      expect(end.leftovers.map(({ path: file }) => path.basename(file))).toEqual(['work.txt']);
    });

    it('is retained with a warning if it was replaced', async () => {
      const end = await runJob({
        with: (fake) => federated(fake),
        steps: [
          {
            inspect: ({ env }) => {
              const file = env.GOOGLE_APPLICATION_CREDENTIALS ?? '';
              // While the first one is there, so that it cannot get its inode.
              writeFileSync(`${file}.new`, 'of somebody else');
              renameSync(`${file}.new`, file);
            },
          },
        ],
      });

      expect(end.outcome).toBe('success');
      expect(listCredentialsFiles(end)).toHaveLength(1);
      expect(end.warnings).toEqual([expect.stringContaining('was not removed')]);
    });

    it('causes a warning if an ignore file does not exclude it', async () => {
      const end = await runJob({
        with: (fake) => federated(fake),
        prepare: (workspace) => {
          checkOut(workspace);
          writeFileSync(path.join(workspace, '.dockerignore'), 'node_modules\n');
        },
      });

      expectSuccess(end);
      expect(end.warnings).toEqual([expect.stringContaining('gha-creds-*.json')]);
    });
  });
});
