import { hostileBodies } from './hostile-bodies';
import { answered, bodyText, refused, wrongFields, type BodyFields, type HostileRequest } from './hostile-request';
import { jsonText, notCount, notFlag, notList, notNumber, notObject, notText, strangeTexts } from './wrong-values';

const base: BodyFields = { model: '"m"', max_tokens: '16', messages: '[{"role":"user","content":"hi"}]' };
const tool = '{"name":"f","input_schema":{"type":"object"}}';

const wrong: Readonly<Record<string, readonly string[]>> = {
  model: ['null', ...notText],
  max_tokens: ['null', ...notCount, '0'],
  messages: ['null', ...notList, '[]', '[null]', '["hi"]', '[[]]', '[{}]', '[{"role":"user"}]', '[{"content":"hi"}]'],
  system: ['7', 'true', '{}', '[7]', '[{"type":"image"}]', '[{"type":"text"}]', '[{"text":"x"}]'],
  temperature: [...notNumber, '-0.1', '2.1'],
  top_p: [...notNumber, '0', '1.1'],
  top_k: [...notNumber, '1.5', '-2'],
  stop_sequences: ['7', '{}', '[7]', '[null]', '[""]', `[${'"a",'.repeat(16)}"a"]`],
  stream: notFlag,
  tools: [
    ...notList,
    '[null]',
    '[{}]',
    '[{"name":"f"}]',
    '[{"type":"bash_20250124","name":"bash"}]',
    `[${tool},${tool}]`,
  ],
  tool_choice: [
    '7',
    '"auto"',
    '[]',
    '{}',
    '{"type":"sometimes"}',
    '{"type":"any"}',
    '{"type":"tool","name":"missing"}',
  ],
  output_config: [...notObject, '{"format":{"type":"xml"}}', '{"format":{"type":"json_schema"}}', '{"magic":1}'],
  chat_template_kwargs: notObject,
  mcp_servers: ['[{"type":"url","url":"http://x"}]'],
  container: ['"c"'],
  n: ['2'],
};

const wrongMessages: Readonly<Record<string, string>> = {
  'an unknown role': '{"role":"robot","content":"x"}',
  'a role of every object': '{"role":"__proto__","content":"x"}',
  'a role of another protocol': '{"role":"tool","content":"x","tool_call_id":"a"}',
  'content that is a number': '{"role":"user","content":7}',
  'content that is null': '{"role":"user","content":null}',
  'no blocks': '{"role":"user","content":[]}',
  'a block that is no block': '{"role":"user","content":["x"]}',
  'a block without a type': '{"role":"user","content":[{"text":"x"}]}',
  'a block of an unknown kind': '{"role":"user","content":[{"type":"hologram"}]}',
  'a block of every object': '{"role":"user","content":[{"type":"constructor"}]}',
  'a block without its text': '{"role":"user","content":[{"type":"text"}]}',
  'a block whose text is a list': '{"role":"user","content":[{"type":"text","text":["x"]}]}',
  'an image': '{"role":"user","content":[{"type":"image","source":{"type":"url","url":"http://169.254.169.254/"}}]}',
  'a document': '{"role":"user","content":[{"type":"document","source":{"type":"text","data":"x"}}]}',
  'too many blocks': `{"role":"user","content":[${'{"type":"text","text":""},'.repeat(9000)}{"type":"text","text":""}]}`,
  'a result of no call': '{"role":"user","content":[{"type":"tool_result","content":"x"}]}',
  'a result whose call is a number': '{"role":"user","content":[{"type":"tool_result","tool_use_id":7}]}',
  'a result that is a number': '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":7}]}',
  'a result that is an image':
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image"}]}]}',
  'a call of a user': '{"role":"user","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}',
  'thinking of a user': '{"role":"user","content":[{"type":"thinking","thinking":"x","signature":""}]}',
};

const wrongAnswers: Readonly<Record<string, string>> = {
  'a call whose input is a string': '[{"type":"tool_use","id":"a","name":"f","input":"{}"}]',
  'a call whose input is a list': '[{"type":"tool_use","id":"a","name":"f","input":[]}]',
  'a call without a name': '[{"type":"tool_use","id":"a","input":{}}]',
  'a call without an id': '[{"type":"tool_use","name":"f","input":{}}]',
  'thinking that is a number': '[{"type":"thinking","thinking":7}]',
  'hidden thinking': '[{"type":"redacted_thinking","data":"x"}]',
  'a call of the service': '[{"type":"server_tool_use","id":"a","name":"web_search","input":{}}]',
};

/** Hostile bodies for `POST /messages`, more than a hundred. */
export function hostileMessagesRequests(maxBodyBytes?: number): readonly HostileRequest[] {
  const saying = (...messages: readonly string[]): string => bodyText({ ...base, messages: `[${messages.join(',')}]` });
  const user = '{"role":"user","content":"hi"}';
  return [
    ...hostileBodies(base, maxBodyBytes),
    ...wrongFields(base, wrong),
    ...Object.entries(wrongMessages).map(([name, message]) => refused(`has a message with ${name}`, saying(message))),
    ...Object.entries(wrongAnswers).map(([name, content]) =>
      refused(`has an answer with ${name}`, saying(user, `{"role":"assistant","content":${content}}`, user)),
    ),
    ...Object.entries(strangeTexts).map(([name, text]) =>
      answered(`says ${name}`, saying(`{"role":"user","content":[{"type":"text","text":${jsonText(text)}}]}`)),
    ),
    refused('ends with an answer', saying(user, '{"role":"assistant","content":"He"}')),
    refused('has a tool with an impossible name', bodyText({ ...base, tools: '[{"name":"a b","input_schema":{}}]' })),
    refused('has more tools than fit', bodyText({ ...base, tools: `[${`${tool},`.repeat(600)}${tool}]` })),
    answered('has a thousand messages', saying(...Array<string>(1000).fill(user))),
  ];
}
