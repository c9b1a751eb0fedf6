import type { EngineFacts } from '../inference-engine';

/** What holds for every replica: a session may be served by any of them. */
export function mergeFacts(first: EngineFacts, others: readonly EngineFacts[]): EngineFacts {
  const all = [first, ...others];
  const every = (holds: (facts: EngineFacts) => boolean): boolean => all.every(holds);
  const isSame = (of: (facts: EngineFacts) => unknown): boolean => every((facts) => of(facts) === of(first));
  const hasOneModel = isSame((facts) => facts.model);
  const remarks = new Set(all.flatMap((facts) => facts.remarks));
  if (!hasOneModel) remarks.add('The replicas name different models.');
  if (!isSame((facts) => facts.version)) remarks.add('The replicas have different versions of the engine.');
  if (!isSame((facts) => facts.logprobs)) remarks.add('The replicas differ in what their log-probabilities are of.');
  return {
    ...first,
    contextLength: Math.min(...all.map((facts) => facts.contextLength)),
    acceptsIds: every((facts) => facts.acceptsIds),
    returnsIds: every((facts) => facts.returnsIds),
    logprobs: weakest(all, (facts) => facts.logprobs, ['none', 'unknown', 'raw', 'processed']),
    versions: weakest(all, (facts) => facts.versions, ['none', 'answer', 'spans']),
    canAbort: every((facts) => facts.canAbort),
    grammar: every((facts) => facts.grammar),
    tokenizerParity: weakest(all, (facts) => facts.tokenizerParity, ['different', 'unknown', 'equal']),
    mode: hasOneModel && every((facts) => facts.mode === 'exact') ? 'exact' : 'capture-only',
    remarks: [...remarks],
  };
}

function weakest<Value>(
  all: readonly EngineFacts[],
  of: (facts: EngineFacts) => Value,
  fromWeakest: readonly [Value, ...Value[]],
): Value {
  return fromWeakest.find((value) => all.some((facts) => of(facts) === value)) ?? fromWeakest[0];
}
