import fc from 'fast-check';
import type { FakeFaults } from '@weir/fake-engine';

/**
 * The faults of one answer of the fake engine; `none` is the weight of a faultless answer, and each fault has weight 1.
 */
export function faultsOfEngine(none: number): fc.Arbitrary<FakeFaults> {
  return fc.oneof(
    { weight: none, arbitrary: fc.constant<FakeFaults>({}) },
    fc.constantFrom<FakeFaults>(
      { status: 500 },
      { status: 503 },
      { resetBeforeAnswer: true },
      { duplicatePiece: true },
      { wrongPromptEcho: true },
      { noIds: true },
      { malformedId: true },
      { disagreeingIds: true },
      { noFinishReason: true },
      { brokenSpans: true },
      { garbage: true },
      { isEndless: true },
    ),
    fc
      .constantFrom<NonNullable<FakeFaults['logprobs']>>('missing', 'null', 'nan', 'minus-9999', 'positive', 'short')
      .map((logprobs): FakeFaults => ({ logprobs })),
    fc.nat(12).map((count): FakeFaults => ({ resetAfterTokens: count })),
    fc.nat(12).map((count): FakeFaults => ({ truncateAfterTokens: count })),
  );
}
