import type { ExportResponse } from '@weir/rollout-contract';
import type { TrainingTensorDict } from '@weir/tensor-dict';

/** Rows that were never sent over the wire, by id: the export of a direct client. */
export type ExportedRows = ReadonlyMap<string, { readonly tensors: TrainingTensorDict }>;

/** The export of an episode: the JSON answer of the proxy, its safetensors file, or rows. */
export type Exported = ExportResponse | Uint8Array | ExportedRows;
