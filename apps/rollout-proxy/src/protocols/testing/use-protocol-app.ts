import { startProtocolApp, type ProtocolApp } from './protocol-app';
import { text } from './scripted-completions';

/** The proxy of the file, whose completions say hello unless the case has other ones. */
export function useProtocolApp(): Omit<ProtocolApp, 'stop'> {
  let app: ProtocolApp;
  beforeAll(async () => {
    app = await startProtocolApp();
  });
  afterAll(() => app.stop());
  beforeEach(() => app.completions.play([text('Hel'), text('lo.')]));

  return {
    get url() {
      return app.url;
    },
    get completions() {
      return app.completions;
    },
    get session() {
      return app.session;
    },
    get logger() {
      return app.logger;
    },
    get openai() {
      return app.openai;
    },
    get anthropic() {
      return app.anthropic;
    },
    get google() {
      return app.google;
    },
    post: (...given) => app.post(...given),
    open: (...given) => app.open(...given),
  };
}
