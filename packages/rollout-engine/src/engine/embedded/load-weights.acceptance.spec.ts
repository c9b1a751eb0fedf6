import { temporaryFolder } from '@weir/test-kit';
import { createGenerationControl, type PauseMode } from '../control/generation-control';
import { collect } from '../testing/generations';
import { aGeneration, forever, startEmbeddedFixture, type EmbeddedFixture } from './testing/embedded-fixture';
import { writeTinyModel } from './model/tiny-model';

const folder = temporaryFolder('weir-weights-');
let fixture: EmbeddedFixture;
let prompt: Int32Array;
let other: string;
beforeAll(async () => {
  fixture = await startEmbeddedFixture();
  prompt = await fixture.tokenizer.encode('<|im_start|>user\nHello<|im_end|>\n', { control: true });
  other = (await writeTinyModel(folder.path, { seed: 7 })).modelFile;
}, 60_000);
afterEach(() => fixture.host.load(fixture.model.modelFile, forever()));
afterAll(async () => {
  await fixture.stop();
  await folder.remove();
});

const ids = Int32Array.of(1, 2, 3, 4, 5, 6);
const rescore = async () => [...(await fixture.engine.rescore({ ids }, forever()))];

describe('other weights', () => {
  it('apply to all later calls, as do the former ones when they are loaded again', async () => {
    const before = await rescore();
    await fixture.host.load(other, forever());
    expect(fixture.host.modelFile).toBe(other);
    expect(await rescore()).not.toEqual(before);
    await fixture.host.load(fixture.model.modelFile, forever());
    expect(await rescore()).toEqual(before);
  });

  it('leave the former ones in place when they cannot be loaded', async () => {
    const before = await rescore();
    const pid = fixture.host.pid();
    const loading = fixture.host.load(folder.file('missing.gguf'), forever());
    await expect(loading).rejects.toMatchObject({ code: 'unavailable', reason: 'model_not_loaded' });
    expect([fixture.host.pid(), await rescore()]).toEqual([pid, before]);
  });

  it('let a running generation end in the process that began it', async () => {
    const whole = { maxNewTokens: 40, isStreaming: true, stopTokenIds: [], sampling: { temperature: 1, seed: 5 } };
    const expected = await collect(fixture.engine.generate(aGeneration(prompt, whole), forever()));
    const events = fixture.engine.generate(aGeneration(prompt, whole), forever())[Symbol.asyncIterator]();
    const first = await events.next();
    await fixture.host.load(other, forever());
    const rest = await collect({ [Symbol.asyncIterator]: () => events });
    const begun = first.done === true || first.value.kind !== 'tokens' ? [] : [...first.value.tokens.ids];
    expect([...begun, ...rest.ids]).toEqual([...expected.ids]);
  });
});

describe('a generation during an update', () => {
  /** Generates, loads other weights once the first token is there, and waits for both. */
  async function update(mode: PauseMode) {
    const control = createGenerationControl(fixture.engine);
    await control.probe(forever());
    const request = aGeneration(prompt, { maxNewTokens: 30, isStreaming: true, stopTokenIds: [] });
    const versions: number[] = [];
    let updating = Promise.resolve();
    const replace = async () => {
      control.pause(mode);
      await control.waitUntilDrained(forever());
      await fixture.host.load(other, forever());
      control.setVersion(1);
      control.resume();
    };
    const generate = async () => {
      for await (const event of control.generate(request, forever())) {
        if (event.kind !== 'tokens') continue;
        if (versions.length === 0) updating = replace();
        versions.push(...event.tokens.versions);
      }
    };
    const [generated] = await Promise.allSettled([generate()]);
    await updating;
    return { versions, failure: generated.status === 'rejected' ? (generated.reason as unknown) : undefined };
  }

  it('is continued on the new weights, with the version of each token', async () => {
    const { versions, failure } = await update('abort');
    expect(failure).toBeUndefined();
    expect(versions).toHaveLength(30);
    expect(versions.toSorted()).toEqual(versions);
    expect(new Set(versions)).toEqual(new Set([0, 1]));
  });

  it('finishes on the old ones if allowed', async () => {
    const { versions, failure } = await update('wait');
    expect(failure).toBeUndefined();
    expect(versions).toEqual(new Array(30).fill(0));
  });

  it('fails if it is to be dropped', async () => {
    const { versions, failure } = await update('drop');
    expect(failure).toMatchObject({ code: 'upstream_failed', reason: 'generation_dropped' });
    expect(versions.every((version) => version === 0)).toBe(true);
  });
});
