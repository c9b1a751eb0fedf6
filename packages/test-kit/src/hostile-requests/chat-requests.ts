import { hostileBodies } from './hostile-bodies';
import { answered, bodyText, refused, wrongFields, type BodyFields, type HostileRequest } from './hostile-request';
import { jsonText, notCount, notFlag, notList, notNumber, notObject, notText, strangeTexts } from './wrong-values';

const base: BodyFields = { model: '"m"', messages: '[{"role":"user","content":"hi"}]' };
const tool = '{"type":"function","function":{"name":"f"}}';

const wrong: Readonly<Record<string, readonly string[]>> = {
  model: ['null', ...notText, `"${'m'.repeat(10_000)}"`],
  messages: ['null', ...notList, '[]', '[null]', '["hi"]', '[[]]', '[{}]', '[{"role":"user"}]', '[{"content":"hi"}]'],
  temperature: [...notNumber, '-0.1', '2.1'],
  top_p: [...notNumber, '0', '1.1'],
  top_k: [...notNumber, '1.5', '-2'],
  n: ['2', '0', '-1', '1.5', '"1"', '1e999'],
  max_tokens: [...notCount, '0'],
  max_completion_tokens: ['"1"', '0', '1e300'],
  stop: ['7', '{}', '[7]', '[null]', '[""]', `[${'"a",'.repeat(16)}"a"]`, `"${'s'.repeat(2000)}"`],
  seed: ['"1"', '1.5', '1e300'],
  logit_bias: ['[]', '"a"', '{"a":1}', '{"-1":1}', '{"1":"2"}', '{"1":101}', '{"1":1e999}', '{"99999999999999":1}'],
  stream: notFlag,
  stream_options: notObject,
  tools: [...notList, '[null]', '[{}]', '[{"type":"function"}]', '[{"type":"code_interpreter"}]', `[${tool},${tool}]`],
  tool_choice: ['7', '[]', '{}', '"sometimes"', '"required"', '{"type":"function","function":{"name":"missing"}}'],
  parallel_tool_calls: notFlag,
  logprobs: notFlag,
  top_logprobs: ['5', '"5"', '-1'],
  response_format: [
    '7',
    '"json"',
    '[]',
    '{"type":"xml"}',
    '{"type":"json_schema"}',
    '{"type":"json_schema","json_schema":7}',
  ],
  modalities: ['"text"', '["audio"]', '[7]'],
  store: notFlag,
  chat_template_kwargs: notObject,
  functions: ['[{"name":"f"}]'],
  audio: ['{"voice":"x"}'],
  prediction: ['{"type":"content","content":"x"}'],
};

const wrongMessages: Readonly<Record<string, string>> = {
  'an unknown role': '{"role":"robot","content":"x"}',
  'a role of every object': '{"role":"__proto__","content":"x"}',
  'a role that is a list': '{"role":["user"],"content":"x"}',
  'content that is a number': '{"role":"user","content":7}',
  'content that is an object': '{"role":"user","content":{"type":"text","text":"x"}}',
  'a part that is no part': '{"role":"user","content":["x"]}',
  'a part without a type': '{"role":"user","content":[{"text":"x"}]}',
  'a part without its text': '{"role":"user","content":[{"type":"text"}]}',
  'a part whose text is a list': '{"role":"user","content":[{"type":"text","text":["x"]}]}',
  'an image': '{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://169.254.169.254/"}}]}',
  'a sound': '{"role":"user","content":[{"type":"input_audio","input_audio":{}}]}',
  'a file': '{"role":"user","content":[{"type":"file","file":{"file_id":"../../x"}}]}',
  'too many parts': `{"role":"user","content":[${'{"type":"text","text":""},'.repeat(5000)}{"type":"text","text":""}]}`,
  'a result of no call': '{"role":"tool","content":"x"}',
  'a result whose call is a number': '{"role":"tool","content":"x","tool_call_id":7}',
  'a call of a user': `{"role":"user","content":"x","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}`,
  'calls that are no list': '{"role":"assistant","tool_calls":{}}',
  'a call without a function': '{"role":"assistant","tool_calls":[{"id":"a","type":"function"}]}',
  'a call whose arguments are an object':
    '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]}',
  'a call of another kind':
    '{"role":"assistant","tool_calls":[{"id":"a","type":"custom","function":{"name":"f","arguments":""}}]}',
  'a call with an endless id': `{"role":"assistant","tool_calls":[{"id":"${'a'.repeat(5000)}","function":{"name":"f","arguments":""}}]}`,
  'an old call of a function': '{"role":"assistant","content":"x","function_call":{"name":"f","arguments":"{}"}}',
};

/** Hostile bodies for `POST /chat/completions`, more than a hundred. */
export function hostileChatRequests(maxBodyBytes?: number): readonly HostileRequest[] {
  const saying = (message: string): string => bodyText({ ...base, messages: `[${message}]` });
  return [
    ...hostileBodies(base, maxBodyBytes),
    ...wrongFields(base, wrong),
    ...Object.entries(wrongMessages).map(([name, message]) => refused(`has a message with ${name}`, saying(message))),
    ...Object.entries(strangeTexts).map(([name, text]) =>
      answered(`says ${name}`, saying(`{"role":"user","content":${jsonText(text)}}`)),
    ),
    refused('gives both limits', bodyText({ ...base, max_tokens: '5', max_completion_tokens: '5' })),
    refused(
      'has a tool with an impossible name',
      bodyText({ ...base, tools: '[{"type":"function","function":{"name":"a b"}}]' }),
    ),
    refused('has more tools than fit', bodyText({ ...base, tools: `[${`${tool},`.repeat(600)}${tool}]` })),
    answered(
      'has a thousand messages',
      bodyText({ ...base, messages: `[${Array(1000).fill('{"role":"user","content":"x"}').join(',')}]` }),
    ),
  ];
}
