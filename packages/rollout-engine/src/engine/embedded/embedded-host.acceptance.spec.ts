import {
  collectOutput,
  createOutputParser,
  createToolCallGrammar,
  grammarAfterThought,
  toolParserNames,
} from '@weir/rollout-core';
import { createEmbeddedEngine } from './embedded-engine';
import { collect } from '../testing/generations';
import { aGeneration, forever, startEmbeddedFixture, type EmbeddedFixture } from './testing/embedded-fixture';

let fixture: EmbeddedFixture;
let prompt: Int32Array;

beforeAll(async () => {
  fixture = await startEmbeddedFixture();
  prompt = await fixture.tokenizer.encode('<|im_start|>user\nHello<|im_end|>\n', { control: true });
}, 60_000);

afterAll(() => fixture.stop());

const generate = (changes: Parameters<typeof aGeneration>[1], signal = forever()) =>
  collect(fixture.engine.generate(aGeneration(prompt, changes), signal));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Returns the id of the running process, which this spec started. */
const requirePid = (host = fixture.host): number => {
  const pid = host.pid();
  if (pid === undefined) throw new Error('No process is running.');
  return pid;
};

describe('a cancelled generation', () => {
  it('rejects with the reason, and releases the sequence', async () => {
    const controller = new AbortController();
    const endless = aGeneration(prompt, { maxNewTokens: 30_000, isStreaming: true });
    const events = fixture.engine.generate(endless, controller.signal)[Symbol.asyncIterator]();
    await events.next();
    controller.abort(new Error('The client went away.'));

    await expect(events.next()).rejects.toThrow('The client went away.');
    expect((await generate({ maxNewTokens: 3 })).ids).toHaveLength(3);
  });

  it('ends when the loop is left', async () => {
    for (let round = 0; round < 12; round++) {
      const endless = aGeneration(prompt, { maxNewTokens: 30_000, isStreaming: true });
      for await (const event of fixture.engine.generate(endless, forever())) if (event.kind === 'tokens') break;
    }

    expect((await generate({ maxNewTokens: 3 })).ids).toHaveLength(3);
  });

  it('does not begin when it was cancelled in the queue', async () => {
    const controller = new AbortController();
    const long = Array.from({ length: 4 }, () => generate({ maxNewTokens: 200 }));
    const waiting = Array.from({ length: 8 }, () => generate({ maxNewTokens: 30_000 }, controller.signal));
    controller.abort(new Error('Not wanted.'));

    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(new Array(8).fill('rejected'));
    await expect(Promise.all(long)).resolves.toHaveLength(4);
  });

  it('rejects at once when it was already cancelled', async () => {
    await expect(generate({}, AbortSignal.abort(new Error('Too late.')))).rejects.toThrow('Too late.');
  });
});

describe('an unsupported request', () => {
  it.each([
    ['prompt_too_long', { promptIds: new Int32Array(32_768) }],
    ['prompt_empty', { promptIds: new Int32Array(0) }],
    ['token_unknown', { promptIds: Int32Array.of(1, 2_000_000) }],
    ['token_unknown', { promptIds: Int32Array.of(-1) }],
    ['parameter_not_supported', { sampling: { repetitionPenalty: 1.1 } }],
    ['grammar_invalid', { grammar: 'root ::= (((' }],
    ['grammar_invalid', { grammar: 'no-root ::= "a"' }],
  ])('is refused with reason %s', async (reason, changes) => {
    await expect(generate(changes)).rejects.toMatchObject({ code: 'invalid_request', reason });
    expect((await generate({ maxNewTokens: 3 })).ids).toHaveLength(3);
  });

  it('is refused when too many are running or waiting', async () => {
    const host = fixture.hostWith({ maxCalls: 2 });
    const engine = createEmbeddedEngine({ host });
    try {
      const calls = Array.from({ length: 3 }, () => collect(engine.generate(aGeneration(prompt), forever())));
      const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');

      expect(refused).toMatchObject([{ reason: { code: 'unavailable', reason: 'engine_busy' } }]);
    } finally {
      await host.stop();
    }
  });
});

