import { readdirSync } from 'node:fs';
import path from 'node:path';
import {
  freePort,
  readShellBlocks,
  runPage,
  startPostgres,
  type TestDatabase,
  type TestPostgres,
} from '@weir/test-kit';
import { program } from '../support/weir-server';

const docs = path.resolve(__dirname, '../../../../docs');

/** Each page with what its commands print. */
const pages: readonly (readonly [string, readonly string[]])[] = [
  ['guide/first-workflow.md', ['ok: 1 file', 'Orders of today: 8', 'count: succeeded', '"succeeded"']],
  ['guide/scheduled-report.md', ['ok: 1 file', 'report tonight: waiting', 'publish: succeeded', 'the report is out']],
  ['how-to/back-up-and-restore.md', ['weir-backup.tar.gz', 'restored from', 'hello']],
  ['how-to/connect-a-chat-client.md', ['"name":"explain_run"', 'dagRunId', 'prod: http', 'orders']],
  [
    'how-to/keep-dags-in-git.md',
    ['The repository was reached.', '1 pulled.', '"status":"modified"', 'admin: Say good evening', 'The server pulls.'],
  ],
  ['how-to/be-told-when-a-run-fails.md', ['"type":"subscription.test"', 'it answered 404']],
  ['how-to/call-another-dag.md', ['2 orders, succeeded', '[{"orders":"2"},{"orders":"2"},{"orders":"4"}]', 'queued']],
  ['how-to/limit-concurrent-runs.md', ['build-report tuesday: succeeded', 'build-report urgent: succeeded']],
  ['how-to/move-from-airflow.md', ['ok: 1 file', 'orders first: succeeded', '8']],
  ['how-to/move-from-cron.md', ['ok: 2 files', 'date', 'echo']],
  ['how-to/move-from-dagu.md', ['ok: 1 file', 'load: succeeded', '+    run:']],
  [
    'how-to/move-from-github-actions.md',
    ['ok: 1 file', ' to production', '["orders of eu: 8","orders of us: 8"]', 'nightly-report'],
  ],
  ['how-to/pass-data-between-steps.md', ['release-1.4.2', 'deploying shop:1.4.2', 'report: succeeded']],
  ['how-to/put-behind-a-reverse-proxy.md', ['"status":"healthy"']],
  ['how-to/read-long-logs.md', ['30001:ERROR row 30001 has no price', '"nextLine":30003', '"isMatch":true', '50000']],
  [
    'how-to/repeat-and-loop.md',
    ['["rows of eu","rows of us","rows of asia"]', '"total":2,"succeeded":2', 'tick\ntick\ntick', 'check: succeeded'],
  ],
  [
    'how-to/run-a-coding-agent.md',
    ['review: succeeded', 'stand-in says asked: Review the last commit., with --model small', 'one: waiting'],
  ],
  ['how-to/run-on-kubernetes.md', ['ok: 1 file']],
  ['how-to/survive-failures.md', ['1 charge', 'partially_succeeded', 'notify has failed', 'load nightly: succeeded']],
  ['how-to/upgrade.md', ['before-upgrade.tar.gz', 'restored from', 'hello']],
  ['how-to/use-postgresql.md', ['"status":"healthy"', 'hello', 'spread one: succeeded']],
  ['how-to/use-secrets.md', ['token *****, password *****', '12 characters', 'current key {"values":2}']],
  [
    'how-to/wait-for-a-person.md',
    ['Deploy to production?', 'v1: waiting', 'rejected: not today', 'name-it v1: waiting'],
  ],
];

/** Executed by pages-that-run of the proxy's specs. */
const pagesOfTheProxy = [
  'guide/first-episode.md',
  'how-to/connect-an-agent.md',
  'how-to/debug-token-mismatches.md',
  'how-to/look-at-trajectories.md',
];

/** Executed by guides-of-services. */
const pagesOfServices = ['how-to/run-steps-in-containers.md'];

let postgres: TestPostgres;
let databases: readonly TestDatabase[];

beforeAll(async () => {
  postgres = await startPostgres();
  databases = [await postgres.createDatabase(), await postgres.createDatabase()];
}, 60_000);
afterAll(() => postgres.stop());

describe('the commands of a page have the documented effect', () => {
  it.each(pages)('%s', async (name, printed) => {
    const page = path.join(docs, name);
    const port = String(await freePort());
    const { code, stdout, stderr } = await runPage({
      page,
      programs: { weir: program },
      env: { WEIR_PORT: port },
      replace: {
        '127.0.0.1:8080': `127.0.0.1:${port}`,
        'postgres://weir:password@db.internal/weir': databases[0]?.url ?? '',
        'postgres://weir:password@db.internal/moved': databases[1]?.url ?? '',
      },
    });

    expect(readShellBlocks(page)).toContain('weir ');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(printed.filter((text) => !stdout.includes(text))).toEqual([]);
  });
});

it('every tutorial and guide with shell blocks is executed', () => {
  const withCommands = ['guide', 'how-to']
    .flatMap((folder) => readdirSync(path.join(docs, folder)).map((file) => `${folder}/${file}`))
    .filter((page) => readShellBlocks(path.join(docs, page)) !== '');

  expect(withCommands).toEqual([...pages.map(([page]) => page), ...pagesOfTheProxy, ...pagesOfServices].sort());
});
