import { z } from 'zod';
import type { SamplingParameters } from '../engine/port/inference-engine';
import { invalidRequest } from './invalid-request';

const maxStops = 16;
const maxStopLength = 1024;
const maxBiases = 1024;

/** The sampling fields of all protocols. */
export const samplingFields = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0, 'must be above 0').max(1).nullish(),
  top_k: z.number().int().min(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: z.number().gt(0).max(10).nullish(),
  seed: z.number().int().nullish(),
  logit_bias: z.record(z.string().regex(/^\d{1,9}$/, 'must be a token id'), z.number().min(-100).max(100)).nullish(),
} as const;

export const stopTexts = z
  .union([z.string(), z.array(z.string()).max(maxStops, `must have at most ${maxStops} texts`)])
  .transform((stop) => (typeof stop === 'string' ? [stop] : stop))
  .pipe(z.array(z.string().min(1, 'must not be empty').max(maxStopLength)))
  .nullish();

type SamplingBody = { readonly [Name in keyof typeof samplingFields]?: z.output<(typeof samplingFields)[Name]> };

export function readSampling(body: SamplingBody): SamplingParameters {
  const biases = Object.entries(body.logit_bias ?? {});
  if (biases.length > maxBiases) throw invalidRequest('logit_bias', `must have at most ${maxBiases} entries.`);
  const wanted: Record<string, unknown> = {
    temperature: body.temperature,
    topP: body.top_p,
    // Both values mean no cut-off.
    topK: body.top_k === -1 || body.top_k === 0 ? null : body.top_k,
    minP: body.min_p,
    frequencyPenalty: body.frequency_penalty,
    presencePenalty: body.presence_penalty,
    repetitionPenalty: body.repetition_penalty,
    seed: body.seed,
    logitBias: biases.length === 0 ? null : new Map(biases.map(([id, bias]) => [Number(id), bias])),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null && value !== undefined));
}
