import { mkdir, open, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { AppError } from '@weir/errors';
import { readIfPresent } from '@weir/primitives';
import { z } from 'zod';
import type { Config } from '../../config';

/** A server on another machine, as commands reach it. */
const Context = z.object({ url: z.url(), apiKey: z.string().optional() });
export type Context = z.output<typeof Context>;
const ContextFile = z.object({ contexts: z.record(z.string(), Context) });
type Contexts = Readonly<Record<string, Context>>;

function contextFile({ home }: Pick<Config, 'home'>): string {
  return path.join(home, 'contexts.json');
}

/** Throws `invalid_request` for a file that is damaged. */
export async function readContexts(config: Pick<Config, 'home'>): Promise<Contexts> {
  const file = contextFile(config);
  const text = await readIfPresent(file);
  if (text === undefined) return {};
  try {
    return ContextFile.parse(JSON.parse(text.toString('utf8'))).contexts;
  } catch (cause) {
    throw new AppError('invalid_request', `${file} is not a file of contexts; remove it.`, { cause });
  }
}

/** Only its owner may read it: it holds API keys. A crash leaves the old file or the new one. */
export async function writeContexts(config: Pick<Config, 'home'>, contexts: Contexts): Promise<void> {
  const file = contextFile(config);
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify({ contexts }, undefined, 2));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Throws `not_found`. */
export async function findContext(config: Pick<Config, 'home'>, name: string): Promise<Context> {
  const contexts = await readContexts(config);
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (found) return found;
  throw new AppError('not_found', `There is no context "${name}"; "weir context add" creates one.`, {
    reason: 'context_not_found',
  });
}
