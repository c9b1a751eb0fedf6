import { dtypeInfo, isDType, type DType } from './dtype';
import { littleEndianBytes, tensorFromLittleEndian } from './little-endian';
import { elementCount, type Shape } from './shape';
import type { Tensor, TensorDict } from './tensor';
import { tensorFailure } from './tensor-errors';
import { checkTensorName } from './tensor-name';

/** A tensor in JSON. */
export interface JsonTensor {
  readonly dtype: DType;
  readonly shape: Shape;
  /** The elements, little-endian and row-major, one byte per bool; base64 with padding (RFC 4648, section 4). */
  readonly data: string;
}

export type JsonTensorDict = Readonly<Record<string, JsonTensor>>;

export interface JsonReadLimits {
  /** Default 1024. */
  readonly maxTensors?: number;
  /** Decoded bytes of one tensor, or of all tensors of a dictionary. Default 268435456 (256 MiB). */
  readonly maxBytes?: number;
}

/** It never fails. */
export function tensorToJson(tensor: Tensor): JsonTensor {
  const bytes = littleEndianBytes(tensor);
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { dtype: tensor.dtype, shape: tensor.shape, data };
}

/**
 * Reads one tensor back, with the same bits. The value must be exactly `dtype`, `shape` and `data`, and the base64
 * must be the one canonical text for its bytes.
 *
 * Fails with `tensor_json_invalid`, `tensor_dtype_unknown`, `tensor_shape_invalid`, `tensor_data_mismatch`,
 * `tensor_bool_invalid`, or `tensors_too_large` (`payload_too_large`); sizes are checked before memory is taken.
 */
export function tensorFromJson(value: unknown, limits: JsonReadLimits = {}): Tensor {
  if (!isRecord(value) || Object.keys(value).length !== 3) throw invalid('A tensor is not {dtype, shape, data}.');
  const { dtype, shape, data } = value;
  if (!isDType(dtype))
    throw tensorFailure('tensor_dtype_unknown', 'The dtype is none of int32, float32, int16 and bool.');
  if (typeof data !== 'string') throw invalid('The data of a tensor is not a string.');
  const byteLength = elementCount(shape) * dtypeInfo[dtype].bytesPerElement;
  // Written so that a limit of NaN allows nothing.
  if (!(byteLength <= (limits.maxBytes ?? 268_435_456))) {
    throw tensorFailure('tensors_too_large', 'The tensors are larger than allowed.', { byteLength });
  }
  return tensorFromLittleEndian<DType>(dtype, shape as Shape, decodeBase64(data, byteLength));
}

/** Fails with `tensor_name_invalid` for a name no wire form can carry. */
export function tensorDictToJson(dict: TensorDict): JsonTensorDict {
  return Object.fromEntries(
    Object.entries(dict).map(([name, tensor]) => {
      checkTensorName(name);
      return [name, tensorToJson(tensor)];
    }),
  );
}

/**
 * Applies {@link tensorFromJson} to each name of an object. Fails like that function, and with `tensor_name_invalid`.
 */
export function tensorDictFromJson(value: unknown, limits: JsonReadLimits = {}): TensorDict {
  if (!isRecord(value)) throw invalid('A tensor dictionary is not an object.');
  const entries = Object.entries(value);
  if (!(entries.length <= (limits.maxTensors ?? 1024))) {
    throw tensorFailure('tensors_too_large', 'There are more tensors than allowed.', { count: entries.length });
  }
  let bytesLeft = limits.maxBytes ?? 268_435_456;
  return Object.fromEntries(
    entries.map(([name, json]) => {
      checkTensorName(name);
      const tensor = tensorFromJson(json, { maxBytes: bytesLeft });
      bytesLeft -= tensor.data.byteLength;
      return [name, tensor];
    }),
  );
}

function decodeBase64(text: string, byteLength: number): Uint8Array {
  if (text.length !== Math.ceil(byteLength / 3) * 4) {
    throw tensorFailure('tensor_data_mismatch', 'The data of a tensor does not have the length its shape demands.');
  }
  // A new allocation, which is aligned; decoded chunks of a Buffer pool may not be.
  const bytes = new Uint8Array(byteLength);
  const buffer = Buffer.from(bytes.buffer);
  buffer.write(text, 'base64');
  // Buffer ignores invalid characters, so encode again to check that the text is canonical.
  if (buffer.toString('base64') !== text) throw invalid('The data of a tensor is not canonical base64.');
  return bytes;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (message: string) => tensorFailure('tensor_json_invalid', message);
