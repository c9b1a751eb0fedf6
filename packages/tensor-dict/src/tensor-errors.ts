import { AppError, type ErrorCode } from '@weir/foundation';

/** Every `reason` of this package with its error code. */
export const tensorFailures = {
  tensor_dtype_unknown: 'invalid_request',
  tensor_shape_invalid: 'invalid_request',
  tensor_data_mismatch: 'invalid_request',
  tensor_bool_invalid: 'invalid_request',
  tensor_name_invalid: 'invalid_request',
  tensors_not_compatible: 'invalid_request',
  slice_out_of_range: 'invalid_request',
  training_dict_invalid: 'invalid_request',
  tensor_json_invalid: 'invalid_request',
  safetensors_invalid: 'invalid_request',
  tensors_too_large: 'payload_too_large',
} as const satisfies Record<string, ErrorCode>;

/** The stable reasons an {@link AppError} of this package carries. */
export type TensorFailureReason = keyof typeof tensorFailures;

export function tensorFailure(
  reason: TensorFailureReason,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): AppError {
  return new AppError(tensorFailures[reason], message, { reason, details });
}
