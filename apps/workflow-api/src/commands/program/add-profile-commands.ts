import type { Command } from 'commander';
import type { ListFormat } from '../shared/formats';
import { listFormatOption } from '../shared/list-format-option';
import { createStoreCommand, type Exit, type ProgramHost } from '../shared/program-host';

interface CreateFlags {
  readonly description?: string;
  readonly protected?: boolean;
}

const load = () => import('../../bundles/runs.js');

/** Adds the commands about runtime profiles. */
export function addProfileCommands(program: Command, host: ProgramHost, exit: Exit): void {
  const profile = program.command('profile').description('named variables and secrets that runs can be started with');
  profile
    .command('list')
    .description('list the profiles')
    .addOption(listFormatOption())
    .action(async (flags: { readonly format: ListFormat }) =>
      exit(await (await load()).listProfiles({ ...(await createStoreCommand(host, {})), ...flags })),
    );
  const named = (name: string, description: string): Command =>
    profile.command(name).description(description).argument('<profile>', 'name of the profile');
  named('show', 'print the variables of a profile, and the names of its secrets')
    .addOption(listFormatOption())
    .action(async (name: string, flags: { readonly format: ListFormat }) =>
      exit(await (await load()).showProfile({ ...(await createStoreCommand(host, {})), ...flags, name })),
    );
  named('create', 'create an empty profile')
    .option('--description <text>', 'purpose of the profile')
    .option('--protected', 'only administrators may see, change and use it')
    .action(async (name: string, flags: CreateFlags) =>
      exit(await (await load()).createProfile({ ...(await createStoreCommand(host, {})), ...flags, name })),
    );
  const switches = [
    ['enable', 'let runs use a profile', 'active'],
    ['disable', 'refuse starts with a profile', 'disabled'],
  ] as const;
  for (const [command, description, status] of switches) {
    named(command, description).action(async (name: string) =>
      exit(await (await load()).switchProfile({ ...(await createStoreCommand(host, {})), name, status })),
    );
  }
  named('delete', 'delete a profile with its variables and secrets').action(async (name: string) =>
    exit(await (await load()).deleteProfile({ ...(await createStoreCommand(host, {})), name })),
  );
  named('set-var', 'set a variable')
    .argument('<key>', 'name of the variable')
    .argument('<value>', 'its value')
    .action(async (name: string, key: string, value: string) =>
      exit(await (await load()).setVariable({ ...(await createStoreCommand(host, {})), name, key, value })),
    );
  named('set-secret', 'set a secret, which is asked for on the terminal')
    .argument('<key>', 'name of the variable that runs get')
    .option('--value-file <file>', 'file with the value, such as /dev/stdin')
    .action(async (name: string, key: string, flags: { readonly valueFile?: string }) =>
      exit(await (await load()).setSecret({ ...(await createStoreCommand(host, {})), ...flags, name, key })),
    );
  named('delete-key', 'delete a variable or a secret')
    .argument('<key>', 'name of the variable or the secret')
    .action(async (name: string, key: string) =>
      exit(await (await load()).deleteKey({ ...(await createStoreCommand(host, {})), name, key })),
    );
}
