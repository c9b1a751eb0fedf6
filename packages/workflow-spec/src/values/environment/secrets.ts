import type { Secret } from '../../model/secret';
import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { limitEntries } from '../../shapes/limit-entries';
import { requireKeys } from '../../shapes/json-schema/json-schema';
import { keySpec, objectKind, objectSchema } from '../../shapes/object-kind';
import { readObject, type Fields } from '../../shapes/read-object';
import { readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { anyMap, nonEmptyText, enumShape } from '../../shapes/shapes';
import { settableEnvName } from './reserved-names';
import { uniqueNames, type Located } from '../../shapes/unique-names';
import { getEntries, getItems, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';

const providers = ['env', 'file', 'vault', 'kubernetes', 'aws', 'gcp', 'azure', 'alibaba'] as const;

/** The options of each provider that this version reads from. */
const providerOptions: Readonly<Record<string, readonly string[]>> = {
  env: ['field'],
  file: ['field', 'trim'],
  vault: ['field', 'version'],
  kubernetes: ['field'],
  aws: ['field', 'version', 'region'],
  gcp: ['field', 'version', 'project'],
  azure: ['field', 'version'],
};

const refPattern = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*(@[1-9]\d{0,8})?$/;

const storedRef = shape(
  (value) => {
    const ref = readText(value);
    if (ref === undefined || refPattern.test(ref)) return ref;
    report(value, 'invalid_value', 'ref must be lower-case words with "-", separated by "/", such as payments/api');
    return undefined;
  },
  { type: 'string', pattern: refPattern.source },
);

const secretKind = objectKind({
  title: 'secret',
  keys: {
    name: keySpec('Environment variable that receives the value', settableEnvName, { required: true }),
    ref: keySpec("Name of the secret in the server's store, or NAME@VERSION", storedRef),
    provider: keySpec("Provider of a value that is not in the server's store", enumShape(...providers)),
    key: keySpec('Key of the value at the provider', nonEmptyText),
    options: keySpec('Additional settings of the provider', anyMap),
  },
  rules: {
    anyOf: [
      { ...requireKeys('name', 'ref'), not: { anyOf: [requireKeys('provider'), requireKeys('key')] } },
      { ...requireKeys('name', 'provider', 'key'), not: requireKeys('ref') },
    ],
  },
});

type SecretFields = Fields<typeof secretKind.keys>;

const bound = { limit: limits.secrets, code: 'invalid_value', what: 'secrets' } as const;

const readSecrets: Reader<readonly Secret[]> = (value) => {
  if (getKind(value) !== 'list') return reportWrongKind(value, 'a list of secrets');
  return uniqueNames(limitEntries(getItems(value), value, bound).flatMap(readSecret), 'secret', value);
};

export const secrets = shape(readSecrets, (book) => ({
  type: 'array',
  maxItems: limits.secrets,
  items: book.refer('Secret', () => objectSchema(secretKind, book)),
}));

function readSecret(item: YamlValue): readonly Located<Secret>[] {
  const fields = readObject(item, secretKind)?.fields;
  const source = fields && readSource(fields, item);
  if (!source || !fields.name?.value) return [];
  return [{ value: { name: fields.name.value, ...source }, location: fields.name.source }];
}

type Source<S> = S extends Secret ? Omit<S, 'name'> : never;

function readSource(fields: SecretFields, item: YamlValue): Source<Secret> | undefined {
  const { ref, provider, key, options } = fields;
  if (ref) {
    for (const other of ['provider', 'key', 'options'] as const) {
      const field = fields[other];
      const message = `a secret with ref takes no ${other}`;
      if (field) item.context.report.add('conflicting_keys', field.keyLocation, message);
    }
    if (ref.value === undefined) return undefined;
    return { kind: 'ref', ref: ref.value };
  }
  if (!provider) report(item, 'missing_key', 'a secret must have ref, or provider and key');
  else if (!key) report(item, 'missing_key', 'key is required in a secret with a provider');
  if (provider?.value === undefined || key?.value === undefined) return undefined;
  checkOptions(provider.value, provider.source, options);
  return {
    kind: 'provider',
    provider: provider.value,
    key: key.value,
    ...compact({ options: options?.value }),
  };
}

function checkOptions(provider: string, source: YamlValue, options: SecretFields['options']): void {
  const known = providerOptions[provider];
  if (known === undefined) {
    report(source, 'unsupported_value', `secrets of the provider ${provider} are not supported by this version`);
    return;
  }
  if (options === undefined) return;
  for (const { key, location } of getEntries(options.source)) {
    const message = `secrets of the provider ${provider} have no option ${quote(key)}: ${known.join(', ')}`;
    if (!known.includes(key)) options.source.context.report.add('unknown_key', location, message);
  }
}
