import type { RefreshConfig } from '../publish/clouds/refresh-tokens';

/**
 * Starts the script as a process that goes on after the step: until post removes the folder, or until the runner ends
 * the processes of the job.
 */
export function createRefresherStarter(
  script: string,
  env: Readonly<Record<string, string | undefined>>,
): (config: RefreshConfig) => Promise<void> {
  return async (config) => {
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, [script], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      // A folder that no step removes: Windows locks the working folder of a process.
      cwd: env.RUNNER_TEMP,
      env: { ...env, WEIR_REFRESH: JSON.stringify(config) },
    });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
  };
}
