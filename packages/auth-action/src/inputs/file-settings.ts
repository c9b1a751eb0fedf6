import type { InputReader } from './input-reader';
import { parseBoolean, parseFileMode } from './switches';

export interface FileSettings {
  readonly create: boolean;
  readonly cleanUp: boolean;
  /** Permissions, such as 0o600. */
  readonly mode: number;
  /** `access_token_lifetime`, which also applies to tokens that clients request with the file. */
  readonly tokenLifetimeSeconds: number;
}

export function readFileSettings(reader: InputReader, tokenLifetimeSeconds: number): FileSettings {
  return {
    create: reader.read('create_credentials_file', parseBoolean),
    cleanUp: reader.read('cleanup_credentials', parseBoolean),
    mode: reader.read('credentials_file_mode', parseFileMode),
    tokenLifetimeSeconds,
  };
}
