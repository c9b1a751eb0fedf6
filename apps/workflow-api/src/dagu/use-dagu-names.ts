import path from 'node:path';
import { AppError } from '@weir/foundation';
import { commandAliases, commandFlags, commonFlags, quietCommands, quietFlags } from './flag-aliases';
import { variableAliases } from './variable-aliases';

type Env = Readonly<Record<string, string | undefined>>;

export interface CommandLine {
  readonly words: readonly string[];
  readonly env: Env;
}

export interface TranslatedCommandLine extends CommandLine {
  /** Names the settings without effect, for people. */
  readonly warnings: readonly string[];
}

const serving: readonly string[] = ['server', 'start-all'];
/** The word after one of these flags is a value, even if it looks like a flag. */
const valueFlags: readonly string[] = ['-p', '--params', '-r', '--run-id'];

/** Whether the program accepts names of Dagu: by the setting, or because it was called by that name. */
export function usesDaguNames(env: Env, programName: string | undefined): boolean {
  const setting = env.WEIR_COMPAT ?? '';
  if (setting !== '' && setting !== 'dagu') {
    throw new AppError('invalid_request', 'WEIR_COMPAT must be "dagu", or be left out.');
  }
  return setting === 'dagu' || path.basename(programName ?? '') === 'dagu';
}

/**
 * Translates the variables, commands and flags of Dagu to those of Weir, whose own names win where both are given. Throws
 * `invalid_request` for a server that would be less protected than its variables ask for, and for a flag without a
 * counterpart.
 */
export function useDaguNames({ words, env }: CommandLine): TranslatedCommandLine {
  const [command = '', ...rest] = words;
  const variables = translateVariables(env, command);
  const flags = translateFlags(command, rest);
  const [name = command, ...implied] = commandAliases.get(command) ?? [];
  return {
    words: words.length === 0 ? [] : [name, ...implied, ...flags.words],
    env: { ...variables.env, ...flags.env, WEIR_COMPAT: 'dagu' },
    warnings: variables.warnings,
  };
}

/** Says which variables of Dagu are set and not read. */
export function unreadDaguVariables(env: Env): readonly string[] {
  return daguVariables(env).map(([name, , alias]) =>
    'to' in alias
      ? `${name} is set and not read: set ${alias.to}, or WEIR_COMPAT=dagu to use the names of Dagu.`
      : `${name} is set and not read: ${alias.why}.`,
  );
}

function translateVariables(env: Env, command: string) {
  const translated: Record<string, string | undefined> = { ...env };
  const warnings: string[] = [];
  for (const [name, value, alias] of daguVariables(env)) {
    if ('to' in alias) {
      if ((env[alias.to] ?? '') === '') translated[alias.to] = alias.value?.(value) ?? value;
    } else if (alias.isProtection && serving.includes(command)) {
      throw new AppError('invalid_request', `${name} has no effect here, so nothing is served: ${alias.why}.`);
    } else warnings.push(`${name} has no effect: ${alias.why}.`);
  }
  return { env: translated, warnings };
}

function daguVariables(env: Env) {
  return Object.entries(variableAliases).flatMap(([suffix, alias]) => {
    const value = env[`DAGU_${suffix}`];
    return value === undefined || value === '' ? [] : [[`DAGU_${suffix}`, value, alias] as const];
  });
}

/** Translates the words before `--`; those after it are parameters. */
function translateFlags(command: string, words: readonly string[]): Pick<CommandLine, 'words' | 'env'> {
  const quiet = quietCommands.includes(command) ? {} : quietFlags;
  const table = { ...commonFlags, ...quiet, ...(Object.hasOwn(commandFlags, command) ? commandFlags[command] : {}) };
  const translated: string[] = [];
  const env: Record<string, string> = {};
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  for (let at = 0; at < end; at += 1) {
    const word = words[at] ?? '';
    const { flag, attached } = splitFlag(word);
    const alias = Object.hasOwn(table, flag) ? table[flag] : undefined;
    if (alias === undefined) {
      translated.push(...(attached !== undefined && !flag.startsWith('--') ? [flag, attached] : [word]));
      if (valueFlags.includes(word) && at + 1 < end) translated.push(words[(at += 1)] ?? '');
      continue;
    }
    if ('missing' in alias) throw new AppError('invalid_request', `${flag} has no counterpart: ${alias.why}.`);
    const isNext = alias.takesValue && attached === undefined && at + 1 < end;
    if (isNext) at += 1;
    const value = isNext ? words[at] : attached;
    if ('variable' in alias) env[alias.variable] = value ?? '';
    else if ('to' in alias) translated.push(alias.to, ...(value === undefined ? [] : [alias.value?.(value) ?? value]));
  }
  return { words: [...translated, ...words.slice(end)], env };
}

/** Splits `--name=value` and `-n=value`; only the library of Dagu reads the second form. */
function splitFlag(word: string): { readonly flag: string; readonly attached?: string } {
  const [, flag, attached] = /^(-[A-Za-z]|--[A-Za-z][\w.-]*)=(.*)$/s.exec(word) ?? [];
  return flag === undefined || attached === undefined ? { flag: word } : { flag, attached };
}
