import { mkdir, open, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { AppError, readIfPresent } from '@weir/foundation';
import { z } from 'zod';
import type { Config } from '../../config';

/** A server on another machine that commands can be sent to. */
const Context = z.object({ url: z.url(), apiKey: z.string().optional() });
export type Context = z.output<typeof Context>;

export interface NamedContext extends Context {
  readonly name: string;
}

const ContextFile = z.object({ current: z.string().optional(), contexts: z.record(z.string(), Context) });
/** The named servers, and the one that commands are sent to by default. */
type Contexts = z.output<typeof ContextFile>;

/** This name stands for this machine. */
export const thisMachine = 'local';

function contextFile({ home }: Pick<Config, 'home'>): string {
  return path.join(home, 'contexts.json');
}

/** Throws `invalid_request` for a damaged file. */
export async function readContexts(config: Pick<Config, 'home'>): Promise<Contexts> {
  const file = contextFile(config);
  const text = await readIfPresent(file);
  if (text === undefined) return { contexts: {} };
  try {
    return ContextFile.parse(JSON.parse(text.toString('utf8')));
  } catch (cause) {
    throw new AppError('invalid_request', `${file} is not a file of contexts; remove it.`, { cause });
  }
}

/** Only the owner may read the file, because it holds API keys. A crash leaves the old file or the new one. */
export async function writeContexts(config: Pick<Config, 'home'>, content: Contexts): Promise<void> {
  const file = contextFile(config);
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(content, undefined, 2));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Returns the server of this name, or the current one without a name; `undefined` stands for this machine. Throws
 * `not_found`.
 */
export async function findContext(config: Pick<Config, 'home'>, name?: string): Promise<NamedContext | undefined> {
  const { current, contexts } = await readContexts(config);
  const wanted = name ?? current ?? thisMachine;
  if (wanted === thisMachine) return undefined;
  const found = Object.hasOwn(contexts, wanted) ? contexts[wanted] : undefined;
  if (found) return { name: wanted, ...found };
  throw new AppError('not_found', `There is no context "${wanted}"; "weir context add" creates one.`, {
    reason: 'context_not_found',
  });
}
