import fc from 'fast-check';
import { padAndConcatenate, type PadOptions } from './pad';
import { createTensor, type TensorDict } from './tensor';
import { checkTrainingTensorDict, type TrainingTensorDict } from './training-dict';

interface Row {
  readonly prompt: readonly number[];
  readonly output: readonly (readonly [tokenId: number, logprob: number, version: number])[];
  readonly reward: number;
}

/** One trajectory: a prompt of two tokens, an answer of two. */
const aRow: Row = {
  prompt: [11, 12],
  output: [
    [21, -0.5, 3],
    [22, -0.25, 4],
  ],
  reward: 1.5,
};

function aDict({ prompt, output, reward }: Row = aRow): TrainingTensorDict {
  const length = prompt.length + output.length;
  const before = prompt.map(() => 0);
  return {
    input_ids: createTensor('int32', [1, length], Int32Array.from([...prompt, ...output.map(([id]) => id)])),
    loss_mask: createTensor('int32', [1, length], Int32Array.from([...before, ...output.map(() => 1)])),
    logprobs: createTensor('float32', [1, length], Float32Array.from([...before, ...output.map(([, value]) => value)])),
    versions: createTensor(
      'int32',
      [1, length],
      Int32Array.from([...prompt.map(() => -1), ...output.map(([, , version]) => version)]),
    ),
    attention_mask: createTensor('bool', [1, length], new Uint8Array(length).fill(1)),
    rewards: createTensor('float32', [1], Float32Array.of(reward)),
  };
}

const values = (dict: TrainingTensorDict) =>
  Object.fromEntries(
    Object.entries(dict).map(([key, tensor]) => [key, { shape: tensor.shape, data: [...tensor.data] }]),
  );

const failure = (facts: object): Error => expect.objectContaining({ code: 'invalid_request', ...facts }) as Error;
const invalid = (details: object) =>
  failure({ reason: 'training_dict_invalid', details: expect.objectContaining(details) as unknown });

const int32 = (...data: number[]) => createTensor('int32', [1, 4], Int32Array.from(data));
const float32 = (...data: number[]) => createTensor('float32', [1, 4], Float32Array.from(data));
const bool = (...data: number[]) => createTensor('bool', [1, 4], Uint8Array.from(data));
const rewards = (...data: number[]) => createTensor('float32', [data.length], Float32Array.from(data));

