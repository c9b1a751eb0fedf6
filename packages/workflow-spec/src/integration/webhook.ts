import { limits } from '../limits';
import { atMost } from '../read/at-most';
import { keySpec, objectKind } from '../read/object-kind';
import { objectShape } from '../read/read-object';
import { readFilledText, wrongKind, type Reader } from '../read/readers';
import { shape } from '../read/shape';
import { invalid } from '../read/shapes';
import { uniqueNames, type Placed } from '../values/unique-names';
import { itemsOf, kindOf, type YamlValue } from '../yaml/yaml-value';

/** What a run that a webhook starts is given of the request; header names are lower-case. */
export interface Webhook {
  readonly forwardHeaders: readonly string[];
}

const headerPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const scalar = ['string', 'number', 'boolean'];
const bound = { limit: limits.forwardedHeaders, code: 'invalid_value', what: 'forward_headers' } as const;

const readHeaders: Reader<readonly string[]> = (value) => {
  if (kindOf(value) !== 'list') return wrongKind(value, 'a list of header names');
  const headers = atMost(itemsOf(value), value, bound).flatMap(readHeader);
  return uniqueNames(headers, 'header', value).map(({ name }) => name);
};

const webhookKind = objectKind({
  title: 'webhook',
  keys: {
    forward_headers: keySpec(
      'Request headers that runs see; Authorization never',
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

function readHeader(item: YamlValue): readonly Placed<{ readonly name: string }>[] {
  const name = readFilledText(item)?.toLowerCase();
  if (name === undefined) return [];
  // It would put the credentials of the caller into the environment and the history of runs.
  if (name === 'authorization') invalid(item, 'the Authorization header may not be forwarded');
  else if (!headerPattern.test(name)) invalid(item, 'must be the name of a header');
  else return [{ value: { name }, spot: item }];
  return [];
}
