import type * as undo from './undo-saved';
import { cleanUp } from '../publish/credentials-file/clean-up';
import { describeMessage } from '../runner/describe-error';
import type { PostLog } from '../runner/post-log';
import { cleanUpState, parseCleanUp, unreadableState } from '../runner/state';

export interface PostOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output, which the runner reads logs and workflow commands from. */
  readonly write: (text: string) => void;
  readonly revocationTimeoutMs: number;
  /** Loads the separate bundle that undoes everything but the credentials file. */
  readonly loadUndo?: () => Promise<Pick<typeof undo, 'undoSaved'>>;
}

/** Cleans up everything that the state of main names. Never fails the job. */
export async function runPost({
  env,
  write,
  revocationTimeoutMs,
  // Most jobs leave only the file, and this is larger than the rest of post.
  loadUndo = () => import('./undo-saved.js'),
}: PostOptions): Promise<void> {
  const log: PostLog = {
    info: (text) => write(`${text.replaceAll(/[\r\n]/g, ' ')}\n`),
    warning: (text) => write(`::warning::${escapeData(text)}\n`),
    debug: (text) => write(`::debug::${escapeData(text)}\n`),
  };
  const fileState = `STATE_${cleanUpState}`;
  await cleanUpFile(env[fileState] ?? '', log);
  if (!Object.keys(env).some((name) => name.startsWith('STATE_weir_') && name !== fileState && env[name])) return;
  try {
    const { undoSaved } = await loadUndo();
    await undoSaved({ env, log, revocationTimeoutMs });
  } catch (error) {
    log.warning(`Only the credentials file was cleaned up: ${describeMessage(error)}`);
  }
}

async function cleanUpFile(text: string, log: PostLog): Promise<void> {
  if (text === '') {
    log.info('There is no credentials file to remove.');
    return;
  }
  const state = parseCleanUp(text);
  if (state === undefined) log.warning(unreadableState);
  else await cleanUp(state, log);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
