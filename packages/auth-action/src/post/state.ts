/** Where a value comes back in post: `STATE_<name>`. */
export const stateNames = { cleanUp: 'weir_clean_up', revocation: 'weir_revocation' } as const;

/** Names of credentials files; the only ones that post may remove. */
const credentialsFileName = /^gha-creds-[0-9a-f]{16}\.json$/;

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
  /** What main added to an exclude file of git; `undefined` where it added nothing. */
  readonly exclusion: ExcludeLine | undefined;
}

/** A line, and the exclude file of git that it stands in. */
export interface ExcludeLine {
  readonly path: string;
  readonly line: string;
}

/** Saved under `stateNames.revocation`, and only when revocation was asked for. The token has to be hidden before. */
export interface RevocationState {
  /** Of the service that revokes tokens, in full. */
  readonly url: string;
  /** These two as main's requests have them. */
  readonly userAgent: string;
  readonly requestReason: string | undefined;
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
  if (!isText(folder) || !isText(name) || !isText(device) || !isText(inode) || !isText(sha256)) return undefined;
  if (typeof size !== 'number' || !credentialsFileName.test(name)) return undefined;
  const exclusion = parseExclusion(state.exclusion, name);
  if (exclusion === undefined && state.exclusion !== undefined) return undefined;
  return { file: { folder, name, device, inode, size, sha256 }, exclusion };
}

/** No line is ever removed that is not about the file. */
function parseExclusion(value: unknown, name: string): ExcludeLine | undefined {
  const { path, line } = asObject(value) ?? {};
  if (!isText(path) || !isText(line) || !line.startsWith('/') || !line.endsWith(`/${name}`)) return undefined;
  return { path, line };
}

/** `undefined` where the text is not what {@link stateText} writes. */
export function parseRevocation(text: string): RevocationState | undefined {
  const state = parseObject(text);
  if (state === undefined) return undefined;
  const { url, userAgent, requestReason, token } = state;
  if (!isText(url) || !isText(userAgent) || !isText(token)) return undefined;
  if (requestReason !== undefined && !isText(requestReason)) return undefined;
  return { url, userAgent, requestReason, token };
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
