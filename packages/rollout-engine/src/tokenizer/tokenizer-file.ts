import { AppError } from '@weir/foundation';
import { z } from 'zod';

const addedTokenSchema = z.object({
  id: z.int().min(0),
  content: z.string().min(1),
  special: z.boolean().default(false),
  lstrip: z.boolean().default(false),
  rstrip: z.boolean().default(false),
  single_word: z.boolean().default(false),
  normalized: z.boolean().default(false),
});

const componentSchema = z.looseObject({ type: z.string() });

const tokenizerFileSchema = z.looseObject({
  added_tokens: z.array(addedTokenSchema).default([]),
  normalizer: componentSchema.nullish(),
  pre_tokenizer: componentSchema.nullish(),
  decoder: componentSchema.nullish(),
  model: z.looseObject({
    type: z.string().default('BPE'),
    dropout: z.number().nullish(),
    // Checked when the token table is built: a schema would copy some hundred thousand entries.
    vocab: z.unknown(),
  }),
});

export type AddedToken = z.infer<typeof addedTokenSchema>;

/** The parts of a `tokenizer.json` that are used. */
export type TokenizerFile = z.infer<typeof tokenizerFileSchema>;

export const tokenizerRefused = (message: string, reason: string, cause?: unknown) =>
  new AppError('invalid_request', message, { reason, ...(cause === undefined ? {} : { cause }) });

/** Throws an `AppError` with reason `tokenizer_invalid`, or `tokenizer_not_deterministic` for BPE dropout. */
export function readTokenizerFile(json: string): TokenizerFile {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw tokenizerRefused('The tokenizer file is not JSON.', 'tokenizer_invalid', error);
  }
  const parsed = tokenizerFileSchema.safeParse(value);
  if (!parsed.success) {
    throw tokenizerRefused('The tokenizer file is not a valid tokenizer.json.', 'tokenizer_invalid', parsed.error);
  }
  if ((parsed.data.model.dropout ?? 0) > 0) {
    throw tokenizerRefused(
      'The tokenizer uses dropout, so a string has many encodings.',
      'tokenizer_not_deterministic',
    );
  }
  return parsed.data;
}

/** The component and, for a sequence, its parts. */
export function listComponents(component: unknown): readonly Record<string, unknown>[] {
  if (typeof component !== 'object' || component === null) return [];
  const own = component as Record<string, unknown>;
  const parts = own.pretokenizers ?? own.normalizers ?? own.decoders;
  return Array.isArray(parts) ? [own, ...parts.flatMap((part) => listComponents(part))] : [own];
}

export const hasComponent = (component: unknown, type: string): boolean =>
  listComponents(component).some((part) => part.type === type);
