import { tensorFailure } from './tensor-errors';

/** The typed array behind each dtype. A bool element is one byte, 0 or 1. */
export interface TensorData {
  readonly int32: Int32Array;
  readonly float32: Float32Array;
  readonly int16: Int16Array;
  readonly bool: Uint8Array;
}

export type DType = keyof TensorData;

interface DTypeInfo<D extends DType> {
  readonly bytesPerElement: 1 | 2 | 4;
  readonly arrayName: string;
  /** A zeroed array. */
  readonly create: (length: number) => TensorData[D];
  /** The array over existing memory; `byteOffset` must be a multiple of the element size. */
  readonly view: (buffer: ArrayBufferLike, byteOffset: number, length: number) => TensorData[D];
}

export const dtypeInfo: { readonly [D in DType]: DTypeInfo<D> } = {
  int32: {
    bytesPerElement: 4,
    arrayName: 'Int32Array',
    create: (length) => new Int32Array(length),
    view: (buffer, byteOffset, length) => new Int32Array(buffer, byteOffset, length),
  },
  float32: {
    bytesPerElement: 4,
    arrayName: 'Float32Array',
    create: (length) => new Float32Array(length),
    view: (buffer, byteOffset, length) => new Float32Array(buffer, byteOffset, length),
  },
  int16: {
    bytesPerElement: 2,
    arrayName: 'Int16Array',
    create: (length) => new Int16Array(length),
    view: (buffer, byteOffset, length) => new Int16Array(buffer, byteOffset, length),
  },
  bool: {
    bytesPerElement: 1,
    arrayName: 'Uint8Array',
    create: (length) => new Uint8Array(length),
    view: (buffer, byteOffset, length) => new Uint8Array(buffer, byteOffset, length),
  },
};

export function isDType(value: unknown): value is DType {
  return typeof value === 'string' && Object.hasOwn(dtypeInfo, value);
}

/** Refuses bytes other than 0 and 1. */
export function checkBoolBytes(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] ?? 0) > 1) {
      throw tensorFailure('tensor_bool_invalid', 'A bool element is neither 0 nor 1.', { index });
    }
  }
}

/** Whether a value is the dtype's own kind of array. By name, so that arrays of another realm (a worker) pass too. */
export function isTensorData<D extends DType>(dtype: D, value: unknown): value is TensorData[D] {
  return Object.prototype.toString.call(value) === `[object ${dtypeInfo[dtype].arrayName}]`;
}
