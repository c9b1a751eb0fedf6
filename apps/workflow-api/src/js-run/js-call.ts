import type { RunJs } from '@weir/workflow-engine';

export type JsCall = Parameters<RunJs>[0];
export type JsCallContext = Parameters<RunJs>[1];
export type JsResult = Awaited<ReturnType<RunJs>>;
export type JsPrinted = Parameters<JsCallContext['onPrinted']>[0];
