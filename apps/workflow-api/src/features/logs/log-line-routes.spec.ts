import { writeFile } from 'node:fs/promises';
import type { LogSearchResponse } from '@weir/workflow-contract/schemas';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const logFile = (name: string) => workflow.server.folder.file('logs', name);

beforeEach(async () => {
  const { runs } = workflow.server.application;
  const step = aRunStep({
    name: 'count',
    status: 'succeeded',
    stdoutFile: logFile('a.out'),
    stderrFile: logFile('a.err'),
  });
  const merged = aRunStep({ position: 1, name: 'merged', stdoutFile: logFile('b.log'), stderrFile: logFile('b.log') });
  await runs.insert(aRun({ logFile: logFile('run') }), [step, merged], { audit: unaudited, singleton: false });
  const below = { id: 'sub', dagName: 'child', dagRunId: 'sub', parentId: 'run-1', rootId: 'run-1', depth: 1 };
  await runs.insert(aRun({ ...below, parentNode: '0', logFile: logFile('sub') }), [step], {
    audit: unaudited,
    singleton: false,
  });
  await writeFile(logFile('run'), '2026-11-22T09:00:00.000Z begun\nended\n');
  await writeFile(logFile('sub'), 'of the child\n');
  await writeFile(logFile('a.out'), 'out 1\nout 2\n');
  await writeFile(logFile('a.err'), 'err 1\n');
  await writeFile(logFile('a.times'), new Uint8Array(Float64Array.of(Date.UTC(2026, 10, 22, 9), 6, 6).buffer));
  await writeFile(logFile('b.log'), 'merged\n');
});

const time = '2026-11-22T09:00:00.000Z';
const out1 = { number: 1, byte: 0, text: 'out 1', isCut: false, time };

describe('GET …/log/lines', () => {
  it('returns 200 with the lines of each log', async () => {
    const run = '/dag-runs/nightly/run-1' as const;
    const childStep = `${run}/sub-dag-runs/sub/steps/count/log/lines` as const;

    expect((await get(`${run}/log/lines`)).body).toEqual({
      lines: [
        { number: 1, byte: 0, text: '2026-11-22T09:00:00.000Z begun', isCut: false, time },
        { number: 2, byte: 31, text: 'ended', isCut: false },
      ],
      nextLine: 3,
      nextByte: 37,
      totalLines: 2,
      isEstimate: false,
      totalBytes: 37,
      attempts: 1,
    });
    expect((await get(`${run}/steps/count/log/lines?limit=1`)).body).toMatchObject({ lines: [out1], totalLines: 2 });
    expect((await get(`${run}/sub-dag-runs/sub/log/lines`)).body).toMatchObject({ lines: [{ text: 'of the child' }] });
    expect((await get(childStep)).body).toMatchObject({ lines: [out1, { text: 'out 2' }] });
    expect((await get(`${run}/steps/merged/log/lines?stream=both`)).body).toMatchObject({
      lines: [{ text: 'merged' }],
    });
  });

  it('returns 200 with both streams as one log', async () => {
    const { status, body } = await get('/dag-runs/nightly/run-1/steps/count/log/lines?stream=both');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      lines: [
        { ...out1, stream: 'stdout' },
        { number: 2, byte: 6, text: 'err 1', stream: 'stderr', time },
        { number: 3, byte: 12, text: 'out 2', stream: 'stdout' },
      ],
      totalLines: 3,
    });
  });

  describe('of a step with several attempts', () => {
    const log = '/dag-runs/nightly/run-1/steps/count/log' as const;
    // Three attempts, of which the first printed to both streams and the second printed nothing.
    beforeEach(() => {
      const [first, second, third] = [1, 2, 3].map((second) => Date.UTC(2026, 10, 22, 9, 0, second));
      const moments = [first, 6, 6, -Number(second), 6, 6, -Number(third), 6, 6, third, 12, 6];
      return writeFile(logFile('a.times'), new Uint8Array(Float64Array.of(...moments.map(Number)).buffer));
    });

    it.each([
      ['one stream', 'stdout', ['out 1', 'out 2'], [1, 3]],
      ['both streams', 'both', ['out 1', 'err 1', 'out 2'], [1, 1, 3]],
    ])('returns 200 with the attempt of each line of %s', async (_name, stream, texts, attempts) => {
      const { body } = await get(`${log}/lines?stream=${stream}`);

      expect(body).toMatchObject({
        lines: texts.map((text, index) => ({ text, attempt: attempts[index] })),
        attempts: 3,
      });
    });

    it('returns 200 with one attempt as a log of its own', async () => {
      const read = async (query: string) => (await get(`${log}/lines?${query}`)).body;

      expect(await read('attempt=3&stream=both')).toMatchObject({
        lines: [{ number: 1, byte: 0, text: 'out 2', attempt: 3, time: '2026-11-22T09:00:03.000Z' }],
        totalLines: 1,
        totalBytes: 6,
        attempts: 3,
      });
      expect(await read('attempt=1')).toMatchObject({ lines: [{ text: 'out 1' }], totalLines: 1 });
      for (const empty of ['attempt=2', 'attempt=4'])
        expect(await read(empty)).toMatchObject({ lines: [], totalBytes: 0, attempts: 3 });
    });

    it('returns 200 with one attempt as text, and as a file', async () => {
      const download = async (query: string) => {
        const headers = { authorization: `Bearer ${workflow.asAdmin}` };
        const response = await fetch(`${workflow.server.api.url}/api/v1${log}/download?${query}`, { headers });
        return [await response.text(), response.headers.get('content-disposition')];
      };

      await expect(get(`${log}?attempt=3`)).resolves.toMatchObject({ body: { content: 'out 2', totalLines: 1 } });
      await expect(get(`${log}?attempt=1&stream=stderr&tail=5`)).resolves.toMatchObject({ body: { content: 'err 1' } });
      await expect(get(`${log}?attempt=4`)).resolves.toMatchObject({ status: 200, body: { content: '' } });
      await expect(get(log)).resolves.toMatchObject({ body: { content: 'out 1\nout 2' } });
      expect(await download('attempt=3')).toEqual([
        'out 2\n',
        'attachment; filename=nightly-run-1-count-stdout-attempt-3.log',
      ]);
      expect(await download('attempt=2')).toEqual(['', expect.any(String)]);
    });

    it('returns 200 with what one attempt has of a search', async () => {
      const { body } = await get(`${log}/search?query=out&stream=both&attempt=3`);

      expect(body).toMatchObject({ groups: [[{ number: 1, text: 'out 2' }]], matchingLines: 1 });
    });
  });

  it.each(['tail=0', 'line=0', 'byte=-1', 'limit=10001', 'stream=all', 'attempt=0'])(
    'returns 400 for %s',
    async (query) => {
      const path = `/dag-runs/nightly/run-1/steps/count/log/lines?${query}` as const;

      await expect(get(path)).resolves.toMatchObject(badRequest('request_invalid'));
    },
  );

  it.each([
    ['another run', 'other/log', 'dag_run_not_found'],
    ['another step', 'run-1/steps/other/log', 'step_not_found'],
    ['another child run', 'run-1/sub-dag-runs/other/log', 'dag_run_not_found'],
  ] as const)('returns 404 for %s', async (_, path, reason) => {
    await expect(get(`/dag-runs/nightly/${path}/lines`)).resolves.toMatchObject({ status: 404, body: { reason } });
  });
});

