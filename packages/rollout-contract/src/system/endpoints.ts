import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { adapterName, adapterPath } from '../adapters/schemas';
import { forAdmin, forEveryKey, forReaders } from '../common/access';
import { errorAnswers } from '../common/errors';

const tag = 'system';

export const HealthResponse = z
  .object({
    status: z.literal('ok').describe('The process is running.'),
    initialized: z.boolean().describe('Whether the engine has been probed and sessions are restored.'),
  })
  .meta({ id: 'HealthResponse', description: 'Whether the service is up.' });

export const ReadyResponse = z
  .object({ status: z.literal('ready').describe('Model calls are accepted.') })
  .meta({ id: 'ReadyResponse', description: 'Whether model calls are accepted.' });

export const Model = z
  .object({
    id: z.string().describe('Name of the model.'),
    object: z.literal('model').describe('Always `model`.'),
    created: z.int().describe('Seconds since 1970 at which the service started.'),
    owned_by: z.string().describe('Always `weir`.'),
  })
  .meta({ id: 'Model', description: 'A model.' });
export type Model = z.output<typeof Model>;

export const ModelsListResponse = z
  .object({
    object: z.literal('list').describe('Always `list`.'),
    data: z.array(Model).describe('The one model that is served.'),
  })
  .meta({ id: 'ModelsListResponse', description: 'The models.' });

export const SetVersionRequest = z
  .strictObject({ version: z.int().min(0).max(2_147_483_647).describe('Version of the weights, from 0.') })
  .meta({ id: 'SetVersionRequest', description: "The version of the engine's weights." });

export const inFlightRules = ['continue', 'finish', 'drop'] as const;

export const ReplicaGenerationRequest = z
  .strictObject({
    pause: z.enum(['wait', 'abort', 'drop']).nullable().describe('How generation pauses; null where it continues.'),
    version: z.int().min(0).max(2_147_483_647).describe('Version of the weights.'),
    weights: z.string().max(4096).nullable().describe('What the engine read them from; null where that is unknown.'),
  })
  .meta({ id: 'ReplicaGenerationRequest', description: 'What all replicas of the proxy have in common.' });
export type ReplicaGenerationRequest = z.output<typeof ReplicaGenerationRequest>;

export const UpdateWeightsRequest = z
  .strictObject({
    file: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(
        'Embedded engine: a GGUF file on the machine of the proxy, which is copied. SGLang and vLLM: a folder on the machine of the engine, or the name of a model. Omitted: the trainer has loaded the weights itself.',
      ),
    adapter: adapterName
      .optional()
      .describe(
        'Of the LoRA adapter that is updated, and nothing else; `file` is where the engine reads it. An unknown name is added.',
      ),
    version: z.int().min(0).max(2_147_483_647).describe('Version of these weights, above the current one.'),
    in_flight: z
      .enum(inFlightRules)
      .default('continue')
      .describe(
        'What happens to generations that run: they continue on the new weights, each token with its version; finish on the old ones first; or are dropped.',
      ),
  })
  .superRefine(({ adapter, file }, context) => {
    if (adapter === undefined) return;
    const { error } = adapterPath.safeParse(file);
    const message = error?.issues[0]?.message;
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['file'], message });
  })
  .meta({ id: 'UpdateWeightsRequest', description: 'New weights for the engine, or for one adapter of it.' });
export type UpdateWeightsRequest = z.output<typeof UpdateWeightsRequest>;

export const VersionResponse = z
  .object({ version: z.int().describe('Version of the weights.') })
  .meta({ id: 'VersionResponse', description: "The version of the engine's weights." });

export const GenerationResponse = z
  .object({
    status: z.literal('ok').describe('The request succeeded.'),
    paused: z.boolean().describe('Whether generation is paused.'),
  })
  .meta({ id: 'GenerationResponse', description: 'The state of generation.' });

const adminErrors = { 401: errorAnswers.unauthenticated, 403: errorAnswers.forbidden } as const;
const engineErrors = {
  ...adminErrors,
  504: { description: 'Generations still run at the engine.', reasons: ['engine_not_drained'] },
} as const;

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  operationId: 'getHealth',
  tag,
  summary: 'Get the health of the service',
  access: 'public',
  success: { status: 200, description: 'The service is up.', schema: HealthResponse },
  errors: {},
});

export const getReady = endpoint({
  method: 'GET',
  path: '/ready',
  operationId: 'getReady',
  tag,
  summary: 'Check readiness for model calls',
  access: 'public',
  success: { status: 200, description: 'Model calls are accepted.', schema: ReadyResponse },
  errors: { 503: { description: 'Model calls are not accepted.', reasons: ['not_ready'] } },
});

export const listModels = endpoint({
  method: 'GET',
  path: '/models',
  operationId: 'listModels',
  tag,
  summary: 'List models',
  description: 'Also under `/v1`.',
  access: forEveryKey,
  success: { status: 200, description: 'The models.', schema: ModelsListResponse },
  errors: adminErrors,
});

