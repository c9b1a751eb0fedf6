import type { Command } from 'commander';
import type { ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

/** Adds the command that checks an installation. */
export function addDoctorCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('doctor')
    .description('check the settings, the folders, the database, the server and the DAG files; change nothing')
    .addOption(listFormatOption())
    .action(async (flags: { readonly format: ListFormat }) => {
      const { examineInstallation } = await import('../../bundles/doctor.js');
      exit(await examineInstallation({ ...(await createStoreCommand(host, {})), ...flags }));
    });
}
