import type { EngineInfo } from '../port/inference-engine';

/** Keeps only features that every replica supports: any of them may serve a session. */
export function mergeEngineInfo(first: EngineInfo, others: readonly EngineInfo[]): EngineInfo {
  const all = [first, ...others];
  const isEvery = (holds: (info: EngineInfo) => boolean): boolean => all.every(holds);
  const isSame = (read: (info: EngineInfo) => unknown): boolean => isEvery((info) => read(info) === read(first));
  const hasOneModel = isSame((info) => info.model);
  const remarks = new Set(all.flatMap((info) => info.remarks));
  if (!hasOneModel) remarks.add('The replicas report different models.');
  if (!isSame((info) => info.version)) remarks.add('The replicas have different versions of the engine.');
  if (!isSame((info) => info.logprobs))
    remarks.add('The log-probabilities of the replicas are of different distributions.');
  return {
    ...first,
    contextLength: Math.min(...all.map((info) => info.contextLength)),
    acceptsIds: isEvery((info) => info.acceptsIds),
    returnsIds: isEvery((info) => info.returnsIds),
    logprobs: weakest(all, (info) => info.logprobs, ['none', 'unknown', 'raw', 'processed']),
    versions: weakest(all, (info) => info.versions, ['none', 'answer', 'spans']),
    canAbort: isEvery((info) => info.canAbort),
    grammar: isEvery((info) => info.grammar),
    tokenizerParity: weakest(all, (info) => info.tokenizerParity, ['different', 'unknown', 'equal']),
    mode: hasOneModel && isEvery((info) => info.mode === 'exact') ? 'exact' : 'capture-only',
    remarks: [...remarks],
  };
}

function weakest<Value>(
  all: readonly EngineInfo[],
  read: (info: EngineInfo) => Value,
  fromWeakest: readonly [Value, ...Value[]],
): Value {
  return fromWeakest.find((value) => all.some((info) => read(info) === value)) ?? fromWeakest[0];
}
