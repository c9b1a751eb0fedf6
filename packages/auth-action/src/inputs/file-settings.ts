import { parseProjectId } from './account';
import { parseDuration } from './duration';
import type { InputReader, ValueReader } from './input-reader';
import { parseBoolean, parseFileMode } from './switches';
import { parsePath } from './texts';

export interface FileSettings {
  readonly create: boolean;
  /** Absolute or relative to the workspace; `undefined` stands for the workspace. */
  readonly directory: string | undefined;
  readonly quotaProject: string | undefined;
  readonly cleanUp: boolean;
  /** Permissions, such as 0o600. */
  readonly mode: number;
  /** Lifetime of the tokens that clients request with the file. */
  readonly tokenLifetimeSeconds: number;
}

/** Client libraries refuse a shorter lifetime. */
const tokenLifetimeRange = { minSeconds: 600, maxSeconds: 43_200, maxText: '12h' };

/** `lifetimeReader` ignores the lifetime in modes whose file has none. */
export function readFileSettings(reader: InputReader, lifetimeReader: ValueReader): FileSettings {
  return {
    create: reader.read('create_credentials_file', parseBoolean),
    directory: reader.readOptional('credentials_file_directory', parsePath),
    quotaProject: reader.readOptional('quota_project_id', parseProjectId),
    cleanUp: reader.read('cleanup_credentials', parseBoolean),
    mode: reader.read('credentials_file_mode', parseFileMode),
    tokenLifetimeSeconds: lifetimeReader.read('credentials_file_token_lifetime', (text) =>
      parseDuration(text, tokenLifetimeRange),
    ),
  };
}
