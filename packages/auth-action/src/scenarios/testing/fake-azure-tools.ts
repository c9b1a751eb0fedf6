import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** One start of a fake program. */
export interface ToolCall {
  readonly tool: 'az' | 'pwsh';
  readonly args: readonly string[];
  readonly stdin: string;
  /** The contents of files and of standard input that arguments name with `@`. */
  readonly expanded: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ToolReply {
  /** The calls that get it: `login`, `account set`, or of `pwsh` a part of the script. */
  readonly to: string;
  /** An argument that the call must have as well. */
  readonly with?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  /** Whether `az login` writes the accounts as text. Default true. */
  readonly keeps?: boolean;
}

export interface FakeAzureTools {
  /** Variables for the step: `PATH` with the programs only, and a folder for the CLI. */
  readonly env: Readonly<Record<string, string>>;
  readonly calls: () => readonly ToolCall[];
  /** The arguments of the calls of the CLI, as one text each. */
  readonly commands: () => readonly string[];
  readonly reply: (...replies: readonly ToolReply[]) => void;
  /** The accounts that the CLI keeps, with their assertions and secrets. */
  readonly accountsFile: string;
  readonly accounts: () => readonly Readonly<Record<string, string>>[];
}

/** A program that records how it was started. Like the Azure CLI, `az login` keeps the credential in a file. */
const source = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const tool = path.basename(__filename);
const args = process.argv.slice(2);
// Like the real programs, it reads standard input only if an argument says so.
const stdin = args.some((arg) => arg.endsWith('@-') || arg.includes('$input')) ? readFileSync(0, 'utf8') : '';
const expand = (arg) => {
  const [, option = '', place] = /^(--[\\w-]+=)?@(.+)$/.exec(arg) ?? [];
  return place === undefined ? undefined : option + (place === '-' ? stdin : readFileSync(place, 'utf8'));
};
const expanded = tool === 'az' ? args.map(expand).filter((arg) => arg !== undefined) : [];
appendFileSync(path.join(__dirname, 'calls.jsonl'), JSON.stringify({ tool, args, stdin, expanded, env: process.env }) + '\\n');
const replies = path.join(__dirname, 'replies.json');
const known = existsSync(replies) ? JSON.parse(readFileSync(replies, 'utf8')) : [];
const text = args.join(' ');
const reply = known.find(({ to, with: option }) => {
  if (option !== undefined && !args.includes(option)) return false;
  return tool === 'az' ? text.startsWith(to) : text.includes(to);
}) ?? {};
const folder = process.env.AZURE_CONFIG_DIR;
const accounts = path.join(folder, 'service_principal_entries.json');
if (tool === 'az' && !reply.exitCode && reply.keeps !== false) {
  const value = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const proof = expanded[0]?.slice(expanded[0].indexOf('=') + 1);
  if (args[0] === 'login' && proof !== undefined) {
    const kind = expanded[0].startsWith('--password') ? 'client_secret' : 'client_assertion';
    mkdirSync(folder, { recursive: true });
    writeFileSync(accounts, JSON.stringify([{ client_id: value('--username'), tenant: value('--tenant'), [kind]: proof }]));
  }
  if (args[0] === 'logout' || text.startsWith('account clear')) rmSync(accounts, { force: true });
}
process.stdout.write(reply.stdout ?? '');
process.stderr.write(reply.stderr ?? '');
process.exitCode = reply.exitCode ?? 0;
`;

/** Writes fakes of these programs into the folder. */
export function createFakeAzureTools(
  folder: string,
  tools: readonly ToolCall['tool'][] = ['az', 'pwsh'],
): FakeAzureTools {
  mkdirSync(folder, { recursive: true });
  for (const tool of tools) {
    writeFileSync(path.join(folder, tool), `#!${process.execPath}\n${source}`);
    chmodSync(path.join(folder, tool), 0o755);
  }
  const configuration = path.join(folder, 'config');
  const accountsFile = path.join(configuration, 'service_principal_entries.json');
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const calls = (): readonly ToolCall[] =>
    read(path.join(folder, 'calls.jsonl'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ToolCall);
  return {
    env: { PATH: folder, AZURE_CONFIG_DIR: configuration },
    calls,
    commands: () => calls().flatMap(({ tool, args }) => (tool === 'az' ? [args.join(' ')] : [])),
    reply: (...replies) => writeFileSync(path.join(folder, 'replies.json'), JSON.stringify(replies)),
    accountsFile,
    accounts: () => JSON.parse(read(accountsFile) || '[]') as Record<string, string>[],
  };
}
