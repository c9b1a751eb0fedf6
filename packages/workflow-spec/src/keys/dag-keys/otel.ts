import { duration } from '../../shapes/settings/duration-setting';
import type { JsonObject } from '../../model/json';
import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { anyJson, boolean, nonEmptyText, recordShape, text } from '../../shapes/shapes';

const bound = (what: string) => ({ limit: limits.settingEntries, code: 'invalid_value', what }) as const;

const otelKind = objectKind({
  title: 'otel',
  keys: {
    enabled: keySpec('Whether traces of runs are sent', boolean),
    endpoint: keySpec('Where traces are sent', nonEmptyText),
    headers: keySpec('Headers of the export requests', recordShape(text, bound('headers'))),
    insecure: keySpec('Whether traces are sent without TLS', boolean),
    timeout: keySpec('Timeout of one request', duration),
    resource: keySpec('Attributes of every trace', recordShape(anyJson, bound('resource'))),
  },
});

/** The settings use the keys of the language; strings may contain references. */
export const otel = objectShape(otelKind, (fields): JsonObject => {
  const { endpoint, headers, insecure, timeout, resource } = fields;
  const more = {
    endpoint: endpoint?.value,
    headers: headers?.value,
    insecure: insecure?.value,
    timeout: timeout?.value,
    resource: resource?.value,
  };
  return { enabled: fields.enabled?.value ?? false, ...compact(more) };
});
