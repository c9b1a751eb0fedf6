import { hostileBodies } from './hostile-bodies';
import { answered, bodyText, refused, wrongFields, type BodyFields, type HostileRequest } from './hostile-request';
import { jsonText, notCount, notFlag, notList, notNumber, notObject, notText, strangeTexts } from './wrong-values';

const base: BodyFields = { model: '"m"', input: '"hi"' };
const tool = '{"type":"function","name":"f"}';

const wrong: Readonly<Record<string, readonly string[]>> = {
  model: ['null', ...notText],
  input: ['null', '7', 'true', '{}', '[]', '[null]', '["hi"]', '[[]]', '[{}]'],
  instructions: ['7', '[]', '{}'],
  previous_response_id: ['7', '[]', '"resp_of_nobody"', '"chatcmpl-1"', '"__proto__"', `"${'r'.repeat(1000)}"`],
  temperature: [...notNumber, '-0.1', '2.1'],
  top_p: [...notNumber, '0', '1.1'],
  max_output_tokens: [...notCount, '0'],
  top_logprobs: ['5', '"5"', '-1', '21'],
  include: [...notList, '[7]', '["everything"]', '["__proto__"]'],
  tools: [
    ...notList,
    '[null]',
    '[{}]',
    '[{"type":"web_search"}]',
    '[{"type":"mcp","server_url":"http://x"}]',
    `[${tool},${tool}]`,
  ],
  tool_choice: ['7', '[]', '{}', '"sometimes"', '"required"', '{"type":"function","name":"missing"}', '{"type":"mcp"}'],
  parallel_tool_calls: notFlag,
  text: [...notObject, '{"format":7}', '{"format":{"type":"xml"}}', '{"format":{"type":"json_schema"}}', '{"magic":1}'],
  reasoning: [...notObject, '{"effort":7}', '{"magic":1}'],
  store: notFlag,
  stream: notFlag,
  truncation: ['"auto"', '7'],
  background: ['true', '"false"'],
  metadata: ['"a"', '7', '{"a":7}', '{"a":{"b":"c"}}', `{"${'k'.repeat(100)}":"v"}`, `{"k":"${'v'.repeat(600)}"}`],
  conversation: ['"conv_1"'],
  prompt: ['{"id":"p"}'],
  user: notText,
};

const wrongItems: Readonly<Record<string, string>> = {
  'an unknown kind': '{"type":"telepathy"}',
  'a kind of every object': '{"type":"__proto__"}',
  'a kind that is a number': '{"type":7}',
  'an unknown role': '{"role":"robot","content":"x"}',
  'a role of every object': '{"role":"constructor","content":"x"}',
  'no content': '{"role":"user"}',
  'content that is a number': '{"role":"user","content":7}',
  'a part that is no part': '{"role":"user","content":["x"]}',
  'a part of an unknown kind': '{"role":"user","content":[{"type":"hologram","text":"x"}]}',
  'a part of every object': '{"role":"user","content":[{"type":"toString","text":"x"}]}',
  'a part without its text': '{"role":"user","content":[{"type":"input_text"}]}',
  'an image': '{"role":"user","content":[{"type":"input_image","image_url":"http://169.254.169.254/"}]}',
  'a file': '{"role":"user","content":[{"type":"input_file","file_id":"../../x"}]}',
  'a call without a name': '{"type":"function_call","call_id":"a","arguments":"{}"}',
  'a call without arguments': '{"type":"function_call","call_id":"a","name":"f"}',
  'a call whose arguments are an object': '{"type":"function_call","call_id":"a","name":"f","arguments":{}}',
  'a call with an endless id': `{"type":"function_call","call_id":"${'a'.repeat(5000)}","name":"f","arguments":""}`,
  'a result of no call': '{"type":"function_call_output","output":"x"}',
  'a result that is a number': '{"type":"function_call_output","call_id":"a","output":7}',
  'a result that is an image': '{"type":"function_call_output","call_id":"a","output":[{"type":"input_image"}]}',
  'a thought that is a number': '{"type":"reasoning","summary":7}',
  'a thought of unknown parts': '{"type":"reasoning","summary":[{"type":"x","text":"y"}]}',
  'a reference to nothing': '{"type":"item_reference"}',
  'a reference to the item of nobody': '{"type":"item_reference","id":"msg_of_nobody_0"}',
  'a reference with an endless id': `{"type":"item_reference","id":"msg_${'x'.repeat(50_000)}_0"}`,
  'a reference that is a number': '{"type":"item_reference","id":7}',
  'an item of the service': '{"type":"web_search_call","id":"ws_1","status":"completed"}',
  'a call of a shell': '{"type":"local_shell_call","id":"l","call_id":"c","action":{"type":"exec","command":["rm"]}}',
  'a call of a server elsewhere': '{"type":"mcp_call","id":"m","name":"x","arguments":"{}","server_label":"y"}',
};

/** Hostile bodies for `POST /responses`, more than a hundred. */
export function hostileResponsesRequests(maxBodyBytes?: number): readonly HostileRequest[] {
  const holding = (item: string): string => bodyText({ ...base, input: `[${item}]` });
  return [
    ...hostileBodies(base, maxBodyBytes),
    ...wrongFields(base, wrong),
    ...Object.entries(wrongItems).map(([name, item]) => refused(`has an item with ${name}`, holding(item))),
    ...Object.entries(strangeTexts).map(([name, text]) =>
      answered(`says ${name}`, bodyText({ ...base, input: jsonText(text) })),
    ),
    refused('has nothing but instructions', bodyText({ model: '"m"', instructions: '"x"' })),
    refused('has a tool with an impossible name', bodyText({ ...base, tools: '[{"type":"function","name":"a b"}]' })),
    refused('has more tools than fit', bodyText({ ...base, tools: `[${`${tool},`.repeat(600)}${tool}]` })),
    answered(
      'has a thousand items',
      bodyText({ ...base, input: `[${Array(1000).fill('{"role":"user","content":"x"}').join(',')}]` }),
    ),
  ];
}
