import type { Command } from 'commander';
import type { ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

interface AddFlags {
  readonly url: string;
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
}

interface LoginFlags {
  readonly name?: string;
  readonly apiKeyFile?: string;
}

/** Adds the commands that name servers on other machines. */
export function addContextCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const context = program
    .command('context')
    .description('name servers on other machines, and say which one commands are for');
  context
    .command('add')
    .description('name a server')
    .argument('<name>', 'name of the context')
    .requiredOption('--url <address>', 'address of the server, such as https://weir.example.com')
    .option('--api-key <key>', 'API key with which commands sign in')
    .option('--api-key-file <file>', 'file with the key, such as /dev/stdin, instead of --api-key')
    .action(async (name: string, flags: AddFlags, command: Command) => {
      if (flags.apiKey !== undefined && flags.apiKeyFile !== undefined) {
        command.error('error: give --api-key or --api-key-file, not both');
      }
      const { addContext } = await import('../../bundles/contexts.js');
      exit(await addContext({ ...(await createStoreCommand(host, {})), ...flags, name }));
    });
  context
    .command('use')
    .description('send commands about DAGs and runs to a server from now on')
    .argument('<name>', 'name of the context, or "local" for this machine')
    .action(async (name: string) => {
      const { switchContext } = await import('../../bundles/contexts.js');
      exit(await switchContext({ ...(await createStoreCommand(host, {})), name }));
    });
  context
    .command('ls')
    .alias('list')
    .description('list the contexts')
    .addOption(listFormatOption())
    .action(async ({ format }: { readonly format: ListFormat }) => {
      const { listContexts } = await import('../../bundles/contexts.js');
      exit(await listContexts({ ...(await createStoreCommand(host, {})), format }));
    });
  context
    .command('rm')
    .alias('remove')
    .description('remove a context')
    .argument('<name>', 'name of the context')
    .action(async (name: string) => {
      const { removeContext } = await import('../../bundles/contexts.js');
      exit(await removeContext({ ...(await createStoreCommand(host, {})), name }));
    });
  program
    .command('login')
    .description('sign in to a server with an API key, and send commands to it from now on')
    .argument('<url>', 'address of the server, such as https://weir.example.com')
    .option('--name <name>', 'name of the context; default: the host of the address')
    .option('--api-key-file <file>', 'file with the key, such as /dev/stdin; without it, the key is asked for')
    .action(async (url: string, flags: LoginFlags) => {
      const { logIn } = await import('../../bundles/contexts.js');
      exit(await logIn({ ...(await createStoreCommand(host, {})), ...flags, url }));
    });
}
