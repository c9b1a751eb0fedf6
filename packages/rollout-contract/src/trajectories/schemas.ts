import { z } from 'zod';
import { ignored } from '../common/ignored';
import { sessionId } from '../common/texts';

export const exportStyles = ['individual', 'concat'] as const;
export const discountRules = ['sum', 'mean', 'max', 'linear'] as const;
export const exportFormats = ['json', 'safetensors'] as const;
export const modelResponseForms = ['counts', 'arrays', 'binary'] as const;
export const extraTensors = [
  'loss_weights',
  'top_logprobs',
  'sampling_mask',
  'ref_logprobs',
  'ref_top_logprobs',
  'prompt_logprobs',
  'routed_experts',
] as const;
export const maxWaitSeconds = 600;

export const ExportRequest = z
  .looseObject({
    session_id: sessionId,
    discount: z.number().min(0).max(1).default(1).describe("The part of a child's reward that its parent gets."),
    style: z
      .enum(exportStyles)
      .default('individual')
      .describe('A row for each interaction, or for each whole conversation.'),
    rule: z
      .enum(discountRules)
      .default('sum')
      .describe(
        'How rewards propagate to a parent: sum, mean or maximum of its children; `linear` follows the order of completion.',
      ),
    drop_retry_orphans: z.boolean().default(false).describe('Whether to omit answers that a retry replaced.'),
    check_drift: z
      .boolean()
      .default(false)
      .describe(
        'Whether to render the latest conversations again and report, under `drift.rendered`, where the template would give other tokens.',
      ),
    format: z.enum(exportFormats).optional().describe('Default: by the `Accept` header, otherwise JSON.'),
    include_messages: z.boolean().default(true).describe('Whether the conversations are part of a JSON answer.'),
    model_response: z
      .enum(modelResponseForms)
      .default('counts')
      .describe(
        'What `model_response` of a JSON answer holds: counts only, or also ids and log-probabilities as arrays or as tensors.',
      ),
    include_provenance: z
      .boolean()
      .default(false)
      .describe('Whether entries hold the `provenance` of their trained tokens.'),
    include_tensors: z
      .array(z.enum(extraTensors))
      .max(extraTensors.length)
      .default([])
      .describe(
        'Further tensors of the rows. `loss_weights`: how much each trained token counts. `top_logprobs`: `top_ids` and `top_logprobs`, the likeliest tokens at each trained position. `sampling_mask`: the tokens that cut-offs left. `ref_logprobs`, and `ref_top_logprobs` with `ref_top_ids`: the same of a model that scored the session. `prompt_logprobs`: those of context tokens. `routed_experts`: the choices of a mixture of experts for all tokens.',
      ),
    scorer: z
      .string()
      .min(1)
      .max(32)
      .optional()
      .describe('The model whose scores `ref_…` tensors have. Default: the only one that scored the session.'),
    strict: z
      .boolean()
      .default(false)
      .describe(
        'Whether to refuse the export of a session of which anything is not proven, instead of leaving it out.',
      ),
    wait_seconds: z
      .number()
      .min(0)
      .max(maxWaitSeconds)
      .default(30)
      .describe('How long to wait for the end of the session before responding with 409.'),
    remove_session: z
      .boolean()
      .default(false)
      .describe('Whether a complete answer acknowledges the export. Not with an `Idempotency-Key` header.'),
  })
  .meta({ id: 'ExportRequest', description: 'The session and the form of the export.' });
export type ExportRequest = z.output<typeof ExportRequest>;

export const WireTensor = z
  .object({
    type: z.literal('tensor').describe('Always `tensor`.'),
    data: z.string().describe('The elements, little-endian and row-major, in base64.'),
    shape: z.array(z.int()).describe('Sizes of the axes.'),
    dtype: z.enum(['torch.int32', 'torch.float32', 'torch.int16', 'torch.bool']).describe('Type of an element.'),
  })
  .meta({ id: 'Tensor', description: 'A tensor.' });
export type WireTensor = z.output<typeof WireTensor>;

const integers = z.union([z.array(z.int()), WireTensor]).optional();
const numbers = z.union([z.array(z.number()), WireTensor]).optional();

export const ModelResponse = z
  .object({
    input_tokens: z.int().describe('Tokens of the prompt.'),
    output_tokens: z.int().describe('Sampled tokens.'),
    stop_reason: z.string().describe('Why the answer ended.'),
    versions: z
      .array(z.array(z.int()))
      .describe('Versions of the weights, each with its number of consecutive tokens.'),
    input_ids: integers.describe('Tokens of the prompt, where asked for.'),
    output_ids: integers.describe('Sampled tokens, where asked for.'),
    output_logprobs: numbers.describe('Natural logarithms of the sampled tokens, where asked for.'),
    output_versions: integers.describe('Version of the weights of each sampled token, where asked for.'),
  })
  .meta({ id: 'ModelResponse', description: 'Details of the response of the engine.' });

export const ExportedInteraction = z
  .object({
    interaction_id: z.string().describe('Id of the interaction; with `concat`, that of the last one.'),
    parent_id: z.string().nullable().describe('The interaction that it continues.'),
    reward: z.number().describe('After discounting.'),
    original_reward: z.number().nullable().describe('As it was set; null if there is none.'),
    tensor_dict: z.record(z.string(), WireTensor).describe('The tensors for training, by name.'),
    messages: z.array(z.record(z.string(), z.unknown())).optional().describe('The conversation before the answer.'),
    output_message_list: z.array(z.record(z.string(), z.unknown())).optional().describe('The answer.'),
    completion: z.record(z.string(), z.unknown()).optional().describe('The answer as a chat completion.'),
    model_response: ModelResponse,
    provenance: z
      .record(z.string(), z.record(z.string(), z.unknown()).nullable())
      .optional()
      .describe('What made the trained tokens: by interaction, null where it was not recorded.'),
  })
  .meta({ id: 'ExportedInteraction', description: 'One interaction as training data.' });
export type ExportedInteraction = z.output<typeof ExportedInteraction>;

export const ExportResponse = z
  .object({
    session_id: z.string().describe('Id of the session.'),
    revision: z.int().describe('How often a reward was set.'),
    adapter: z.string().optional().describe('The LoRA adapter whose versions the tokens have; missing without one.'),
    interactions: z.record(z.string(), ExportedInteraction).describe('By id, in the order of completion.'),
    report: z.record(z.string(), z.unknown()).describe('What was omitted, and why.'),
    ignored,
  })
  .meta({ id: 'ExportResponse', description: 'The trajectories of a session.' });
export type ExportResponse = z.output<typeof ExportResponse>;

export const AcknowledgeRequest = z
  .strictObject({ session_id: sessionId })
  .meta({ id: 'AcknowledgeRequest', description: 'The export to acknowledge.' });

export const AcknowledgeResponse = z
  .object({ message: z.string().describe('`success`.') })
  .meta({ id: 'AcknowledgeResponse', description: 'The data of the session was deleted.' });
