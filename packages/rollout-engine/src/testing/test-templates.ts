const lines = (...parts: readonly string[]): string => parts.join('\n');

// Thoughts are shown only behind the last question, as models that think are made to.
export const chatmlTemplate = lines(
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

export const llama3Template = lines(
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

export const mistralTemplate = lines(
  '{%- set place = namespace(last=-1) %}',
  '{%- for m in messages %}{% if m.role == "user" %}{% set place.last = loop.index0 %}{% endif %}{% endfor %}',
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- if m.role == "user" %}',
  '{%- if tools and loop.index0 == place.last %}{{ "[AVAILABLE_TOOLS]" + (tools | tojson) + "[/AVAILABLE_TOOLS]" }}{% endif %}',
  '{{- "[INST]" + m.content + "[/INST]" }}',
  '{%- elif m.role == "assistant" and m.tool_calls %}{{ "[TOOL_CALLS][" }}',
  '{%- for call in m.tool_calls %}',
  '{%- if call.id | length != 9 %}{{ raise_exception("an id has 9 characters") }}{% endif %}',
  '{{- \'{"name": "\' + call.function.name + \'", "arguments": \' }}{{ call.function.arguments | tojson }}',
  '{{- \', "id": "\' + call.id + \'"}\' }}{{ "" if loop.last else ", " }}{% endfor %}{{ "]" + eos_token }}',
  '{%- elif m.role == "assistant" %}{{ m.content + eos_token }}',
  '{%- elif m.role == "tool" %}{{ "[TOOL_RESULTS]" + m.content + "[/TOOL_RESULTS]" }}',
  '{%- else %}{{ raise_exception("no such role") }}{% endif %}{% endfor %}',
);

export const deepseekTemplate = lines(
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- if m.role == "user" %}{{ "<｜User｜>" + m.content }}',
  '{%- elif m.role == "assistant" and m.content is none %}{{ "<｜Assistant｜></think><｜tool▁calls▁begin｜>" }}',
  '{%- for call in m.tool_calls %}',
  '{{- "<｜tool▁call▁begin｜>" + call.function.name + "<｜tool▁sep｜>" + call.function.arguments + "<｜tool▁call▁end｜>" }}',
  '{%- endfor %}{{ "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>" }}',
  '{%- elif m.role == "assistant" %}{{ "<｜Assistant｜></think>" + m.content + "<｜end▁of▁sentence｜>" }}',
  '{%- elif m.role == "tool" %}{{ "<｜tool▁output▁begin｜>" + m.content + "<｜tool▁output▁end｜>" }}',
  '{%- else %}{{ m.content }}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<｜Assistant｜><think>" }}{% endif %}',
);

export const glmTemplate = lines(
  '{%- set place = namespace(last=-1) %}',
  '{%- for m in messages %}{% if m.role == "user" %}{% set place.last = loop.index0 %}{% endif %}{% endfor %}',
  '{{- "[gMASK]<sop>" }}',
  '{%- for m in messages %}',
  '{%- if m.role == "tool" %}{{ "<|observation|>\\n<tool_response>\\n" + m.content + "\\n</tool_response>" }}',
  '{%- elif m.role == "assistant" %}{{ "<|assistant|>\\n<think>" }}',
  '{%- if loop.index0 > place.last %}{{ m.reasoning_content or "" }}{% endif %}{{ "</think>\\n" + m.content }}',
  '{%- for call in m.tool_calls or [] %}{{ "\\n<tool_call>" + call.function.name }}',
  '{%- for key, value in call.function.arguments.items() %}{{ "\\n<arg_key>" + key + "</arg_key>" }}',
  '{{- "\\n<arg_value>" }}{{ value if value is string else value | tojson }}{{ "</arg_value>" }}{% endfor %}',
  '{{- "\\n</tool_call>" }}{% endfor %}',
  '{%- else %}{{ "<|" + m.role + "|>\\n" + m.content }}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<|assistant|>" }}{% endif %}',
);

export const genericTemplate = lines(
  '{%- for m in messages %}### {{ m.role }}:',
  '{{ m.content }}',
  '{%- for call in m.tool_calls or [] %} {{ call.function.name }}({{ call.function.arguments | tojson }}){% endfor %}',
  '{{- eos_token }}',
  '{% endfor %}',
  '{%- if add_generation_prompt %}### assistant:',
  '{% endif %}',
);

const gptOssThought = '"<|start|>assistant<|channel|>analysis<|message|>" + m.thinking + "<|end|>"';
const gptOssAnswer = '"<|start|>assistant<|channel|>final<|message|>" + m.content';

