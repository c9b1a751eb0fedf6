import type { Command } from 'commander';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

/** Adds the command that serves tools for models. */
export function addMcpCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('mcp')
    .description('serve tools for models on standard input and output (Model Context Protocol)')
    .action(async () => {
      const { serveMcpOverStdio } = await import('../../bundles/mcp-command.js');
      exit(await serveMcpOverStdio(await createStoreCommand(host, {})));
    });
}
