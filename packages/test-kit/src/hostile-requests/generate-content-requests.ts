import { hostileBodies } from './hostile-bodies';
import { answered, bodyText, refused, wrongFields, type BodyFields, type HostileRequest } from './hostile-request';
import { jsonText, notCount, notFlag, notList, notNumber, notObject, notText, strangeTexts } from './wrong-values';

const base: BodyFields = {
  model: '"m"',
  contents: '[{"role":"user","parts":[{"text":"hi"}]}]',
  generationConfig: '{"maxOutputTokens":16}',
};
const tool = '{"functionDeclarations":[{"name":"f"}]}';

const wrong: Readonly<Record<string, readonly string[]>> = {
  model: [...notText, '"another"'],
  contents: ['null', ...notList, '[]', '[null]', '["hi"]', '[[]]', '[{}]', '[{"role":"user"}]', '[{"parts":[]}]'],
  systemInstruction: ['7', 'true', '"x"', '{}', '[]', '{"parts":["x"]}', '{"parts":[{"inlineData":{}}]}'],
  tools: [
    ...notList,
    '[null]',
    '[{"functionDeclarations":{}}]',
    '[{"functionDeclarations":[{}]}]',
    '[{"functionDeclarations":[{"name":"a b"}]}]',
    '[{"functionDeclarations":[{"name":"f","parameters":{"properties":7}}]}]',
    '[{"functionDeclarations":[{"name":"f","behavior":"NON_BLOCKING"}]}]',
    '[{"googleSearch":{}}]',
    `[${tool},${tool}]`,
  ],
  toolConfig: [
    ...notObject,
    '{"functionCallingConfig":{"mode":"SOMETIMES"}}',
    '{"functionCallingConfig":{"mode":"ANY"}}',
    '{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["missing"]}}',
    '{"retrievalConfig":{}}',
  ],
  generationConfig: notObject,
  chat_template_kwargs: notObject,
  store: notFlag,
  cachedContent: ['"cachedContents/x"'],
  continuationToken: ['"x"'],
};

const wrongConfig: Readonly<Record<string, readonly string[]>> = {
  maxOutputTokens: [...notCount, '0'],
  temperature: [...notNumber, '-0.1', '2.1'],
  topP: [...notNumber, '0', '1.1'],
  topK: [...notNumber, '1.5', '-2'],
  candidateCount: ['2', '"1"'],
  stopSequences: ['7', '{}', '[7]', '[null]', '[""]', `[${'"a",'.repeat(16)}"a"]`],
  responseModalities: ['["IMAGE"]'],
  responseMimeType: ['"text/x.enum"', '7'],
  responseSchema: ['{"type":"STRING"}'],
  logprobs: ['5'],
  responseLogprobs: notFlag,
  speechConfig: ['{}'],
  imageConfig: ['{}'],
};

const wrongContents: Readonly<Record<string, string>> = {
  'an unknown role': '{"role":"robot","parts":[{"text":"x"}]}',
  'a role of every object': '{"role":"__proto__","parts":[{"text":"x"}]}',
  'parts that are a text': '{"role":"user","parts":"x"}',
  'no part': '{"role":"user","parts":[]}',
  'an empty part': '{"role":"user","parts":[{}]}',
  'a part of an unknown kind': '{"role":"user","parts":[{"hologram":{}}]}',
  'a part of two kinds': '{"role":"user","parts":[{"text":"x","functionResponse":{"name":"f","response":{}}}]}',
  'a part of every object': '{"role":"user","parts":[{"constructor":{}}]}',
  'text that is a list': '{"role":"user","parts":[{"text":["x"]}]}',
  'an image': '{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":""}}]}',
  'a file': '{"role":"user","parts":[{"fileData":{"fileUri":"http://169.254.169.254/"}}]}',
  'too many parts': `{"role":"user","parts":[${'{"text":""},'.repeat(9000)}{"text":""}]}`,
  'a result of no call': '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}',
  'a result whose call is a number': '{"role":"user","parts":[{"functionResponse":{"id":7,"name":"f","response":{}}}]}',
  'a result that is a text': '{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":"x"}}]}',
  'a result without a name': '{"role":"user","parts":[{"functionResponse":{"id":"a","response":{}}}]}',
  'a call of a user': '{"role":"user","parts":[{"functionCall":{"name":"f"}}]}',
  'a thought of a user': '{"role":"user","parts":[{"text":"x","thought":true}]}',
};

const wrongAnswers: Readonly<Record<string, string>> = {
  'a call whose arguments are a text': '{"functionCall":{"name":"f","args":"{}"}}',
  'a call whose arguments are a list': '{"functionCall":{"name":"f","args":[]}}',
  'a call without a name': '{"functionCall":{"args":{}}}',
  'a call with half of its arguments': '{"functionCall":{"name":"f","partialArgs":[]}}',
  'a result': '{"functionResponse":{"name":"f","response":{}}}',
  'a program': '{"executableCode":{"code":"x"}}',
};

/** Hostile bodies for `POST /models/m:generateContent`, more than a hundred. */
export function hostileGenerateContentRequests(maxBodyBytes?: number): readonly HostileRequest[] {
  const saying = (...contents: readonly string[]): string => bodyText({ ...base, contents: `[${contents.join(',')}]` });
  const user = '{"role":"user","parts":[{"text":"hi"}]}';
  const configured = (config: string): string => bodyText({ ...base, generationConfig: config });
  const deep = `${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)}`;
  return [
    ...hostileBodies(base, maxBodyBytes),
    ...wrongFields(base, wrong),
    ...Object.entries(wrongConfig).flatMap(([field, values]) =>
      values.map((json) => refused(`${field} is ${json.slice(0, 60)}`, configured(`{"${field}":${json}}`))),
    ),
    ...Object.entries(wrongContents).map(([name, content]) => refused(`has a content with ${name}`, saying(content))),
    ...Object.entries(wrongAnswers).map(([name, part]) =>
      refused(`has an answer with ${name}`, saying(user, `{"role":"model","parts":[${part}]}`, user)),
    ),
    ...Object.entries(strangeTexts).map(([name, text]) =>
      answered(`says ${name}`, saying(`{"role":"user","parts":[{"text":${jsonText(text)}}]}`)),
    ),
    refused('ends with an answer', saying(user, '{"role":"model","parts":[{"text":"He"}]}')),
    refused(
      'has a schema that is too deep',
      configured(`{"responseMimeType":"application/json","responseSchema":${deep}}`),
    ),
    refused('has more tools than fit', bodyText({ ...base, tools: `[${`${tool},`.repeat(600)}${tool}]` })),
    answered('has a thousand contents', saying(...Array<string>(1000).fill(user))),
  ];
}