// A thought is shown beside calls that no answer follows, and at the end of a conversation.
export const gptOssTemplate = lines(
  '{%- set place = namespace(answer=-1, call=none) %}',
  '{%- for m in messages %}{% if m.role == "assistant" and not m.tool_calls %}{% set place.answer = loop.index0 %}{% endif %}{% endfor %}',
  '{{- "<|start|>system<|message|>Channels: analysis, commentary, final.<|end|>" }}',
  '{%- if tools %}{{ "<|start|>developer<|message|>" + (tools | tojson) + "<|end|>" }}{% endif %}',
  '{%- for m in messages %}',
  '{%- if m.role == "assistant" and m.tool_calls %}',
  '{%- if m.content and m.thinking %}{{ raise_exception("only one of both") }}{% endif %}',
  `{%- if m.thinking and loop.index0 > place.answer %}{{ ${gptOssThought} }}{% endif %}`,
  '{%- set call = m.tool_calls[0].function %}{% set place.call = call.name %}',
  '{{- "<|start|>assistant to=functions." + call.name + "<|channel|>commentary json<|message|>" }}',
  '{{- (call.arguments | tojson) + "<|call|>" }}',
  '{%- elif m.role == "assistant" and loop.last and not add_generation_prompt %}',
  `{%- if m.thinking is defined %}{{ ${gptOssThought} }}{% endif %}{{ ${gptOssAnswer} + "<|return|>" }}`,
  `{%- elif m.role == "assistant" %}{{ ${gptOssAnswer} + "<|end|>" }}`,
  '{%- elif m.role == "tool" %}',
  '{{- "<|start|>functions." + place.call + " to=assistant<|channel|>commentary<|message|>" }}',
  '{{- (m.content | tojson) + "<|end|>" }}',
  '{%- else %}{{ "<|start|>" + m.role + "<|message|>" + m.content + "<|end|>" }}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<|start|>assistant" }}{% endif %}',
);

export const kimiK2Template = lines(
  '{%- set place = namespace(answer=-1) %}',
  '{%- for m in messages %}{% if m.role == "assistant" and not m.tool_calls %}{% set place.answer = loop.index0 %}{% endif %}{% endfor %}',
  '{%- if tools %}{{ "<|im_system|>tool_declare<|im_middle|>" + (tools | tojson) + "<|im_end|>" }}{% endif %}',
  '{%- for m in messages %}',
  '{%- if m.role == "assistant" %}{{ "<|im_assistant|>assistant<|im_middle|><think>" }}',
  '{%- if loop.index0 > place.answer %}{{ m.reasoning_content or "" }}{% endif %}{{ "</think>" + m.content }}',
  '{%- if m.tool_calls %}{{ "<|tool_calls_section_begin|>" }}{% for call in m.tool_calls %}',
  '{{- "<|tool_call_begin|>" + call.id + "<|tool_call_argument_begin|>" }}',
  '{{- (call.function.arguments | tojson) + "<|tool_call_end|>" }}{% endfor %}',
  '{{- "<|tool_calls_section_end|>" }}{% endif %}',
  '{%- elif m.role == "tool" %}',
  '{{- "<|im_system|>" + m.name + "<|im_middle|>## Return of " + m.tool_call_id + "\\n" + m.content }}',
  '{%- else %}{{ "<|im_" + m.role + "|>" + m.role + "<|im_middle|>" + m.content }}{% endif %}',
  '{{- "<|im_end|>" }}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<|im_assistant|>assistant<|im_middle|>" }}{% endif %}',
);

export const minimaxTemplate = lines(
  '{%- set place = namespace(last=-1) %}',
  '{%- for m in messages %}{% if m.role == "user" %}{% set place.last = loop.index0 %}{% endif %}{% endfor %}',
  '{{- "]~!b[]~b]system\\nHelp.[e~[\\n" }}',
  '{%- for m in messages %}',
  '{%- if m.role == "assistant" %}{{ "]~b]ai\\n" }}',
  '{%- if m.reasoning_content and loop.index0 > place.last %}',
  '{{- "<think>\\n" + m.reasoning_content + "\\n</think>\\n\\n" }}{% endif %}{{ m.content }}',
  '{%- if m.tool_calls %}{{ "\\n<minimax:tool_call>\\n" }}{% for call in m.tool_calls %}',
  "{{- '<invoke name=\"' + call.function.name + '\">\\n' }}",
  "{%- for key, value in call.function.arguments.items() %}{{ '<parameter name=\"' + key + '\">' }}",
  '{{- value if value is string else value | tojson }}{{ "</parameter>\\n" }}{% endfor %}',
  '{{- "</invoke>\\n" }}{% endfor %}{{ "</minimax:tool_call>" }}{% endif %}{{ "[e~[\\n" }}',
  '{%- elif m.role == "tool" %}{{ "]~b]tool\\n<response>" + m.content + "</response>[e~[\\n" }}',
  '{%- else %}{{ "]~b]" + m.role + "\\n" + m.content + "[e~[\\n" }}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "]~b]ai\\n<think>\\n" }}{% endif %}',
);

