import { checkSpec, type SpecMeaning } from './check-spec';
import { completeSpec, describeKey, type Proposal } from './complete-spec';
import { formatSpec } from './format-spec';
import { contextAt } from './key-context';
import { stepPlace } from './step-place';
import type { LanguageAnswer, LanguageOrder } from './language-orders';

// The server's language runs beside the page, so that typing never waits for it.
let meaning: SpecMeaning = { findings: [], steps: [], params: [], consts: [], paramsSchema: {}, fires: [] };

addEventListener('message', ({ data }: MessageEvent<LanguageOrder>) => {
  const answer: LanguageAnswer = { number: data.number, result: execute(data) };
  postMessage(answer);
});

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
