import type { Command } from 'commander';
import { readConfig, type Exit, type ProgramHost } from '../shared/program-host';

/** Adds the commands about the database and the home folder as a whole. */
export function addStoreCommands(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('migrate-store')
    .description('copy the database into an empty one, from SQLite to PostgreSQL or back')
    .requiredOption('--to <url>', 'the empty database, as WEIR_DATABASE_URL would name it')
    .action(async (flags: { readonly to: string }) => {
      const { migrateStore } = await import('../../bundles/store-migration.js');
      exit(await migrateStore({ ...host, config: await readConfig(host, {}), ...flags }));
    });
  program
    .command('backup')
    .description('write the database and the files of WEIR_HOME into one archive, while the server may be running')
    .argument('<file>', 'the archive to create, such as weir.tar.gz; it holds secrets')
    .action(async (file: string) => {
      const { backUp } = await import('../../bundles/backup.js');
      exit(await backUp({ ...host, config: await readConfig(host, {}), file }));
    });
  program
    .command('restore')
    .description('make an empty WEIR_HOME of an archive of "weir backup"')
    .argument('<file>', 'the archive')
    .action(async (file: string) => {
      const { restoreBackup } = await import('../../bundles/backup.js');
      exit(await restoreBackup({ ...host, config: await readConfig(host, {}), file }));
    });
}
