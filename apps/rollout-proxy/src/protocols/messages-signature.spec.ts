import { reasoning, text } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();

describe('the signature of a thinking block', () => {
  it('is the same in whole and streamed answers', async () => {
    app.completions.play([reasoning('Look '), reasoning('up.'), text('Well,'), reasoning('Hm.'), text('yes.')]);
    const asked = { model: 'm', max_tokens: 8, messages: [{ role: 'user' as const, content: 'Hi' }] };
    const signatures: string[] = [];
    const stream = app.anthropic.messages.stream(asked);
    stream.on('contentBlock', (block) => {
      if (block.type === 'thinking') signatures.push(block.signature);
    });
    await stream.finalMessage();
    expect(signatures).toHaveLength(2);

    app.completions.play([reasoning('Look up.'), text('Well, yes.')]);
    const { content } = await app.anthropic.messages.create(asked);
    expect(content[0]).toEqual({ type: 'thinking', thinking: 'Look up.', signature: signatures[0] });
    expect(signatures[1]).not.toBe(signatures[0]);
    expect(signatures.every((signature) => signature.length > 20)).toBe(true);
  });
});