describe('checkTrainingTensorDict', () => {
  it('returns a correct dictionary', () => {
    const dict = aDict();
    expect(checkTrainingTensorDict(dict)).toBe(dict);
  });

  it('accepts a loss mask that switches on and off, as a conversation has', () => {
    expect(() =>
      checkTrainingTensorDict({ ...aDict(), loss_mask: int32(1, 0, 1, 0), logprobs: float32(-1, 0, -2, -0) }),
    ).not.toThrow();
  });

  it.each<[string, TensorDict, object]>([
    ['another key', { advantages: float32(0, 0, 0, 0) }, { key: 'advantages' }],
    ['input ids of float32', { input_ids: float32(1, 2, 3, 4) }, { key: 'input_ids' }],
    ['an attention mask of int32', { attention_mask: int32(1, 1, 1, 1) }, { key: 'attention_mask' }],
    ['a loss mask of 2', { loss_mask: int32(0, 0, 2, 1) }, { key: 'loss_mask', row: 0, column: 2 }],
    ['a negative loss mask', { loss_mask: int32(0, 0, -1, 1) }, { key: 'loss_mask', column: 2 }],
    ['a logprob on the prompt', { logprobs: float32(0, -1e-30, -1, -1) }, { key: 'logprobs', column: 1 }],
    ['a logprob that is NaN', { logprobs: float32(0, 0, Number.NaN, -1) }, { key: 'logprobs', column: 2 }],
    ['an infinite logprob', { logprobs: float32(0, 0, -1, -Infinity) }, { key: 'logprobs', column: 3 }],
    ['a NaN where the loss mask is 0', { logprobs: float32(Number.NaN, 0, -1, -1) }, { key: 'logprobs', column: 0 }],
    ['a negative token id', { input_ids: int32(1, -2, 3, 4) }, { key: 'input_ids', column: 1 }],
    ['a token that is not attended', { attention_mask: bool(1, 1, 1, 0) }, { key: 'attention_mask', row: 0 }],
    ['a gap in the attention', { attention_mask: bool(1, 0, 1, 1) }, { key: 'attention_mask', row: 0 }],
    ['no attention at all', { attention_mask: bool(0, 0, 0, 0) }, { key: 'attention_mask', row: 0 }],
    ['two rewards for one row', { rewards: rewards(1, 2) }, { key: 'rewards' }],
    ['no reward', { rewards: rewards() }, { key: 'rewards' }],
    ['a reward that is NaN', { rewards: rewards(Number.NaN) }, { key: 'rewards', row: 0 }],
    ['an infinite reward', { rewards: rewards(Infinity) }, { key: 'rewards', row: 0 }],
    ['versions of another length', { versions: createTensor('int32', [1, 3], new Int32Array(3)) }, { key: 'versions' }],
    ['token keys without row axis', { input_ids: createTensor('int32', [4], new Int32Array(4)) }, { key: 'input_ids' }],
    ['no tokens', { input_ids: createTensor('int32', [1, 0], new Int32Array(0)) }, { key: 'input_ids' }],
  ])('refuses %s and reports where', (_case, change, details) => {
    expect(() => checkTrainingTensorDict({ ...aDict(), ...change })).toThrow(invalid(details));
  });

  it.each(Object.keys(aDict()))('refuses a dictionary without %s', (key) => {
    const rest = Object.fromEntries(Object.entries(aDict()).filter(([name]) => name !== key));
    expect(() => checkTrainingTensorDict(rest)).toThrow(invalid({ key }));
  });

  it('accepts turn ids and original rewards in addition to the six keys', () => {
    const dict = { ...aDict(), turn_ids: int32(-1, -1, 0, 1), original_rewards: rewards(0.5) };
    expect(checkTrainingTensorDict(dict)).toBe(dict);
  });

  it.each<[string, TensorDict, object]>([
    ['turn ids of float32', { turn_ids: float32(0, 0, 0, 0) }, { key: 'turn_ids' }],
    ['turn ids of another length', { turn_ids: createTensor('int32', [1, 3], new Int32Array(3)) }, { key: 'turn_ids' }],
    ['a sampled token of no turn', { turn_ids: int32(-1, -1, -1, 0) }, { key: 'turn_ids', column: 2 }],
    ['a turn id below -1', { turn_ids: int32(-2, -1, 0, 0) }, { key: 'turn_ids', column: 0 }],
    ['a loss weight on the prompt', { loss_weights: float32(0, 1, 1, 1) }, { key: 'loss_weights', column: 1 }],
    ['a loss weight below 0', { loss_weights: float32(0, 0, -1, 1) }, { key: 'loss_weights' }],
    ['two original rewards for one row', { original_rewards: rewards(1, 2) }, { key: 'original_rewards' }],
    ['an original reward that is NaN', { original_rewards: rewards(Number.NaN) }, { key: 'original_rewards', row: 0 }],
  ])('refuses %s and reports where', (_case, change, details) => {
    expect(() => checkTrainingTensorDict({ ...aDict(), ...change })).toThrow(invalid(details));
  });

  it('refuses a turn on padding', () => {
    const padded = {
      ...aDict(),
      attention_mask: bool(1, 1, 1, 0),
      loss_mask: int32(0, 0, 1, 0),
      logprobs: float32(0, 0, -1, 0),
      versions: int32(-1, -1, 1, -1),
      turn_ids: int32(-1, -1, 0, 0),
    };
    const check = () => checkTrainingTensorDict(padded, { padding: 'right' });
    expect(check).toThrow(invalid({ key: 'turn_ids', column: 3 }));
  });

  const top = (count: number, ids: readonly number[], logprobs: readonly number[]) => ({
    top_ids: createTensor('int32', [1, 4, count], Int32Array.from(ids)),
    top_logprobs: createTensor('float32', [1, 4, count], Float32Array.from(logprobs)),
  });
  const twoTop = top(2, [-1, -1, -1, -1, 7, 8, 9, -1], [-9999, -9999, -9999, -9999, -1, -2, -0.5, -9999]);

  it('accepts the likeliest tokens of trained positions', () => {
    const dict = { ...aDict(), ...twoTop };
    expect(checkTrainingTensorDict(dict)).toBe(dict);
  });

  it.each<[string, TensorDict, object]>([
    ['ids without log-probabilities', { top_ids: twoTop.top_ids }, { key: 'top_logprobs' }],
    ['log-probabilities without ids', { top_logprobs: twoTop.top_logprobs }, { key: 'top_ids' }],
    [
      'other numbers of both',
      { ...twoTop, top_logprobs: createTensor('float32', [1, 4, 1], Float32Array.of(-9999, -9999, 0, 0)) },
      { key: 'top_logprobs' },
    ],
    ['an entry on the prompt', top(1, [-1, 5, 7, 8], [-9999, -9999, -1, -1]), { key: 'top_ids', row: 0, column: 1 }],
    ['a log-probability on the prompt', top(1, [-1, -1, 7, 8], [0, -9999, -1, -1]), { key: 'top_logprobs', column: 0 }],
    ['an infinite log-probability', top(1, [-1, -1, 7, 8], [-9999, -9999, -1, -Infinity]), { key: 'top_logprobs' }],
    ['an id below -1', top(1, [-1, -1, 7, -2], [-9999, -9999, -1, -1]), { key: 'top_ids' }],
    ['no axis of entries', { ...twoTop, top_ids: int32(-1, -1, 1, 1) }, { key: 'top_ids' }],
  ])('refuses %s among the likeliest tokens', (_case, change, details) => {
    expect(() => checkTrainingTensorDict({ ...aDict(), ...change })).toThrow(invalid(details));
  });

  it('accepts padding only on the allowed side', () => {
    const right = {
      ...aDict(),
      attention_mask: bool(1, 1, 1, 0),
      loss_mask: int32(0, 0, 1, 0),
      logprobs: float32(0, 0, -1, 0),
      versions: int32(-1, -1, 1, -1),
    };
    expect(checkTrainingTensorDict(right, { padding: 'right' })).toBe(right);
    expect(() => checkTrainingTensorDict(right, { padding: 'left' })).toThrow(invalid({ key: 'attention_mask' }));
    expect(() => checkTrainingTensorDict(right)).toThrow(invalid({ key: 'attention_mask' }));
  });

  it.each<[string, TensorDict]>([
    ['loss_mask', { loss_mask: int32(0, 0, 1, 1) }],
    ['versions', { versions: int32(-1, -1, 1, 0), loss_mask: int32(0, 0, 1, 0), logprobs: float32(0, 0, -1, 0) }],
  ])('refuses padding that is not neutral in %s', (key, change) => {
    const dict = { ...aDict(), attention_mask: bool(1, 1, 1, 0), ...change };
    expect(() => checkTrainingTensorDict(dict, { padding: 'right' })).toThrow(invalid({ key, column: 3 }));
  });
});

