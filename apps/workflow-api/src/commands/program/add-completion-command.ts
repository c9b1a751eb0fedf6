import { Argument, type Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;

/** The scripts of shells call this command to complete a line: `weir complete -- WORD…`. */
export const completeCommand = 'complete';

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print the script by which a shell completes commands, flags and names of DAGs')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: (typeof shells)[number]) => {
      const { completionScript } = await import('../../bundles/completion.js');
      completionScript(shell, program.name(), program.name());
    });
}
