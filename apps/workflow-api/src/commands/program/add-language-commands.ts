import { Option, type Command } from 'commander';
import { convertSources, validateFormats, type ConvertSource, type ValidateFormat } from '../shared/formats';
import { createStoreCommand, readConfig, type Exit, type ProgramHost, type StoreCommand } from '../shared/program-host';
import type { ConvertFlags } from '../language/convert-files';

interface ValidateFlags {
  readonly format: ValidateFormat;
  readonly showUnresolved: boolean;
}

interface ConvertCommandFlags extends ConvertFlags {
  readonly from: ConvertSource;
  readonly to?: string;
}

/** Adds the commands that convert and describe DAG files. */
export function addLanguageCommands(program: Command, host: ProgramHost, exit: Exit): void {
  addConvert(program, host, exit);
  addLock(program, host, exit);
  addDescriptions(program, host.print);
}

/** Adds the command that checks DAG files by the rules of this installation, or of the server of a context. */
export function addValidateCommand(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('validate')
    .description('check DAG files')
    .argument('<file...>', 'DAG files')
    .addOption(new Option('--format <format>', 'output format of findings').choices(validateFormats).default('text'))
    .option('--show-unresolved', 'also show references that cannot be resolved and are left unchanged', false)
    .action(async (files: string[], flags: ValidateFlags) => {
      const command = await createStoreCommand(host, {});
      const { validateFiles, createInlineSpecReader } = await import('../../bundles/language.js');
      const specs = (await serverSpecs(command)) ?? createInlineSpecReader(command.config);
      exit(await validateFiles({ ...host, files, ...flags, specs }));
    });
}

/** The client of a server is loaded only where a context is chosen. */
async function serverSpecs({ context }: StoreCommand) {
  if (!context) return undefined;
  const { createServerSpecReader } = await import('../../bundles/contexts.js');
  return createServerSpecReader(context);
}

function addConvert(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('convert')
    .description("write older spellings in DAG files as today's, or make DAG files of a crontab")
    .argument(
      '<file...>',
      'DAG files, and folders of DAG files; with --from cron, a crontab; with --from system-cron, one that names users',
    )
    .addOption(new Option('--from <kind>', 'what the file is').choices(convertSources).default('dag'))
    .addOption(new Option('--write', 'change the files').conflicts(['check', 'to']))
    .addOption(new Option('--check', 'change nothing, and fail where a file has older spellings').conflicts('to'))
    .addOption(new Option('--diff', 'print the differences').conflicts('to'))
    .option('--to <folder>', 'with --from cron: where to create the DAG files')
    .action(async (files: string[], flags: ConvertCommandFlags, command: Command) => {
      const [file = '', ...others] = files;
      const { convertCron, convertFiles, createInlineSpecReader } = await import('../../bundles/language.js');
      if (flags.from === 'dag') {
        if (flags.to !== undefined) command.error('error: --to is for --from cron');
        const specs = createInlineSpecReader(await readConfig(host, {}));
        exit(await convertFiles({ ...host, ...flags, files, specs }));
        return;
      }
      const isForDags = flags.write === true || flags.check === true || flags.diff === true;
      if (isForDags || others.length > 0) command.error(`error: --from ${flags.from} takes one file, and --to`);
      exit(await convertCron({ ...host, file, isSystem: flags.from === 'system-cron', to: flags.to }));
    });
}

function addLock(program: Command, host: ProgramHost, exit: Exit): void {
  program
    .command('lock')
    .description('write commit and checksum of packaged actions into DAG files')
    .argument('<file...>', 'DAG files')
    .option('--check', 'change nothing, and fail where a lock is not what its version is now', false)
    .action(async (files: string[], { check }: { readonly check: boolean }) => {
      const config = await readConfig(host, {});
      const { commandPackages, createInlineSpecReader, lockFiles } = await import('../../bundles/language.js');
      const specs = createInlineSpecReader(config);
      const packages = commandPackages(config, host.env);
      exit(await lockFiles({ ...host, files, check, specs, packages, signal: new AbortController().signal }));
    });
}

/** Adds the commands that describe the language and need nothing of this installation. */
function addDescriptions(program: Command, print: (text: string) => void): void {
  program
    .command('schema')
    .description('print the JSON Schema of DAG files, or a part of it')
    .argument('[schema]', 'which schema', 'dag')
    .argument('[path]', 'dotted path of keys, such as steps.retry_policy', '')
    .action(async (name: string, path: string) => {
      const { schemaText } = await import('../../bundles/language.js');
      print(schemaText(name, path));
    });
  program
    .command('example')
    .description('print an example of a DAG file, or list the examples')
    .argument('[name]', 'name of the example')
    .action(async (name?: string) => {
      const { exampleText } = await import('../../bundles/language.js');
      print(exampleText(name));
    });
}
