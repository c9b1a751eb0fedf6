export { concatenate, concatenateDicts, slice, sliceDict } from './concatenate';
export { isDType, type DType, type TensorData } from './dtype';
export {
  tensorDictFromJson,
  tensorDictToJson,
  tensorFromJson,
  tensorToJson,
  type JsonReadLimits,
  type JsonTensor,
  type JsonTensorDict,
} from './json-form';
export {
  elementsPerToken,
  extraKeyNames,
  extraKeys,
  findNotNeutral,
  noId,
  noLogprob,
  pairedKeys,
  type ExtraKey,
} from './extra-keys';
export { openSafetensors, type SafetensorsReader, type SafetensorsSource } from './open-safetensors';
export { padAndConcatenate, type PadOptions } from './pad';
export { readSafetensors, type SafetensorsFile, type SafetensorsReadLimits } from './read-safetensors';
export { elementCount, maxRank, type Shape } from './shape';
export { createTensor, zeros, type Tensor, type TensorDict } from './tensor';
export { tensorFailures, type TensorFailureReason } from './tensor-errors';
export { checkTrainingTensorDict, type TrainingCheckOptions, type TrainingTensorDict } from './training-dict';
export { writeSafetensors, type WriteSafetensorsOptions } from './write-safetensors';
