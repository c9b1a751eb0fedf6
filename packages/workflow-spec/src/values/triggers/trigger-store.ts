import type { Dag } from '../../model/dag';
import type { JsonObject } from '../../model/json';
import type { Secret } from '../../model/secret';
import type { FileTrigger } from '../../model/trigger';
import { quote } from '../../source/text/quote';
import { createReferenceReader, type Reference } from '../references/reference';

const connection = ['endpoint', 'region', 'force_path_style'] as const;
const credentials = ['access_key_id', 'secret_access_key', 'session_token'] as const;

/**
 * Returns the settings with which a trigger lists objects: its own, and those of the DAG that it omits. The keys of a
 * store belong together, so they all come from the trigger or all from the DAG.
 */
export function triggerStoreOf(
  { s3: ofDag = {} }: Pick<Dag, 's3'>,
  { s3: own = {} }: Pick<FileTrigger, 's3'>,
): JsonObject {
  const keys = credentials.some((key) => own[key] !== undefined) ? own : ofDag;
  const found = [
    ...connection.map((key) => [key, own[key] ?? ofDag[key]] as const),
    ...credentials.map((key) => [key, keys[key]] as const),
  ];
  return Object.fromEntries(found.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** Returns the secrets of the DAG that the settings refer to, and every other reference as it is written. */
export function findStoreSecrets(
  settings: JsonObject,
  secrets: readonly Secret[] = [],
): { readonly secrets: readonly Secret[]; readonly others: readonly string[] } {
  const names = new Set(secrets.map(({ name }) => name));
  const found = new Set<string>();
  const others: string[] = [];
  for (const text of Object.values(settings)) {
    if (typeof text !== 'string') continue;
    const reader = createReferenceReader(text);
    for (const { index } of text.matchAll(/\$/g)) {
      const reference = reader.at(index);
      if (reference === undefined) continue;
      const name = variableOf(reference);
      if (name !== undefined && names.has(name)) found.add(name);
      else others.push(text.slice(reference.start, reference.end));
    }
  }
  return { secrets: secrets.filter(({ name }) => found.has(name)), others };
}

/** Lists what prevents the trigger from reaching its store. */
export function listStoreProblems(dag: Pick<Dag, 's3' | 'secrets'>, trigger: FileTrigger) {
  const settings = triggerStoreOf(dag, trigger);
  const missing = (['access_key_id', 'secret_access_key'] as const)
    .filter((key) => (settings[key] ?? '') === '')
    .map((key) => {
      const message = `${key} is required for ${quote(trigger.files)}, in s3 of the trigger or of the DAG`;
      return { code: 'missing_key', message } as const;
    });
  const { others } = findStoreSecrets(settings, dag.secrets);
  const unknown = [...new Set(others)].map((reference) => {
    const message = `s3 of a trigger can only refer to secrets of the DAG, which ${quote(reference)} is not`;
    return { code: 'invalid_value', message } as const;
  });
  return [...missing, ...unknown];
}

/** The variable that `$NAME`, `${NAME}` or `${env.NAME}` names. */
function variableOf({ head, path, operator, isRaw }: Reference): string | undefined {
  if (operator !== undefined || isRaw === true) return undefined;
  if (path.length === 0) return head;
  return head === 'env' && path.length === 1 ? path[0] : undefined;
}