export const getModel = endpoint({
  method: 'GET',
  path: '/models/{modelId}',
  operationId: 'getModel',
  tag,
  summary: 'Get a model',
  description: 'Also under `/v1`.',
  access: forEveryKey,
  params: z.object({ modelId: z.string().max(512).describe('Name of the model.') }),
  success: { status: 200, description: 'The model.', schema: Model },
  errors: { ...adminErrors, 404: { description: 'There is no such model.', reasons: ['model_not_found'] } },
});

export const getOpenApiJson = endpoint({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'getOpenApiJson',
  tag,
  summary: 'Get the OpenAPI document',
  access: forEveryKey,
  success: { status: 200, description: 'This document.', schema: z.record(z.string(), z.unknown()) },
  errors: adminErrors,
});

export const pauseGeneration = endpoint({
  method: 'POST',
  path: '/pause_generation',
  operationId: 'pauseGeneration',
  tag: 'weights',
  summary: 'Pause generation for a weight update',
  access: forAdmin,
  success: { status: 200, description: 'No token is sampled until generation is resumed.', schema: GenerationResponse },
  errors: engineErrors,
});

export const settleReplica = endpoint({
  method: 'POST',
  path: '/replicas/generation',
  operationId: 'settleReplica',
  tag: 'weights',
  summary: 'Pause or continue one replica',
  description: 'For replicas of the proxy among themselves; others are refused.',
  access: forAdmin,
  body: ReplicaGenerationRequest,
  success: { status: 200, description: 'Nothing is sampled any more, or it goes on.', schema: GenerationResponse },
  errors: {
    400: errorAnswers.invalid,
    401: errorAnswers.unauthenticated,
    403: { description: 'Not from another replica.', reasons: ['key_kind_wrong', 'replica_mark_invalid'] },
    504: engineErrors[504],
  },
});

export const continueGeneration = endpoint({
  method: 'POST',
  path: '/continue_generation',
  operationId: 'continueGeneration',
  tag: 'weights',
  summary: 'Resume generation',
  access: forAdmin,
  success: { status: 200, description: 'Generation was resumed.', schema: GenerationResponse },
  errors: {
    ...adminErrors,
    409: { description: 'An update of the weights failed, so they are unknown.', reasons: ['weights_unknown'] },
  },
});

export const setVersion = endpoint({
  method: 'POST',
  path: '/set_version',
  operationId: 'setVersion',
  tag: 'weights',
  summary: 'Set the version of the weights',
  access: forAdmin,
  body: SetVersionRequest,
  success: { status: 200, description: 'Tokens sampled from now on have this version.', schema: VersionResponse },
  errors: {
    400: {
      description: 'The request is not valid, or the version is lower than the current one.',
      reasons: ['request_invalid', 'version_not_monotone'],
    },
    ...adminErrors,
  },
});

export const getVersion = endpoint({
  method: 'GET',
  path: '/get_version',
  operationId: 'getVersion',
  tag: 'weights',
  summary: 'Get the version of the weights',
  access: forReaders,
  success: { status: 200, description: 'The version.', schema: VersionResponse },
  errors: adminErrors,
});

export const updateWeights = endpoint({
  method: 'POST',
  path: '/update_weights',
  operationId: 'updateWeights',
  tag: 'weights',
  summary: 'Update the weights of the engine',
  description:
    'Pauses generation, loads the file, sets the version and resumes, unless generation was paused before. A failed update changes nothing in the embedded engine; after one in another engine, generation stays paused until an update succeeds or the version is set. A repeated one with the same file and version does nothing. An update of an adapter pauses nothing: it is loaded beside its earlier version, then its calls go over to it, and after a failure all is as before.',
  access: forAdmin,
  body: UpdateWeightsRequest,
  success: { status: 200, description: 'Tokens sampled from now on are of these weights.', schema: VersionResponse },
  errors: {
    400: {
      description: 'The request or the file is not valid, or the version is not above the current one.',
      reasons: [
        'request_invalid',
        'version_not_monotone',
        'weights_unreadable',
        'weights_incompatible',
        'weights_file_missing',
      ],
    },
    ...adminErrors,
    409: { description: 'Another update is in progress.', reasons: ['weights_updating'] },
    501: {
      description: 'The engine has no operation that loads weights, or no adapters.',
      reasons: ['weights_not_loadable', 'adapters_not_supported'],
    },
    502: {
      description: 'The engine did not load the weights.',
      reasons: ['weights_refused', 'weights_operation_missing', 'adapter_refused', 'adapter_operation_missing'],
    },
    503: {
      description: 'The file holds no model that can be loaded, or the engine cannot be reached.',
      reasons: ['model_not_loaded', 'engine_unreachable', 'no_healthy_replica'],
    },
    504: engineErrors[504],
  },
});
