import { limits } from '../../model/limits';
import { limitEntries } from '../../shapes/limit-entries';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText, reportWrongKind, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { reportInvalid } from '../../shapes/shapes';
import { uniqueNames, type Located } from '../../shapes/unique-names';
import { getItems, getKind, type YamlValue } from '../../source/yaml/yaml-value';

/** Header names are lower-case. */
export interface Webhook {
  readonly forwardHeaders: readonly string[];
}

const headerPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const scalar = ['string', 'number', 'boolean'];
const bound = { limit: limits.forwardedHeaders, code: 'invalid_value', what: 'forward_headers' } as const;

const readHeaders: Reader<readonly string[]> = (value) => {
  if (getKind(value) !== 'list') return reportWrongKind(value, 'a list of header names');
  const headers = limitEntries(getItems(value), value, bound).flatMap(readHeader);
  return uniqueNames(headers, 'header', value).map(({ name }) => name);
};

const webhookKind = objectKind({
  title: 'webhook',
  keys: {
    forward_headers: keySpec(
      'Request headers forwarded to runs; never Authorization',
      shape(readHeaders, {
        type: 'array',
        maxItems: limits.forwardedHeaders,
        items: { type: scalar, pattern: headerPattern.source, not: { type: 'string', pattern: '^[Aa]uthorization$' } },
      }),
    ),
  },
});

export const webhook = objectShape(webhookKind, ({ forward_headers: headers }): Webhook => ({
  forwardHeaders: headers?.value ?? [],
}));

function readHeader(item: YamlValue): readonly Located<{ readonly name: string }>[] {
  const name = readNonEmptyText(item)?.toLowerCase();
  if (name === undefined) return [];
  // Forwarding it would expose the caller's credentials in the environment and history of runs.
  if (name === 'authorization') reportInvalid(item, 'the Authorization header may not be forwarded');
  else if (!headerPattern.test(name)) reportInvalid(item, 'must be the name of a header');
  else return [{ value: { name }, location: item }];
  return [];
}
