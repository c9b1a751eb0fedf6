/** Where a value comes back in post: `STATE_<name>`. */
export const stateNames = { cleanUp: 'weir_clean_up', revocation: 'weir_revocation' } as const;

/** Names of credentials files; the only ones that post may remove. */
export const credentialsFileName = /^gha-creds-[0-9a-f]{16}\.json$/;

/** Enough to tell the file that main wrote from any other that later has its name. Numbers of 64 bits are texts. */
export interface FileIdentity {
  /** The folder it lies in, absolute and without symbolic links. */
  readonly folder: string;
  readonly name: string;
  readonly device: string;
  readonly inode: string;
  readonly size: number;
  readonly sha256: string;
}

/** Saved under `stateNames.cleanUp`, and only when main wrote a file and post is to remove it. */
export interface CleanUpState {
  readonly file: FileIdentity;
  /** The exclude file of git that main added the file's line to; `undefined` where it added none. */
  readonly excludedIn: string | undefined;
}

/** Saved under `stateNames.revocation`, and only when revocation was asked for. The token has to be hidden before. */
export interface RevocationState {
  /** Of the service that revokes tokens, in full. */
  readonly url: string;
  readonly token: string;
}

/** As main saves it. */
export function stateText(state: CleanUpState | RevocationState): string {
  return JSON.stringify(state);
}

/** `undefined` where the text is not what {@link stateText} writes: any step may set variables of post. */
export function parseCleanUp(text: string): CleanUpState | undefined {
  const state = parseObject(text);
  const file = state && asObject(state.file);
  if (file === undefined || state === undefined) return undefined;
  const { folder, name, device, inode, size, sha256 } = file;
  const { excludedIn } = state;
  if (!isText(folder) || !isText(name) || !isText(device) || !isText(inode) || !isText(sha256)) return undefined;
  if (typeof size !== 'number' || !credentialsFileName.test(name)) return undefined;
  if (excludedIn !== undefined && !isText(excludedIn)) return undefined;
  return { file: { folder, name, device, inode, size, sha256 }, excludedIn };
}

/** `undefined` where the text is not what {@link stateText} writes. */
export function parseRevocation(text: string): RevocationState | undefined {
  const state = parseObject(text);
  if (state === undefined || !isText(state.url) || !isText(state.token)) return undefined;
  return { url: state.url, token: state.token };
}

/** The line for the exclude file of git: this file, in the top folder of the tree. */
export function excludeLine(name: string): string {
  return `/${name}`;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 8192;
