import { parseJsonObject, toJsonObject } from './json-object';

/** Post reads a saved value from `STATE_<name>`. */
export const stateNames = {
  revocation: 'weir_revocation',
  variables: 'weir_variables',
  tokenFolder: 'weir_token_folder',
  docker: 'weir_docker',
  gcloud: 'weir_gcloud',
  profile: 'weir_profile',
  azure: 'weir_azure',
  packages: 'weir_packages',
} as const;

/** The name for the credentials file, which most jobs save nothing else than. */
export const cleanUpState = 'weir_clean_up';

/** The warning of post about a state that a parser refuses. */
export const unreadableState = 'The saved state of the main step is invalid, so nothing was cleaned up.';

/** Post removes no file with another name. */
export const credentialsFileName = /^gha-creds-(?:[a-z][a-z0-9-]{0,30}-)?[0-9a-f]{16}\.json$/;

/** Distinguishes the file that main wrote from a later file at the same path. 64-bit numbers are strings. */
export interface FileIdentity {
  /** Absolute, with symbolic links resolved. */
  readonly folder: string;
  readonly name: string;
  readonly device: string;
  readonly inode: string;
  readonly size: number;
  readonly sha256: string;
}

/** Saved under `cleanUpState` if main wrote a file that post removes. */
export interface CleanUpState {
  readonly file: FileIdentity;
  /** The line that main added to an exclude file of Git, if any. */
  readonly exclusion: ExcludeLine | undefined;
}

export interface ExcludeLine {
  readonly path: string;
  readonly line: string;
}

/** Saved under `stateNames.revocation` if post revokes the token. Mask the token before saving it. */
export interface RevocationState {
  readonly url: string;
  readonly userAgent: string;
  readonly requestReason: string | undefined;
  readonly token: string;
}

/** Saved under `stateNames.variables` if post restores variables: their values before main, by name. */
export type VariablesState = Readonly<Record<string, string>>;

/**
 * Saved under `stateNames.tokenFolder` if main wrote OIDC tokens that post removes, and under `stateNames.packages` if it
 * wrote files for registries of packages.
 */
export interface TokenFolderState {
  readonly folder: string;
}

/** Saved under `stateNames.docker` if main signed Docker in. */
export interface DockerState {
  /** The configuration of Docker. */
  readonly file: string;
  readonly added: readonly { readonly host: string; readonly helper: string | undefined }[];
}

/** Saved under `stateNames.gcloud` if main wrote a configuration of gcloud. */
export interface GcloudState {
  readonly configuration: string;
}

/** Saved under `stateNames.profile` if main wrote a profile of AWS. Mask the texts before saving them. */
export interface ProfileState {
  readonly sections: readonly ProfileSection[];
}

export interface ProfileSection {
  readonly file: string;
  /** As in the file: `profile deploy`. */
  readonly name: string;
  /** A line that main wrote, by which post recognizes the section. Contains no secret. */
  readonly mark: string;
  /** The text of the section that main replaced. */
  readonly previous: string | undefined;
}

/** Saved under `stateNames.azure` if main signed the tools of Azure in, and post signs them out. */
export interface AzureState {
  /** The name of the account in the CLI, if it was signed in. */
  readonly account: string | undefined;
  readonly powershell: boolean;
}

type SavedState =
  | ProfileState
  | CleanUpState
  | RevocationState
  | VariablesState
  | TokenFolderState
  | DockerState
  | GcloudState
  | AzureState;

export function formatState(state: SavedState): string {
  return JSON.stringify(state);
}

/** `undefined` if {@link formatState} did not write the text: any step can set variables of post. */
export function parseCleanUp(text: string): CleanUpState | undefined {
  const state = parseJsonObject(text);
  const file = state && toJsonObject(state.file);
  if (file === undefined || state === undefined) return undefined;
  const { folder, name, device, inode, size, sha256 } = file;
  if (
    !isBoundedText(folder) ||
    !isBoundedText(name) ||
    !isBoundedText(device) ||
    !isBoundedText(inode) ||
    !isBoundedText(sha256)
  )
    return undefined;
  if (typeof size !== 'number' || !credentialsFileName.test(name)) return undefined;
  const exclusion = parseExclusion(state.exclusion, name);
  if (exclusion === undefined && state.exclusion !== undefined) return undefined;
  return { file: { folder, name, device, inode, size, sha256 }, exclusion };
}

