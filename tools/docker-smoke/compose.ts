import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { callPublished, type Answer } from './call-published';
import { goProgram, type Engine } from './engine';
import { importDebian, withoutShell } from './offline-build';
import { eventually } from './run-command';

const file = path.resolve(__dirname, '../../compose.yaml');
const builtPrograms = ['docker-compose', 'minio', 'mc'];
const startLimitMs = 120_000;

export interface ComposeOptions {
  readonly engine: Engine;
  /** The image of the workflow server. */
  readonly image: string;
  /** For files that are made on the way. */
  readonly folder: string;
  readonly report: (line: string) => void;
}

/** Why compose.yaml cannot be started here, or undefined where it can. */
export function missingForCompose({ isOnline }: Engine): string | undefined {
  const missing = isOnline ? [] : builtPrograms.filter((name) => !existsSync(goProgram(name)));
  return missing.length === 0 ? undefined : `missing: ${missing.join(', ')} (node tools/setup/go-programs.mjs)`;
}

/** Starts compose.yaml, and uses both servers, workers, the database and the store. */
export async function proveCompose({ engine, image, folder, report }: ComposeOptions): Promise<void> {
  const project = `weir-smoke-${process.pid}`;
  const secret = () => randomBytes(32).toString('base64url');
  const env = {
    ...process.env,
    WEIR_IMAGE: image,
    POSTGRES_PASSWORD: secret(),
    STORE_PASSWORD: secret(),
    WEIR_JWT_SECRET: secret(),
    WEIR_SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  const compose = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await engine.compose(['--file', file, '--project-name', project, ...args], {
      env,
      timeoutMs: 300_000,
    });
    if (code !== 0) throw new Error(`compose ${args[0] ?? ''} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const call = (server: 1 | 2, method: string, route: string, more: { body?: unknown; token?: string } = {}) =>
    callPublished(engine, { method, url: `http://127.0.0.1:${8079 + server}/api/v1${route}`, ...more });
  if (!engine.isOnline) await makeImages(engine, folder);
  try {
    await compose('up', '--detach');
    for (const server of [1, 2] as const) {
      await eventually(`an answer of server ${server}`, startLimitMs, async () =>
        (await call(server, 'GET', '/health')).status === 200 ? true : undefined,
      );
    }
    report('ok  both servers of compose.yaml answer');
    const setupToken = await compose('exec', '--no-TTY', 'server-1', 'cat', '/var/lib/weir/auth/setup_token');
    const person = { username: 'ada', password: 'correct horse battery staple', setupToken };
    const token = read(await call(1, 'POST', '/auth/setup', { body: person }), 'token');
    await eventually('the listing of both workers', startLimitMs, async () => {
      const { body } = await call(2, 'GET', '/workers', { token });
      return (JSON.parse(body) as { readonly workers: readonly unknown[] }).workers.length === 2 ? true : undefined;
    });
    report('ok  a token of one server is good for the other, which lists both workers');

    await call(1, 'POST', '/dags', {
      token,
      body: { name: 'first', spec: 'steps:\n  - id: talk\n    run: echo from a worker\n' },
    });
    await call(1, 'POST', '/dags/first/enqueue', { token, body: { dagRunId: 'run' } });
    const log = '/dag-runs/first/run/steps/talk/log';
    const hasLog = (server: 1 | 2) => async () =>
      (await call(server, 'GET', log, { token })).body.includes('from a worker') ? true : undefined;
    await eventually('the log on the other server', startLimitMs, hasLog(2));
    report('ok  what one server queues is executed, and its log is on the other');

    await compose('kill', '--signal', 'KILL', 'server-1', 'worker-1');
    await call(2, 'POST', '/dags/first/enqueue', { token, body: { dagRunId: 'later' } });
    await eventually('a run without the killed ones', startLimitMs, async () => {
      const { body } = await call(2, 'GET', '/dag-runs/first/later', { token });
      return body.includes('"statusLabel":"succeeded"') ? true : undefined;
    });
    report('ok  after a server and a worker were killed, the others go on');
  } catch (error) {
    report(`--- last lines\n${await compose('logs', '--tail', '15').catch(() => '')}`);
    throw error;
  } finally {
    await compose('down', '--volumes', '--timeout', '20');
  }
  report('ok  everything stops');
}

function read({ status, body }: Answer, key: string): string {
  const value = (JSON.parse(body) as Readonly<Record<string, unknown>>)[key];
  if (typeof value !== 'string') throw new Error(`an answer with ${status} has no ${key}`);
  return value;
}

/** What the entry program of the official image does with the variables of compose.yaml. */
const startPostgres = `#!/bin/sh
set -eu
cd /
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  printf %s "$POSTGRES_PASSWORD" >/run/password
  chmod 644 /run/password
  runuser -u postgres -- initdb --username="$POSTGRES_USER" --pwfile=/run/password --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  rm /run/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_USER" | runuser -u postgres -- postgres --single postgres
fi
install -d -o postgres /run/postgresql
exec runuser -u postgres -- postgres -c listen_addresses='*'
`;

/** Images with the names of compose.yaml: PostgreSQL as Debian has it, and a store that Go has built. */
async function makeImages(engine: Engine, folder: string): Promise<void> {
  const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<'postgres' | 'store' | 'bucket', { readonly image: string }>>;
  };
  const entry = path.join(folder, 'start-postgres');
  writeFileSync(entry, startPostgres, { mode: 0o755 });
  await importDebian(engine, folder, {
    image: services.postgres.image,
    options: ['--variant=minbase', '--include=postgresql-15', `--customize-hook=copy-in ${entry} /usr/local/bin`],
    instructions: [
      'ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'ENV PGDATA=/var/lib/postgresql/data',
      'ENTRYPOINT ["start-postgres"]',
    ],
  });
  for (const [service, program] of [
    ['store', 'minio'],
    ['bucket', 'mc'],
  ] as const) {
    await importDebian(engine, folder, {
      image: services[service].image,
      options: [
        ...withoutShell,
        ...['minio', 'mc'].map((name) => `--extract-hook=copy-in ${goProgram(name)} /usr/bin`),
      ],
      instructions: ['ENV PATH=/usr/bin HOME=/root', `ENTRYPOINT ["${program}"]`],
    });
  }
}
