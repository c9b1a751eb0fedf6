import type { ActionDependencies, ActionExecutor } from '../action-executor';
import { defineExecutor } from '../define-executor';

/** A program without a shell: its arguments reach it as they are. */
export function createExec({ commands }: Pick<ActionDependencies, 'commands'>): ActionExecutor {
  return defineExecutor(({ call, settings, context }) => {
    const { cwd, env, stdoutFile, stderrFile, stopSignal, killGraceMs, masker, copies } = call;
    const run = { kind: 'program', program: settings.required('command'), args: settings.texts('args') } as const;
    const place = { cwd, env, stdoutFile, stderrFile, stopSignal, killGraceMs, masker, copies };
    return commands.execute({ run, shell: [], isStepShell: false, ...place }, context);
  });
}
