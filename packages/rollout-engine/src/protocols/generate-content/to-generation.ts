import type { Message, ToolDefinition } from '@weir/rollout-core';
import type { AnswerFormat, CompletionIdentity, CompletionRequest, ToolChoice } from '../../completions/completion';
import type { PromptParts } from '../count-operation';
import { ignoredFields, ignoredWithin, readBody } from '../fields';
import { invalidRequest, notSupported } from '../invalid-request';
import type { CallAddress, ReadCall } from '../model-protocol';
import { readSampling } from '../sampling-fields';
import { checkTools } from '../tool-fields';
import { orderResults } from '../order-results';
import { plainText, readContents } from './contents';
import { withCamelCaseNames } from './field-names';
import { toJsonSchema } from './json-schema';
import { Address, countRules, fieldRules, GenerateContentRequest, innerRules, Prompt } from './request-schema';

export interface GenerateContentCall extends ReadCall {
  readonly includesThoughts: boolean;
}

type GenerationConfig = NonNullable<GenerateContentRequest['generationConfig']>;

export function readGenerateContentCall(
  given: unknown,
  identity: CompletionIdentity,
  { address, isStreaming }: { readonly address: CallAddress; readonly isStreaming: boolean },
): GenerateContentCall {
  const model = readModel(address, isStreaming);
  const value = withCamelCaseNames(given);
  const body = readBody(GenerateContentRequest, value);
  const config = body.generationConfig ?? {};
  const ignored = [
    ...ignoredFields(value, fieldRules),
    ...ignoredWithin('generationConfig', [config], innerRules.generationConfig),
    ...ignoredWithin('generationConfig.thinkingConfig', [config.thinkingConfig], innerRules.thinkingConfig),
    ...ignoredWithin('toolConfig', [body.toolConfig], innerRules.toolConfig),
    ...ignoredWithin(
      'toolConfig.functionCallingConfig',
      [body.toolConfig?.functionCallingConfig],
      innerRules.functionCallingConfig,
    ),
    ...ignoredInPrompt(body),
  ];
  assertModel(body, model);
  if (body.contents.at(-1)?.role === 'model') {
    throw notSupported(
      `contents[${body.contents.length - 1}]`,
      'cannot be a partial answer: end with a content of the user.',
    );
  }
  const tools = readTools(body);
  const toolChoice = readToolChoice(body.toolConfig?.functionCallingConfig, tools);
  checkTools(tools, toolChoice, 'toolConfig.functionCallingConfig');
  const format = readAnswerFormat(config);
  if (format.kind !== 'text' && tools.length > 0 && toolChoice.kind !== 'none') {
    throw invalidRequest(
      'generationConfig.responseMimeType',
      'cannot be JSON when there are tools.',
      'parameter_not_supported',
    );
  }
  const request: CompletionRequest = {
    protocol: 'generate-content',
    model,
    messages: readMessages(body),
    tools,
    toolChoice,
    parallelToolCalls: true,
    sampling: readSampling({
      temperature: config.temperature,
      top_p: config.topP,
      top_k: config.topK,
      frequency_penalty: config.frequencyPenalty,
      presence_penalty: config.presencePenalty,
      seed: config.seed,
      min_p: body.min_p,
      repetition_penalty: body.repetition_penalty,
      logit_bias: body.logit_bias,
    }),
    maxNewTokens: config.maxOutputTokens ?? undefined,
    stop: config.stopSequences ?? [],
    topLogprobs: readTopLogprobs(config),
    format,
    templateArguments: body.chat_template_kwargs ?? {},
    isRecorded: body.store !== false,
    isStreaming,
    identity,
  };
  return { request, ignored, includesThoughts: config.thinkingConfig?.includeThoughts === true };
}

/** Counts a prompt, or the prompt of a whole call. */
export function readCount(given: unknown): PromptParts {
  const value = withCamelCaseNames(given);
  const inner = isCall(value) ? value.generateContentRequest : undefined;
  if (inner !== undefined) ignoredFields(value, { known: new Set(['generateContentRequest']), ignored: new Set() });
  const body = readBody(Prompt, inner ?? value);
  ignoredFields(inner ?? value, countRules);
  ignoredInPrompt(body);
  return { messages: readMessages(body), tools: readTools(body) };
}

function isCall(value: unknown): value is { readonly generateContentRequest: unknown } {
  return typeof value === 'object' && value !== null && 'generateContentRequest' in value;
}

