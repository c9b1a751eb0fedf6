import { removeExclusion } from './remove-exclusion';
import { removeFile } from './remove-file';
import { parseCleanUp, parseRevocation, stateNames, type CleanUpState, type RevocationState } from './state';

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
  const debug = (text: string): void => write(`::debug::${escapeData(text)}\n`);
  const revoke = async (state: RevocationState): Promise<string | undefined> => {
    try {
      // Most jobs revoke nothing, and the transport weighs many times what the rest of post does.
      const { revokeToken } = await import('../revoke.js');
      await revokeToken(state, { timeoutMs: revocationTimeoutMs, debug });
      return undefined;
    } catch (error) {
      const { message } = Object(error) as { readonly message?: unknown };
      return `The access token was not revoked: ${String(message)} It ends by itself in time.`;
    }
  };
  const cleanUpText = env[`STATE_${stateNames.cleanUp}`] ?? '';
  const revocationText = env[`STATE_${stateNames.revocation}`] ?? '';

  if (cleanUpText === '') info('This step left no credentials file to remove.');
  else await cleanUp(parseCleanUp(cleanUpText), { info, warn });

  if (revocationText === '') return;
  const revocation = parseRevocation(revocationText);
  const warning = revocation === undefined ? unreadable : await revoke(revocation);
  if (warning === undefined) info('The access token was revoked.');
  else warn(warning);
}

const unreadable = 'The state that the main step saved cannot be read, so nothing was undone by it.';

interface Lines {
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
}

async function cleanUp(state: CleanUpState | undefined, { info, warn }: Lines): Promise<void> {
  if (state === undefined) {
    warn(unreadable);
    return;
  }
  const { file, exclusion } = state;
  const removal = await removeFile(file);
  if (removal.kind === 'kept') {
    // Its line stays too: what is left there had better not be committed.
    warn(`The credentials file ${file.name} was not removed: ${removal.because}.`);
    return;
  }
  const gone = 'was gone already: a later step, a checkout perhaps, removed it';
  info(`The credentials file ${file.name} ${removal.kind === 'gone' ? gone : 'was removed'}.`);
  const warning = exclusion === undefined ? undefined : removeExclusion(exclusion);
  if (warning !== undefined) warn(warning);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