describe('a process that ends', () => {
  it('is not ended by the signals that ask the proxy to end', async () => {
    await fixture.host.info(forever());
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(requirePid(), name);

    expect((await generate({ maxNewTokens: 200 })).ids).toHaveLength(200);
  });

  it('fails running generations, and is restarted with the next call', async () => {
    const endless = aGeneration(prompt, { maxNewTokens: 30_000, isStreaming: true });
    const events = fixture.engine.generate(endless, forever())[Symbol.asyncIterator]();
    await events.next();
    const silent = generate({ maxNewTokens: 30_000 });
    const pid = requirePid();
    process.kill(pid, 'SIGKILL');

    await expect(drain(events)).rejects.toMatchObject({ code: 'upstream_failed', reason: 'engine_ended' });
    await expect(silent).rejects.toMatchObject({ code: 'unavailable', reason: 'engine_ended' });
    expect((await generate({ maxNewTokens: 3 })).ids).toHaveLength(3);
    expect(requirePid()).not.toBe(pid);
  });

  it('is not restarted for a while after three ends in a row', async () => {
    let now = 0;
    const host = fixture.hostWith({ modelFile: `${fixture.model.modelFile}.missing`, now: () => now });
    const load = () => host.info(forever());
    for (let round = 0; round < 3; round++) {
      await expect(load()).rejects.toMatchObject({ code: 'unavailable', reason: 'model_not_loaded' });
    }

    await expect(load()).rejects.toMatchObject({ code: 'unavailable', reason: 'engine_down' });
    now += 30_000;
    await expect(load()).rejects.toMatchObject({ reason: 'model_not_loaded' });
    await host.stop();
  });

  it('shows no path in the message of its error', async () => {
    const host = fixture.hostWith({ modelFile: fixture.model.tokenizerFile });
    const error: unknown = await host.info(forever()).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ message: 'The embedded model could not be loaded.', reason: 'model_not_loaded' });
    await host.stop();
  });
});

describe('stop', () => {
  it('ends running generations', async () => {
    const host = fixture.hostWith({});
    const engine = createEmbeddedEngine({ host });
    const endless = aGeneration(prompt, { maxNewTokens: 30_000, isStreaming: true });
    const events = engine.generate(endless, forever())[Symbol.asyncIterator]();
    await events.next();
    await engine.stop();

    await expect(drain(events)).rejects.toMatchObject({ code: 'upstream_failed', reason: 'engine_ended' });
  });

  it('ends the process, and refuses later calls', async () => {
    const host = fixture.hostWith({});
    await host.info(forever());
    const pid = requirePid(host);
    await host.stop();

    expect(isRunning(pid)).toBe(false);
    await expect(host.info(forever())).rejects.toMatchObject({ code: 'unavailable', reason: 'stopping' });
    await host.stop();
  });
});

