import type { EnvEntry } from '../dag';
import { replaceReferences, type Lookup, type Scope } from './references';

/**
 * A text with `${params.NAME}`, `${params}` (all as JSON) and `${env.NAME}` replaced. Everything else stays for the
 * shell: `$NAME`, `$(…)`, and a reference that has no value or an odd number of backslashes before it.
 * Throws `invalid_request` when the result is longer than 1 MiB.
 */
export function resolveText(text: string, scope: Scope): string {
  return replaceReferences(text, namespaced(scope), { bare: false, ...reporter(scope) });
}

/**
 * The entries worked out from top to bottom. A value may also refer to `${NAME}` and `$NAME`: an earlier entry,
 * else a parameter, else `scope.env`. The result holds only the entries. Throws like {@link resolveText}.
 */
export function resolveEnv(entries: readonly EnvEntry[], scope: Scope): ReadonlyMap<string, string> {
  const resolved = new Map<string, string>();
  const fromNamespace = namespaced({
    params: scope.params,
    env: { get: (name) => resolved.get(name) ?? scope.env.get(name) },
  });
  const lookup: Lookup = (name) =>
    fromNamespace(name) ?? resolved.get(name) ?? scope.params.get(name) ?? scope.env.get(name);
  for (const { name, value } of entries) {
    resolved.set(name, replaceReferences(value, lookup, { bare: true, ...reporter(scope) }));
  }
  return resolved;
}

interface Namespaces {
  readonly params: Scope['params'];
  readonly env: Pick<Scope['env'], 'get'>;
}

function namespaced({ params, env }: Namespaces): Lookup {
  return (name) => {
    if (name === 'params') return JSON.stringify(Object.fromEntries(params));
    if (name.startsWith('params.')) return params.get(name.slice('params.'.length));
    return name.startsWith('env.') ? env.get(name.slice('env.'.length)) : undefined;
  };
}

function reporter({ unresolved }: Scope): Pick<Scope, 'unresolved'> {
  return unresolved ? { unresolved } : {};
}
