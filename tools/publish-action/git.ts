import { spawnSync } from 'node:child_process';

/** An error that a person must fix before the action can be published. */
export class Refusal extends Error {}

export interface GitCall {
  readonly input?: Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs Git in one folder. */
export interface Git {
  /** Standard output as it is. Throws a `Refusal` with the message of Git if it fails. */
  readonly bytes: (args: readonly string[], call?: GitCall) => Buffer;
  /** Standard output as text without surrounding white space. */
  readonly text: (args: readonly string[], call?: GitCall) => string;
}

export function createGit(folder: string): Git {
  // In a hook of Git, these variables name the repository of the hook.
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...inherited } = process.env;
  const bytes: Git['bytes'] = (args, { input, env } = {}) => {
    const { status, stdout, stderr, error } = spawnSync('git', args, {
      cwd: folder,
      env: { ...inherited, ...env },
      maxBuffer: 256 * 1024 * 1024,
      timeout: 120_000,
      ...(input !== undefined && { input }),
    });
    if (error !== undefined) throw new Refusal(`git ${String(args[0])} did not run: ${error.message}`);
    if (status !== 0) throw new Refusal(`git ${String(args[0])} failed: ${stderr.toString().trim()}`);
    return stdout;
  };
  return { bytes, text: (args, call) => bytes(args, call).toString().trim() };
}
