import type { JsonValue } from '../canonical/json';
import { wrongKind } from '../read/readers';
import { shape } from '../read/shape';
import { anyMap, either, listOf, mapOf, anyJson, text } from '../read/shapes';
import { kindOf } from '../yaml/yaml-value';
import { settingBound } from './setting-shapes';

const bound = settingBound('params');
const item = either<JsonValue, string>((value) => kindOf(value) === 'map', anyMap, text);
const list = listOf(item, bound);
const map = mapOf<JsonValue>(anyJson, bound);

/** What a DAG is called with: words as on a command line, a list of words and maps, or a map. */
export const dagParams = shape<JsonValue>(
  (value) => {
    switch (kindOf(value)) {
      case 'list':
        return list.read(value);
      case 'map':
        return map.read(value);
      case 'text':
      case 'number':
      case 'boolean':
        return text.read(value);
      default:
        return wrongKind(value, 'a text, a list or a map');
    }
  },
  (book) => ({ anyOf: [text.schema(book), list.schema(book), map.schema(book)] }),
);