describe('GET …/log/search', () => {
  it('returns 200 with the matches in each log', async () => {
    const run = '/dag-runs/nightly/run-1' as const;
    const step = `${run}/steps/count/log/search` as const;

    expect((await get(`${run}/log/search?query=END&ignoreCase=true&context=1`)).body).toEqual({
      groups: [
        [
          { number: 1, byte: 0, text: `${time} begun`, isCut: false, time, isMatch: false, spans: [] },
          { number: 2, byte: 31, text: 'ended', isCut: false, isMatch: true, spans: [{ start: 0, end: 3 }] },
        ],
      ],
      matchingLines: 1,
      isComplete: true,
      searchedBytes: 37,
      totalBytes: 37,
    });
    expect((await get(`${step}?query=[eo].*1&regex=true&stream=both`)).body).toMatchObject({
      groups: [
        [
          { text: 'out 1', stream: 'stdout' },
          { text: 'err 1', stream: 'stderr' },
        ],
      ],
    });
    const page = (await get(`${step}?query=out&limit=1`)).body as LogSearchResponse;
    expect(page).toMatchObject({ groups: [[{ text: 'out 1' }]], matchingLines: 2 });
    expect((await get(`${step}?query=out&limit=1&cursor=${page.nextCursor}`)).body).toMatchObject({
      groups: [[{ number: 2, text: 'out 2' }]],
      matchingLines: 1,
    });
    const sub = `${run}/sub-dag-runs/sub` as const;
    expect((await get(`${sub}/log/search?query=child`)).body).toMatchObject({ matchingLines: 1 });
    expect((await get(`${sub}/steps/count/log/search?query=out`)).body).toMatchObject({ matchingLines: 2 });
  });

  it.each([
    ['query=', 'request_invalid'],
    ['query=a%0Ab', 'request_invalid'],
    ['query=a&context=21', 'request_invalid'],
    ['query=a&cursor=1', 'request_invalid'],
    ['query=(&regex=true', 'invalid_pattern'],
  ])('returns 400 for %s', async (query, reason) => {
    await expect(get(`/dag-runs/nightly/run-1/log/search?${query}`)).resolves.toMatchObject(badRequest(reason));
  });
});
