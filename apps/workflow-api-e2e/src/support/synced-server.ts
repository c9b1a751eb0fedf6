import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createGitRepository, type GitRepository } from './git-repository';
import { aUser, setUpAdmin } from './people';
import type { RequestOptions, Weir } from './weir-server';

export const spec = (text: string) => `steps:\n  - run: echo ${text}\n`;

export interface Item {
  readonly itemId: string;
  readonly status: string;
  readonly behind: boolean;
}

export interface Sent {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A server that is synchronised with a repository on disk, and what people and others do with it. */
export interface SyncedServer {
  readonly weir: Weir;
  readonly repository: GitRepository;
  readonly admin: string;
  readonly developer: string;
  /** As a developer, where nothing else is said. */
  readonly send: (operation: string, options?: RequestOptions) => Promise<Sent>;
  readonly configure: (body: object) => Promise<Sent>;
  readonly pull: () => Promise<Sent>;
  readonly dagFile: (name: string) => string;
  readonly docFile: (name: string) => string;
  readonly item: (itemId: string) => Promise<Item | undefined>;
  readonly statusOf: (itemId: string) => Promise<string | undefined>;
  /** Makes a DAG that is the same on both sides. */
  readonly synced: (name: string, text?: string) => Promise<void>;
  /** Makes a DAG that was changed on both sides; returns the commit that did so there. */
  readonly conflicting: (name: string) => Promise<string>;
  readonly dispose: () => Promise<void>;
}

export async function createSyncedServer(weir: Weir, settings: object = {}): Promise<SyncedServer> {
  const repository = createGitRepository();
  const admin = await setUpAdmin(weir);
  const developer = (await aUser(weir, admin, 'developer')).token;
  const server = connectTo(weir, { repository, admin, developer });
  await server.configure({ enabled: true, repository: repository.bare, ...settings });
  return server;
}

type Known = Pick<SyncedServer, 'repository' | 'admin' | 'developer'>;

/** The same for a server that was restarted: tokens stay valid. */
export function connectTo(weir: Weir, { repository, admin, developer }: Known): SyncedServer {
  const send = createSend(weir, developer);
  const configure = (body: object) => send('PUT /sync/config', { token: admin, body });
  const pull = () => send('POST /sync/pull');
  const dagFile = (name: string) => weir.home.file('weir', 'dags', `${name}.yaml`);
  const docFile = (name: string) => weir.home.file('weir', 'dags', 'docs', `${name}.md`);
  const item = async (itemId: string): Promise<Item | undefined> => {
    const { body } = await send('GET /sync/status');
    return (body.items as readonly Item[]).find((each) => each.itemId === itemId);
  };
  const statusOf = async (itemId: string) => (await item(itemId))?.status;
  const synced = async (name: string, text = spec(name)): Promise<void> => {
    repository.push({ [`${name}.yaml`]: text }, `add ${name}`);
    await pull();
    if (read(dagFile(name)) !== text) throw new Error(`${name} was not pulled`);
  };
  const conflicting = async (name: string): Promise<string> => {
    await synced(name);
    write(dagFile(name), spec('mine'));
    const commit = repository.push({ [`${name}.yaml`]: spec('theirs') }, `change ${name}`);
    await pull();
    if ((await statusOf(name)) !== 'conflict') throw new Error(`${name} is in no conflict`);
    return commit;
  };
  return {
    weir,
    repository,
    admin,
    developer,
    send,
    configure,
    pull,
    dagFile,
    docFile,
    item,
    statusOf,
    synced,
    conflicting,
    dispose: async () => {
      await weir.dispose();
      await repository.remove();
    },
  };
}

function createSend(weir: Weir, token: string) {
  return async (operation: string, options: RequestOptions = {}): Promise<Sent> => {
    const [method = '', address = ''] = operation.split(' ');
    const { status, body } = await weir.request(method, address, { token, ...options });
    return { status, body: body as Record<string, unknown> };
  };
}

/** An operation on one file. */
export const on = (itemId: string, operation: string) => `POST /sync/items/${encodeURIComponent(itemId)}/${operation}`;

export const read = (file: string): string => readFileSync(file, 'utf8');
export const remove = (file: string): void => rmSync(file);

export function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
