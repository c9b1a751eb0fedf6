import type { LocalRun } from '@weir/workflow-spec';
import { finalProgram, isUnixShell, parseInterpreter } from '../../values/shell-text/interpreter';
import { commandInvocation, needsScriptFile } from '../local-command/shell-invocation';
import type { StepShell } from '../../values/environment/step-shell';

export interface ContainerWork extends StepShell {
  readonly run: LocalRun;
  /** Positional parameters `$1`, `$2`, … of the strings. */
  readonly args?: readonly string[];
}

export interface ContainerCall {
  readonly argv: readonly string[];
  readonly input: string;
}

/**
 * Builds the commands for a container. Since files of the host do not exist in it, a script goes through standard
 * input; the braces make the shell read all of it first, so that no child process can read the rest.
 */
export function containerCalls({ run, ...shell }: ContainerWork): readonly ContainerCall[] {
  const texts = run.kind === 'script' ? [run.script] : run.commands;
  return texts.map((text) => {
    if (run.kind === 'script' || needsScriptFile(text)) return scriptCall(text, shell);
    const { program, args } = commandInvocation(text, shell);
    return { argv: [program, ...args], input: '' };
  });
}

function scriptCall(text: string, { shell, isStepShell, args = [] }: Omit<ContainerWork, 'run'>): ContainerCall {
  const interpreter = isStepShell ? undefined : parseInterpreter(text);
  const [program = 'sh', ...options] = interpreter ? [interpreter.program, ...interpreter.args] : shell;
  if (!isUnixShell(finalProgram({ program, args: options }))) return { argv: [program, ...options], input: text };
  const strict = isStepShell || interpreter !== undefined ? [] : ['-e'];
  const argv = [program, ...strict, ...options.filter((option) => option !== '-c'), '-s', '--', ...args];
  return { argv, input: `{\n${text}\n} </dev/null\n` };
}
