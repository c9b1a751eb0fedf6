import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  findObjectStore,
  startClusterDouble,
  startObjectStore,
  startPostgres,
  temporaryFolder,
  waitFor,
  type ClusterDouble,
} from '@weir/test-kit';
import { runWeir } from '../support/weir-command';
import { startWeir, type Weir } from '../support/weir-server';

const examples = path.resolve(__dirname, '../../../../examples/workflows');
const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

interface JobSpec {
  readonly template: {
    readonly spec: {
      readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value: string }[] }[];
    };
  };
}

describe('the example projects', () => {
  const home = temporaryFolder();
  const at = (...parts: string[]) => home.file('workflows', ...parts);
  const read = (...parts: string[]) => readFile(at(...parts), 'utf8');
  const weir = (...words: string[]) => runWeir(words, { home });
  const start = (name: string, ...words: string[]) => weir('start', '-r', name, at(name, `${name}.yaml`), ...words);
  const artifact = async (name: string, file: string) => {
    const address = `/dag-runs/${name}/${name}/artifacts/download?path=${file}`;
    return (await server.request('GET', address)).body;
  };
  const web: Server[] = [];
  let server: Weir;
  let stopPostgres: () => Promise<void>;
  let cluster: ClusterDouble;

  beforeAll(async () => {
    cpSync(examples, home.file('workflows'), { recursive: true });
    cluster = await startClusterDouble();
    const postgres = await startPostgres();
    stopPostgres = () => postgres.stop();
    const env = {
      SALES_DSN: (await postgres.createDatabase()).url,
      WEIR_AUTH_MODE: 'none',
      WEIR_SKIP_EXAMPLES: 'true',
      BACKUP_KEY_ID: 'AKIA0123EXAMPLE',
      BACKUP_KEY: 'backup-secret',
      CLUSTER_TOKEN: cluster.token,
      MODEL_KEY: 'model-secret',
    };
    server = await startWeir({ home, env });
  }, 120_000);
  afterAll(async () => {
    for (const each of web) each.close();
    await server.dispose();
    await stopPostgres();
    await cluster.close();
  });

  /** A site that answers a request by what `answer` returns, and 503 for nothing. */
  async function serve(answer: (url: string, body: string) => unknown): Promise<string> {
    const site = createServer((request: IncomingMessage, response) => {
      void text(request).then((body) => {
        const found = answer(request.url ?? '', body);
        response.writeHead(found === undefined ? 503 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(found ?? {}));
      });
    });
    web.push(site);
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }

  it('have a README that explains how to start them, and are valid', async () => {
    for (const name of names) {
      expect(await read(name, 'README.md')).toContain(`weir start ${name}.yaml`);
      expect(await weir('validate', at(name, `${name}.yaml`))).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^ok: /) as string,
        stderr: '',
      });
    }
    expect(names.length).toBeGreaterThanOrEqual(10);
  });

  it('load sales into PostgreSQL, with the same totals when repeated', async () => {
    expect(await start('etl-postgres')).toMatchObject({ code: 0 });
    expect(await artifact('etl-postgres', 'totals.csv')).toBe('region,amount\neu,15.00\nus,7\n');
    const again = await weir('start', '-r', 'again', at('etl-postgres', 'etl-postgres.yaml'));
    expect(again.code).toBe(0);
    const { body } = await server.request('GET', '/dag-runs/etl-postgres/again/artifacts/download?path=totals.csv');
    expect(body).toBe('region,amount\neu,15.00\nus,7\n');
  });

  it('build only changed files', async () => {
    expect((await start('ci-build')).stdout).toMatch(/compile: succeeded \([^]*pack: succeeded \(/);
    const again = await weir('start', at('ci-build', 'ci-build.yaml'));
    expect(again.stdout).toMatch(/compile: succeeded, up to date[^]*pack: succeeded, up to date/);
    for (const folder of ['out', 'dist']) await rm(at('ci-build', folder), { recursive: true });
    const restored = await weir('start', at('ci-build', 'ci-build.yaml'));
    expect(restored.stdout).toMatch(/compile: succeeded, restored[^]*pack: succeeded, restored/);
    await writeFile(at('ci-build', 'src', 'more.txt'), 'more\n');
    expect((await weir('start', at('ci-build', 'ci-build.yaml'))).stdout).toMatch(/compile: succeeded \(/);
  });

  it('train models and keep the best one', async () => {
    expect(await start('model-training')).toMatchObject({ code: 0 });
    expect(await artifact('model-training', 'model.json')).toMatchObject({
      w: expect.closeTo(2, 0) as number,
    });
  });

  it('publish a release after a person has approved it', async () => {
    expect((await start('release-approval', '--', 'version=1.2.3')).stdout).toContain('review: waiting');
    const decision = ['approval', 'approve', '-r', 'release-approval', '--step', 'review', '--input', 'CHANNEL=stable'];
    expect((await weir(...decision, 'release-approval')).code).toBe(0);
    await waitFor(
      async () => /^release-approval \S+: succeeded/m.test((await weir('status', 'release-approval')).stdout),
      {
        what: 'the release',
      },
    );
    expect(await read('release-approval', 'published', 'stable-1.2.3.txt')).toBe('release 1.2.3\n');
  });

  it('pack logs and keep the newest archives', async () => {
    await mkdir(at('log-rotation', 'logs'));
    await mkdir(at('log-rotation', 'packed'));
    const old = ['20200101T000000', '20200102T000000'].map((stamp) => at('log-rotation', 'packed', `${stamp}.tar.gz`));
    await Promise.all(old.map((file) => writeFile(file, '')));
    await writeFile(at('log-rotation', 'logs', 'a.log'), 'line\n');

    expect(await start('log-rotation', '--', 'keep=2')).toMatchObject({ code: 0 });
    expect(await read('log-rotation', 'logs', 'a.log')).toBe('');
    const left = readdirSync(at('log-rotation', 'packed')).toSorted();
    expect(left).toEqual(['20200102T000000.tar.gz', expect.stringMatching(/^20[2-9]\d(?!0102)/)]);
  });

  it('fetch pages, retry failed ones, and list their prices', async () => {
    const failed = new Set<string>();
    const pages: Readonly<Record<string, unknown>> = {
      '/index.json': ['tea.json', 'cup.json'],
      '/tea.json': { name: 'tea', price: 4, stock: 1 },
      '/cup.json': { name: 'cup', price: 3 },
    };
    const base = await serve((url) => {
      if (url === '/index.json' || failed.has(url)) return pages[url];
      failed.add(url);
      return undefined;
    });

    expect(await start('scraping', '--', `base=${base}`)).toMatchObject({ code: 0 });
    expect(await artifact('scraping', 'prices.json')).toEqual([
      { name: 'cup', price: 3 },
      { name: 'tea', price: 4 },
    ]);
  });

  it('check data, and alert people only when a rule is broken', async () => {
    const alerts: string[] = [];
    const address = await serve((_, body) => {
      alerts.push(body);
      return {};
    });
    expect(await start('data-quality', '--', `alerts=${address}`)).toMatchObject({ code: 0 });
    expect(alerts).toEqual([expect.stringContaining('3 rules are broken')]);
    await writeFile(at('data-quality', 'orders.csv'), 'id,amount,country\n1,10,DE\n');
    const good = await weir('start', at('data-quality', 'data-quality.yaml'), '--', `alerts=${address}`);
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('passed: succeeded') as string });
    expect(alerts).toHaveLength(1);
  });

  it('store backups in S3, read them back, and delete the oldest', async () => {
    const { python, missing } = findObjectStore();
    if (missing !== undefined) throw new Error(missing);
    const store = await startObjectStore(python);
    try {
      const put = (address: string, body?: string) =>
        fetch(`${store.endpoint}/${address}`, { method: 'PUT', body: body ?? null });
      await put('backups');
      for (const old of ['20200101T000000', '20200102T000000']) await put(`backups/backups/${old}.tar.gz`, 'old');
      const words = ['--', 'bucket=backups', `endpoint=${store.endpoint}`, 'keep=2'];

      const { code, stdout } = await start('backup-s3', ...words);
      expect([code, stdout]).toEqual([0, expect.not.stringContaining('backup-secret')]);
      const listed = await (await fetch(`${store.endpoint}/backups?list-type=2`)).text();
      expect([...listed.matchAll(/<Key>backups\/(\d{8}T\d{6})\.tar\.gz</g)].map(([, stamp]) => stamp)).toEqual([
        '20200102T000000',
        expect.stringMatching(/^20(?!200102)/),
      ]);
    } finally {
      await store.stop();
    }
  }, 240_000);

  it('start a job for each part, retry failed ones, and combine the results', async () => {
    const failed = new Set<string>();
    const ended = new Set<string>();
    const jobs = setInterval(() => {
      for (const job of cluster.jobs.values()) {
        const { containers } = (job.manifest.spec as unknown as JobSpec).template.spec;
        const region = containers[0]?.env.find(({ name }) => name === 'REGION')?.value ?? '';
        if (ended.has(job.name)) continue;
        ended.add(job.name);
        job.run();
        const isFirst = region === 'us' && !failed.has(region);
        if (isFirst) failed.add(region);
        else job.print(`${JSON.stringify({ region, total: region.length })}\n`);
        job.end(isFirst ? 1 : 0);
      }
    }, 20);
    try {
      expect(await start('kubernetes-fan-out', '--', `server=${cluster.url}`)).toMatchObject({ code: 0 });
    } finally {
      clearInterval(jobs);
    }
    expect(failed).toEqual(new Set(['us']));
    expect(await artifact('kubernetes-fan-out', 'report.json')).toEqual([
      { region: 'asia', total: 4 },
      { region: 'eu', total: 2 },
      { region: 'us', total: 2 },
    ]);
    expect(cluster.jobs.size).toBe(0);
  }, 240_000);

  it('let a model classify a report, and a person decide about a severe one', async () => {
    const tickets: string[] = [];
    const asked: string[] = [];
    const answers = ['{"severity":"severe","summary":""}', '{"severity":"high","summary":"Checkout is down."}'];
    const address = await serve((url, body) => {
      if (url === '/tickets') {
        tickets.push(body);
        return {};
      }
      asked.push(body);
      const message = { role: 'assistant', content: answers[asked.length - 1] };
      return {
        id: 'a',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      };
    });
    const words = ['--', `model_url=${address}/v1`, `tickets=${address}/tickets`];

    expect((await start('incident-triage', ...words)).stdout).toContain('review: waiting');
    expect(asked).toEqual([expect.stringContaining('Checkout has answered 500'), expect.any(String)]);
    expect(JSON.parse(asked[0] ?? '')).toMatchObject({
      response_format: { json_schema: { schema: { required: ['severity', 'summary'] } } },
    });
    expect(tickets).toEqual([]);
    expect(
      (await weir('approval', 'approve', '-r', 'incident-triage', '--step', 'review', 'incident-triage')).code,
    ).toBe(0);
    await waitFor(() => tickets.length > 0, { what: 'the ticket', deadlineMs: 60_000 });
    expect(JSON.parse(tickets[0] ?? '')).toEqual({ report: 'report.txt', severity: 'high' });
    expect(await artifact('incident-triage', 'summary.txt')).toContain('Checkout is down.');
  }, 240_000);
});
