import fc from 'fast-check';
import {
  exportTrajectories,
  collectPathIds,
  type Interaction,
  type Message,
  type ToolDefinition,
} from '@weir/rollout-core';
import { isAppError } from '@weir/foundation';
import type { FakeAnswer, FakeCall, FakeEngineDialect } from '@weir/fake-engine';
import { answerForms } from '@weir/rollout-core/testing';
import { faultsOfEngine } from '../engine/testing/engine-faults';
import { testFamilies, type TestFamilyName } from '../testing/test-families';
import {
  aSession,
  aCompletion,
  forever,
  play,
  startCompletionFixture,
  type TestSession,
  type CompletionFixture,
} from './testing/completion-fixture';

jest.setTimeout(120_000);

const dialects: readonly FakeEngineDialect[] = ['sglang', 'vllm', 'vllm-generate', 'llama-cpp'];
const families = (Object.keys(testFamilies) as TestFamilyName[]).filter((family) => family !== 'chatml');
const limit = 96;

const add: ToolDefinition = { name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } } } };
const bytes = (text: string): readonly number[] => [...Buffer.from(text)];

type Ids = readonly number[];

/**
 * Bytes, halves of characters among them, words that stop strings look for, and what the family's parsers look for: no
 * encoder would choose these tokens.
 */
const tokensOf = (marks: readonly Ids[]): fc.Arbitrary<Ids> =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.nat(255).map((byte): Ids => [byte]) },
        { weight: 1, arbitrary: fc.constantFrom('STOP', 'ab', 'O', '\n').map(bytes) },
        { weight: 2, arbitrary: fc.constantFrom(...marks) },
      ),
      { minLength: 1, maxLength: 20 },
    )
    .map((parts) => parts.flat().slice(0, limit));

/** The added tokens of a family, their names as bytes, and whole answers with calls. */
async function marksOf(family: TestFamilyName, { tokenizer }: CompletionFixture): Promise<readonly Ids[]> {
  const call = { name: 'add', arguments: { a: 1 } };
  const answers = answerForms
    .filter((form) => form.family === family)
    .flatMap((form) =>
      [
        { content: '', calls: [call] },
        { reasoning: 'Hm.', content: 'x', calls: [] },
      ].map((answer) => form.write(answer)),
    );
  const encoded = await Promise.all(answers.map((text) => tokenizer.encode(text, { control: true })));
  const added = tokenizer.addedTokens.flatMap((name) => [[tokenizer.findId(name) ?? 0], bytes(name)]);
  return [...added, ...encoded.map((ids) => [...ids]), ...answers.map(bytes)];
}

const engineAnswerOf = (marks: readonly Ids[]) =>
  fc
    .record({
      ids: tokensOf(marks),
      hasEnd: fc.boolean(),
      tokensPerPiece: fc.constantFrom(1, 3, 'seeded' as const),
      byteByByte: fc.nat(5).map((number) => number === 0),
      isCumulative: fc.boolean(),
      versionChangeAfter: fc.nat(20),
      isAborted: fc.boolean(),
      faults: faultsOfEngine(4),
    })
    .map(({ byteByByte, ...rest }) => ({
      ...rest,
      // A drip without an end never finishes.
      byteByByte: byteByByte && rest.faults.isEndless !== true,
    }));
type EngineAnswer = ReturnType<typeof engineAnswerOf> extends fc.Arbitrary<infer Value> ? Value : never;

const stepOf = (marks: readonly Ids[]) =>
  fc.record({
    protocol: fc.constantFrom('chat-completions', 'responses', 'messages', 'generate-content'),
    answers: fc.array(engineAnswerOf(marks), { minLength: 1, maxLength: 2 }),
    isStreaming: fc.boolean(),
    stop: fc.constantFrom<readonly string[]>([], ['STOP'], ['O', 'ab']),
    topLogprobs: fc.constantFrom(undefined, 0, 2),
    tools: fc.constantFrom<readonly ToolDefinition[]>([], [add]),
    parallelToolCalls: fc.boolean(),
    goesOn: fc.boolean(),
    isRecorded: fc.constantFrom(true, true, true, false),
    words: fc.constantFrom('hello', 'STOP it', '<|im_end|> and more', ' the world é'),
  });
type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer Value> ? Value : never;

interface Recorded {
  readonly interaction: Interaction;
  readonly calls: readonly FakeCall[];
}