describe('a grammar', () => {
  const words = 'root ::= ("the" | "that" | "weather") " is " [0-9] [0-9]? "."';
  const toText = (ids: readonly number[]): string => fixture.tokenizer.createDecoder().push(Int32Array.from(ids));

  it.each([0, 0.5, 1.3])(
    'applies at temperature %d, and log-probabilities are computed without it',
    async (temperature) => {
      for (let seed = 0; seed < 5; seed++) {
        const { ids, logprobs, end } = await generate({ grammar: words, sampling: { temperature, seed } });
        const all = Int32Array.from([...prompt, ...ids]);
        const score = await fixture.engine.rescore({ ids: all, temperature: temperature || 1 }, forever());

        expect(end.reason).toBe('stop');
        expect(toText(ids)).toMatch(/^(the|that|weather) is \d\d?\.$/);
        for (const [index, logprob] of logprobs.entries()) {
          expect(Math.abs(logprob - (score[prompt.length - 1 + index] ?? 0))).toBeLessThan(1e-4);
        }
      }
    },
  );

  it('takes precedence over a cut-off that excludes all of its tokens', async () => {
    const { ids } = await generate({ grammar: words, sampling: { topK: 1, seed: 2 } });

    expect(toText(ids)).toMatch(/^(the|that|weather) is \d\d?\.$/);
  });

  it('that requires the name of a control token accepts that token, or its letters', async () => {
    const grammar = String.raw`root ::= "<tool_call>\n{}\n</tool_call>"`;
    const marks = ['<tool_call>', '</tool_call>'].map((name) => fixture.tokenizer.findId(name) ?? -1);
    const favoured = { temperature: 0, logitBias: new Map(marks.map((id) => [id, 100])) };
    const named = await generate({ grammar, sampling: favoured });
    const spelled = await generate({ grammar, sampling: { temperature: 0 }, maxNewTokens: 60 });

    expect(named.ids.filter((id) => marks.includes(id))).toEqual(marks);
    for (const { ids } of [named, spelled]) {
      const shown = fixture.tokenizer.createDecoder({ showsControl: () => true }).push(Int32Array.from(ids));
      expect(shown.replace(/<\|\w+\|>$/, '')).toBe('<tool_call>\n{}\n</tool_call>');
    }
  });

  it.each(toolParserNames.filter((name) => name !== 'none'))(
    'of a call in the format %s is followed, and its call is read',
    async (toolParser) => {
      const city = { enum: ['Paris', 'Rome'] };
      const parameters = {
        type: 'object',
        properties: { city, days: { type: 'integer' } },
        required: ['city', 'days'],
      };
      const tools = [{ name: 'get_weather', parameters }];
      const grammar = createToolCallGrammar(toolParser, tools, { parallel: false });
      const { ids } = await generate({ grammar, sampling: { seed: 1 }, maxNewTokens: 500 });
      const end = new Set(fixture.tokenizer.endIds);
      const decoder = fixture.tokenizer.createDecoder({ showsControl: (id) => !end.has(id) });
      const parser = createOutputParser({ toolParser, reasoningParser: 'none', tools, newCallId: () => 'id' });
      const { content, toolCalls = [] } = collectOutput([
        ...parser.push(decoder.push(Int32Array.from(ids)) + decoder.end()),
        ...parser.end(),
      ]);
      expect([content, toolCalls.map(({ name }) => name)]).toEqual(['', ['get_weather']]);
      expect(JSON.parse(toolCalls[0]?.arguments ?? '')).toEqual({
        city: expect.stringMatching(/^(Paris|Rome)$/) as unknown,
        days: expect.any(Number) as unknown,
      });
    },
  );

  it.each(toolParserNames.filter((name) => name !== 'none'))(
    'of a call with text in the format %s, also after a thought, is valid',
    async (toolParser) => {
      const parameters = { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] };
      const grammar = createToolCallGrammar(toolParser, [{ name: 'tell', parameters }], { parallel: true });
      for (const one of [
        grammar,
        grammarAfterThought(grammar, '</think>'),
        grammarAfterThought(grammar, '</think>', '<think>'),
      ]) {
        const { end } = await generate({ grammar: one, maxNewTokens: 8 });
        expect(end.reason).toBe('length');
      }
    },
  );

  it('of a tool call makes a model of random weights call the tool', async () => {
    const parameters = {
      type: 'object',
      properties: { city: { enum: ['Paris', 'Rome'] }, days: { type: 'integer' }, note: { type: 'string' } },
      required: ['city', 'days', 'note'],
      additionalProperties: false,
    };
    const grammar = createToolCallGrammar('hermes', [{ name: 'get_weather', parameters }], { parallel: false });
    for (let seed = 0; seed < 5; seed++) {
      const { ids } = await generate({ grammar, sampling: { seed }, maxNewTokens: 500 });
      const shown = fixture.tokenizer.createDecoder({ showsControl: () => true }).push(Int32Array.from(ids));
      const call: unknown = JSON.parse(/<tool_call>\n(.*)\n<\/tool_call>/s.exec(shown)?.[1] ?? 'null');

      expect(call).toEqual({
        name: 'get_weather',
        arguments: {
          city: expect.stringMatching(/^(Paris|Rome)$/) as unknown,
          days: expect.any(Number) as unknown,
          note: expect.any(String) as unknown,
        },
      });
    }
  });
});

async function drain(events: AsyncIterator<unknown>): Promise<void> {
  while ((await events.next()).done !== true);
}