describe('padAndConcatenate', () => {
  const short = aDict({ prompt: [7], output: [[8, -2, 5]], reward: -1 });

  it('pads on the right with neutral values', () => {
    const batch = padAndConcatenate([aDict(), short], { padTokenId: 99 });
    expect(values(batch)).toEqual({
      input_ids: { shape: [2, 4], data: [11, 12, 21, 22, 7, 8, 99, 99] },
      loss_mask: { shape: [2, 4], data: [0, 0, 1, 1, 0, 1, 0, 0] },
      logprobs: { shape: [2, 4], data: [0, 0, -0.5, -0.25, 0, -2, 0, 0] },
      versions: { shape: [2, 4], data: [-1, -1, 3, 4, -1, 5, -1, -1] },
      attention_mask: { shape: [2, 4], data: [1, 1, 1, 1, 1, 1, 0, 0] },
      rewards: { shape: [2], data: [1.5, -1] },
    });
  });

  it('pads on the left when asked', () => {
    const batch = padAndConcatenate([aDict(), short], { side: 'left' });
    expect([...batch.input_ids.data]).toEqual([11, 12, 21, 22, 0, 0, 7, 8]);
    expect([...batch.attention_mask.data]).toEqual([1, 1, 1, 1, 0, 0, 1, 1]);
  });

  it('pads turn ids with -1 and joins original rewards', () => {
    const first = { ...aDict(), turn_ids: int32(-1, -1, 0, 0), original_rewards: rewards(0.5) };
    const turns = createTensor('int32', [1, 2], Int32Array.of(-1, 3));
    const batch = padAndConcatenate([first, { ...short, turn_ids: turns, original_rewards: rewards(-2) }]);
    expect(values(batch)).toMatchObject({
      turn_ids: { shape: [2, 4], data: [-1, -1, 0, 0, -1, 3, -1, -1] },
      original_rewards: { shape: [2], data: [0.5, -2] },
    });
  });

  it('pads the likeliest tokens in length and in number', () => {
    const one = {
      ...short,
      top_ids: createTensor('int32', [1, 2, 1], Int32Array.of(-1, 3)),
      top_logprobs: createTensor('float32', [1, 2, 1], Float32Array.of(-9999, -2)),
    };
    const ids = createTensor('int32', [1, 4, 2], Int32Array.of(-1, -1, -1, -1, 5, 6, 7, 8));
    const logprobs = createTensor('float32', [1, 4, 2], Float32Array.of(-9999, -9999, -9999, -9999, -1, -2, -3, -4));
    const batch = padAndConcatenate([one, { ...aDict(), top_ids: ids, top_logprobs: logprobs }], { side: 'left' });
    expect(batch.top_ids?.shape).toEqual([2, 4, 2]);
    expect([...(batch.top_ids?.data ?? [])]).toEqual([-1, -1, -1, -1, -1, -1, 3, -1, ...ids.data]);
    expect([...(batch.top_logprobs?.data ?? [])]).toEqual([
      ...Array<number>(6).fill(-9999),
      -2,
      -9999,
      ...logprobs.data,
    ]);
    expect(checkTrainingTensorDict(batch, { padding: 'left' })).toBe(batch);
  });

  it('pads experts in length, and only of one shape', () => {
    const withExperts = (dict: TrainingTensorDict, [layers, perToken]: readonly [number, number]) => {
      const length = dict.input_ids.data.length;
      const data = Int16Array.from({ length: length * layers * perToken }, (_value, at) => at);
      return { ...dict, routed_experts: createTensor('int16', [1, length, layers, perToken], data) };
    };
    const dicts = [withExperts(aDict(), [2, 1]), withExperts(short, [2, 1])] as const;
    const batch = padAndConcatenate(dicts);
    expect(batch.routed_experts?.shape).toEqual([2, 4, 2, 1]);
    expect([...(batch.routed_experts?.data ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, -1, -1, -1, -1]);
    expect(checkTrainingTensorDict(batch, { padding: 'right' })).toBe(batch);
    const other = [dicts[0], withExperts(short, [1, 2])];
    expect(() => padAndConcatenate(other)).toThrow(failure({ reason: 'tensors_not_compatible' }));
  });

  it('pads to a given length', () => {
    expect(padAndConcatenate([short], { length: 5 }).input_ids.shape).toEqual([1, 5]);
  });

  it.each<[string, TrainingTensorDict[], PadOptions, object]>([
    ['no dictionaries', [], {}, { reason: 'tensors_not_compatible' }],
    [
      'an optional key that only some have',
      [aDict(), { ...aDict(), original_rewards: rewards(1) }],
      {},
      { reason: 'tensors_not_compatible' },
    ],
    ['a length below the longest', [aDict()], { length: 3 }, { reason: 'tensors_not_compatible' }],
    ['half a length', [aDict()], { length: 4.5 }, { reason: 'tensors_not_compatible' }],
    ['a pad id that is no int32', [aDict()], { padTokenId: 2 ** 31 }, { reason: 'tensors_not_compatible' }],
    [
      'a batch over the limit',
      [aDict(), short],
      { maxElements: 7 },
      { code: 'payload_too_large', reason: 'tensors_too_large' },
    ],
    [
      'an incorrect dictionary',
      [{ ...aDict(), rewards: rewards(Number.NaN) }],
      {},
      { reason: 'training_dict_invalid' },
    ],
    [
      'padding on the other side',
      [padAndConcatenate([aDict(), short])],
      { side: 'left' },
      { reason: 'training_dict_invalid' },
    ],
  ])('refuses %s', (_case, dicts, options, facts) => {
    expect(() => padAndConcatenate(dicts, options)).toThrow(failure(facts));
  });

  const row: fc.Arbitrary<Row> = fc.record({
    prompt: fc.array(fc.nat(150_000), { minLength: 1, maxLength: 8 }),
    output: fc.array(fc.tuple(fc.nat(150_000), fc.float({ min: -30, max: 0, noNaN: true }), fc.nat(1000)), {
      maxLength: 8,
    }),
    reward: fc.float({ noNaN: true, noDefaultInfinity: true }),
  });

  it('returns a valid batch that contains every row unchanged, for any grouping of the rows', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('right' as const, 'left' as const),
        (rows, side) => {
          const dicts = rows.map((one) => aDict(one));
          const batch = padAndConcatenate(dicts, { side });
          const [, length = 0] = batch.input_ids.shape;

          expect(checkTrainingTensorDict(batch, { padding: side })).toBe(batch);
          dicts.forEach((dict, index) => {
            const width = dict.input_ids.data.length;
            const from = index * length + (side === 'left' ? length - width : 0);
            for (const key of ['input_ids', 'loss_mask', 'logprobs', 'versions', 'attention_mask'] as const) {
              expect([...batch[key].data.subarray(from, from + width)]).toEqual([...dict[key].data]);
            }
          });
          const head = padAndConcatenate(dicts.slice(0, 1), { side });
          const inTwoSteps = padAndConcatenate([head, ...dicts.slice(1)], { side });
          expect(inTwoSteps).toEqual(batch);
        },
      ),
    );
  });
});
