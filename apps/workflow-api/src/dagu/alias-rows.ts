import { commandAliases, commandFlags, commonFlags, quietFlags, type FlagAlias } from './flag-aliases';
import { variableAliases } from './variable-aliases';

/** A row of a table of docs/compatibility.md. */
export interface AliasRow {
  readonly name: string;
  readonly status: 'same' | 'renamed' | 'different' | 'not yet';
  readonly what: string;
}

/** Returns the counterpart of each variable of Dagu. */
export function variableRows(): readonly AliasRow[] {
  return Object.entries(variableAliases).map(([suffix, alias]) => {
    const name = `DAGU_${suffix}`;
    if (!('to' in alias)) return { name, status: alias.status, what: alias.why };
    return { name, status: 'renamed', what: `\`${alias.to}\`${alias.note === undefined ? '' : `; ${alias.note}`}` };
  });
}

/** Returns the counterpart of each flag of Dagu that has another name here. */
export function flagRows(): readonly AliasRow[] {
  const toRow = (command: string) => (entry: readonly [string, FlagAlias]) => flagRow(command, entry);
  return [
    ...Object.entries({ ...commonFlags, ...quietFlags }).map(toRow('')),
    ...Object.entries(commandFlags).flatMap(([command, flags]) => Object.entries(flags).map(toRow(`${command} `))),
    ...[...commandAliases].map(([name, words]) => ({
      name,
      status: 'renamed' as const,
      what: `\`${words.join(' ')}\``,
    })),
  ];
}

function flagRow(command: string, [flag, alias]: readonly [string, FlagAlias]): AliasRow {
  const name = `${command}${flag}`;
  if ('variable' in alias) return { name, status: 'renamed', what: `\`${alias.variable}\`` };
  if ('missing' in alias) return { name, status: alias.missing, what: alias.why };
  if ('dropped' in alias) return { name, status: 'different', what: `has no effect: ${alias.dropped}` };
  return { name, status: 'renamed', what: `\`${alias.to}\`${alias.note === undefined ? '' : `; ${alias.note}`}` };
}
