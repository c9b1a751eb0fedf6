import type { DType } from './dtype';

/** Names of the dtypes in a safetensors header. */
export const safetensorsNames = { int32: 'I32', float32: 'F32', int16: 'I16', bool: 'BOOL' } as const satisfies Record<
  DType,
  string
>;

/**
 * Order of the tensors in a file, then by name. Wider dtypes come first, so that every tensor is aligned without
 * the gaps that the format forbids; float32 comes before int32 as in the reference writer.
 */
export const writeOrder: Readonly<Record<DType, number>> = { float32: 0, int32: 1, int16: 2, bool: 3 };

export function parseSafetensorsDType(name: unknown): DType | undefined {
  const found = Object.entries(safetensorsNames).find(([, known]) => known === name);
  return found?.[0] as DType | undefined;
}
