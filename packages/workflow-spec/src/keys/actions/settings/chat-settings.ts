import { keySpec } from '../../../shapes/object-kind';
import { namedShape, shape } from '../../../shapes/shape';
import {
  either,
  nonEmptyText,
  reportInvalid,
  listShape,
  number,
  enumShape,
  oneOrMany,
  orReference,
  text,
} from '../../../shapes/shapes';
import { getKind, type YamlValue } from '../../../source/yaml/yaml-value';
import { duration } from '../../../shapes/settings/duration-setting';
import { flag, settingBound, texts, webUrl, whole, word } from '../../../shapes/settings/setting-shapes';
import { atMostOne } from '../../../shapes/settings/key-choice';
import { settingsShape } from '../../../shapes/settings/settings-shape';
import { thinking, webSearch } from './chat-abilities';

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

const probability = orReference(
  shape(
    (value) => {
      const found = number.read(value);
      return found === undefined || (found >= 0 && found <= 1) ? found : reportInvalid(value, 'must be from 0 to 1');
    },
    { type: 'number', minimum: 0, maximum: 1 },
  ),
);

const sampling = {
  system: keySpec('System prompt', text),
  temperature: keySpec('Sampling temperature, from 0 to 2', temperature),
  max_tokens: keySpec('Maximum number of tokens of the answer', whole(1)),
  top_p: keySpec('Probability mass of the tokens that are sampled from, from 0 to 1', probability),
} as const;

const otherNames: ReadonlyMap<string, string> = new Map([
  ['google', 'gemini'],
  ['ollama', 'local'],
  ['vllm', 'local'],
  ['llama', 'local'],
]);

const provider = shape<string>(
  (value) => {
    const found = nonEmptyText.read(value);
    return found === undefined ? undefined : (otherNames.get(found) ?? found);
  },
  (book) => nonEmptyText.schema(book),
);

/** Keys for the address of a model, and for its credentials. */
const access = {
  provider: keySpec('Provider of the model; openai by default', provider),
  base_url: keySpec('URL of an interface like that of OpenAI; by default that of the provider', webUrl),
  api_key: keySpec('Key of the provider', nonEmptyText),
  api_key_name: keySpec('Variable of the step that holds the key; by default that of the provider', nonEmptyText),
} as const;

const fallback = settingsShape({
  title: 'model',
  keys: {
    name: keySpec('Name of the model', nonEmptyText, { required: true }),
    ...access,
    temperature: sampling.temperature,
    max_tokens: sampling.max_tokens,
  },
});
const model = oneOrMany(either(isMap, fallback, nonEmptyText), settingBound('model'));

export const chatKeys = {
  ...access,
  model: keySpec('Name of the model, or a list of models, of which the first that responds is used', model),
  ...sampling,
  reasoning_effort: keySpec('How long the model reasons', word('minimal', 'low', 'medium', 'high')),
  response_format: keySpec(
    'text (default), json, or schema for the output_schema of the step',
    word('text', 'json', 'schema'),
  ),
  thinking: keySpec('How the model thinks before it answers', thinking),
  web_search: keySpec('Search of the web by the provider of the model', webSearch),
  tools: keySpec('DAGs that the model may start before it answers, by their names', texts('tools')),
  stream: keySpec('Write the answer while it is generated; true by default', flag),
  timeout: keySpec('Timeout of the answer of one model; 10 minutes by default', duration),
  max_retries: keySpec('Requests that are repeated when a model is busy or unreachable; 3 by default', whole(0, 10)),
} as const;

/** Two ways of saying how much the model thinks. */
export const oneEffort = atMostOne('thinking', 'reasoning_effort');

/** The shape of the `llm` of a DAG. */
export const chatDefaults = settingsShape({ title: 'llm', keys: chatKeys, choices: [oneEffort] });

const message = settingsShape({
  title: 'message',
  keys: {
    role: keySpec('Role of the author', enumShape('system', 'user', 'assistant', 'tool'), { required: true }),
    content: keySpec('Content of the message', text, { required: true }),
  },
});

export const messages = listShape(namedShape('ChatMessage', message), settingBound('messages'));
