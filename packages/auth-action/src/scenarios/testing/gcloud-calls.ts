import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { env } from 'node:process';
import { temporaryFolder } from '@weir/test-kit';

export const projectNumber = '123456789012';

export interface GcloudCall {
  readonly args: readonly string[];
  /** Words before the first flag. */
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
}

/** Runs shell commands with a `gcloud` that records how it is called. */
export function recordGcloud(script: string): readonly GcloudCall[] {
  const folder = temporaryFolder('weir-gcloud-');
  const [bin, record] = [folder.file('bin'), folder.file('calls')];
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'gcloud'),
    `#!${process.execPath}
const args = process.argv.slice(2);
require('node:fs').appendFileSync(${JSON.stringify(record)}, JSON.stringify(args) + '\\n');
if (args[0] === 'projects') console.log(${projectNumber});
`,
  );
  chmodSync(path.join(bin, 'gcloud'), 0o755);
  const { status, stderr } = spawnSync('bash', ['-eu', '-c', script], {
    env: { PATH: [bin, '/usr/bin', '/bin'].join(path.delimiter) },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(stderr);
  const lines = readFileSync(record, 'utf8').trim().split('\n');
  return lines.map((line) => readCall(JSON.parse(line) as readonly string[]));
}

function readCall(args: readonly string[]): GcloudCall {
  const isFlag = (arg: string): boolean => arg.startsWith('--');
  return {
    args,
    words: args.filter((arg) => !isFlag(arg)),
    flags: Object.fromEntries(
      args.filter(isFlag).map((flag) => {
        const [name = '', ...value] = flag.slice(2).split('=');
        return [name, value.join('=')];
      }),
    ),
  };
}

/**
 * Returns the messages of the installed `gcloud` about the calls, without executing them: one for each call that it
 * refuses.
 */
export function lintByGcloud(calls: readonly GcloudCall[]): readonly string[] {
  const folder = temporaryFolder('weir-gcloud-');
  const file = folder.file('commands.json');
  const commands = calls.map(({ args }) => ['gcloud', ...args.map((arg) => JSON.stringify(arg))].join(' '));
  writeFileSync(file, JSON.stringify(commands.map((command) => ({ command_string: command }))));
  const { stdout, stderr } = spawnSync('gcloud', ['meta', 'lint-gcloud-commands', `--commands-file=${file}`], {
    env: { ...env, CLOUDSDK_CONFIG: folder.file('config'), CLOUDSDK_CORE_DISABLE_PROMPTS: '1' },
    encoding: 'utf8',
    timeout: 110_000,
  });
  if (stdout === '') throw new Error(stderr);
  const results = JSON.parse(stdout) as readonly { readonly success: boolean; readonly error_message: string }[];
  if (results.length !== calls.length) throw new Error(`gcloud checked ${results.length} of ${calls.length} commands.`);
  return results.flatMap(({ success, error_message: message }) => (success ? [] : [message]));
}

/** The text as Terraform formats it, or its error. Formatting reads the whole syntax. */
export function formatTerraform(text: string): { readonly formatted: string } | { readonly refused: string } {
  const call = { input: text, encoding: 'utf8', timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync('terraform', ['fmt', '-'], call);
  return status === 0 ? { formatted: stdout } : { refused: stderr };
}

export const missingTerraform =
  spawnSync('terraform', ['version']).status === 0 ? undefined : 'terraform is not installed';
