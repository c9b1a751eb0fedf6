import { createTensor, type Tensor } from './tensor';
import type { TrainingTensorDict } from './training-dict';

// @ts-expect-error the array must be the dtype's own
createTensor('int32', [1], new Float32Array(1));

// @ts-expect-error the dtypes are a closed list
createTensor('float64', [1], new Float64Array(1));

declare const tensor: Tensor;
declare const training: TrainingTensorDict;

// @ts-expect-error a tensor of some dtype is not one of int32
export const int32: Tensor<'int32'> = tensor;

// The tag decides the array.
export const floats = (): Float32Array | undefined => (tensor.dtype === 'float32' ? tensor.data : undefined);

// @ts-expect-error rewards are float32
export const rewards: Tensor<'int32'> = training.rewards;