/** Accepts only a line that excludes the file. */
function parseExclusion(value: unknown, name: string): ExcludeLine | undefined {
  const { path, line } = toJsonObject(value) ?? {};
  if (!isBoundedText(path) || !isBoundedText(line) || !line.startsWith('/') || !line.endsWith(`/${name}`))
    return undefined;
  return { path, line };
}

/** `undefined` if {@link formatState} did not write the text. */
export function parseRevocation(text: string): RevocationState | undefined {
  const state = parseJsonObject(text);
  if (state === undefined) return undefined;
  const { url, userAgent, requestReason, token } = state;
  if (!isBoundedText(url) || !isBoundedText(userAgent) || !isBoundedText(token)) return undefined;
  if (requestReason !== undefined && !isBoundedText(requestReason)) return undefined;
  return { url, userAgent, requestReason, token };
}

/** `undefined` if {@link formatState} did not write the text. */
export function parseTokenFolder(text: string): TokenFolderState | undefined {
  const folder = parseJsonObject(text)?.folder;
  return isBoundedText(folder) ? { folder } : undefined;
}

/** `undefined` if {@link formatState} did not write the text. */
export function parseGcloud(text: string): GcloudState | undefined {
  const configuration = parseJsonObject(text)?.configuration;
  return isBoundedText(configuration) ? { configuration } : undefined;
}

/** `undefined` if {@link formatState} did not write the text. The account becomes an argument of a program. */
export function parseAzure(text: string): AzureState | undefined {
  const { account, powershell } = parseJsonObject(text) ?? {};
  if (typeof powershell !== 'boolean') return undefined;
  if (account === undefined) return { account, powershell };
  return isBoundedText(account) && /^[a-zA-Z0-9][\w-]*$/.test(account) ? { account, powershell } : undefined;
}

/** `undefined` if {@link formatState} did not write the text. */
export function parseProfile(text: string): ProfileState | undefined {
  const { sections } = parseJsonObject(text) ?? {};
  if (!Array.isArray(sections)) return undefined;
  const valid = sections.flatMap((section): readonly ProfileSection[] => {
    const { file, name, mark, previous } = toJsonObject(section) ?? {};
    if (!isBoundedText(file) || !isBoundedText(name) || !isBoundedText(mark)) return [];
    return previous === undefined || typeof previous === 'string' ? [{ file, name, mark, previous }] : [];
  });
  return valid.length === sections.length ? { sections: valid } : undefined;
}

/** `undefined` if {@link formatState} did not write the text. */
export function parseDocker(text: string): DockerState | undefined {
  const { file, added } = parseJsonObject(text) ?? {};
  if (!isBoundedText(file) || !file.endsWith('config.json') || !Array.isArray(added)) return undefined;
  const registries = added.map((entry) => {
    const { host, helper } = toJsonObject(entry) ?? {};
    return isBoundedText(host) && (helper === undefined || typeof helper === 'string') ? { host, helper } : undefined;
  });
  const valid = registries.filter((registry) => registry !== undefined);
  return valid.length === registries.length ? { file, added: valid } : undefined;
}

/** `undefined` if {@link formatState} did not write the text. */
export function parseVariables(text: string): VariablesState | undefined {
  const entries = Object.entries(parseJsonObject(text) ?? { '': '' });
  const isValid = ([name, value]: readonly [string, unknown]): boolean =>
    /^[A-Z][A-Z0-9_]{0,99}$/.test(name) && typeof value === 'string' && value.length <= 8192;
  return entries.every(isValid) ? (Object.fromEntries(entries) as VariablesState) : undefined;
}

const isBoundedText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 8192;
