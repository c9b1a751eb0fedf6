import { createProfile, launchBrowser, openPageOf, type OpenedPage, type PageOptions } from '@weir/test-kit/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { admin, startServer, type ServerOptions, type UiServer } from './start-server';

export type { OpenedPage } from '@weir/test-kit/browser';

export interface Pages {
  readonly server: () => UiServer;
  /** A page of a new browser profile, which is nobody's yet. */
  readonly open: (options?: OpenOptions) => Promise<OpenedPage>;
  /**
   * A page of the admin, in one profile for all cases of the file unless there are options for its own: `context: {}`
   * for a case that changes the profile.
   */
  readonly openAsAdmin: (options?: OpenOptions) => Promise<OpenedPage>;
}

export interface OpenOptions extends PageOptions {
  /** Below the address of the interface. */
  readonly path?: string;
}

type Environment = Readonly<Record<string, string>>;

/** One browser and one server for the specs of a file. */
export function usePages(env: Environment | (() => Promise<Environment>) = {}, options: ServerOptions = {}): Pages {
  let browser: Browser;
  let server: UiServer;
  /** Of the admin. What was loaded and compiled for one case serves the next. */
  let shared: Promise<BrowserContext> | undefined;
  let ofCase: { readonly profiles: BrowserContext[]; readonly pages: Page[] } | undefined;

  beforeAll(async () => {
    const variables = typeof env === 'function' ? await env() : env;
    [browser, server] = await Promise.all([launchBrowser(), startServer(variables, options)]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), server.stop()]);
  });

  // A page that is left open goes on to follow what the next cases do.
  beforeEach(() => {
    ofCase = { profiles: [], pages: [] };
  });
  afterEach(async () => {
    const { profiles = [], pages = [] } = ofCase ?? {};
    ofCase = undefined;
    const areAsNew = (await Promise.all(pages.map(closeAndForget))).every(Boolean);
    if (!areAsNew && shared !== undefined) {
      profiles.push(await shared);
      shared = undefined;
    }
    await Promise.all(profiles.map((profile) => profile.close()));
  });

  const createOwn = async (options: OpenOptions): Promise<BrowserContext> => {
    const profile = await createProfile(browser, options);
    ofCase?.profiles.push(profile);
    return profile;
  };
  const signIn = async (profile: BrowserContext): Promise<BrowserContext> => {
    const login = { ...admin, session: true };
    const answer = await profile.request.post(`${server.url}api/v1/auth/login`, { data: login });
    if (!answer.ok()) throw new Error(`The sign-in was answered ${answer.status()}.`);
    return profile;
  };
  const openIn = async (profile: BrowserContext, path = ''): Promise<OpenedPage> => {
    const opened = await openPageOf(profile);
    await opened.page.goto(`${server.url}${path}`);
    return opened;
  };
  return {
    server: () => server,
    open: async (options = {}) => openIn(await createOwn(options), options.path),
    openAsAdmin: async ({ path, ...options } = {}) => {
      if (ofCase === undefined || Object.keys(options).length > 0) {
        return openIn(await signIn(await createOwn(options)), path);
      }
      shared ??= createProfile(browser).then(signIn);
      const opened = await openIn(await shared, path);
      ofCase.pages.push(opened.page);
      return opened;
    },
  };
}

/** Closes a page with what it has stored; whether it could. */
async function closeAndForget(page: Page): Promise<boolean> {
  try {
    await page.evaluate(() => localStorage.clear());
    await page.close();
    return true;
  } catch {
    return false;
  }
}
