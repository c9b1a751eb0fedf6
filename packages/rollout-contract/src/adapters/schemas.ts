import { z } from 'zod';

/** A name is part of the name at the engine, which is used in bodies and addresses. */
export const adapterName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, dots, dashes and underscores');

/** Relative to nothing but the machine of the engine: a segment `..` is never needed. */
export const adapterPath = z
  .string()
  .min(1)
  .max(4096)
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  .regex(/^[^\u0000-\u001f\u007f]+$/, 'must not contain control characters')
  .refine((path) => !path.split(/[\\/]/).includes('..'), 'must not contain a segment ".."');

export const SessionAdapter = z
  .strictObject({
    name: adapterName.describe('Name of the adapter: letters, digits, dots, dashes and underscores, at most 100.'),
    path: adapterPath
      .optional()
      .describe(
        'Where the engine reads it: a folder on its machine, or what it takes for one. For a name that is known it may be omitted, else it must be the current one. For an unknown name without a path, the engine has the adapter since its start.',
      ),
    pinned: z
      .boolean()
      .optional()
      .describe(
        'SGLang: whether the engine keeps it in the memory of the GPU. Only with the first path of a name. Default: false.',
      ),
  })
  .refine(({ path, pinned }) => pinned !== true || path !== undefined, {
    path: ['pinned'],
    message: 'needs a path',
  })
  .meta({ id: 'SessionAdapter', description: 'The LoRA adapter that samples all calls of a session.' });
export type SessionAdapter = z.output<typeof SessionAdapter>;

export const AdapterSummary = z
  .object({
    name: z.string().describe('Name of the adapter.'),
    version: z.int().describe('Version of its weights, which new tokens have.'),
    path: z.string().nullable().describe('Where the engine reads it; null where it has it since its start.'),
    pinned: z.boolean().describe('Whether the engine keeps it in the memory of the GPU.'),
    sessions: z.int().describe('Unfinished sessions with it, also those that are being started.'),
    engine_name: z.string().describe('Name of this version at the engine.'),
    loaded: z.boolean().describe('Whether the proxy has it loaded now.'),
  })
  .meta({ id: 'AdapterSummary', description: 'A LoRA adapter.' });
export type AdapterSummary = z.output<typeof AdapterSummary>;

const LoadedAdapter = z
  .object({
    name: z.string().describe('Name of the adapter.'),
    engine_name: z.string().describe('Name of this version at the engine.'),
    idle_seconds: z.number().describe('Since its last use.'),
  })
  .meta({ id: 'LoadedAdapter', description: 'A version of a LoRA adapter at the engine.' });

export const AdaptersResponse = z
  .object({
    adapters: z.array(AdapterSummary).describe('By name.'),
    in_use: z
      .array(z.string())
      .describe('Names at the engine of what sessions or running generations need, also of earlier versions.'),
    loaded: z.array(LoadedAdapter).describe('What the proxy has loaded, also earlier versions.'),
  })
  .meta({ id: 'AdaptersResponse', description: 'The LoRA adapters.' });
export type AdaptersResponse = z.output<typeof AdaptersResponse>;

export const ReplicaAdapterRequest = z
  .strictObject({
    name: adapterName.describe('Name of the adapter.'),
    path: adapterPath.describe('Where the engine reads it.'),
    pinned: z.boolean().describe('Whether the engine keeps it in the memory of the GPU.'),
    version: z.int().min(0).max(2_147_483_647).describe('Version of its weights.'),
    end: z.enum(['interrupt', 'drop']).nullable().describe('What happens to its running generations; null: nothing.'),
  })
  .meta({ id: 'ReplicaAdapterRequest', description: 'The current version of an adapter.' });
export type ReplicaAdapterRequest = z.output<typeof ReplicaAdapterRequest>;

export const ReplicaUnloadRequest = z
  .strictObject({
    name: adapterName.describe('Name of the adapter.'),
    engine_name: z
      .string()
      .max(200)
      .nullable()
      .describe('The version that is unloaded; null: every one, and the adapter is forgotten.'),
  })
  .meta({ id: 'ReplicaUnloadRequest', description: 'What a replica unloads.' });
