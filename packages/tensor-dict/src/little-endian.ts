import { checkBoolBytes, dtypeInfo, type DType } from './dtype';
import type { Shape } from './shape';
import { trustedTensor, type Tensor } from './tensor';

type ByteOrder = 'little' | 'big';

/** Typed arrays use the machine's byte order, the wire forms always little-endian. */
export const hostByteOrder = (): ByteOrder => (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'little' : 'big');

/** The elements as little-endian bytes: a view on a little-endian machine, else a swapped copy. */
export function littleEndianBytes(tensor: Tensor, order: ByteOrder = hostByteOrder()): Uint8Array {
  const { buffer, byteOffset, byteLength } = tensor.data;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const { bytesPerElement } = dtypeInfo[tensor.dtype];
  return order === 'little' || bytesPerElement === 1 ? bytes : swap(new Uint8Array(bytes), bytesPerElement);
}

/**
 * A tensor from little-endian bytes, as many as the shape says: a view on them where alignment and byte order
 * allow, else a copy. Fails with `tensor_bool_invalid`.
 */
export function tensorFromLittleEndian<D extends DType>(
  dtype: D,
  shape: Shape,
  bytes: Uint8Array,
  order: ByteOrder = hostByteOrder(),
): Tensor<D> {
  const info = dtypeInfo[dtype];
  const mustSwap = order === 'big' && info.bytesPerElement > 1;
  const isAligned = bytes.byteOffset % info.bytesPerElement === 0;
  // `slice` would return a view of a Buffer.
  const usable = mustSwap || !isAligned ? new Uint8Array(bytes) : bytes;
  if (mustSwap) swap(usable, info.bytesPerElement);
  if (dtype === 'bool') checkBoolBytes(usable);
  return trustedTensor(
    dtype,
    shape,
    info.view(usable.buffer, usable.byteOffset, usable.byteLength / info.bytesPerElement),
  );
}

/** Reverses each group of bytes in place. Through integers, so that no float is ever normalised. */
function swap(bytes: Uint8Array, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset < bytes.byteLength; offset += size) {
    if (size === 4) view.setUint32(offset, view.getUint32(offset, true), false);
    else view.setUint16(offset, view.getUint16(offset, true), false);
  }
  return bytes;
}
