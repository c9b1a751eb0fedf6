import fc from 'fast-check';
import {
  chooseReasoningParser,
  collectPathIds,
  exportTrajectories,
  type Interaction,
  type Message,
} from '@weir/rollout-core';
import { answerForms, type AnswerForm, type WrittenAnswer } from '@weir/rollout-core/testing';
import type { FakeAnswer } from '@weir/fake-engine';
import {
  aSession,
  forever,
  startCompletionFixture,
  type CompletionFixture,
  type TestSession,
} from '../completions/testing/completion-fixture';
import { answerEnd, testFamilies, type TestFamilyName } from '../testing/test-families';
import { chatCompletions } from './chat-completions';
import { parseExactJson } from './exact-json';
import { generateContent, streamGenerateContent } from './generate-content';
import { messages } from './messages';
import type { ModelProtocol, ReadCall } from './model-protocol';
import { responses } from './responses';
import { sdkClients, type SdkClient, type SeenAnswer } from './testing/sdk-clients';

jest.setTimeout(60_000);

const weather = {
  name: 'weather',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      hourly: { type: 'boolean' },
      tags: { type: 'array' },
      near: { type: ['object', 'null'] },
    },
  },
};
const clock = { name: 'clock', parameters: { type: 'object', properties: {} } };

/** Models without a format of calls and thoughts: whatever they write is text. */
const plainForm = (family: TestFamilyName): AnswerForm => ({
  family,
  toolParser: 'none',
  reasoningParser: 'none',
  maxCalls: 0,
  hasTextBesideCalls: true,
  write: ({ content }) => content,
});
const forms = [...answerForms, plainForm('gemma3'), plainForm('generic')];

/** Their prompts open a thought, so every answer has one. */
const alwaysThinking: readonly TestFamilyName[] = ['qwen3-coder', 'minimax'];

const prose = fc.constantFrom('Let me see.', 'It is 12 °C; more < less', 'Zwei\nZeilen', 'a "quoted" {word}', '日本 🌦');
const hostile = fc.constantFrom(
  ...['</tool_call>', '</parameter>', '</think>', '</invoke>', '</｜DSML｜parameter>', '<tool_call|>', '[TOOL_CALLS]'],
  ...['"', "'", '\\', '\n', '{', ']', ' ', 'é', '🌦', '2026-02-30', '7', 'null', 'true'],
);
const cities = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(''));
const call = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record(
        {
          city: cities,
          days: fc.oneof(fc.integer(), fc.constantFrom('2026-02-30', '7', '')),
          hourly: fc.boolean(),
          tags: fc.constantFrom([], [['a', []], 'b'], [{ x: [null] }], ['"']),
          near: fc.constantFrom(null, {}, { x: 1, y: [true, null] }),
        },
        { requiredKeys: [] },
      )
      .map((given) => ({ name: 'weather', arguments: given })),
  },
  { weight: 1, arbitrary: fc.constant({ name: 'clock', arguments: {} }) },
);

const words = fc.constantFrom('thanks', '', '<|im_end|> and more', 'Grüße 🌦', '{"a":[1]}', '</tool_response>');

const turnOf = ({ family, maxCalls, hasTextBesideCalls, ambiguous }: AnswerForm) => {
  const thinks = chooseReasoningParser(testFamilies[family].chatTemplate) !== 'none';
  const answer = fc
    .record({
      reasoning: alwaysThinking.includes(family) ? prose : fc.option(prose, { nil: undefined }),
      content: fc.oneof(prose, fc.constant('')),
      calls: fc.array(call, { maxLength: maxCalls }),
    })
    .map(({ reasoning, content, calls }): WrittenAnswer => ({
      ...(thinks && reasoning !== undefined ? { reasoning } : {}),
      // An answer of nothing at all is not in the form of any family.
      content: calls.length === 0 ? content || 'Yes.' : hasTextBesideCalls ? content : '',
      calls,
    }))
    .filter(({ calls }) => !calls.some(({ arguments: { city } }) => typeof city === 'string' && ambiguous?.test(city)));
  return fc.record({
    answer,
    /** After how many of its tokens the answer is cut off, if it is. */
    cutAfter: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) },
    ),
    tokensPerPiece: fc.constantFrom(1, 40, 'seeded' as const),
    isStreaming: fc.boolean(),
    resultOrder: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    result: words,
    /** What the user adds to the results of calls. */
    adds: fc.option(words, { nil: undefined }),
    says: words,
  });
};
type Turn = ReturnType<typeof turnOf> extends fc.Arbitrary<infer Value> ? Value : never;

const routes: Readonly<Record<string, ModelProtocol<ReadCall>>> = {
  '/v1/chat/completions': chatCompletions,
  '/v1/responses': responses,
  '/v1/messages': messages,
  '/v1/models/m:generateContent': generateContent,
  '/v1/models/m:streamGenerateContent': streamGenerateContent,
};

/** Answers the requests of an SDK; `took` gets the id of each answer. */
function answerSdk(
  { runCompletion }: CompletionFixture,
  session: TestSession,
  took: (id: string) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    const protocol = routes[pathname];
    if (protocol === undefined || typeof init?.body !== 'string') throw new Error(`No route of a model: ${pathname}`);
    const identity = { key: undefined, bodyDigest: '', attempt: 0 };
    const address = { model: 'm', query: Object.fromEntries(searchParams) };
    const read = protocol.read(parseExactJson(init.body), identity, { findConversation: () => undefined }, address);
    const { isStreaming } = read.request;
    const [stream, builder] = [protocol.createStream(read), protocol.createAnswer(read)];
    let text = '';
    for await (const event of runCompletion(session, read.request, forever())) {
      if (event.kind === 'started') took(event.id);
      if (isStreaming) text += stream.take(event);
      else builder.take(event);
    }
    const type = isStreaming ? 'text/event-stream' : 'application/json';
    return new Response(isStreaming ? text : JSON.stringify(builder.body()), { headers: { 'content-type': type } });
  };
}