async function playStep(
  { fake, runCompletion, tokenizer }: CompletionFixture,
  session: TestSession,
  history: readonly Message[],
  { answers, ...choices }: Step,
): Promise<{ readonly output: Message | undefined; readonly recorded: Recorded | undefined }> {
  const before = fake.calls.length;
  const endId = tokenizer.endIds[0] ?? 0;
  fake.setScript(({ callNumber }) => scripted(answers[callNumber - before], endId));
  const size = session.cache.size;
  const toolChoice = { kind: choices.tools.length > 0 ? 'auto' : 'none' } as const;
  const request = aCompletion({ ...choices, messages: history, toolChoice, maxNewTokens: limit });
  const played = await play(runCompletion(session, request, forever())).catch((error: unknown) => error);
  expect(session.runningCompletions).toBe(0);
  const calls = fake.calls.slice(before);
  if (played instanceof Error) {
    expect([isAppError(played), session.cache.size]).toEqual([true, size]);
    return { output: undefined, recorded: undefined };
  }
  const { id, output, text, result } = played as Awaited<ReturnType<typeof play>>;
  expect(text).toBe(output.content);
  const interaction = session.cache.get(id);
  expect(interaction === undefined).toBe(!choices.isRecorded);
  if (interaction !== undefined) expect(result.usage.completionTokens).toBe(interaction.sampled.ids.length);
  return { output, recorded: interaction === undefined ? undefined : { interaction, calls } };
}

function scripted(answer: EngineAnswer | undefined, endId: number): FakeAnswer {
  if (answer === undefined) return { ids: [65, endId] };
  const { hasEnd, isAborted, ids, ...rest } = answer;
  const whole = hasEnd && ids.length < limit ? [...ids, endId] : ids;
  return { ...rest, ids: whole, ...(isAborted ? { finishReason: 'abort' as const } : {}) };
}

/** The first tokens that the engine sampled, all of them unless the answer was over before. */
function expectAsSampled({ interaction, calls }: Recorded, dialect: FakeEngineDialect): void {
  const { sampled } = interaction;
  const count = sampled.ids.length;
  expect([sampled.logprobs.length, sampled.versions.length]).toEqual([count, count]);
  const all = {
    ids: calls.flatMap(({ ids }) => [...ids]),
    logprobs: calls.flatMap(({ logprobs }) => [...logprobs]),
    versions: calls.flatMap(({ versions }) => [...versions]),
  };
  expect([...sampled.ids]).toEqual(all.ids.slice(0, count));
  expect([...sampled.logprobs]).toEqual(all.logprobs.slice(0, count));
  const versions = all.versions.slice(0, count);
  expect([...sampled.versions]).toEqual(dialect === 'llama-cpp' ? versions.map(() => 3) : versions);
}

describe('for any behaviour of the engine', () => {
  let fixture: CompletionFixture;
  afterEach(() => fixture.stop());

  it.each([
    ...dialects.map((dialect) => [dialect, 'chatml'] as const),
    ...families.map((family) => ['sglang', family] as const),
  ])('%s, %s: exported tokens were sampled, bit for bit, each exactly once', async (dialect, family) => {
    fixture = await startCompletionFixture(dialect, { family, engine: { vocabularySize: 512 } });
    const steps = stepOf(await marksOf(family, fixture));
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 3 }), async (given) => {
        const session = aSession();
        const records: Recorded[] = [];
        let history: readonly Message[] = [];
        for (const one of given) {
          history = [...(one.goesOn ? history : []), { role: 'user', content: one.words }];
          const { output, recorded } = await playStep(fixture, session, history, one);
          if (recorded !== undefined) records.push(recorded);
          if (output !== undefined) history = [...history, output];
        }
        for (const record of records) {
          const { quarantine } = record.interaction;
          if (quarantine === undefined) expectAsSampled(record, dialect);
        }
        expectExported(session, records);
      }),
      { numRuns: 40 },
    );
  });
});

function expectExported(session: TestSession, records: readonly Recorded[]): void {
  const sampled = records.reduce((sum, { interaction }) => sum + interaction.sampled.ids.length, 0);
  for (const style of ['individual', 'concat'] as const) {
    const { entries, report } = exportTrajectories(session.cache, { style });
    expect(report.trainedTokens + report.untrainedTokens).toBe(sampled);
    const masks = entries.reduce((sum, { dict }) => sum + dict.loss_mask.data.reduce((a, b) => a + b, 0), 0);
    expect(masks).toBe(report.trainedTokens);
    for (const { id, dict } of entries) {
      const record = records.find(({ interaction }) => interaction.id === id);
      const path = record === undefined ? undefined : [...collectPathIds(record.interaction)];
      expect([...dict.input_ids.data]).toEqual(path);
      // The exported prompt must be the one that the engine received.
      const prompt = record?.calls[0]?.request.promptIds ?? [];
      expect(path?.slice(0, prompt.length)).toEqual([...prompt]);
    }
  }
}
