import { littleEndianBytes } from './little-endian';
import { safetensorsNames, writeOrder } from './safetensors-dtype';
import type { Tensor, TensorDict } from './tensor';
import { tensorFailure } from './tensor-errors';
import { checkTensorName, isWellFormed, metadataKey } from './tensor-name';

export interface WriteSafetensorsOptions {
  /** Strings stored in the header under `__metadata__`. Omitted when empty. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * The safetensors file of a dictionary: header length (8 bytes, little-endian), JSON header padded with spaces to a
 * multiple of 8, then the raw bytes, without gaps. The same dictionary always gives the same bytes: tensors are
 * ordered by dtype (float32, int32, int16, bool) and then, like metadata keys, by the UTF-8 bytes of their names.
 *
 * Fails with `tensor_name_invalid`, or `safetensors_invalid` for metadata that is not valid Unicode.
 */
export function writeSafetensors(dict: TensorDict, options: WriteSafetensorsOptions = {}): Uint8Array<ArrayBuffer> {
  const tensors = Object.entries(dict).sort(
    ([leftName, left], [rightName, right]) =>
      writeOrder[left.dtype] - writeOrder[right.dtype] || compareUtf8(leftName, rightName),
  );
  const header = headerBytes(tensors, options.metadata ?? {});
  const dataLength = tensors.reduce((sum, [, tensor]) => sum + tensor.data.byteLength, 0);
  const file = new Uint8Array(8 + header.byteLength + dataLength);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.byteLength), true);
  file.set(header, 8);
  let offset = 8 + header.byteLength;
  for (const [, tensor] of tensors) {
    file.set(littleEndianBytes(tensor), offset);
    offset += tensor.data.byteLength;
  }
  return file;
}

function headerBytes(
  tensors: readonly (readonly [string, Tensor])[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  // Members are joined as text: an object would put names that look like numbers first.
  const members: string[] = [];
  const texts = Object.entries(metadata).sort(([left], [right]) => compareUtf8(left, right));
  if (texts.length > 0) members.push(`${JSON.stringify(metadataKey)}:{${texts.map(metadataMember).join(',')}}`);
  let begin = 0;
  for (const [name, tensor] of tensors) {
    checkTensorName(name);
    const end = begin + tensor.data.byteLength;
    const entry = { dtype: safetensorsNames[tensor.dtype], shape: tensor.shape, data_offsets: [begin, end] };
    members.push(`${JSON.stringify(name)}:${JSON.stringify(entry)}`);
    begin = end;
  }
  const header = new TextEncoder().encode(`{${members.join(',')}}`);
  const padded = new Uint8Array(Math.ceil(header.byteLength / 8) * 8).fill(0x20);
  padded.set(header);
  return padded;
}

function metadataMember([key, text]: readonly [string, string]): string {
  if (!isWellFormed(key) || !isWellFormed(text)) {
    throw tensorFailure('safetensors_invalid', 'A metadata string is not valid Unicode.');
  }
  return `${JSON.stringify(key)}:${JSON.stringify(text)}`;
}

const compareUtf8 = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));
