export { type DType, type TensorData } from './dtype';
export { tensorFromJson, tensorToJson, type JsonReadLimits, type JsonTensor } from './json-form';
export { padAndConcatenate, type PadOptions } from './pad';
export { readSafetensors, type SafetensorsFile, type SafetensorsReadLimits } from './read-safetensors';
export type { Shape } from './shape';
export { createTensor, type Tensor, type TensorDict } from './tensor';
export { checkTrainingTensorDict, type TrainingCheckOptions, type TrainingTensorDict } from './training-dict';
export { writeSafetensors, type WriteSafetensorsOptions } from './write-safetensors';
