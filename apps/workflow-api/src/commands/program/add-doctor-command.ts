import type { Command } from 'commander';
import type { ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

/** Adds the command that checks an installation, or the connection to a server. */
export function addDoctorCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('doctor')
    .description(
      'check the settings, folders, database, server and DAG files, or the connection to the server of a context; change nothing',
    )
    .addOption(listFormatOption())
    .action(async (flags: { readonly format: ListFormat }) => {
      const { examineConnection, examineInstallation } = await import('../../bundles/doctor.js');
      const command = { ...(await createStoreCommand(host, {})), ...flags };
      const { context } = command;
      exit(await (context ? examineConnection({ ...command, context }) : examineInstallation(command)));
    });
}
