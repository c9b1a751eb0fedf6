import { tensorFailure } from './tensor-errors';

/** The most UTF-16 units in a tensor name. */
const maxNameLength = 256;

/** The header key that safetensors reserves for its text map. */
export const metadataKey = '__metadata__';

/** Refuses names that a wire format cannot represent exactly. */
export function checkTensorName(name: string): void {
  if (name === '' || name.length > maxNameLength || name === metadataKey || !isWellFormed(name)) {
    throw tensorFailure(
      'tensor_name_invalid',
      `A tensor name is empty, longer than ${maxNameLength}, reserved, or not valid Unicode.`,
      { name: isWellFormed(name) ? name.slice(0, 64) : '' },
    );
  }
}

/** False for an unpaired surrogate, which has no UTF-8 encoding. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
