import { checkSpec, type SpecMeaning } from './check-spec';
import { completeSpec, describeKey, type Proposal } from './complete-spec';
import { formatSpec } from './format-spec';
import { contextAt } from './key-context';
import { loadWantedPatterns } from './pattern-library';
import { stepPlace } from './step-place';
import type { LanguageAnswer, LanguageOrder } from './language-orders';

// The server's language runs beside the page, so that typing never waits for it.
let meaning: SpecMeaning = { findings: [], steps: [], params: [], consts: [], paramsSchema: {}, fires: [] };

/** Ends when every order until now is answered, so that the answers keep their order. */
let answered = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<LanguageOrder>) => {
  answered = answered.then(() => answer(data));
});

async function answer(order: LanguageOrder): Promise<void> {
  let result = execute(order);
  // A failed load is tried again with the next text, and until then this one has its other findings.
  if (await loadWantedPatterns().catch(() => false)) result = execute(order);
  const message: LanguageAnswer = { number: order.number, result };
  postMessage(message);
}

function execute(order: LanguageOrder): LanguageAnswer['result'] {
  switch (order.task) {
    case 'check':
      return (meaning = checkSpec(order, new Date()));
    case 'complete':
      return complete(order.text, order.offset);
    case 'describe':
      return describe(order.text, order.offset);
    case 'place':
      return stepPlace(order.text, order.step);
    case 'format':
      return formatSpec(order.text);
  }
}

function complete(text: string, offset: number): { readonly from: number; readonly proposals: readonly Proposal[] } {
  const context = contextAt(text, offset);
  return context === undefined
    ? { from: offset, proposals: [] }
    : { from: context.from, proposals: completeSpec(context, meaning) };
}

function describe(text: string, offset: number): string | undefined {
  const end = offset + (/^[\w.-]*/.exec(text.slice(offset))?.[0].length ?? 0);
  const context = contextAt(text, end);
  return context?.place === 'key' ? describeKey(context.path, context.typed) : undefined;
}
