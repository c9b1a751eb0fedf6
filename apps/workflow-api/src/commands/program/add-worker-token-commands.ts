import type { Command } from 'commander';
import type { ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { readConfig, type Exit, type ProgramHost } from '../shared/program-host';

/** Adds the commands about the tokens of workers. */
export function addWorkerTokenCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const token = program
    .command('worker-token')
    .description('tokens by which workers get to the PostgreSQL database, and to nothing but their work');
  token
    .command('create')
    .description('create a token and print it once: the WEIR_DATABASE_URL of the worker')
    .argument('<name>', 'name of the worker, which becomes a role of PostgreSQL')
    .option('--labels <labels>', 'the labels that the worker has, such as gpu=a100,region=eu')
    .action(async (name: string, { labels = '' }: { readonly labels?: string }) => {
      const { createToken } = await import('../../bundles/worker-tokens.js');
      const config = await readConfig(host, { WEIR_WORKER_LABELS: labels });
      exit(await createToken({ ...host, config, name }));
    });
  token
    .command('list')
    .description('list the tokens of workers')
    .addOption(listFormatOption())
    .action(async (flags: { readonly format: ListFormat }) => {
      const { listTokens } = await import('../../bundles/worker-tokens.js');
      exit(await listTokens({ ...host, config: await readConfig(host, {}), ...flags }));
    });
  token
    .command('revoke')
    .description('end the connections of a worker and drop its role')
    .argument('<name>', 'name of the worker')
    .action(async (name: string) => {
      const { revokeToken } = await import('../../bundles/worker-tokens.js');
      exit(await revokeToken({ ...host, config: await readConfig(host, {}), name }));
    });
}
