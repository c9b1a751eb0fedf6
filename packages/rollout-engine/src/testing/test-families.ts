/** A chat template with the marks of a family of models, and the tokens that it needs. */
export interface TestFamily {
  readonly name: 'chatml' | 'llama3' | 'mistral' | 'deepseek' | 'glm' | 'generic';
  readonly chatTemplate: string;
  readonly bosToken: string;
  readonly endTokens: readonly string[];
  readonly controlTokens: readonly string[];
  readonly plainTokens: readonly string[];
}

const lines = (...parts: readonly string[]): string => parts.join('\n');

// Thoughts are shown only behind the last question, as models that think are made to.
const chatmlTemplate = lines(
  '{%- set place = namespace(last=-1) %}',
  '{%- for m in messages %}{% if m.role == "user" %}{% set place.last = loop.index0 %}{% endif %}{% endfor %}',
  '{%- if tools %}<|im_start|>system',
  '{% if messages[0].role == "system" %}{{ messages[0].content }}',
  '{% endif %}Tools:',
  '{% for tool in tools %}{{ tool | tojson }}',
  '{% endfor %}<|im_end|>',
  '{% endif %}',
  '{%- for m in messages %}',
  '{%- if m.role == "assistant" %}<|im_start|>assistant',
  '{% if m.reasoning_content is defined and loop.index0 > place.last %}<think>',
  '{{ m.reasoning_content.strip("\\n") }}',
  '</think>',
  '',
  '{% endif %}{{ m.content }}',
  '{%- for call in m.tool_calls or [] %}',
  '<tool_call>',
  '{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}',
  '</tool_call>{% endfor %}<|im_end|>',
  '{% elif m.role == "tool" %}<|im_start|>user',
  '<tool_response>',
  '{{ m.content }}',
  '</tool_response><|im_end|>',
  '{% elif not (tools and m.role == "system" and loop.first) %}<|im_start|>{{ m.role }}',
  '{{ m.content }}<|im_end|>',
  '{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}<|im_start|>assistant',
  '{% if enable_thinking is defined and enable_thinking %}<think>',
  '{% endif %}{% endif %}',
);

const llama3Template = lines(
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- set role = "ipython" if m.role == "tool" else m.role %}',
  '{{- "<|start_header_id|>" + role + "<|end_header_id|>\\n\\n" }}',
  '{%- if m.tool_calls %}{% for call in m.tool_calls %}',
  '{{- \'{"name": "\' + call.function.name + \'", "parameters": \' }}{{ call.function.arguments | tojson }}{{ "}" }}',
  '{%- endfor %}{% else %}{{ m.content | trim }}{% endif %}',
  '{{- "<|eot_id|>" }}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<|start_header_id|>assistant<|end_header_id|>\\n\\n" }}{% endif %}',
);

const mistralTemplate = lines(
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- if m.role == "user" %}',
  '{%- if tools and loop.last %}{{ "[AVAILABLE_TOOLS]" + (tools | tojson) + "[/AVAILABLE_TOOLS]" }}{% endif %}',
  '{{- "[INST]" + m.content + "[/INST]" }}',
  '{%- elif m.role == "assistant" and m.tool_calls %}{{ "[TOOL_CALLS][" }}',
  '{%- for call in m.tool_calls %}',
  '{{- \'{"name": "\' + call.function.name + \'", "arguments": \' }}{{ call.function.arguments | tojson }}',
  '{{- \', "id": "\' + call.id + \'"}\' }}{{ "" if loop.last else ", " }}{% endfor %}{{ "]" + eos_token }}',
  '{%- elif m.role == "assistant" %}{{ m.content + eos_token }}',
  '{%- elif m.role == "tool" %}{{ "[TOOL_RESULTS]" + m.content + "[/TOOL_RESULTS]" }}',
  '{%- else %}{{ raise_exception("no such role") }}{% endif %}{% endfor %}',
);

