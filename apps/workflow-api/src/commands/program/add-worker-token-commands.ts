import { Option, type Command } from 'commander';
import type { ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { createStoreCommand, readConfig, type Exit, type ProgramHost } from '../shared/program-host';

interface TokenFlags {
  /** Whether the token is one of a server, which the command calls as a client. */
  readonly https?: boolean;
}

const load = () => import('../../bundles/worker-tokens.js');
const httpsOption = (): Option =>
  new Option('--https', 'a token of a server, to which the worker speaks instead of the database');

/** Adds the commands about the tokens of workers; `forServer` has the chosen context. */
export function addWorkerTokenCommands(
  program: Command,
  { host, forServer }: { readonly host: ProgramHost; readonly forServer: ProgramHost },
  exit: Exit,
): void {
  const token = program
    .command('worker-token')
    .description(
      'tokens by which workers get to the PostgreSQL database or to a server, and to nothing but their work',
    );
  token
    .command('create')
    .description('create a token and print it once: the WEIR_DATABASE_URL of the worker, or with --https its variables')
    .argument('<name>', 'name of the worker, which becomes a role of PostgreSQL unless it is given --https')
    .option('--labels <labels>', 'the labels that the worker has, such as gpu=a100,region=eu')
    .addOption(httpsOption())
    .action(async (name: string, { labels = '', https }: TokenFlags & { readonly labels?: string }) => {
      const { createToken, createServerToken } = await load();
      const config = await readConfig(host, { WEIR_WORKER_LABELS: labels });
      if (https === true) exit(await createServerToken({ ...(await createStoreCommand(forServer, {})), config, name }));
      else exit(await createToken({ ...host, config, name }));
    });
  token
    .command('list')
    .description('list the tokens of the database and of its servers, or with --https those of a server')
    .addOption(listFormatOption())
    .addOption(httpsOption())
    .action(async ({ format, https }: TokenFlags & { readonly format: ListFormat }) => {
      const { listTokens, listServerTokens } = await load();
      if (https === true) exit(await listServerTokens({ ...(await createStoreCommand(forServer, {})), format }));
      else exit(await listTokens({ ...(await createStoreCommand(host, {})), format }));
    });
  token
    .command('revoke')
    .description('shut a worker out: drop its role and end its connections, or end its token of a server')
    .argument('<name>', 'name of the worker')
    .addOption(httpsOption())
    .action(async (name: string, { https }: TokenFlags) => {
      const { revokeToken, revokeServerToken } = await load();
      if (https === true) exit(await revokeServerToken({ ...(await createStoreCommand(forServer, {})), name }));
      else exit(await revokeToken({ ...host, config: await readConfig(host, {}), name }));
    });
}
