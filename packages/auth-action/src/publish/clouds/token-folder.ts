import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@weir/foundation';

export interface TokenFolderRequest {
  /** `RUNNER_TEMP`, which the runner empties between jobs. */
  readonly runnerTemp: string | undefined;
  readonly random: (bytes: number) => Uint8Array;
  /** Texts with tokens by file name. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** Creates a new folder that only its owner can read, with one file per token. Leaves nothing behind on failure. */
export function createTokenFolder({ runnerTemp, random, tokens }: TokenFolderRequest): string {
  if (!runnerTemp) {
    throw new AppError('invalid_request', 'RUNNER_TEMP is not set, so there is no folder for tokens.', {
      reason: 'runner_temp_unset',
    });
  }
  const folder = path.join(runnerTemp, `gha-tokens-${Buffer.from(random(8)).toString('hex')}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    for (const [name, token] of Object.entries(tokens)) replaceToken(folder, name, token);
    return folder;
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw new AppError('internal', `The tokens could not be written to "${folder}".`, {
      reason: 'token_file_failed',
      cause,
    });
  }
}

/** Replaces the file as a whole, so that no client reads half of a token. Fails if the folder was removed. */
export function replaceToken(folder: string, name: string, token: string): void {
  const next = path.join(folder, `${name}.new`);
  writeFileSync(next, token, { mode: 0o600 });
  renameSync(next, path.join(folder, name));
}
