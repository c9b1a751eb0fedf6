import type { JsResult, JsCall, JsPrinted } from './js-call';

/** Messages to the process that hosts the threads. */
export type ToHost =
  | { readonly kind: 'run'; readonly id: number; readonly call: JsCall }
  | { readonly kind: 'abort'; readonly id: number };

/** `result` is missing when the call was aborted. */
export type FromHost =
  | { readonly kind: 'printed'; readonly id: number; readonly printed: JsPrinted }
  | { readonly kind: 'ended'; readonly id: number; readonly result?: JsResult };
