import { open, type FileHandle } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import { parseDotenv } from '../../values/environment/parse-dotenv';
import type { Environment } from '../../values/environment/run-variables';

const maxBytes = 1_048_576;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `problem` is a clause such as `it is not a file`, which never quotes the file. */
export type FileVariables = { readonly env: Environment } | { readonly problem: string; readonly cause?: unknown };

/** The variables of a dotenv file of at most 1 MiB; `undefined` when there is none. */
export async function readVariables(file: string): Promise<FileVariables | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const stat = await handle.stat();
    if (!stat.isFile()) return { problem: 'it is not a file' };
    if (stat.size > maxBytes) return { problem: `it is longer than ${maxBytes} bytes` };
    return parse(utf8.decode(await handle.readFile()));
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return undefined;
    return { problem: error instanceof TypeError ? 'it is not UTF-8' : 'it cannot be read', cause: error };
  } finally {
    await handle?.close();
  }
}

function parse(text: string): FileVariables {
  if (text.includes('\0')) return { problem: 'it holds a NUL character' };
  const parsed = parseDotenv(text);
  return 'problem' in parsed ? { problem: `line ${parsed.line}: ${parsed.problem}` } : parsed;
}