interface Ended {
  readonly interaction: Interaction;
  readonly prompt: readonly number[];
  readonly seen: SeenAnswer;
}

async function playTurn(
  { fake, tokenizer }: CompletionFixture,
  session: TestSession,
  client: SdkClient,
  { form, turn, answerId }: { readonly form: AnswerForm; readonly turn: Turn; readonly answerId: () => string },
): Promise<Ended> {
  const { answer, cutAfter, tokensPerPiece, isStreaming } = turn;
  const end = answerEnd(form.family, answer.calls.length > 0);
  const whole = [...(await tokenizer.encode(form.write(answer) + end, { control: true }))];
  const ids = whole.slice(0, cutAfter);
  const scripted: FakeAnswer = { ids, tokensPerPiece };
  fake.setScript(() => scripted);
  const seen = await client.ask({ isStreaming, maxTokens: cutAfter ?? 4_096 });
  const interaction = session.cache.get(answerId());
  if (interaction === undefined) throw new Error('The answer was not recorded.');
  expect([...interaction.sampled.ids]).toEqual(ids);
  if (ids.length === whole.length) expectWritten(interaction.output, answer);
  return { interaction, prompt: [...(fake.calls.at(-1)?.request.promptIds ?? [])], seen };
}

function expectWritten({ reasoning, content, toolCalls = [] }: Message, written: WrittenAnswer): void {
  expect({ reasoning, content, calls: toolCalls.map(({ name }) => name) }).toEqual({
    reasoning: written.reasoning,
    content: written.content,
    calls: written.calls.map(({ name }) => name),
  });
}

function goOn(client: SdkClient, { calls }: SeenAnswer, { resultOrder, result, adds, says }: Turn): void {
  const order = (index: number): number => resultOrder[index] ?? 0;
  const results = calls
    .map(({ id, name }, index) => ({ id, name, text: `${result}${index}`, index }))
    .toSorted((left, right) => order(left.index) - order(right.index));
  client.give(results);
  if (calls.length === 0) client.say(says);
  else if (adds !== undefined) client.say(adds);
}

const protocols = Object.keys(sdkClients) as (keyof typeof sdkClients)[];

describe.each(forms.map((form) => [form.family, form.variant ?? 'all', form] as const))(
  '%s, %s',
  (family, _variant, form) => {
    let fixture: CompletionFixture;
    beforeAll(async () => {
      fixture = await startCompletionFixture('sglang', {
        family,
        engine: { contextLength: 100_000 },
        limits: { maxNewTokens: 4_096, maxSessionTokens: 1_000_000 },
      });
    });
    afterAll(() => fixture.stop());

    it.each(protocols)('%s: continues every conversation on its ids', async (protocol) => {
      const turns = fc.array(turnOf(form), { minLength: 2, maxLength: 4 });
      const habits = fc.record({ wantsThoughts: fc.boolean(), keepsThoughts: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(turns, habits, async (given, habit) => {
          const session = aSession();
          let id = '';
          const fetch = answerSdk(fixture, session, (taken) => {
            id = taken;
          });
          const tools = form.maxCalls === 0 ? [] : [weather, clock];
          const client = sdkClients[protocol]({ ...habit, tools, fetch });
          const answerId = (): string => id;
          client.say('hello');
          let last: Interaction | undefined;
          let rows = 1;
          for (const turn of given) {
            const { interaction, prompt, seen } = await playTurn(fixture, session, client, { form, turn, answerId });
            expect(interaction.parent).toBe(last);
            // Each result ends with the number of its call.
            const results = interaction.newMessages.filter(({ role }) => role === 'tool');
            const numbers = (last?.output.toolCalls ?? []).map((_, index) => String(index));
            expect(results.map(({ content }) => content.at(-1))).toEqual(numbers);
            // Templates of Mistral move the tools to the newest question, so its tokens are others.
            const isMoved = family === 'mistral' && interaction.newMessages.some(({ role }) => role === 'user');
            if (last !== undefined && isMoved) {
              expect(interaction.continuity).toEqual({ kind: 'forked', reason: 'template_not_append_only' });
              rows += 1;
            } else if (last !== undefined) {
              expect(interaction.continuity).toEqual({ kind: 'continued' });
              const path = [...collectPathIds(last)];
              expect(prompt.slice(0, path.length)).toEqual(path);
            }
            expectSeen(seen, interaction.output, protocol !== 'generate-content' || habit.wantsThoughts);
            goOn(client, seen, turn);
            last = interaction;
          }
          const { entries, report } = exportTrajectories(session.cache, { style: 'concat' });
          expect([entries.length, report.untrainedTokens]).toEqual([rows, 0]);
          expect([...(entries.at(-1)?.dict.input_ids.data ?? [])]).toEqual(last && [...collectPathIds(last)]);
        }),
        { seed: 20_261_130, numRuns: 6 },
      );
    });
  },
);

function expectSeen(
  seen: SeenAnswer,
  { reasoning = '', content, toolCalls = [] }: Message,
  showsThoughts: boolean,
): void {
  expect(seen).toEqual({
    reasoning: showsThoughts ? reasoning : '',
    text: content,
    calls: toolCalls.map(({ id, name, arguments: json }) => ({
      id,
      name,
      arguments: JSON.parse(json === '' ? '{}' : json) as unknown,
    })),
  });
}
