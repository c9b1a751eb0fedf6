import type { JsonValue } from '../../../model/json';
import { reportWrongKind } from '../../../shapes/readers';
import { shape } from '../../../shapes/shape';
import { asWritten, either, listShape, mapAsWritten, recordShape, text } from '../../../shapes/shapes';
import { getKind } from '../../../source/yaml/yaml-value';
import { settingBound } from '../../../shapes/settings/setting-shapes';

const bound = settingBound('params');
const item = either<JsonValue, string>((value) => getKind(value) === 'map', mapAsWritten, text);
const list = listShape(item, bound);
const map = recordShape(asWritten, bound);

/** Parameters of a run: words as on a command line, a list of words and maps, or a map. */
export const dagParams = shape<JsonValue>(
  (value) => {
    switch (getKind(value)) {
      case 'list':
        return list.read(value);
      case 'map':
        return map.read(value);
      case 'text':
      case 'number':
      case 'boolean':
        return text.read(value);
      default:
        return reportWrongKind(value, 'a string, a list or a map');
    }
  },
  (book) => ({ anyOf: [text.schema(book), list.schema(book), map.schema(book)] }),
);
