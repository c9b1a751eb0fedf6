import type * as toolkit from '@actions/core';
import type { Workflow } from '../workflow';

type Toolkit = typeof toolkit;

/** The functions of `@actions/core` that the action uses. Handed in by name, so that the bundle holds no others. */
export type Core = Pick<
  Toolkit,
  'debug' | 'error' | 'exportVariable' | 'info' | 'notice' | 'saveState' | 'setOutput' | 'setSecret' | 'warning'
> & { readonly summary: Pick<Toolkit['summary'], 'addRaw' | 'write'> };

/** The runner as the action sees it. Inputs come as the runner has them: trimmed, and missing is not empty. */
export function createWorkflow(core: Core, env: Workflow['env']): Workflow {
  return {
    // Not the toolkit's own reader, for which a missing input is an empty one.
    input: (name) => env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim(),
    env,
    debug: (text) => core.debug(text),
    info: (text) => core.info(text),
    notice: (text) => core.notice(text),
    warning: (text) => core.warning(text),
    hide: (secret) => {
      // The runner warns about a blank one, and hides each line of the others by itself.
      if (secret.trim() !== '') core.setSecret(secret);
    },
    output: (name, value) => core.setOutput(name, value),
    exportVariable: (name, value) => core.exportVariable(name, value),
    saveState: (name, value) => core.saveState(name, value),
    summary: async (markdown) => {
      if (env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(markdown, true).write();
      else core.debug('This runner shows no summaries.');
    },
  };
}
