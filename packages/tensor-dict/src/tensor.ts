import { checkBoolBytes, dtypeInfo, isTensorData, isDType, type DType, type TensorData } from './dtype';
import { checkShape, elementCount, type Shape } from './shape';
import { tensorFailure } from './tensor-errors';

/** One dtype's tensor; with `DType` itself, a tensor whose dtype and array are not tied together. */
export interface TypedTensor<D extends DType> {
  readonly dtype: D;
  /** Sizes of the axes, outermost first; their product is `data.length`. */
  readonly shape: Shape;
  /** Elements in row-major order. Shared, not copied: a write changes every view of it. */
  readonly data: TensorData[D];
}

/** A dense tensor over a typed array. Without an argument it is the union over all dtypes, discriminated by `dtype`. */
export type Tensor<D extends DType = DType> = { [K in D]: TypedTensor<K> }[D];

/** Tensors by name. */
export type TensorDict = Readonly<Record<string, Tensor>>;

/**
 * Tags an array with dtype and shape, without copying it.
 *
 * Fails with `tensor_dtype_unknown`, `tensor_shape_invalid`, `tensor_data_mismatch` (another kind of array, or not
 * as many elements as the shape says) or `tensor_bool_invalid` (a byte other than 0 and 1).
 */
export function createTensor<D extends DType>(dtype: D, shape: Shape, data: TensorData[D]): Tensor<D> {
  if (!isDType(dtype))
    throw tensorFailure('tensor_dtype_unknown', 'The dtype is none of int32, float32, int16 and bool.');
  const count = elementCount(shape);
  if (!isTensorData(dtype, data)) {
    throw tensorFailure('tensor_data_mismatch', `The data of a tensor of ${dtype} is another kind of array.`);
  }
  if (data.length !== count) {
    throw tensorFailure('tensor_data_mismatch', `The shape has ${count} elements, the data ${data.length}.`);
  }
  if (dtype === 'bool') checkBoolBytes(dtypeInfo.bool.view(data.buffer, data.byteOffset, data.length));
  return trustedTensor(dtype, shape, data);
}

/** A tensor of zeros (`false` for bool). Fails with `tensor_dtype_unknown` or `tensor_shape_invalid`. */
export function zeros<D extends DType>(dtype: D, shape: Shape): Tensor<D> {
  if (!isDType(dtype))
    throw tensorFailure('tensor_dtype_unknown', 'The dtype is none of int32, float32, int16 and bool.');
  const data = dtypeInfo[dtype].create(elementCount(shape));
  return trustedTensor(dtype, shape, data);
}

/** Creates tensors of data from this package, without the checks of {@link createTensor}. */
export function trustedTensor<D extends DType>(dtype: D, shape: Shape, data: TensorData[D]): Tensor<D> {
  const tensor = Object.freeze({ dtype, shape: Object.freeze([...checkShape(shape)]), data });
  // The compiler cannot see that this object is the member of the union that D picks.
  return tensor;
}
