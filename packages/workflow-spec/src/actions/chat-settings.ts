import type { JsonObject, JsonValue } from '../canonical/json';
import { keySpec } from '../read/object-kind';
import { namedShape, shape, type Shape } from '../read/shape';
import {
  anyMap,
  either,
  filledText,
  invalid,
  listOf,
  number,
  oneOf,
  oneOrMany,
  orReference,
  text,
} from '../read/shapes';
import { kindOf, type YamlValue } from '../yaml/yaml-value';
import { flag, settingBound, texts, whole } from './setting-shapes';
import { settingsShape } from './settings-shape';

const isMap = (value: YamlValue) => kindOf(value) === 'map';

const temperature = orReference(
  shape(
    (value) => {
      const found = number.read(value);
      return found === undefined || (found >= 0 && found <= 2) ? found : invalid(value, 'must be from 0 to 2');
    },
    { type: 'number', minimum: 0, maximum: 2 },
  ),
);

const sampling = {
  system: keySpec('What the model is told first', text),
  temperature: keySpec('How free the answer is, from 0 to 2', temperature),
  max_tokens: keySpec('Most tokens of the answer', whole(1)),
} as const;

const fallback = settingsShape({
  title: 'model',
  keys: {
    name: keySpec('Name of the model', filledText, { required: true }),
    provider: keySpec('Who runs it', filledText),
    temperature: sampling.temperature,
    max_tokens: sampling.max_tokens,
  },
});
const model = oneOrMany(either<JsonObject, string>(isMap, fallback, filledText), settingBound('model'));

/** On or off, or a map of settings of its own. */
const flagOrMap: Shape<JsonValue> = either<JsonObject, boolean | string>(isMap, anyMap, flag);

export const chatKeys = {
  provider: keySpec('Who runs the model', filledText),
  model: keySpec('Name of the model, or a list of which the first that answers is taken', model),
  ...sampling,
  tools: keySpec('DAGs that the model may call', texts('tools')),
  thinking: keySpec('Whether and how the model thinks first', flagOrMap),
  web_search: keySpec('Whether and how the model searches the web', flagOrMap),
  stream: keySpec('Write the answer as it comes', flag),
} as const;

/** The `llm` of a DAG. */
export const chatDefaults = settingsShape({ title: 'llm', keys: chatKeys });

const message = settingsShape({
  title: 'message',
  keys: {
    role: keySpec('Who says it', oneOf('system', 'user', 'assistant', 'tool'), { required: true }),
    content: keySpec('What is said', text, { required: true }),
  },
});

export const messages = listOf(namedShape('ChatMessage', message), settingBound('messages'));
