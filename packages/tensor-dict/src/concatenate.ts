import { dtypeInfo, type DType } from './dtype';
import { sameShape } from './shape';
import { trustedTensor, type Tensor, type TypedTensor, type TensorDict } from './tensor';
import { tensorFailure } from './tensor-errors';

/**
 * One tensor with the rows of all, in order, along axis 0: `[a, …]` and `[b, …]` give `[a + b, …]`. Copies; bits of
 * floats are kept.
 *
 * Fails with `tensors_not_compatible` for no tensors, scalars, or tensors that differ in dtype or in a later axis.
 */
export function concatenate<D extends DType>(tensors: readonly Tensor<D>[]): Tensor<D> {
  const parts: readonly TypedTensor<DType>[] = tensors;
  const first = parts[0];
  if (first === undefined) throw tensorFailure('tensors_not_compatible', 'There are no tensors to concatenate.');
  const rest = first.shape.slice(1);
  for (const part of parts) {
    if (part.dtype !== first.dtype || part.shape.length === 0 || !sameShape(part.shape.slice(1), rest)) {
      throw tensorFailure('tensors_not_compatible', 'Tensors differ in dtype or in an axis other than the first.', {
        first: describe(first),
        other: describe(part),
      });
    }
  }
  const data = dtypeInfo[first.dtype].create(parts.reduce((sum, part) => sum + part.data.length, 0));
  let offset = 0;
  for (const part of parts) {
    data.set(part.data, offset);
    offset += part.data.length;
  }
  const rows = parts.reduce((sum, part) => sum + rowCount(part), 0);
  // All parts have the dtype of the first, which is one of D.
  return trustedTensor(first.dtype, [rows, ...rest], data) as Tensor<D>;
}

/**
 * Applies {@link concatenate} to each name. Fails with `tensors_not_compatible` also when the dictionaries do not have
 * the same names.
 */
export function concatenateDicts(dicts: readonly TensorDict[]): TensorDict {
  const first = dicts[0];
  if (first === undefined) throw tensorFailure('tensors_not_compatible', 'There are no dictionaries to concatenate.');
  const names = Object.keys(first);
  for (const dict of dicts) {
    if (Object.keys(dict).length !== names.length || !names.every((name) => Object.hasOwn(dict, name))) {
      throw tensorFailure('tensors_not_compatible', 'The dictionaries do not have the same names.');
    }
  }
  return Object.fromEntries(names.map((name) => [name, concatenate<DType>(dicts.flatMap((dict) => dict[name] ?? []))]));
}

/**
 * Rows `start` up to but not including `end` along axis 0, as a view on the same memory.
 *
 * Fails with `slice_out_of_range` unless `0 <= start <= end <= rows`, and for a scalar.
 */
export function slice<D extends DType>(tensor: Tensor<D>, start: number, end: number): Tensor<D> {
  const source: TypedTensor<DType> = tensor;
  const rows = source.shape.length === 0 ? -1 : rowCount(source);
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start > end || end > rows) {
    throw tensorFailure('slice_out_of_range', 'The rows to take are not rows of the tensor.', { start, end, rows });
  }
  const rowLength = rows === 0 ? 0 : source.data.length / rows;
  const info = dtypeInfo[source.dtype];
  const byteOffset = source.data.byteOffset + start * rowLength * info.bytesPerElement;
  const data = info.view(source.data.buffer, byteOffset, (end - start) * rowLength);
  return trustedTensor(source.dtype, [end - start, ...source.shape.slice(1)], data) as Tensor<D>;
}

/** Applies {@link slice} to each name: all tensors must have these rows. */
export function sliceDict(dict: TensorDict, start: number, end: number): TensorDict {
  return Object.fromEntries(Object.entries(dict).map(([name, tensor]) => [name, slice<DType>(tensor, start, end)]));
}

const rowCount = (tensor: TypedTensor<DType>): number => tensor.shape[0] ?? 1;

const describe = (tensor: TypedTensor<DType>) => ({ dtype: tensor.dtype, shape: tensor.shape });