export const gemma3Template = lines(
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- if m.role == "tool" %}{{ raise_exception("no such role") }}{% endif %}',
  '{{- "<start_of_turn>" + ("model" if m.role == "assistant" else m.role) + "\\n" + (m.content | trim) }}',
  '{{- "<end_of_turn>\\n" }}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<start_of_turn>model\\n" }}{% endif %}',
);

// What a model thought is followed by an answer in the same turn, however the user's message before it was shown.
export const deepseekV32Template = lines(
  '{%- set place = namespace(last=-1) %}',
  '{%- for m in messages %}{% if m.role == "user" %}{% set place.last = loop.index0 %}{% endif %}{% endfor %}',
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- if m.role == "user" %}{{ "<｜User｜>" + m.content + "<｜Assistant｜>" }}',
  '{{- "<think>" if loop.index0 == place.last else "</think>" }}',
  '{%- elif m.role == "assistant" %}',
  '{%- if loop.index0 > place.last %}{{ (m.reasoning_content or "") + "</think>" }}{% endif %}{{ m.content }}',
  '{%- if m.tool_calls %}{{ "\\n\\n<｜DSML｜function_calls>\\n" }}{% for call in m.tool_calls %}',
  "{{- '<｜DSML｜invoke name=\"' + call.function.name + '\">\\n' }}",
  '{%- for key, value in call.function.arguments.items() %}',
  '{{- \'<｜DSML｜parameter name="\' + key + \'" string="\' + ("true" if value is string else "false") + \'">\' }}',
  '{{- value if value is string else value | tojson }}{{ "</｜DSML｜parameter>\\n" }}{% endfor %}',
  '{{- "</｜DSML｜invoke>\\n" }}{% endfor %}{{ "</｜DSML｜function_calls>" }}{% endif %}{{ eos_token }}',
  '{%- elif m.role == "tool" %}{{ "\\n\\n<result>" + m.content + "</result>\\n\\n<think>" }}',
  '{%- else %}{{ m.content }}{% endif %}{% endfor %}',
);

// Results are in a turn of the user, and every thought is shown, as where there are tools.
export const deepseekV41Template = lines(
  '{{- bos_token }}',
  '{%- for m in messages %}',
  '{%- if m.role == "user" %}{{ "<｜User｜>" + m.content }}',
  '{%- elif m.role == "assistant" %}{{ "<｜Assistant｜>" }}',
  '{%- if m.reasoning_content %}{{ "<think>" + m.reasoning_content }}{% endif %}{{ "</think>" + m.content }}',
  '{%- if m.tool_calls %}{{ "\\n\\n<｜DSML｜ calls>\\n" }}{% for call in m.tool_calls %}',
  "{{- '<｜DSML｜ invoke name=\"' + call.function.name + '\">\\n' }}",
  '{%- for key, value in call.function.arguments.items() %}',
  '{{- \'<｜DSML｜ parameter name="\' + key + \'" string="\' + ("true" if value is string else "false") + \'">\' }}',
  '{{- value if value is string else value | tojson }}{{ "</｜DSML｜ parameter>\\n" }}{% endfor %}',
  '{{- "</｜DSML｜ invoke>\\n" }}{% endfor %}{{ "</｜DSML｜ calls>" }}{% endif %}{{ eos_token }}',
  '{%- elif m.role == "tool" %}{{ "\\n\\n" if messages[loop.index0 - 1].role == "tool" else "<｜User｜>" }}',
  '{{- "<tool_result>" + m.content + "</tool_result>" }}',
  '{%- else %}{{ "<｜System｜>" + m.content }}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<｜Assistant｜><think>" }}{% endif %}',
);

