import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isLoopbackHost } from '@weir/foundation';
import type { ListFormat } from '../shared/formats';
import { printList } from '../shared/print-list';
import type { StoreCommand } from '../shared/program-host';
import { formatTable } from '../shared/table';
import { findContext, readContexts, thisMachine, writeContexts, type Context } from '../shared/context-file';

export interface AddContextOptions extends StoreCommand {
  readonly name: string;
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** The path of a file with the key, which keeps the key out of the arguments of a process. */
  readonly apiKeyFile?: string | undefined;
  /** Whether the added context becomes the current one. Default: false. */
  readonly isCurrent?: boolean;
  /** Called before anything is stored; its errors are passed on. */
  readonly check?: (context: Context) => Promise<void>;
}

const namePattern = /^[A-Za-z0-9_.-]{1,40}$/;

/** Stores a server under a name, and replaces a server of that name. Returns the exit code. */
export async function addContext(options: AddContextOptions): Promise<number> {
  const { name, config, print } = options;
  if (!namePattern.test(name)) {
    throw new AppError('invalid_request', 'The name of a context has 1 to 40 letters, digits, "_", "." or "-".');
  }
  if (name === thisMachine) throw new AppError('invalid_request', `"${thisMachine}" stands for this machine.`);
  const apiKey = await readKey(options);
  const url = readUrl(options.url, apiKey !== undefined);
  await options.check?.({ url, apiKey });
  const context = apiKey === undefined ? { url } : { url, apiKey };
  const { current, contexts } = await readContexts(config);
  await writeContexts(config, {
    current: options.isCurrent === true ? name : current,
    contexts: { ...contexts, [name]: context },
  });
  print(`${name}: ${url}`);
  return 0;
}

/** Selects the context, or this machine, that commands are sent to. Throws `not_found`. Returns the exit code. */
export async function switchContext({
  config,
  name,
  print,
}: StoreCommand & { readonly name: string }): Promise<number> {
  const context = await findContext(config, name);
  const { contexts } = await readContexts(config);
  await writeContexts(config, { current: context && name, contexts });
  print(`${name}: ${context?.url ?? 'this machine'}`);
  return 0;
}

/** Prints the names and addresses, but no keys. Returns the exit code. */
export async function listContexts(options: StoreCommand & { readonly format: ListFormat }): Promise<number> {
  const { config, env } = options;
  const { current = thisMachine, contexts: named } = await readContexts(config);
  const used = env.WEIR_CONTEXT ?? current;
  const contexts = Object.entries(named).map(([name, { url, apiKey }]) => {
    return { name, url, hasApiKey: apiKey !== undefined, isCurrent: name === used };
  });
  const rows = contexts.map(({ name, url, hasApiKey, isCurrent }) => {
    return [name, url, hasApiKey ? 'yes' : 'no', isCurrent ? 'yes' : ''];
  });
  const header = ['CONTEXT', 'URL', 'API KEY', 'CURRENT'];
  printList({ value: { contexts }, table: () => formatTable([header, ...rows]) }, options);
  return 0;
}

/**
 * Removes a context; if it was the current one, commands are for this machine again. Throws `not_found`. Returns the
 * exit code.
 */
export async function removeContext(options: StoreCommand & { readonly name: string }): Promise<number> {
  const { config, name, print } = options;
  await findContext(config, name);
  const { current, contexts } = await readContexts(config);
  const { [name]: removed, ...others } = contexts;
  if (removed === undefined) throw new AppError('invalid_request', `"${name}" stands for this machine.`);
  await writeContexts(config, { current: current === name ? undefined : current, contexts: others });
  print(`${name}: removed${removed.apiKey === undefined ? '' : '; its API key is still valid on the server'}`);
  return 0;
}

async function readKey({ apiKey, apiKeyFile, workingDirectory }: AddContextOptions): Promise<string | undefined> {
  const text = apiKeyFile === undefined ? apiKey : await readFile(path.resolve(workingDirectory, apiKeyFile), 'utf8');
  const key = text?.trim();
  if (key !== undefined && !/^[\x21-\x7E]{1,1024}$/.test(key)) {
    throw new AppError('invalid_request', 'An API key is one word of printable characters.');
  }
  return key;
}

/** Returns the address of the API: `https://weir.example.com` becomes `https://weir.example.com/api/v1`. */
function readUrl(text: string, hasKey: boolean): string {
  const url = URL.parse(text);
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new AppError('invalid_request', 'The address of a server begins with http:// or https:// and has no query.');
  }
  if (hasKey && url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new AppError('invalid_request', 'An API key is sent over https only, or to this machine.');
  }
  const base = url.href.replace(/\/+$/, '');
  return base.endsWith('/api/v1') ? base : `${base}/api/v1`;
}
