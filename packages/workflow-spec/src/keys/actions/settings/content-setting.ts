import type { JsonValue } from '../../../model/json';
import { keySpec } from '../../../shapes/object-kind';
import type { Field } from '../../../shapes/read-object';
import { anyJson } from '../../../shapes/shapes';
import { getKind, report } from '../../../source/yaml/yaml-value';

/** The content of a file: a string, or with `format: json` any value. */
export const content = keySpec('Content; a map or a list only with format json', anyJson, { required: true });

interface ContentFields {
  readonly content?: Field<JsonValue>;
  readonly format?: Field<JsonValue>;
}

export function checkContent({ content, format }: ContentFields): void {
  if (!content || (format?.value === undefined && format)) return;
  const kind = getKind(content.source);
  const isStructure = kind === 'list' || kind === 'map';
  if (isStructure && (format === undefined || format.value === 'raw')) {
    report(content.source, 'invalid_type', 'content must be a string unless format is json');
  }
}
