import { launchBrowser, openPage, type OpenedPage, type PageOptions } from '@weir/browser-kit';
import type { Browser, BrowserContext } from 'playwright-core';
import { admin, startServer, type UiServer } from './start-server';

export type { OpenedPage } from '@weir/browser-kit';

export interface Pages {
  readonly server: () => UiServer;
  /** A page of a new browser profile, which is nobody's yet. */
  readonly open: (options?: OpenOptions) => Promise<OpenedPage>;
  /** The same of the admin. */
  readonly openAsAdmin: (options?: OpenOptions) => Promise<OpenedPage>;
}

export interface OpenOptions extends PageOptions {
  /** Below the address of the interface. */
  readonly path?: string;
}

type Environment = Readonly<Record<string, string>>;

/** One browser and one server for the specs of a file. */
export function usePages(env: Environment | (() => Promise<Environment>) = {}): Pages {
  let browser: Browser;
  let server: UiServer;
  /** Profiles of the case that runs; `undefined` between cases. */
  let ofCase: BrowserContext[] | undefined;

  beforeAll(async () => {
    const variables = typeof env === 'function' ? await env() : env;
    [browser, server] = await Promise.all([launchBrowser(), startServer(variables)]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), server.stop()]);
  });

  // A page that is left open goes on to follow what the next cases do.
  beforeEach(() => {
    ofCase = [];
  });
  afterEach(async () => {
    await Promise.all(ofCase?.map((context) => context.close()) ?? []);
    ofCase = undefined;
  });

  const openEmpty = async (options: OpenOptions): Promise<OpenedPage> => {
    const opened = await openPage(browser, options);
    ofCase?.push(opened.page.context());
    return opened;
  };
  const open = async (options: OpenOptions = {}): Promise<OpenedPage> => {
    const opened = await openEmpty(options);
    await opened.page.goto(`${server.url}${options.path ?? ''}`);
    return opened;
  };
  return {
    server: () => server,
    open,
    openAsAdmin: async (options = {}) => {
      const opened = await openEmpty(options);
      const { request } = opened.page.context();
      const answer = await request.post(`${server.url}api/v1/auth/login`, { data: { ...admin, session: true } });
      if (!answer.ok()) throw new Error(`The sign-in was answered ${answer.status()}.`);
      await opened.page.goto(`${server.url}${options.path ?? ''}`);
      return opened;
    },
  };
}
