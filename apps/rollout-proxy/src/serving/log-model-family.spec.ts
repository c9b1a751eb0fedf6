import type { ModelFormats } from '@weir/rollout-engine';
import type { Logger } from '@weir/service-kit';
import { logModelFamily } from './log-model-family';

function logged(formats: ModelFormats): unknown {
  const entries: unknown[] = [];
  const write = (level: string) => (fields: unknown, message: string) => void entries.push({ level, fields, message });
  logModelFamily(formats, { info: write('info'), warn: write('warn') } as unknown as Logger);
  return entries;
}

describe('the log at start', () => {
  it('names the family of the model and its parsers', () => {
    const formats = { family: 'glm', closers: ['<|user|>'], toolParser: 'glm45', reasoningParser: 'glm45' } as const;
    expect(logged(formats)).toEqual([
      {
        level: 'info',
        message: 'the model family is known',
        fields: { family: 'glm', toolParser: 'glm45', reasoningParser: 'glm45', endTokens: ['<|user|>'], without: [] },
      },
    ]);
  });

  it('warns of a model of no known family and says what does not work', () => {
    const formats = { family: 'generic', closers: ['<eot>'], toolParser: 'none', reasoningParser: 'none' } as const;
    expect(logged(formats)).toMatchObject([
      {
        level: 'warn',
        fields: { without: ['tool calls stay text and cannot be required', 'reasoning stays text'] },
      },
    ]);
  });

  it('says what does not work in a known family', () => {
    const formats = { family: 'llama3', closers: [], toolParser: 'llama3-json', reasoningParser: 'none' } as const;
    expect(logged(formats)).toMatchObject([{ level: 'info', fields: { without: ['reasoning stays text'] } }]);
  });
});