/** A stream in another form than server-sent events is refused. */
function readModel({ model = '', query = {} }: CallAddress, isStreaming: boolean): string {
  const address = readBody(Address, { ...query, model });
  ignoredFields(query, { known: new Set(['alt', 'key']), ignored: new Set(['prettyPrint']) });
  const alt = isStreaming ? 'sse' : 'json';
  if (address.alt !== alt && (isStreaming || address.alt !== undefined)) {
    throw notSupported('alt', `must be ${alt} here.`);
  }
  return address.model;
}

function assertModel({ model }: Pick<Prompt, 'model'>, named: string): void {
  if (typeof model === 'string' && model !== named && model !== `models/${named}`) {
    throw invalidRequest('model', 'is not the model of the address.');
  }
}

function ignoredInPrompt({ contents, systemInstruction, tools }: Prompt): readonly string[] {
  ignoredWithin('contents', contents, innerRules.content);
  ignoredWithin('systemInstruction', [systemInstruction], innerRules.content);
  ignoredWithin('tools', tools ?? [], innerRules.tool);
  return ignoredWithin('tools.functionDeclarations', listDeclarations({ tools }), innerRules.declaration);
}

function readMessages({ systemInstruction, contents }: Prompt): readonly Message[] {
  const first =
    systemInstruction === null || systemInstruction === undefined
      ? ''
      : plainText(systemInstruction, 'systemInstruction');
  const rest = orderResults(readContents(contents), 'contents');
  return first === '' ? rest : [{ role: 'system', content: first }, ...rest];
}

function listDeclarations({ tools }: Pick<Prompt, 'tools'>) {
  return (tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []);
}

function readTools({ tools }: Pick<Prompt, 'tools'>): readonly ToolDefinition[] {
  return listDeclarations({ tools }).map(({ name, description, parameters: own, parametersJsonSchema }, index) => {
    if (isGiven(own) && isGiven(parametersJsonSchema)) {
      throw invalidRequest(`tools[${index}].parameters`, 'cannot be combined with parametersJsonSchema.');
    }
    const parameters = isGiven(own) ? toJsonSchema(own, `tools[${index}].parameters`) : parametersJsonSchema;
    return {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(isGiven(parameters) ? { parameters } : {}),
    };
  });
}

function readToolChoice(
  config: NonNullable<GenerateContentRequest['toolConfig']>['functionCallingConfig'],
  tools: readonly ToolDefinition[],
): ToolChoice {
  const mode = config?.mode ?? 'AUTO';
  const allowed = [...new Set(config?.allowedFunctionNames)];
  if (mode !== 'ANY' && allowed.length > 0) {
    throw invalidRequest('toolConfig.functionCallingConfig.allowedFunctionNames', 'needs the mode ANY.');
  }
  if (mode === 'NONE') return { kind: 'none' };
  if (mode !== 'ANY') return { kind: tools.length > 0 ? 'auto' : 'none' };
  const [name] = allowed;
  if (name === undefined) return { kind: 'required' };
  if (allowed.length === 1) return { kind: 'named', name };
  const names = new Set(allowed);
  if (tools.length === names.size && tools.every((tool) => names.has(tool.name))) return { kind: 'required' };
  throw notSupported(
    'toolConfig.functionCallingConfig.allowedFunctionNames',
    'must be one of the functions or all of them here.',
  );
}

function readTopLogprobs({ responseLogprobs, logprobs }: GenerationConfig): number | undefined {
  if (responseLogprobs === true) return logprobs ?? 0;
  if (isGiven(logprobs)) throw invalidRequest('generationConfig.logprobs', 'needs responseLogprobs to be true.');
  return undefined;
}

function readAnswerFormat(config: GenerationConfig): AnswerFormat {
  const { responseMimeType, responseSchema: own, responseJsonSchema } = config;
  if (isGiven(own) && isGiven(responseJsonSchema)) {
    throw invalidRequest('generationConfig.responseSchema', 'cannot be combined with responseJsonSchema.');
  }
  const schema = isGiven(own) ? toJsonSchema(own, 'generationConfig.responseSchema') : responseJsonSchema;
  if (responseMimeType === 'application/json') {
    return isGiven(schema) ? { kind: 'json_schema', schema } : { kind: 'json_object' };
  }
  if (isGiven(schema)) {
    throw invalidRequest('generationConfig.responseMimeType', 'must be application/json when there is a schema.');
  }
  return { kind: 'text' };
}

function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}
