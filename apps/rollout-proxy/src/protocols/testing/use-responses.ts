import { startProtocolApp, type ProtocolApp } from './protocol-app';
import { call, reasoning, text } from './scripted-completions';

export const weather = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
} as const;
export const oneCall = [reasoning('Look it up.'), text('One moment.'), ...call(0, 'weather', '{"city":', '"Oslo"}')];

/** The proxy of the file, whose completions say hello unless the case has other ones. */
export function useResponses(): Pick<ProtocolApp, 'completions' | 'session' | 'openai' | 'post'> {
  let app: ProtocolApp;
  beforeAll(async () => {
    app = await startProtocolApp();
  });
  afterAll(() => app.stop());
  beforeEach(() => app.completions.play([text('Hel'), text('lo.')]));

  return {
    get completions() {
      return app.completions;
    },
    get session() {
      return app.session;
    },
    get openai() {
      return app.openai;
    },
    post: (...given) => app.post(...given),
  };
}