export const qwen3CoderTemplate = lines(
  '{%- for m in messages %}',
  '{%- if m.role == "tool" %}{{ "<|im_start|>user\\n<tool_response>\\n" + m.content + "\\n</tool_response>" }}',
  '{%- else %}{{ "<|im_start|>" + m.role + "\\n" }}',
  '{%- if m.reasoning_content %}{{ "<think>\\n" + m.reasoning_content + "\\n</think>\\n\\n" }}{% endif %}{{ m.content }}',
  '{%- for call in m.tool_calls or [] %}{{ "\\n\\n<tool_call>\\n<function=" + call.function.name + ">\\n" }}',
  '{%- for key, value in call.function.arguments.items() %}{{ "<parameter=" + key + ">\\n" }}',
  '{{- value if value is string else value | tojson }}{{ "\\n</parameter>\\n" }}{% endfor %}',
  '{{- "</function>\\n</tool_call>" }}{% endfor %}{% endif %}{{ "<|im_end|>\\n" }}{% endfor %}',
  '{%- if add_generation_prompt %}{{ "<|im_start|>assistant\\n<think>\\n" }}{% endif %}',
);

// Results are shown in the turn of their calls, which the answer to them continues.
export const gemma4Template = lines(
  '{{- bos_token }}',
  '{%- set place = namespace(last=-1, before=none, isScanning=true) %}',
  '{%- for m in messages %}{% if m.role == "user" %}{% set place.last = loop.index0 %}{% endif %}{% endfor %}',
  '{%- for m in messages %}{% if m.role != "tool" %}',
  '{%- if place.before != "result" %}{{ "<|turn>" + ("model" if m.role == "assistant" else m.role) + "\\n" }}{% endif %}',
  '{%- set place.before = none %}',
  '{%- if m.reasoning_content and m.tool_calls and loop.index0 > place.last %}',
  '{{- "<|channel>thought\\n" + m.reasoning_content + "\\n<channel|>" }}{% endif %}',
  '{%- for call in m.tool_calls or [] %}{% set place.before = "call" %}',
  '{{- "<|tool_call>call:" + call.function.name + "{" }}',
  '{%- for key, value in call.function.arguments.items() %}{{ ("" if loop.first else ",") + key + ":" }}',
  "{{- '<|\"|>' + value + '<|\"|>' if value is string else value | tojson }}{% endfor %}",
  '{{- "}<tool_call|>" }}{% endfor %}',
  '{%- set place.isScanning = true %}',
  '{%- for result in messages[loop.index:] %}',
  '{%- if place.isScanning and result.role == "tool" %}{% set place.before = "result" %}',
  '{{- "<|tool_response>response:" + result.name + \'{value:<|"|>\' + result.content + \'<|"|>}<tool_response|>\' }}',
  '{%- else %}{% set place.isScanning = false %}{% endif %}{% endfor %}',
  '{{- m.content | trim }}',
  '{%- if place.before == "call" %}{{ "<|tool_response>" }}',
  '{%- elif place.before != "result" or m.content %}{{ "<turn|>\\n" }}{% endif %}{% endif %}{% endfor %}',
  '{%- if add_generation_prompt and place.before != "result" %}{{ "<|turn>model\\n" }}{% endif %}',
);

export const kimiK3Template = lines(
  '{%- for m in messages %}',
  '{%- if m.role == "tool" %}{{ \'<|open|>message role="tool" tool="\' + m.name + \'"<|sep|>\' + m.content }}',
  "{%- else %}{{ '<|open|>message role=\"' + m.role + '\"<|sep|>' }}{% endif %}",
  '{%- if m.role == "assistant" %}',
  '{{- "<|open|>think<|sep|>" + (m.reasoning_content or "") + "<|close|>think<|sep|>" }}',
  '{{- "<|open|>response<|sep|>" + m.content + "<|close|>response<|sep|>" }}',
  '{%- if m.tool_calls %}{{ "<|open|>tools<|sep|>" }}{% for call in m.tool_calls %}',
  "{{- '<|open|>call tool=\"' + call.function.name + '\" index=\"' ~ loop.index ~ '\"<|sep|>' }}",
  "{%- for key, value in call.function.arguments.items() %}{{ '<|open|>argument key=\"' + key + '\" type=\"' }}",
  '{{- ("string" if value is string else "number") + \'"<|sep|>\' }}',
  '{{- value if value is string else value | tojson }}{{ "<|close|>argument<|sep|>" }}{% endfor %}',
  '{{- "<|close|>call<|sep|>" }}{% endfor %}{{ "<|close|>tools<|sep|>" }}{% endif %}',
  '{%- elif m.role != "tool" %}{{ m.content }}{% endif %}{{ "<|close|>message<|sep|><|end_of_msg|>" }}{% endfor %}',
  '{%- if add_generation_prompt %}{{ \'<|open|>message role="assistant"<|sep|><|open|>think<|sep|>\' }}{% endif %}',
);
