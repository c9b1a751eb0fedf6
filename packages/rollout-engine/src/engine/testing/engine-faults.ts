import fc from 'fast-check';
import type { FakeFaults } from '@weir/fake-engine';

/** What may go wrong in one answer of the fake engine; nothing does with this weight against one for each other kind. */
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
