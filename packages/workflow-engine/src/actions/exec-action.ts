import type { ActionExecutor } from './call/action-executor';

/** Runs a program without a shell, so its arguments are passed unchanged. */
export const exec: ActionExecutor<'exec'> = ({ call, settings, services, signal, onStarted }) => {
  const { cwd, env, stdoutFile, stderrFile, stopSignal, killGraceMs, masker, copies, logLimit, enclosure } = call;
  const run = { kind: 'program', program: settings.command, args: settings.args ?? [] } as const;
  const process = { cwd, env, stdoutFile, stderrFile, stopSignal, killGraceMs, masker, copies, logLimit, enclosure };
  return services.commands.run({ run, shell: [], isStepShell: false, ...process }, { signal, onStarted });
};
