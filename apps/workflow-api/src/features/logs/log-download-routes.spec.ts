import { symlink, writeFile } from 'node:fs/promises';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const logFile = (name: string) => workflow.server.folder.file('logs', name);
const download = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${workflow.server.api.url}/api/v1/dag-runs/${address}`, {
    headers: { authorization: `Bearer ${workflow.asAdmin}`, ...headers },
  });

beforeEach(async () => {
  const { runs } = workflow.server.application;
  const step = aRunStep({ name: 'count / all?', stdoutFile: logFile('out'), stderrFile: logFile('err') });
  await runs.insert(aRun({ logFile: logFile('run') }), [step], { audit: unaudited, singleton: false });
  const below = { id: 'sub', dagName: 'child', dagRunId: 'sub', parentId: 'run-1', rootId: 'run-1', depth: 1 };
  await runs.insert(aRun({ ...below, parentNode: '0', logFile: logFile('sub') }), [step], {
    audit: unaudited,
    singleton: false,
  });
  await writeFile(logFile('run'), 'begun\nended\n');
  await writeFile(logFile('out'), 'out 1\n');
  await writeFile(logFile('err'), 'err 1\n');
  await writeFile(logFile('sub'), 'of the child\n');
});

const step = encodeURIComponent('count / all?');

describe.each([
  ['nightly/run-1/log/download', 'begun\nended\n', 'nightly-run-1-scheduler.log'],
  ['nightly/latest/log/download', 'begun\nended\n', 'nightly-run-1-scheduler.log'],
  [`nightly/run-1/steps/${step}/log/download`, 'out 1\n', 'nightly-run-1-count___all_-stdout.log'],
  [`nightly/run-1/steps/${step}/log/download?stream=stderr`, 'err 1\n', 'nightly-run-1-count___all_-stderr.log'],
  ['nightly/run-1/sub-dag-runs/sub/log/download', 'of the child\n', 'nightly-run-1-sub-sub-scheduler.log'],
  [
    `nightly/run-1/sub-dag-runs/sub/steps/${step}/log/download`,
    'out 1\n',
    'nightly-run-1-sub-sub-count___all_-stdout.log',
  ],
])('GET /dag-runs/%s', (address, content, name) => {
  it('returns 200 with the log as an attachment', async () => {
    const response = await download(address);

    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`.replaceAll('"', ''),
      'accept-ranges': 'bytes',
    });
    expect(await response.text()).toBe(content);
  });
});

describe('the download of a log', () => {
  it('returns 206 for a range of bytes', async () => {
    const response = await download('nightly/run-1/log/download', { range: 'bytes=-6' });

    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe('bytes 6-11/12');
    expect(await response.text()).toBe('ended\n');
  });

  it('is empty while nothing was written, and for a link', async () => {
    const { runs } = workflow.server.application;
    await symlink('/etc/passwd', logFile('link'));
    await runs.insert(aRun({ id: 'l', dagRunId: 'l', logFile: logFile('link') }), [], {
      audit: unaudited,
      singleton: false,
    });
    await runs.insert(aRun({ id: 'n', dagRunId: 'n', logFile: logFile('none') }), [], {
      audit: unaudited,
      singleton: false,
    });

    expect(await (await download('nightly/n/log/download')).text()).toBe('');
    expect(await (await download('nightly/l/log/download')).text()).toBe('');
  });

  it.each([
    ['another run', '/dag-runs/nightly/other/log/download', 'dag_run_not_found'],
    ['another step', '/dag-runs/nightly/run-1/steps/other/log/download', 'step_not_found'],
    ['another child run', '/dag-runs/nightly/run-1/sub-dag-runs/other/log/download', 'dag_run_not_found'],
  ] as const)('returns 404 for %s', async (_, address, reason) => {
    await expect(get(address)).resolves.toMatchObject({ status: 404, body: { reason } });
  });
});
