import { isHostVariable } from '@weir/workflow-spec/values';
import { runVariableNames, type Environment } from './run-variables';

/** Variables of the server that steps get in addition to the allow-list. No other name that starts with WEIR_ is passed. */
export interface HostPassthrough {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

// Passwords and keys of a server of that name on the same host.
const secretPrefix = 'DAGU_AUTH_';
/** Prefix of every setting and secret of this server. */
const serverPrefix = 'WEIR_';

/** The part of the server's environment that steps may see; it holds no secret of the server. */
export function hostEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  { names, prefixes }: HostPassthrough = { names: [], prefixes: [] },
): Environment {
  const isListed = (name: string): boolean => isHostVariable(name) && !name.startsWith(secretPrefix);
  const isAdded = (name: string): boolean =>
    !name.startsWith(serverPrefix) && (names.includes(name) || startsWithAny(name, prefixes));
  const passed = Object.entries(host).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !runVariableNames.has(entry[0]) && (isListed(entry[0]) || isAdded(entry[0])),
  );
  return Object.fromEntries(passed);
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}
