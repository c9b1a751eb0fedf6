import type { FamilyName, ReasoningParserName, ToolParserName } from '../registry';

export interface WrittenCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface WrittenAnswer {
  readonly reasoning?: string;
  readonly content: string;
  readonly calls: readonly WrittenCall[];
}

/** How the models of a family write an answer: a second implementation of the formats, which the parsers are checked by. */
export interface AnswerForm {
  readonly family: FamilyName;
  /** Which models of the family, where they differ. */
  readonly variant?: string;
  readonly toolParser: ToolParserName;
  readonly reasoningParser: ReasoningParserName;
  /** Most calls in an answer. */
  readonly maxCalls: number;
  /** Whether there may be text beside calls. */
  readonly hasTextBesideCalls: boolean;
  /** What a string among the arguments cannot contain in this format, because nothing could tell it from the end. */
  readonly ambiguous?: RegExp;
  /** Whether the models leave out what is null, because the format has no null. */
  readonly omitsNull?: boolean;
  write(answer: WrittenAnswer): string;
}

const json = (value: unknown): string => JSON.stringify(value);
const plain = (value: unknown): string => (typeof value === 'string' ? value : json(value));
const thinking = (reasoning: string | undefined): string =>
  reasoning === undefined ? '' : `<think>\n${reasoning}\n</think>\n\n`;

function withTags(calls: (calls: readonly WrittenCall[]) => string): AnswerForm['write'] {
  return ({ reasoning, content, calls: given }) =>
    thinking(reasoning) + content + (given.length === 0 ? '' : calls(given));
}

const eachCall = (write: (call: WrittenCall, index: number) => string) => (calls: readonly WrittenCall[]) =>
  calls.map(write).join('');

const entries = (call: WrittenCall, write: (key: string, value: unknown) => string): string =>
  Object.entries(call.arguments)
    .map(([key, value]) => write(key, value))
    .join('');

