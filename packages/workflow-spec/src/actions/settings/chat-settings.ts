import type { JsonObject, JsonValue } from '../../model/json';
import { keySpec } from '../../shapes/object-kind';
import { namedShape, shape, type Shape } from '../../shapes/shape';
import {
  anyMap,
  either,
  nonEmptyText,
  reportInvalid,
  listShape,
  number,
  enumShape,
  oneOrMany,
  orReference,
  text,
} from '../../shapes/shapes';
import { getKind, type YamlValue } from '../../yaml/yaml-value';
import { flag, settingBound, texts, whole } from './setting-shapes';
import { settingsShape } from './settings-shape';

const isMap = (value: YamlValue) => getKind(value) === 'map';

const temperature = orReference(
  shape(
    (value) => {
      const found = number.read(value);
      return found === undefined || (found >= 0 && found <= 2) ? found : reportInvalid(value, 'must be from 0 to 2');
    },
    { type: 'number', minimum: 0, maximum: 2 },
  ),
);

const sampling = {
  system: keySpec('System prompt', text),
  temperature: keySpec('Sampling temperature, from 0 to 2', temperature),
  max_tokens: keySpec('Maximum number of tokens of the answer', whole(1)),
} as const;

const fallback = settingsShape({
  title: 'model',
  keys: {
    name: keySpec('Name of the model', nonEmptyText, { required: true }),
    provider: keySpec('Provider of the model', nonEmptyText),
    temperature: sampling.temperature,
    max_tokens: sampling.max_tokens,
  },
});
const model = oneOrMany(either<JsonObject, string>(isMap, fallback, nonEmptyText), settingBound('model'));

/** On or off, or a map of settings. */
const flagOrMap: Shape<JsonValue> = either<JsonObject, boolean | string>(isMap, anyMap, flag);

export const chatKeys = {
  provider: keySpec('Provider of the model', nonEmptyText),
  model: keySpec('Name of the model, or a list of models, of which the first that responds is used', model),
  ...sampling,
  tools: keySpec('DAGs that the model may call', texts('tools')),
  thinking: keySpec('Whether and how the model reasons before it answers', flagOrMap),
  web_search: keySpec('Whether and how the model searches the web', flagOrMap),
  stream: keySpec('Write the answer while it is generated', flag),
} as const;

/** The `llm` of a DAG. */
export const chatDefaults = settingsShape({ title: 'llm', keys: chatKeys });

const message = settingsShape({
  title: 'message',
  keys: {
    role: keySpec('Role of the author', enumShape('system', 'user', 'assistant', 'tool'), { required: true }),
    content: keySpec('Content of the message', text, { required: true }),
  },
});

export const messages = listShape(namedShape('ChatMessage', message), settingBound('messages'));
