import { removeExclusion } from './remove-exclusion';
import { removeFile } from './remove-file';
import { revokeToken } from './revoke-token';
import { parseCleanUp, parseRevocation, stateNames, type CleanUpState } from './state';

export interface PostDependencies {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output, where the runner reads lines as logs and commands. */
  readonly write: (text: string) => void;
  readonly revocationTimeoutMs: number;
}

/** Undoes what main's saved state says, and nothing where it says nothing. Never fails the job. */
export async function runPost({ env, write, revocationTimeoutMs }: PostDependencies): Promise<void> {
  const warn = (text: string): void => write(`::warning::${escapeData(text)}\n`);
  const info = (text: string): void => write(`${text.replaceAll(/[\r\n]/g, ' ')}\n`);
  const cleanUpText = env[`STATE_${stateNames.cleanUp}`] ?? '';
  const revocationText = env[`STATE_${stateNames.revocation}`] ?? '';

  if (cleanUpText === '') info('This step left no credentials file to remove.');
  else cleanUp(parseCleanUp(cleanUpText), { info, warn });

  if (revocationText === '') return;
  const revocation = parseRevocation(revocationText);
  const warning = revocation === undefined ? unreadable : await revokeToken(revocation, revocationTimeoutMs);
  if (warning === undefined) info('The access token was revoked.');
  else warn(warning);
}

const unreadable = 'The state that the main step saved cannot be read, so nothing was undone by it.';

interface Lines {
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
}

function cleanUp(state: CleanUpState | undefined, { info, warn }: Lines): void {
  if (state === undefined) {
    warn(unreadable);
    return;
  }
  const { file, excludedIn } = state;
  const removal = removeFile(file);
  if (removal.kind === 'kept') {
    // Its line stays too: what is left there had better not be committed.
    warn(`The credentials file ${file.name} was not removed: ${removal.because}.`);
    return;
  }
  const gone = 'was gone already: a later step, a checkout perhaps, removed it';
  info(`The credentials file ${file.name} ${removal.kind === 'gone' ? gone : 'was removed'}.`);
  const warning = excludedIn === undefined ? undefined : removeExclusion(excludedIn, file.name);
  if (warning !== undefined) warn(warning);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
