import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Jobs, pods and logs of the API of Kubernetes, in memory. A pod follows the spec's script: it never runs an image.
 * Real clusters cannot be started where the specs run.
 */
export interface ClusterDouble {
  readonly url: string;
  readonly token: string;
  readonly jobs: ReadonlyMap<string, FakeJob>;
  /** Answers with this status until it is taken back. */
  readonly refuseWith: (status: number | undefined) => void;
  readonly refusals: () => number;
  /** Creates jobs without answering, until the returned function is called. */
  readonly holdAnswers: () => () => void;
  close(): Promise<void>;
}

interface Manifest {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

export class FakeJob {
  readonly name: string;
  readonly namespace: string;
  readonly manifest: Manifest;
  annotations: Record<string, string> = {};
  deletedWith: unknown;
  #printed = Buffer.alloc(0);
  #readers = new Set<ServerResponse>();
  #phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' = 'Pending';
  #exit: { exitCode: number; reason: string } | undefined;
  #waiting: string | undefined;
  #failure = 'BackoffLimitExceeded';

  constructor(manifest: Manifest, namespace: string) {
    this.manifest = manifest;
    this.name = manifest.metadata.name;
    this.namespace = namespace;
  }

  run(): void {
    this.#phase = 'Running';
  }

  wait(reason: string): void {
    this.#waiting = reason;
  }

  print(text: string): void {
    const part = Buffer.from(text);
    this.#printed = Buffer.concat([this.#printed, part]);
    for (const reader of this.#readers) reader.write(part);
  }

  /** The number of current log followers. */
  get followers(): number {
    return this.#readers.size;
  }

  /** Breaks the connections of those who read the logs. */
  dropReaders(): void {
    for (const reader of this.#readers) reader.destroy();
    this.#readers.clear();
  }

  end(
    exitCode: number,
    { reason = exitCode === 0 ? 'Completed' : 'Error', failure = 'BackoffLimitExceeded' } = {},
  ): void {
    this.#phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    this.#exit = { exitCode, reason };
    this.#failure = failure;
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  read(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(this.#printed);
    if (this.#exit === undefined) this.#readers.add(response);
    else response.end();
  }

  toJson(): object {
    const condition =
      this.#phase === 'Succeeded'
        ? [{ type: 'Complete', status: 'True' }]
        : this.#phase === 'Failed'
          ? [{ type: 'Failed', status: 'True', reason: this.#failure }]
          : [];
    const metadata = { ...this.manifest.metadata, annotations: this.annotations };
    return { ...this.manifest, metadata, status: { conditions: condition } };
  }

  toPod(): object {
    const waiting = { reason: this.#waiting ?? 'ContainerCreating' };
    const state = this.#exit ? { terminated: this.#exit } : this.#phase === 'Running' ? { running: {} } : { waiting };
    return {
      metadata: { name: `${this.name}-pod`, creationTimestamp: '2026-01-01T00:00:00Z' },
      status: { phase: this.#phase, containerStatuses: [{ name: 'main', state }] },
    };
  }
}

export async function startClusterDouble(): Promise<ClusterDouble> {
  const token = 'cluster-token';
  const jobs = new Map<string, FakeJob>();
  const state: RefusalState = { refusal: undefined, count: 0 };
  const server = createServer((request, response) => void serve(request, response, { jobs, token, state }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    jobs,
    refuseWith: (status) => void (state.refusal = status),
    refusals: () => state.count,
    holdAnswers: () => {
      let release = (): void => undefined;
      state.held = new Promise<void>((resolve) => (release = resolve));
      return () => release();
    },
    close: () => close(server),
  };
}

interface Store {
  readonly jobs: Map<string, FakeJob>;
  readonly token: string;
  readonly state: RefusalState;
}

interface RefusalState {
  refusal: number | undefined;
  count: number;
  /** Requests that create resources are not answered before it resolves. */
  held?: Promise<void>;
}

async function serve(request: IncomingMessage, response: ServerResponse, store: Store): Promise<void> {
  const body = await readBody(request);
  const url = new URL(request.url ?? '/', 'http://cluster');
  const fail = (status: number, reason: string, message: string) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', status: 'Failure', reason, message, code: status }));
  };
  const answer = (value: unknown, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (store.state.refusal !== undefined) {
    store.state.count += 1;
    fail(store.state.refusal, 'ServiceUnavailable', 'the cluster is busy');
    return;
  }
  if (request.headers.authorization !== `Bearer ${store.token}`) {
    fail(401, 'Unauthorized', 'Unauthorized');
    return;
  }
  const found = /^\/(?:apis\/batch\/v1|api\/v1)\/namespaces\/([^/]+)\/(jobs|pods)(?:\/([^/]+))?(\/log)?$/.exec(
    url.pathname,
  );
  const [, namespace = '', kind, name, log] = found ?? [];
  const [label, wanted] = (url.searchParams.get('labelSelector') ?? '=').split('=');
  const job = store.jobs.get((name ?? '').replace(/-pod$/, ''));
  if (found === null) fail(404, 'NotFound', 'no such path');
  else if (namespace === 'forbidden') fail(403, 'Forbidden', 'jobs.batch is forbidden');
  else if (request.method === 'POST') {
    const created = new FakeJob(body as Manifest, namespace);
    store.jobs.set(created.name, created);
    await store.state.held;
    answer(created.toJson(), 201);
  } else if (name === undefined && kind === 'jobs') {
    const items = [...store.jobs.values()].filter(({ manifest }) => manifest.metadata.labels[label ?? ''] === wanted);
    answer({ kind: 'JobList', items: items.map((each) => each.toJson()) });
  } else if (name === undefined) {
    const items = [...store.jobs.values()].filter((each) => label === 'job-name' && each.name === wanted);
    answer({ kind: 'PodList', items: items.map((each) => each.toPod()) });
  } else if (job === undefined) fail(404, 'NotFound', `jobs.batch "${name}" not found`);
  else if (log !== undefined) job.read(response);
  else if (request.method === 'DELETE') {
    job.deletedWith = body;
    store.jobs.delete(job.name);
    job.dropReaders();
    answer({ kind: 'Status', status: 'Success' });
  } else if (request.method === 'PATCH') {
    job.annotations = { ...job.annotations, ...(body as FakeJobPatch).metadata.annotations };
    answer(job.toJson());
  } else answer(job.toJson());
}

interface FakeJobPatch {
  readonly metadata: { readonly annotations: Record<string, string> };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request) text += String(part);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
