import { dtypeInfo, type DType } from './dtype';
import { sameShape } from './shape';
import { trustedTensor, type Tensor, type TypedTensor } from './tensor';
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

const rowCount = (tensor: TypedTensor<DType>): number => tensor.shape[0] ?? 1;

const describe = (tensor: TypedTensor<DType>) => ({ dtype: tensor.dtype, shape: tensor.shape });