const deepseekTemplate = lines(
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- if m.role == "user" %}{{ "<｜User｜>" + m.content }}{% if not loop.last %}{% endif %}',
  '{%- elif m.role == "assistant" and m.content is none %}{{ "<｜Assistant｜>" }}',
  '{%- for call in m.tool_calls %}',
  '{{- "<｜tool▁call▁begin｜>" + call.function.name + "\\n" + call.function.arguments + "<｜tool▁call▁end｜>" }}',
  '{%- endfor %}{{ "<｜end▁of▁sentence｜>" }}',
  '{%- elif m.role == "assistant" %}{{ "<｜Assistant｜>" + m.content + "<｜end▁of▁sentence｜>" }}',
  '{%- elif m.role == "tool" %}{{ "<｜tool▁output▁begin｜>" + m.content + "<｜tool▁output▁end｜>" }}',
  '{%- else %}{{ m.content }}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<｜Assistant｜>" }}{% endif %}',
);

const glmTemplate = lines(
  '[gMASK]<sop>',
  '{%- for m in messages %}',
  '{%- if m.role == "tool" %}{{ "<|observation|>\\n<tool_response>\\n" + m.content + "\\n</tool_response>" }}',
  '{%- else %}{{ "<|" + m.role + "|>\\n" + m.content }}',
  '{%- for call in m.tool_calls or [] %}{{ "\\n<tool_call>" + call.function.name }}',
  '{%- for key, value in call.function.arguments.items() %}{{ "\\n<arg_key>" + key + "</arg_key>" }}',
  '{{- "\\n<arg_value>" }}{{ value if value is string else value | tojson }}{{ "</arg_value>" }}{% endfor %}',
  '{{- "\\n</tool_call>" }}{% endfor %}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<|assistant|>\\n" }}{% endif %}',
);

const genericTemplate = lines(
  '{%- for m in messages %}### {{ m.role }}:',
  '{{ m.content }}',
  '{%- for call in m.tool_calls or [] %} {{ call.function.name }}({{ call.function.arguments | tojson }}){% endfor %}',
  '{{- eos_token }}',
  '{% endfor %}',
  '{%- if add_generation_prompt %}### assistant:',
  '{% endif %}',
);

const family = (
  name: TestFamily['name'],
  chatTemplate: string,
  bosToken: string,
  endTokens: readonly string[],
  tokens: { readonly control: readonly string[]; readonly plain?: readonly string[] },
): TestFamily => ({
  name,
  chatTemplate,
  bosToken,
  endTokens,
  plainTokens: tokens.plain ?? [],
  controlTokens: [...new Set([...endTokens, ...(bosToken === '' ? [] : [bosToken]), ...tokens.control])],
});

const thoughtAndCalls = ['<think>', '</think>', '<tool_call>', '</tool_call>', '<tool_response>', '</tool_response>'];

export const testFamilies: Readonly<Record<TestFamily['name'], TestFamily>> = {
  chatml: family('chatml', chatmlTemplate, '', ['<|im_end|>', '<|endoftext|>'], {
    control: ['<|im_start|>'],
    plain: thoughtAndCalls,
  }),
  llama3: family('llama3', llama3Template, '<|begin_of_text|>', ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'], {
    control: ['<|start_header_id|>', '<|end_header_id|>'],
  }),
  mistral: family('mistral', mistralTemplate, '<s>', ['</s>'], {
    control: [
      ...['[INST]', '[/INST]', '[TOOL_CALLS]', '[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
      ...['[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]'],
    ],
  }),
  deepseek: family('deepseek', deepseekTemplate, '<｜begin▁of▁sentence｜>', ['<｜end▁of▁sentence｜>'], {
    control: ['<｜User｜>', '<｜Assistant｜>'],
    plain: ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>', '<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'],
  }),
  glm: family('glm', glmTemplate, '', ['<|endoftext|>', '<|user|>', '<|observation|>'], {
    control: ['[gMASK]', '<sop>', '<|assistant|>', '<|system|>'],
    plain: thoughtAndCalls,
  }),
  generic: family('generic', genericTemplate, '', ['<eot>'], { control: [] }),
};
