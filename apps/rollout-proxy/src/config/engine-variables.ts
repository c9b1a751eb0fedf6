import {
  parseReasoningParserName,
  parseToolParserName,
  reasoningParserNames,
  reasoningRetentions,
  toolParserNames,
} from '@weir/rollout-core';
import { scoringKinds } from '@weir/rollout-engine';
import type { Variables } from '@weir/service-kit';
import { z } from 'zod';
import { codeList, commaList, filePath, parserName, wholeNumber } from './config-values';
import { scorerList } from './scorer-list';

export const engineKinds = ['embedded', 'sglang', 'vllm', 'vllm-generate', 'llama-cpp'] as const;
export type EngineKind = (typeof engineKinds)[number];

/** The engine, its model, its tokenizer, and how its output is read. */
export const engineVariables = {
  ROLLOUT_ENGINE: {
    schema: z.enum(engineKinds, `must be one of ${engineKinds.join(', ')}`).default('embedded'),
    defaultText: '`embedded`',
    description: `What generates the tokens: one of ${engineKinds.join(', ')}. \`embedded\` is llama.cpp, beside the proxy.`,
  },
  ROLLOUT_ENGINE_URLS: {
    schema: commaList
      .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })))
      .default([]),
    defaultText: 'none',
    description:
      'Addresses of the replicas of the engine, separated by commas. Required unless the engine is embedded.',
  },
  ROLLOUT_ENGINE_API_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII without spaces')
      .optional(),
    defaultText: 'none',
    description: 'Bearer token for the replicas.',
  },
  ROLLOUT_MODEL: {
    schema: filePath.optional(),
    defaultText: 'the model that the engine serves; for `embedded` a tiny one, generated at the first start',
    description: 'A GGUF file for the embedded engine; otherwise the name under which the engine serves the model.',
  },
  ROLLOUT_EMBEDDED_SEQUENCES: {
    schema: wholeNumber(1, 256).default(4),
    defaultText: '`4`',
    description:
      'Generations that the embedded engine evaluates at the same time. With 1, the same calls in the same order give the same answers bit for bit.',
  },
  ROLLOUT_TOKENIZER: {
    schema: filePath.optional(),
    defaultText: 'that of the GGUF file',
    description: 'Folder or file of the tokenizer. Required unless the engine is embedded.',
  },
  ROLLOUT_TOOL_PARSER: {
    schema: parserName(parseToolParserName).optional(),
    defaultText: 'detected from the chat template',
    description: `How the model writes tool calls: ${codeList(toolParserNames)}.`,
  },
  ROLLOUT_REASONING_PARSER: {
    schema: parserName(parseReasoningParserName).optional(),
    defaultText: 'detected from the chat template',
    description: `How the model marks its reasoning: ${codeList(reasoningParserNames)}.`,
  },
  ROLLOUT_REASONING_RETENTION: {
    schema: z.enum(reasoningRetentions, `must be one of ${reasoningRetentions.join(', ')}`).default('all'),
    defaultText: '`all`',
    description:
      'Reasoning of earlier answers: `all` retains it in the prompt, `tool_cycle` until the next user message, `template` follows the chat template. Where it is not retained, the path forks.',
  },
  ROLLOUT_EXPERTS: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,2}x[1-9]\d?$/, 'must be layers and experts for each token, such as 48x8')
      .transform((text) => {
        const [layers = 0, perToken = 0] = text.split('x').map(Number);
        return { layers, perToken };
      })
      .optional(),
    defaultText: 'none',
    description:
      'For a mixture of experts behind SGLang or vLLM whose choices are to be recorded: how many layers choose, and how many experts for each token, such as `48x8`. 2 bytes for each choice.',
  },
  ROLLOUT_SCORERS: {
    schema: scorerList.default([]),
    defaultText: 'none',
    description: `Models that score sessions, such as a reference or a teacher: \`name=kind@address\`, separated by commas. Kinds: ${codeList(scoringKinds)}. They need the tokenizer of the model.`,
  },
  ROLLOUT_SCORER_API_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII without spaces')
      .optional(),
    defaultText: 'none',
    description: 'Bearer token for the models that score.',
  },
} as const satisfies Variables;