const gemmaValue = (value: unknown): string => {
  if (typeof value === 'string') return `<|"|>${value}<|"|>`;
  if (Array.isArray(value)) return `[${value.map(gemmaValue).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}:${gemmaValue(member)}`)
    .join(',')}}`;
};

const m3Mark = ']<]minimax[>[';
const m3Element = (name: string, body: string): string => `${m3Mark}<${name}>${body}${m3Mark}</${name}>`;
const m3Value = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((item) => m3Element('item', m3Value(item))).join('');
  if (typeof value !== 'object' || value === null) return plain(value);
  return m3Members(value);
};
const m3Members = (members: object): string =>
  Object.entries(members)
    .map(([name, member]) => (member === null ? '' : m3Element(name, m3Value(member))))
    .join('');

const common = { maxCalls: 3, hasTextBesideCalls: true } as const;

/** DeepSeek closes a thought that the prompt has opened. */
function afterThought({ reasoning = '', content, calls }: WrittenAnswer, written: string): string {
  return `${reasoning}</think>${content}${calls.length === 0 ? '' : written}`;
}

function withDeepseekSection(write: (call: WrittenCall) => string): AnswerForm['write'] {
  const calls = eachCall((call) => `<｜tool▁call▁begin｜>${write(call)}<｜tool▁call▁end｜>`);
  return (answer) => afterThought(answer, `<｜tool▁calls▁begin｜>${calls(answer.calls)}<｜tool▁calls▁end｜>`);
}

function withDsml(prefix: string, block: string): AnswerForm['write'] {
  const invokes = eachCall((call) => {
    const parameters = entries(call, (key, value) => {
      const isString = String(typeof value === 'string');
      return `<${prefix}parameter name="${key}" string="${isString}">${plain(value)}</${prefix}parameter>\n`;
    });
    return `<${prefix}invoke name="${call.name}">\n${parameters}</${prefix}invoke>\n`;
  });
  return (answer) => afterThought(answer, `\n\n<${prefix}${block}>\n${invokes(answer.calls)}</${prefix}${block}>`);
}

export const answerForms: readonly AnswerForm[] = [
  {
    ...common,
    family: 'chatml',
    toolParser: 'hermes',
    reasoningParser: 'qwen3',
    write: withTags(
      eachCall(({ name, arguments: given }) => `\n<tool_call>\n${json({ name, arguments: given })}\n</tool_call>`),
    ),
  },
  {
    ...common,
    family: 'qwen3-coder',
    toolParser: 'qwen3-coder',
    reasoningParser: 'qwen3',
    ambiguous: /<\/parameter>|<parameter=/,
    write: withTags(
      eachCall((call) => {
        const parameters = entries(call, (key, value) => `<parameter=${key}>\n${plain(value)}\n</parameter>\n`);
        return `\n<tool_call>\n<function=${call.name}>\n${parameters}</function>\n</tool_call>`;
      }),
    ),
  },
  {
    ...common,
    family: 'llama3',
    toolParser: 'llama3-json',
    reasoningParser: 'none',
    hasTextBesideCalls: false,
    write: withTags((calls) => calls.map(({ name, arguments: given }) => json({ name, parameters: given })).join('; ')),
  },
  {
    ...common,
    family: 'mistral',
    variant: 'tokenizer versions 3 to 7',
    toolParser: 'mistral',
    reasoningParser: 'mistral-think',
    write: ({ reasoning, content, calls }) =>
      (reasoning === undefined ? '' : `[THINK]${reasoning}[/THINK]`) +
      content +
      (calls.length === 0 ? '' : `[TOOL_CALLS]${json(calls.map((call, at) => ({ ...call, id: `abcdefg0${at}` })))}`),
  },
  {
    ...common,
    family: 'mistral',
    variant: 'tokenizer versions 11 and 13',
    toolParser: 'mistral',
    reasoningParser: 'mistral-think',
    write: ({ reasoning, content, calls }) =>
      (reasoning === undefined ? '' : `[THINK]${reasoning}[/THINK]`) +
      content +
      calls.map(({ name, arguments: given }) => `[TOOL_CALLS]${name}[ARGS]${json(given)}`).join(''),
  },
  {
    ...common,
    family: 'deepseek',
    variant: 'V3 and R1',
    toolParser: 'deepseek',
    reasoningParser: 'deepseek-r1',
    write: withDeepseekSection(
      ({ name, arguments: given }) => `function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(given)}\n\`\`\``,
    ),
  },
  {
    ...common,
    family: 'deepseek',
    variant: 'V3.1',
    toolParser: 'deepseek',
    reasoningParser: 'deepseek-r1',
    write: withDeepseekSection(({ name, arguments: given }) => `${name}<｜tool▁sep｜>${json(given)}`),
  },
  {
    ...common,
    family: 'deepseek-v32',
    toolParser: 'deepseek-dsml',
    reasoningParser: 'deepseek-r1',
    ambiguous: /<\/｜DSML｜parameter>\s*<(?:\/｜DSML｜invoke>|｜DSML｜parameter name=")/,
    write: withDsml('｜DSML｜', 'function_calls'),
  },
  {
    ...common,
    family: 'deepseek-v41',
    toolParser: 'deepseek-dsml-spaced',
    reasoningParser: 'deepseek-r1',
    ambiguous: /<\/｜DSML｜ parameter>\s*<(?:\/｜DSML｜ invoke>|｜DSML｜ parameter name=")/,
    write: withDsml('｜DSML｜ ', 'calls'),
  },
  {
    ...common,
    family: 'glm',
    variant: '4.5 and 4.6',
    toolParser: 'glm45',
    reasoningParser: 'glm45',
    ambiguous: /<\/arg_value>\s*(?:<arg_key>|<\/tool_call>)/,
    write: withTags(
      eachCall((call) => {
        const parameters = entries(
          call,
          (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${plain(value)}</arg_value>\n`,
        );
        return `\n<tool_call>${call.name}\n${parameters}</tool_call>`;
      }),
    ),
  },
  {
    ...common,
    family: 'glm',
    variant: '4.7 and 5',
    toolParser: 'glm45',
    reasoningParser: 'glm45',
    ambiguous: /<\/arg_value>\s*(?:<arg_key>|<\/tool_call>)/,
    write: withTags(
      eachCall((call) => {
        const parameters = entries(
          call,
          (key, value) => `<arg_key>${key}</arg_key><arg_value>${plain(value)}</arg_value>`,
        );
        return `<tool_call>${call.name}${parameters}</tool_call>`;
      }),
    ),
  },
  {
    ...common,
    family: 'kimi-k2',
    toolParser: 'kimi-k2',
    reasoningParser: 'kimi-k2',
    write: withTags((calls) => {
      const written = eachCall(
        ({ name, arguments: given }, index) =>
          `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${json(given)}<|tool_call_end|>`,
      );
      return `<|tool_calls_section_begin|>${written(calls)}<|tool_calls_section_end|>`;
    }),
  },
  {
    ...common,
    family: 'kimi-k3',
    toolParser: 'kimi-k3',
    reasoningParser: 'kimi-k3',
    ambiguous: /<\|close\|>argument<\|sep\|>\s*<\|(?:open\|>argument key="|close\|>call<\|sep\|>)/,
    write({ reasoning = '', content, calls }) {
      const element = (tag: string, body: string) =>
        `<|open|>${tag}<|sep|>${body}<|close|>${tag.split(' ')[0] ?? ''}<|sep|>`;
      const type = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
      const written = eachCall((call, index) => {
        const body = entries(call, (key, value) =>
          element(`argument key="${key}" type="${type(value)}"`, plain(value)),
        );
        return element(`call tool="${call.name}" index="${index + 1}"`, body);
      });
      const tools = calls.length === 0 ? '' : element('tools', written(calls));
      return `${reasoning}<|close|>think<|sep|>${element('response', content)}${tools}<|close|>message<|sep|>`;
    },
  },
  {
    ...common,
    family: 'minimax',
    toolParser: 'minimax-m2',
    reasoningParser: 'minimax-m2',
    ambiguous: /<\/parameter>\s*(?:<\/invoke>|<parameter name=")/,
    write: withTags((calls) => {
      const invokes = eachCall((call) => {
        const parameters = entries(call, (key, value) => `<parameter name="${key}">${plain(value)}</parameter>\n`);
        return `<invoke name="${call.name}">\n${parameters}</invoke>\n`;
      });
      return `\n<minimax:tool_call>\n${invokes(calls)}</minimax:tool_call>`;
    }),
  },
  {
    ...common,
    family: 'minimax-m3',
    toolParser: 'minimax-m3',
    reasoningParser: 'minimax-m3',
    ambiguous: /\]<\]minimax\[>\[<\/city>\s*\]<\]minimax\[>\[<(?:[^/]|\/invoke>)/,
    omitsNull: true,
    write: ({ reasoning, content, calls }) => {
      const invokes = eachCall(
        (call) => `${m3Mark}<invoke name="${call.name}">${m3Members(call.arguments)}${m3Mark}</invoke>\n`,
      );
      const block = `${m3Mark}<tool_call>\n${invokes(calls)}${m3Mark}</tool_call>`;
      const thought = reasoning === undefined ? '</mm:think>' : `<mm:think>${reasoning}</mm:think>`;
      return `${thought}${content}${calls.length === 0 ? '' : block}`;
    },
  },
  {
    ...common,
    family: 'gemma4',
    toolParser: 'gemma4',
    reasoningParser: 'gemma4',
    ambiguous: /<\|"\|>/,
    write: ({ reasoning, content, calls }) =>
      (reasoning === undefined ? '' : `<|channel>thought\n${reasoning}\n<channel|>`) +
      content +
      calls.map((call) => `<|tool_call>call:${call.name}${gemmaValue(call.arguments)}<tool_call|>`).join(''),
  },
  {
    ...common,
    family: 'gpt-oss',
    toolParser: 'harmony',
    reasoningParser: 'harmony',
    maxCalls: 1,
    write({ reasoning, content, calls: [call] }) {
      const messages = [
        ...(reasoning === undefined ? [] : [`<|channel|>analysis<|message|>${reasoning}<|end|>`]),
        ...(content === '' ? [] : [`<|channel|>${call ? 'commentary' : 'final'}<|message|>${content}`]),
        ...(call === undefined
          ? []
          : [`<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${json(call.arguments)}`]),
      ];
      return messages.join('<|end|><|start|>assistant').replaceAll('<|end|><|end|>', '<|end|>');
    },
  },
];
