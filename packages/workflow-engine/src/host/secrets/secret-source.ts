import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { isAppError, isSystemError } from '@weir/foundation';
import type { Secret } from '@weir/workflow-spec';
import type { Enclosure } from '../../model/ports/step-isolation';
import { chooseFromText, type ReadSecret } from './secret-fields';

type ProviderSecret = Extract<Secret, { readonly kind: 'provider' }>;

export interface SecretSources {
  /** The whole environment of the server: only what a secret names is taken from it. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** The absolute folder at which relative paths of files start. */
  readonly folder: string;
  /** Limits the files that the run can read; all are open when it is missing. */
  readonly enclosure?: Pick<Enclosure, 'assertOpen'> | undefined;
  /** Further providers, as the server is set up, by their names. */
  readonly providers?: SecretProviders | undefined;
  /** The server's own store. */
  readonly readStored?: ReadStoredSecret | undefined;
}

/** Reads a secret of a workspace, or of all of them, by its ref. */
export type ReadStoredSecret = (ref: string, workspace: string | undefined) => Promise<ReadSecret>;

/** Reads the secrets of a provider. */
export type SecretReader = (secret: ProviderSecret, sources: SecretSources) => Promise<ReadSecret>;

/** Stores of secrets by the names of their providers, such as `vault`. */
export type SecretProviders = ReadonlyMap<string, SecretReader>;

type Options = ProviderSecret['options'];

export function optionText(options: Options, name: string): string | undefined {
  const value = options?.[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function optionNumber(options: Options, name: string): number | undefined {
  const value = Number(optionText(options, name) ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

const maxFileBytes = 65_536;
// A pipe instead of a file must not block the server.
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK;
const reasons = ['EACCES', 'EISDIR', 'ENOTDIR', 'ENXIO', 'ELOOP', 'ENAMETOOLONG'] as const;

// Settings of the server, with which a step could sign tokens or open its database.
const serverPrefix = 'WEIR_';

export const readEnvSecret: SecretReader = ({ key, options }, { hostEnv }) => {
  if (key.startsWith(serverPrefix)) return Promise.resolve({ problem: `${key} is a setting of the server` });
  const value = Object.hasOwn(hostEnv, key) ? hostEnv[key] : undefined;
  return Promise.resolve(
    value === undefined
      ? { problem: `the server has no variable ${key}` }
      : chooseFromText(value, optionText(options, 'field')),
  );
};

/** A file without its last line end, or a field of it; with the option trim, without white space around it. */
export const readFileSecret: SecretReader = async ({ key, options }, { hostEnv, folder, enclosure }) => {
  const file = path.resolve(folder, key.replace(/^~(?=\/|$)/, hostEnv.HOME ?? '~'));
  const shown = JSON.stringify(key);
  try {
    enclosure?.assertOpen(file);
    const bytes = await readBounded(file);
    if (bytes === undefined) return { problem: `${shown} is no regular file` };
    if (bytes.length > maxFileBytes) return { problem: `the file ${shown} is larger than ${maxFileBytes} bytes` };
    if (!isUtf8(bytes)) return { problem: `the file ${shown} is not UTF-8` };
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    return chooseFromText(options?.trim === true ? text.trim() : text, optionText(options, 'field'));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return { problem: `there is no file ${shown}` };
    if (isAppError(error)) return { problem: `the file ${shown} belongs to the server or to another run` };
    const reason = reasons.find((code) => isSystemError(error, code)) ?? 'unknown error';
    return { problem: `the file ${shown} cannot be read (${reason})` };
  }
};

/** One byte more than allowed at most; `undefined` for what is no file. */
async function readBounded(file: string): Promise<Buffer | undefined> {
  const handle = await open(file, readFlags);
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const bytes = Buffer.alloc(maxFileBytes + 1);
    let length = 0;
    // Files of the system have no size, so they are read to their end.
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}
